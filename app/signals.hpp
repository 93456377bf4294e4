/// Ctrl-C: ends a run after its step, and everything else at once. User document: docs/guide/results.md, "Resuming".
#pragma once

#include <atomic>

namespace filum::app {

/// What runs look at after every step. SIGINT and SIGTERM set it; the second of them ends the program with exit code
/// 130, and so does the first when nobody looks.
const std::atomic<bool>& interrupt();

/// To be called once, before anything takes long.
void watch_signals();

enum class Listener {
  none,  ///< Ctrl-C ends the program
  soon,  ///< a run is being prepared: it has a second to begin
  run,   ///< a run ends after its step
};
/// Who looks at `interrupt` from now on.
void set_listener(Listener listener);

}  // namespace filum::app
