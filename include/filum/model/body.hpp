/// Rigid bodies of a model. User document: docs/guide/scenarios.md, "Bodies".
#pragma once

#include <filum/model/group_choice.hpp>
#include <filum/model/look.hpp>
#include <filum/model/object.hpp>

#include <optional>

namespace filum::model {

using Eigen::Vector4d;

/// A velocity that is given, or left to the joints: the smallest one that fits what is given.
struct InitialVelocity {
  Vector3d value = Vector3d::Zero();
  bool consistent = false;
  InitialVelocity() = default;
  InitialVelocity(const Vector3d& v) : value(v) {}  // NOLINT: a vector is a velocity
  InitialVelocity(double x, double y, double z) : value(x, y, z) {}
  static InitialVelocity from_joints() {
    InitialVelocity v;
    v.consistent = true;
    return v;
  }
};

struct Body {
  std::string name = {};
  GroupChoice group = {};
  double mass = 0;
  Matrix3d inertia = Matrix3d::Zero();          ///< about the centre of mass, in body axes
  Vector3d center_of_mass = Vector3d::Zero();   ///< in the body frame
  Vector3d position = Vector3d::Zero();         ///< of the body frame, in space; with a pivot too
  Vector4d orientation = Vector4d(1, 0, 0, 0);  ///< quaternion, scalar first
  InitialVelocity angular_velocity = {};        ///< in the body frame
  InitialVelocity velocity = {};                ///< in space
  std::optional<Vector3d> pivot =
      {};  ///< fixed point in space, for SO3 and S3; default: that of a spherical joint to the ground
  Look look = {};
};

std::unique_ptr<Object> make_object(const Body& options);

}  // namespace filum::model
