/// Two joint frames on nodes and how they move against each other: the kinematics of joints and of springs on joint
/// coordinates. Theory: docs/theory/joints.md, sec. 6.
#pragma once

#include <filum/parts/joint.hpp>

namespace filum::parts {

/// Derivatives of two wrenches by two poses, along twists, (J.5).
struct PairBlocks {
  Matrix6d aa = Matrix6d::Zero(), ab = Matrix6d::Zero(), ba = Matrix6d::Zero(), bb = Matrix6d::Zero();
};

/// The frame at marker a has the axes `axes_a` (columns, in the frame of the node), likewise b. The second may ride on
/// a ground that moves.
struct FramePair {
  Marker at_a, at_b;
  Matrix3d axes_a = Matrix3d::Identity(), axes_b = Matrix3d::Identity();
  MotionFunction motion = {};  ///< of the second frame's ground; empty: at rest

  NodeFrame a{}, b{};

  struct Position {
    Pose A, B;
    Matrix3d S;  ///< from node frame b to node frame a
    Vector3d d;  ///< from the point of b to the node of a, in the frame of a: Φ = X_a + d, (J.10)
  };
  struct Motion {
    Position p;
    Twist V_a, V_b;
    Vector3d omega;  ///< Ωₐ − S Ω_b, in the frame of a
    Twist rate_b;    ///< V̇_b where the ground moves, the bias otherwise
  };

  MarkerNodes nodes() const { return {at_a, at_b}; }
  /// To be called when the part that owns it is declared.
  void attach(const ConfigurationSpace& space);
  Position position(double t, const VectorXd& q) const;
  Motion motion_at(double t, const VectorXd& q, const VectorXd& v) const;
  /// (J.12) Second derivative of d while v and the twist of the ground's motion run on: Φ̈ for v̇ = 0.
  Vector3d convective_acceleration(const Motion& m) const;
  /// (J.17) The same in space: of the way between the points, turned to the frame of a.
  Vector3d space_acceleration(const Motion& m) const;
  /// D of the wrenches of a force l (constant in the frame of a) on a and −l on b, both at the point of b, (J.14).
  void add_force_blocks(const Position& p, const Vector3d& l, PairBlocks& K) const;
  /// D of the wrenches of a force l (given in the frame of a, constant in space) on a and −l on b, each at its own
  /// point, (J.18).
  void add_space_force_blocks(const Position& p, const Vector3d& l, PairBlocks& K) const;
  /// D of the moments λ α × Sβ on a and their opposite on b, (J.44).
  static void add_moment_blocks(const Position& p, double lambda, const Vector3d& alpha, const Vector3d& beta,
                                PairBlocks& K);
  /// H += the blocks, carried to the groups of the nodes; `blocks` as announced for nodes().
  void scatter(const Position& p, const PairBlocks& K, const NodeBlocks<2>& blocks, NodeMatrix& H) const;
};

}  // namespace filum::parts
