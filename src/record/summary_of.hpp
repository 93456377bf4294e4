/// What every summary tells: outcome, size of the model, last state. User document: docs/guide/results.md.
#pragma once

#include <filum/model/built_model.hpp>
#include <filum/record/run.hpp>

namespace filum::record {

class Stopwatch;

/// Which objects have poses and multipliers.
struct StateOutline {
  std::vector<model::ObjectPoses> poses;
  std::vector<model::ObjectRows> rows;
};
/// Version, title, size and last state.
void summarize_model(const model::BuiltModel& model, const StateOutline& outline, const mechanics::State& x,
                     Summary& summary);
/// Of result.outcome, its message and its final state as well, and the time it took.
void summarize_run(const model::BuiltModel& model, const StateOutline& outline, const Stopwatch& watch, Run& result);

}  // namespace filum::record
