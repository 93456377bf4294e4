/// The last state in the words of the summary. User document: docs/guide/results.md.
#pragma once

#include <filum/model/layout.hpp>
#include <filum/record/summary.hpp>

namespace filum::record {

/// Which objects have poses and multipliers.
struct StateOutline {
  std::vector<model::ObjectPoses> poses;
  std::vector<model::ObjectRows> rows;
};
void summarize_state(const StateOutline& outline, const mechanics::System& system, const mechanics::State& x,
                     Summary& summary);

}  // namespace filum::record
