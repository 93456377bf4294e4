/// Runs spread over the processes of an MPI job. User document: docs/guide/studies.md, "Many machines".
#pragma once

#include <filum/study/execute.hpp>
#include <filum/study/mpi.hpp>

namespace filum::study {

/// Rank 0 hands out runs one by one and works itself; every run is a process of its own. All ranks call it. Throws
/// ScenarioError when the ranks do not see the same folder.
void execute_with_mpi(const CaseList& list, const ExecuteOptions& options);

}  // namespace filum::study
