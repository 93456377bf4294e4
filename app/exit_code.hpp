/// What the program tells its caller. User document: docs/guide/first-run.md.
#pragma once

namespace filum::app {

enum ExitCode { done = 0, internal_error = 1, bad_input = 2, stopped = 3, check_failed = 4, interrupted = 130 };

}  // namespace filum::app
