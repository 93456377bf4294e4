/// Ctrl-C: ends a run after its step, and everything else at once. User document: docs/guide/results.md, "Resuming".
#pragma once

#include <atomic>

namespace filum::app {

/// Polled by runs after every step. SIGINT and SIGTERM set it; a second signal ends the program with exit code 130, and
/// so does the first if nothing polls.
const std::atomic<bool>& interrupt();

/// Call once, before any long computation.
void watch_signals();

enum class Listener {
  none,  ///< Ctrl-C ends the program
  soon,  ///< a run is being prepared: it has a second to begin
  run,   ///< a run ends after its step
  end,   ///< results are being completed: a second of processor time is left for that
};
/// What polls `interrupt` from now on.
void set_listener(Listener listener);

}  // namespace filum::app
