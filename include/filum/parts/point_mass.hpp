/// Point masses in R1, R2 and R3. Theory: docs/theory/bodies.md, sec. 1.
#pragma once

#include <filum/parts/node_frame.hpp>

#include <string>

namespace filum::parts {

/// In R1 and R2 the first components of position and velocity count; the others must be zero.
struct PointMassOptions {
  std::string name = "mass";
  lie::GroupId group = lie::GroupId::R3;
  double mass = 1;
  Vector3d position = Vector3d::Zero();
  Vector3d velocity = Vector3d::Zero();
};

struct PointMass {
  PointMassOptions initial;
  int node = -1;
  int q_at = 0, v_at = 0;

  double mass() const { return initial.mass; }
  Marker marker() const { return {.node = node}; }
  Vector3d position(const State& state) const;
  Vector3d velocity(const State& state) const;
};

/// Adds node, inertia and initial values. Throws std::invalid_argument when the mass is not positive, the group is not
/// R1, R2 or R3, or the point is not in it.
PointMass add_point_mass(SystemBuilder& builder, const PointMassOptions& options);

}  // namespace filum::parts
