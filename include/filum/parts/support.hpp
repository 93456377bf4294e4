/// Supports: coordinates of a point and rotations of its frame that stay where they are. Theory: docs/theory/joints.md,
/// sec. 6.
#pragma once

#include <filum/parts/joint.hpp>

#include <array>
#include <string>

namespace filum::parts {

/// Directions are the columns of `axes`, in space.
struct SupportOptions {
  std::string name = "support";
  Marker at;
  std::array<bool, 3> position{};        ///< along them
  std::array<bool, 3> rotation{};        ///< about them
  Matrix3d axes = Matrix3d::Identity();  ///< orthonormal
};

/// A joint to the ground, its first partner. Throws std::invalid_argument when nothing is held.
JointHandle add_support(SystemBuilder& builder, const SupportOptions& options);

}  // namespace filum::parts
