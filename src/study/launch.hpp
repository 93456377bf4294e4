/// Whether this process is one of several that mpirun or srun has started. User document: docs/guide/studies.md, "Many
/// machines".
#pragma once

#include <string>

namespace filum::study {

struct Launch {
  int rank = 0;
  int size = 1;               ///< 0: not known
  std::string variable = {};  ///< that says so
};

/// From the environment, so that MPI is not touched by a process that is alone.
Launch launch_of_environment();

}  // namespace filum::study
