/// Studies as MPI jobs: rank 0 runs the study, the others work for it. User document: docs/guide/studies.md,
/// "Many machines".
#pragma once

#include <atomic>
#include <filesystem>

namespace filum::study {

/// MPI from construction to destruction, if mpirun or srun has started this process as one of several; nothing
/// otherwise. The end of rank 0's session, by an exception or not, ends the other ranks.
class MpiSession {
 public:
  /// Throws config::InputError when there are several processes that cannot communicate.
  MpiSession();
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;
};

/// 0 and 1 outside an MPI job.
int mpi_rank();
int mpi_size();

/// What all ranks but 0 do: runs that rank 0 hands out, each in its own process (`program`), until rank 0 ends its
/// session.
void work_for_rank_0(const std::filesystem::path& program, const std::atomic<bool>& interrupt);

/// Whether mpirun or srun has started this process as one of several, but not as the first; needs no session.
bool is_started_as_another_rank();

}  // namespace filum::study
