/// Relative kinematics of two frames, (J.10) to (J.14) and (J.40) to (J.44). Theory: docs/theory/joints.md, sec. 2
/// and 6.
#include <filum/lie/quaternion.hpp>
#include <filum/parts/frame_pair.hpp>
#include <filum/parts/node_frame_inline.hpp>

namespace filum::parts {

using lie::skw;

void FramePair::attach(const ConfigurationSpace& space) {
  a = NodeFrame(space, at_a);
  b = NodeFrame(space, at_b);
}

FramePair::Position FramePair::position(double t, const VectorXd& q) const {
  Position p;
  p.A = a.pose(q);
  if (motion) {
    const FrameMotion m = motion(t);
    p.B = {lie::quaternion::to_matrix(m.orientation), m.position};
  } else {
    p.B = b.pose(q);
  }
  p.S.noalias() = p.A.R.transpose() * p.B.R;
  p.d.noalias() = p.A.R.transpose() * (p.A.x - p.B.act(at_b.point));
  return p;
}

FramePair::Motion FramePair::motion_at(double t, const VectorXd& q, const VectorXd& v) const {
  Motion m{.p = position(t, q), .V_a = {}, .V_b = {}, .omega = {}, .rate_b = {}};
  m.V_a = a.twist(m.p.A, v);
  if (motion) {
    const FrameMotion g = motion(t);
    m.V_b = {g.angular_velocity, m.p.B.R.transpose() * g.velocity};
    m.rate_b = {g.angular_acceleration, m.p.B.R.transpose() * g.acceleration - m.V_b.O.cross(m.V_b.U)};
  } else {
    m.V_b = b.twist(m.p.B, v);
    m.rate_b.U = b.bias(m.V_b);
  }
  m.omega = m.V_a.O - m.p.S * m.V_b.O;
  return m;
}

Vector3d FramePair::convective_acceleration(const Motion& m) const {
  const Vector3d W = m.V_b.at(at_b.point);
  const Vector3d relative = m.V_a.at(-m.p.d) - 2 * (m.p.S * W);
  return a.bias(m.V_a) - m.p.S * (m.V_b.O.cross(W) + m.rate_b.at(at_b.point)) - m.V_a.O.cross(relative);
}

Vector3d FramePair::space_acceleration(const Motion& m) const {
  const Vector3d W = m.V_b.at(at_b.point);
  return a.bias(m.V_a) + m.V_a.O.cross(m.V_a.at(at_a.point)) - m.p.S * (m.V_b.O.cross(W) + m.rate_b.at(at_b.point));
}

void FramePair::add_space_force_blocks(const Position& p, const Vector3d& l, PairBlocks& K) const {
  K.aa.leftCols<3>() += point_velocity(at_a.point).transpose() * skw(l);
  a.complete_pose_derivative(l, 1, K.aa);
  if (b.is_ground()) return;
  const Vector3d l_b = p.S.transpose() * l;
  K.bb.leftCols<3>() -= point_velocity(at_b.point).transpose() * skw(l_b);
  b.complete_pose_derivative(-l_b, 1, K.bb);
}

void FramePair::add_force_blocks(const Position& p, const Vector3d& l, PairBlocks& K) const {
  K.aa.topLeftCorner<3, 3>() += skw(l) * skw(p.d);
  K.aa.topRightCorner<3, 3>() += skw(l);
  a.complete_pose_derivative(l, 1, K.aa);
  if (b.is_ground()) return;
  const Matrix36d J = point_velocity(at_b.point);
  const Vector3d l_b = p.S.transpose() * l;
  const Matrix3d lS = skw(l) * p.S;
  K.ab.topRows<3>() -= lS * J;
  K.ba.leftCols<3>() -= J.transpose() * lS.transpose();
  K.bb.leftCols<3>() -= J.transpose() * skw(l_b);
  b.complete_pose_derivative(-l_b, 1, K.bb);
}

void FramePair::add_moment_blocks(const Position& p, double lambda, const Vector3d& alpha, const Vector3d& beta,
                                  PairBlocks& K) {
  const Matrix3d aSb = lambda * (skw(alpha) * (p.S * skw(beta)));
  K.aa.topLeftCorner<3, 3>() += lambda * (skw(alpha) * skw(p.S * beta));
  K.ab.topLeftCorner<3, 3>() -= aSb;
  K.ba.topLeftCorner<3, 3>() -= aSb.transpose();
  K.bb.topLeftCorner<3, 3>() += lambda * (skw(beta) * skw(p.S.transpose() * alpha));
}

void FramePair::scatter(const Position& p, const PairBlocks& K, const NodeBlocks<2>& blocks, NodeMatrix& H) const {
  const int number_b = a.is_ground() ? 0 : 1;  // the ground is not announced
  if (!a.is_ground()) NodeFrame::add_block(a, p.A, a, p.A, K.aa, blocks(H, 0, 0));
  if (!b.is_ground()) NodeFrame::add_block(b, p.B, b, p.B, K.bb, blocks(H, number_b, number_b));
  if (a.is_ground() || b.is_ground()) return;
  NodeFrame::add_block(a, p.A, b, p.B, K.ab, blocks(H, 0, 1));
  NodeFrame::add_block(b, p.B, a, p.A, K.ba, blocks(H, 1, 0));
}

}  // namespace filum::parts
