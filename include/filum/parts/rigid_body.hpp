/// Rigid bodies: a node, its inertia, and how to read positions and velocities. Theory: docs/theory/bodies.md, sec. 1.
#pragma once

#include <filum/parts/node_frame.hpp>

#include <optional>
#include <string>

namespace filum::parts {

using Eigen::Vector4d;

/// A body in its initial position. Its frame may sit anywhere; `inertia` is about the centre of mass, in body axes.
struct RigidBodyOptions {
  std::string name = "body";
  lie::GroupId group = lie::GroupId::S3sdR3;
  double mass = 1;
  Matrix3d inertia = Matrix3d::Identity();
  Vector3d center_of_mass = Vector3d::Zero();    ///< in the body frame
  Vector3d position = Vector3d::Zero();          ///< of the body frame, in space
  Vector4d orientation = Vector4d(1, 0, 0, 0);   ///< quaternion, scalar first
  Vector3d angular_velocity = Vector3d::Zero();  ///< in the body frame
  Vector3d velocity = Vector3d::Zero();          ///< of the frame's origin, in space; not read with a pivot
  std::optional<Vector3d> pivot = std::nullopt;  ///< fixed point in space: needed in SO3 and S3, refused elsewhere
};

/// What is left to do with a body once it is part of a system. Points are given in the body frame of the options, in
/// all groups, although a node in SO3 or S3 has its frame at the pivot.
struct RigidBody {
  RigidBodyOptions initial;
  int node = -1;
  int q_at = 0, v_at = 0;
  Vector3d frame_at = Vector3d::Zero();  ///< the body frame in that of the node: zero without a pivot

  lie::GroupId group() const { return initial.group; }
  double mass() const { return initial.mass; }
  /// The point X of the body frame.
  Marker at(const Vector3d& X) const;
  /// The point that is at x, in space, when the body is in its initial position.
  Marker at_space(const Vector3d& x) const;
  Marker center_of_mass() const { return at(initial.center_of_mass); }

  /// Puts the body elsewhere in a state. Position and velocity are not read with a pivot.
  void place(State& state, const Vector3d& position, const Vector4d& orientation, const Vector3d& angular_velocity,
             const Vector3d& velocity) const;

  Vector3d position(const State& state) const;        ///< of the body frame, in space
  Vector3d center_of_mass(const State& state) const;  ///< in space
  Matrix3d rotation(const State& state) const;
  Vector4d orientation(const State& state) const;
  Vector3d angular_velocity(const State& state) const;  ///< in the body frame
  Vector3d velocity(const State& state) const;          ///< of the body frame's origin, in space
  Vector3d space_point(const State& state, const Vector3d& X) const;
};

/// Adds node, inertia and initial values. Throws std::invalid_argument for a body that cannot exist: mass not positive,
/// inertia not symmetric positive definite or against the triangle inequality of its principal moments, a quaternion
/// that is not of unit length, a group that cannot hold it.
RigidBody add_rigid_body(SystemBuilder& builder, const RigidBodyOptions& options);

/// Θ − m ĉĉ: inertia about a point from which the centre of mass is at c, (B.1).
Matrix3d shifted_inertia(const Matrix3d& inertia, double mass, const Vector3d& c);

}  // namespace filum::parts
