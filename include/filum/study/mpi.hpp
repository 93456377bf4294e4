/// Studies as MPI jobs. User document: docs/guide/studies.md, "Many machines".
#pragma once

namespace filum::study {

/// MPI from construction to destruction, if the program was started by mpirun or srun and was built with MPI; nothing
/// otherwise.
class MpiSession {
 public:
  MpiSession();
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;
};

/// 0 and 1 outside an MPI job.
int mpi_rank();
int mpi_size();

}  // namespace filum::study
