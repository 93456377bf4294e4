/// Runs spread over the processes of an MPI job. User document: docs/guide/studies.md, "Many machines".
#pragma once

#include <filum/study/execute.hpp>
#include <filum/study/mpi.hpp>

namespace filum::study {

/// Performs all unfinished runs: rank 0, which alone calls this, hands them out one by one and takes part in the work;
/// `jobs` at a time on every rank (0: one), each in its own process. False when it was interrupted, on any rank. Throws
/// config::InputError when the ranks do not see the same folder.
bool execute_with_mpi(const CaseList& list, const ExecuteOptions& options);

}  // namespace filum::study
