/// Starting a program and waiting for it. User document: docs/guide/studies.md, "Running".
#pragma once

#include <atomic>
#include <string>
#include <vector>

namespace filum::study {

struct ChildResult {
  int code = 0;         ///< exit code
  int signal = 0;       ///< that ended it, or 0
  std::string message;  ///< last line it wrote to stderr
};

/// Interruption is passed on as SIGINT; the child is waited for in any case. FILUM_PARENT in its environment names the
/// process whose end also ends the child.
ChildResult run_child(const std::vector<std::string>& command, const std::atomic<bool>* interrupt);

}  // namespace filum::study
