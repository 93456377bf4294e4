/// What Python holds of scenarios and runs. User document: docs/python/README.md.
#pragma once

#include "convert.hpp"

#include <filum/integrate/run.hpp>
#include <filum/record/modes.hpp>
#include <filum/scenario/scenario.hpp>

#include <filesystem>

namespace filum::python {

using mechanics::State;

/// A state, with what a method remembers beside it where it comes from one: continuing from it gives the same bits.
struct MethodState {
  State x;
  std::vector<double> memory = {};
  py::object held = py::none();          ///< what controllers and events remember
  integrate::RunStatistics so_far = {};  ///< where the grid and the watch over switches stand
};

/// A run in memory or in a folder; series of a folder are read on demand.
struct StoredRun {
  record::Run run;
  std::filesystem::path folder;
  std::string summary;  ///< as in summary.json
};

}  // namespace filum::python
