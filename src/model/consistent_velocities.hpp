/// Velocities that a model leaves to the joints. User document: docs/guide/scenarios.md, "Bodies".
#pragma once

#include <filum/mechanics/system.hpp>

namespace filum::model {

/// Chooses the components `free` of x.v, the smallest possible ones, so that C v + rate = 0 holds as well as it can.
/// Unlike the projection of mechanics::make_consistent it does not touch the velocities that were given.
void choose_velocities(const mechanics::System& system, mechanics::State& x, const std::vector<int>& free);

}  // namespace filum::model
