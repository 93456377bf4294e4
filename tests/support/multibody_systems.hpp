/// Mechanisms, chains and flexible systems that joints and integrators are measured on. Theory:
/// docs/theory/multibody_benchmarks.md.
#pragma once

#include "support/benchmark_systems.hpp"

#include <filum/mechanics/consistent_start.hpp>
#include <filum/parts/beam.hpp>
#include <filum/parts/joint.hpp>
#include <filum/parts/joint_spring.hpp>

#include <functional>
#include <vector>

namespace filum::test {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::Vector4d;
using parts::JointHandle;
using parts::JointType;

/// Bodies and joints by number, in the order they were added; a consistent start once it is finished.
class Multibody {
 public:
  static constexpr int ground = -1;

  SystemBuilder builder;
  std::shared_ptr<const System> system;
  std::vector<parts::RigidBody> bodies;
  std::vector<JointHandle> joints;
  std::vector<std::shared_ptr<const parts::Beam>> beams;
  State start;
  mechanics::ConsistencyReport report;

  int add(const parts::RigidBodyOptions& options);
  int join(const std::string& name, JointType type, int first, int second, const Vector3d& at,
           const Vector3d& axis = {0, 0, 1}, const Vector3d& axis2 = {1, 0, 0});
  int join(const std::string& name, JointType type, const parts::Marker& first, const parts::Marker& second,
           const Vector3d& axis = {0, 0, 1}, const Vector3d& axis2 = {1, 0, 0});
  parts::Marker marker(int body, const Vector3d& at) const;
  parts::Marker beam_node(int beam, int node) const { return beams[static_cast<std::size_t>(beam)]->at(node); }
  /// Gravity on all bodies and, lumped, on all beams.
  void add_gravity(const Vector3d& field);
  /// Builds the system; velocities are a guess unless `exact`.
  void finish(bool exact = false);

  double energy(const State& x) const { return system->kinetic_energy(x.q, x.v) + system->potential_energy(x.t, x.q); }
  parts::JointReading read(int joint, const State& x) const { return parts::read_joint(joints[joint], x); }
  /// Largest |Φ| of the rows whose names contain `part`, active or not.
  double residual(const State& x, const std::string& part = "") const;
};

/// Quaternion of a turn about e3.
Vector4d turn_z(double angle);
/// A slender rod between two points of the plane z = 0, its frame in the middle and e1 along it; it turns with `spin`
/// about e3 while its first end moves with `velocity`.
parts::RigidBodyOptions rod(const std::string& name, GroupId group, const Vector2d& from, const Vector2d& to,
                            double mass, double spin = 0, const Vector2d& velocity = Vector2d::Zero());

// Paper 004, with lengths of our own where the text lost them ---------------------------------------------------------
Multibody spherical_double_pendulum(GroupId group);  ///< 5.4
Multibody planar_four_bar(GroupId group);            ///< 5.5, no gravity, crank at 10π rad/s
Multibody rp_chain(GroupId group);                   ///< 5.6
Multibody cardan_transmission(GroupId group);        ///< 5.7

/// Kinematics of the four-bar: pins between crank and coupler, coupler and rocker, for a crank angle.
struct FourBar {
  double base = 0.5, crank = 0.2, coupler = 0.5, rocker = 0.4;
  Vector2d crank_pin(double angle) const;
  Vector2d rocker_pin(double angle) const;
};

// Others -------------------------------------------------------------------------------------------------------------
/// A rigid body that swings like a mathematical pendulum of length 1, g = 9.81 along −e2, from (−1, 0) at rest.
Multibody rigid_pendulum(GroupId group);
/// Crank 0.2, rod 0.5, slider on the first axis; the crank is driven with 2π rad/s or falls freely from 60 degrees.
Multibody slider_crank(GroupId group, bool driven);
/// METHODS: seven bodies in space, ten revolute joints, nine redundant equations.
Multibody andrews_squeezer(GroupId group);
/// The angles (β, Θ, γ, Φ, δ, Ω, ε) in a state, nearest to `near`.
Eigen::Matrix<double, 7, 1> andrews_angles(const Multibody& m, const State& x, const Eigen::Matrix<double, 7, 1>& near);
Eigen::Matrix<double, 7, 1> andrews_start();
/// Six hinges around a cube: 30 equations of rank 29, yet it moves.
Multibody bricard(GroupId group);
/// A parallelogram that folds flat, where its equations are singular.
Multibody parallelogram(GroupId group);
/// n rods of length 1, horizontal at first, hanging on a hinge (spherical or revolute) at the origin.
Multibody rod_chain(int n, JointType type, GroupId group);
/// A binary tree of rods with `levels` levels.
Multibody rod_tree(int levels, GroupId group);

// With beams ---------------------------------------------------------------------------------------------------------
Multibody flexible_pendulum(int segments, double stiffness = 20);
Multibody beam_with_tip_body(int segments);
Multibody beam_frame(int segments);           ///< two columns clamped to the ground, joined to a rigid beam on top
Multibody beam_net(int cells, int segments);  ///< a square net of beams, hinged at its corner points, corners fixed
Multibody elastic_slider_crank(int segments);

}  // namespace filum::test
