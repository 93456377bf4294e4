/// A run from scenario to result files, and its continuation. User document: docs/guide/results.md.
#pragma once

#include <filum/record/summary.hpp>
#include <filum/scenario/scenario.hpp>

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>

namespace filum::scenario {

struct Progress {
  double start = 0, time = 0, end = 0;
  double step = 0;
  double newton_per_step = 0;
  double seconds = 0;  ///< since the run began
};

struct SimulationOptions {
  std::filesystem::path folder;                        ///< where results go
  bool force = false;                                  ///< results that are there already are replaced
  const std::atomic<bool>* interrupt = nullptr;        ///< set by somebody else: the run ends after the step
  std::function<void(const Progress&)> progress = {};  ///< called some ten times a second
};

enum class Outcome { done, stopped, interrupted };

struct SimulationResult {
  Outcome outcome = Outcome::done;
  std::string message;  ///< why it stopped and what to try
  record::Summary summary;
};

/// Runs a scenario. Throws ScenarioError for bad input, a folder that cannot be used included, and record::FileTrouble
/// when results cannot be written. Numerical failure is an outcome: what was computed is on disk.
SimulationResult simulate(const Scenario& scenario, const SimulationOptions& options);

/// Continues the run in options.folder from its checkpoint, bit for bit.
SimulationResult resume(const SimulationOptions& options);

/// The names of all files a run may write.
const std::vector<std::string>& result_files();

/// Version of the program, as written into files.
std::string version();

}  // namespace filum::scenario
