/// Modes of scenarios. User document: docs/guide/modes.md.
#pragma once

#include <filum/record/modes.hpp>
#include <filum/scenario/simulation.hpp>

namespace filum::scenario {

/// Modes of small motions about the start of a scenario, or about the state that its run reaches at a time; `what.run`
/// is filled in here. Throws as simulate does, and analysis::NoModes and record::NoState with the reason why there are
/// none.
record::ModesRun find_modes(Scenario scenario, record::ModesRunOptions what, const SimulationOptions& options);

}  // namespace filum::scenario
