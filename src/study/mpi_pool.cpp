/// Without MPI there is one process. User document: docs/guide/studies.md, "Many machines".
#include "mpi_pool.hpp"

namespace filum::study {

MpiSession::MpiSession() = default;
MpiSession::~MpiSession() = default;
int mpi_rank() { return 0; }
int mpi_size() { return 1; }
void execute_with_mpi(const CaseList& list, const ExecuteOptions& options) { execute(list, options); }

}  // namespace filum::study
