/// Kinematics of two points, (J.20) to (J.23). Theory: docs/theory/joints.md, sec. 3.
#include <filum/parts/node_frame_inline.hpp>
#include <filum/parts/point_pair.hpp>

#include <array>
#include <stdexcept>

namespace filum::parts {
namespace {

using lie::skw;

/// The same velocity in space.
Matrix36d space_velocity(const Pose& pose, const Vector3d& X) { return pose.R * point_velocity(X); }

/// How that velocity changes with the pose while the twist stays: −R skw(U + Ω × X) on rotations.
Matrix36d point_velocity_by_pose(const Pose& pose, const Twist& V, const Vector3d& X) {
  Matrix36d P = Matrix36d::Zero();
  P.leftCols<3>() = -pose.R * skw(V.at(X));
  return P;
}

}  // namespace

PointPair::PointPair(const std::string& what, Marker a, Marker b) : at_a_(std::move(a)), at_b_(std::move(b)) {
  if (at_a_.node == at_b_.node)
    throw std::invalid_argument(
        what + ": both ends are on " +
        (at_a_.node == ground ? std::string("the ground") : "node " + std::to_string(at_a_.node)));
  if (at_a_.node == ground) std::swap(at_a_, at_b_);
}

void PointPair::attach(const ConfigurationSpace& space) {
  a_ = NodeFrame(space, at_a_);
  b_ = NodeFrame(space, at_b_);
}

PointPair::Motion PointPair::position(const VectorXd& q) const {
  Motion m{.A = a_.pose(q), .B = b_.pose(q), .V_a = {}, .V_b = {}, .r = {}, .r_dot = Vector3d::Zero()};
  m.r = m.B.act(at_b_.point) - m.A.act(at_a_.point);
  return m;
}

PointPair::Motion PointPair::motion(const VectorXd& q, const VectorXd& v) const {
  Motion m = position(q);
  m.V_a = a_.twist(m.A, v);
  m.V_b = b_.twist(m.B, v);
  m.r_dot = m.B.R * m.V_b.at(at_b_.point) - m.A.R * m.V_a.at(at_a_.point);
  return m;
}

Vector3d PointPair::convective_acceleration(const Motion& m) const {
  const auto of = [](const Pose& pose, const Twist& V, const Vector3d& X, const Vector3d& bias) -> Vector3d {
    return pose.R * (V.O.cross(V.at(X)) + bias);
  };
  return of(m.B, m.V_b, at_b_.point, b_.bias(m.V_b)) - of(m.A, m.V_a, at_a_.point, a_.bias(m.V_a));
}

void PointPair::add_pull(const Motion& m, const Vector3d& t, VectorRef f) const {
  const Vector3d t_a = m.A.R.transpose() * t;
  a_.add_wrench(m.A, at_a_.point.cross(t_a), t_a, f);
  if (b_.is_ground()) return;
  const Vector3d t_b = m.B.R.transpose() * -t;
  b_.add_wrench(m.B, at_b_.point.cross(t_b), t_b, f);
}

void PointPair::add_pull_derivatives(const Motion& m, const Vector3d& t, const Matrix3d& by_r,
                                     const Matrix3d& by_rate_q, const Matrix3d& by_rate_v, const NodeBlocks<2>& blocks,
                                     NodeMatrix& H) const {
  struct End {
    const NodeFrame& frame;
    const Pose& pose;
    const Twist& V;
    const Vector3d& X;
    double sign;  // of the force on it; r moves by −sign
    Matrix36d J;
  };
  const std::array<End, 2> ends{End{a_, m.A, m.V_a, at_a_.point, 1, space_velocity(m.A, at_a_.point)},
                                End{b_, m.B, m.V_b, at_b_.point, -1, space_velocity(m.B, at_b_.point)}};
  const int count = b_.is_ground() ? 1 : 2;
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j) {
      const End &u = ends[i], &w = ends[j];
      const Matrix36d P = point_velocity_by_pose(w.pose, w.V, w.X);
      const double sign = -u.sign * w.sign;
      const Matrix6d twist_part = sign * (u.J.transpose() * (by_rate_q * w.J));
      Matrix6d K = sign * (u.J.transpose() * ((by_r + by_rate_v) * w.J + by_rate_q * P));
      w.frame.complete_twist_derivative(w.V, twist_part, K);
      if (i == j) {
        const Vector3d force = u.sign * (u.pose.R.transpose() * t);
        K.topLeftCorner<3, 3>() += skw(u.X) * skw(force);
        K.bottomLeftCorner<3, 3>() += skw(force);
        u.frame.complete_pose_derivative(force, 1, K);
      }
      NodeFrame::add_block(u.frame, u.pose, w.frame, w.pose, K, blocks(H, i, j));
    }
}

void PointPair::write_row(const Motion& m, const Vector3d& w, const mechanics::Constraint<1>& row, RowMatrix& C) const {
  const Eigen::Matrix<double, 1, 6> row_a = -w.transpose() * space_velocity(m.A, at_a_.point);
  a_.write_columns<1>(m.A, row_a, row.columns(C, 0));
  if (b_.is_ground()) return;
  const Eigen::Matrix<double, 1, 6> row_b = w.transpose() * space_velocity(m.B, at_b_.point);
  b_.write_columns<1>(m.B, row_b, row.columns(C, 1));
}

}  // namespace filum::parts
