/// Runs of scenarios. User document: docs/guide/results.md.
#pragma once

#include <filum/record/simulate.hpp>
#include <filum/scenario/scenario.hpp>

namespace filum::scenario {

struct SimulationOptions {
  std::filesystem::path folder = {};                            ///< where results go; empty: no files
  bool force = false;                                           ///< existing results are replaced
  std::filesystem::path input = {};                             ///< the scenario file, if it is one: never removed
  bool report = false;                                          ///< report.html
  const std::atomic<bool>* interrupt = nullptr;                 ///< set by another thread: the run ends after the step
  std::function<void(const record::Progress&)> progress = {};   ///< called some ten times a second
  std::function<void(double factor)> path_progress = {};        ///< called at every point of a path
  bool keep = false;                                            ///< series in memory
  record::StepObserver observer = {};                           ///< as record::SimulateOptions
  int threads = 0;                                              ///< as record::SimulateOptions
  record::Durability durability = record::Durability::lasting;  ///< likewise
};

/// Runs a scenario. Throws config::InputError for bad input, a folder that cannot be used included, and
/// record::FileTrouble when results cannot be written. Numerical failure is an outcome: what was computed is on disk.
record::Run simulate(Scenario scenario, const SimulationOptions& options);

/// Follows the path of equilibria that [static] asks for. Throws as `simulate`.
record::Run follow_path(Scenario scenario, const SimulationOptions& options);

/// Continues the run in options.folder from its checkpoint, bit for bit.
record::Run resume(const SimulationOptions& options);

/// The model of a scenario, built. Throws config::InputError at the keys of what cannot be built.
const model::BuiltModel& build(Scenario& scenario);

/// The model in words, for `filum check`: objects, degrees of freedom, consistency of the start, solver, and hints
/// about the step.
std::string describe(Scenario& scenario);

}  // namespace filum::scenario
