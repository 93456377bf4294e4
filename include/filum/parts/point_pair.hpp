/// Two points on nodes and the vector between them: the kinematics of springs and distances.
/// Theory: docs/theory/joints.md, sec. 3.
#pragma once

#include <filum/parts/node_frame.hpp>

namespace filum::parts {

/// r leads from the point of the first marker to that of the second, in space. The first is never on the ground.
class PointPair {
 public:
  /// Swaps the markers if the first is on the ground. Throws std::invalid_argument, beginning with `what`, when
  /// both belong to one node or to the ground.
  PointPair(const std::string& what, Marker a, Marker b);

  struct Motion {
    Pose A, B;
    Twist V_a, V_b;
    Vector3d r, r_dot;
  };

  MarkerNodes nodes() const { return {at_a_, at_b_}; }
  /// To be called when the part that owns it is declared.
  void attach(const ConfigurationSpace& space);

  Motion motion(const VectorXd& q, const VectorXd& v) const;
  /// Pose and r only.
  Motion position(const VectorXd& q) const;
  /// r̈ when v̇ = 0, (J.21).
  Vector3d convective_acceleration(const Motion& m) const;

  /// f += the force t (in space) on the first point and −t on the second, (J.22).
  void add_pull(const Motion& m, const Vector3d& t, VectorRef f) const;
  /// The derivatives of add_pull for a force t(r, ṙ), given scaled: t for the pose, by_r = ∂t/∂r for the pose,
  /// by_rate_q and by_rate_v = ∂t/∂ṙ for the pose and for the velocity, (J.23).
  void add_pull_derivatives(const Motion& m, const Vector3d& t, const Matrix3d& by_r, const Matrix3d& by_rate_q,
                            const Matrix3d& by_rate_v, const NodeBlocks<2>& blocks, NodeMatrix& H) const;
  /// Columns of the row wᵀ ṙ, w in space.
  void write_row(const Motion& m, const Vector3d& w, const mechanics::Constraint<1>& row, RowMatrix& C) const;

 private:
  Marker at_a_, at_b_;
  NodeFrame a_, b_;
};

}  // namespace filum::parts
