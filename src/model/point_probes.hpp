/// What can be measured at a point of a node: how it moves. User document: docs/guide/scenarios.md, "Sensors".
#pragma once

#include <filum/model/object.hpp>

namespace filum::model {

/// Position, orientation, velocity (in space) and angular velocity (in the frame of the node).
std::vector<Probe> point_probes(const mechanics::System& system, const parts::Marker& marker);

inline std::vector<std::string> point_quantities() {
  return {"position", "orientation", "velocity", "angular_velocity"};
}

}  // namespace filum::model
