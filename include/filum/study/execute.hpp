/// Carries out the runs of a study: in threads, in separate processes, under MPI. User document:
/// docs/guide/studies.md, "Running".
#pragma once

#include <filum/record/durability.hpp>
#include <filum/study/cases.hpp>

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace filum::study {

enum class RunState {
  missing,  ///< not begun, or interrupted
  done,
  stopped,  ///< the integration gave up; what it computed is there
  refused,  ///< no valid scenario, or one that the method cannot treat
  failed,   ///< the process crashed, or its results could not be written
};
const std::string& word_of(RunState state);

/// "omega.1": a number of a mode, from 1 on.
std::string mode_number(const std::string& what, int mode);

/// The outcome of a run, read from its folder.
struct RunOutcome {
  RunState state = RunState::missing;
  std::string reason;                     ///< why it is not done
  std::map<std::string, double> numbers;  ///< "seconds", "cpu", "steps", ...
  int runs = 0;                           ///< of which "seconds" and "cpu" are the shortest
  bool is_final() const { return state != RunState::missing && state != RunState::failed; }
};

struct ExecuteOptions {
  std::filesystem::path cases;                   ///< the folder of the runs' folders
  int jobs = 0;                                  ///< 0: as many as the machine has cores
  bool isolated = false;                         ///< every run in its own process: a crash becomes a row
  std::filesystem::path program;                 ///< `filum`, for isolated runs
  int repeat = 1;                                ///< runs of each case, for timing; one after the other
  const std::atomic<bool>* interrupt = nullptr;  ///< set by another thread: runs end after their step
  /// Of the results of runs in this process; where it is quick, the caller waits for the disk.
  record::Durability durability = record::Durability::lasting;
  /// Called before the first run and after every run with the number of finished and of all runs, never by two threads
  /// at once.
  std::function<void(int finished, int all)> progress = {};
};

RunOutcome inspect(const Run& run, const std::filesystem::path& cases);

/// Carries out one run if its folder does not have its results: from its checkpoint, if there is one. Never throws.
void execute_run(const Run& run, const ExecuteOptions& options);

/// Which runs are left, the longest first.
std::vector<int> unfinished(const CaseList& list, const std::filesystem::path& cases);

/// Performs all unfinished runs in a pool of threads. Results do not depend on the number of threads.
void execute(const CaseList& list, const ExecuteOptions& options);

}  // namespace filum::study
