/// Equations of spherical joints and their derivatives, (J.10) to (J.18). Theory: docs/theory/joints.md, sec. 2.
#include <filum/parts/node_frame_inline.hpp>
#include <filum/parts/spherical_joint.hpp>

#include <stdexcept>

namespace filum::parts {
namespace {

using lie::skw;

/// skw(a) skw(b) = b aᵀ − (a·b) I.
Matrix3d double_skw(const Vector3d& a, const Vector3d& b) {
  Matrix3d m = b * a.transpose();
  m.diagonal().array() -= a.dot(b);
  return m;
}

}  // namespace

int SphericalJoints::add(std::string name, const Marker& a, const Marker& b, JointRows rows) {
  joints_.push_back({.name = std::move(name), .at_a = a, .at_b = b, .in_space = rows == JointRows::space});
  return static_cast<int>(joints_.size()) - 1;
}

void SphericalJoints::declare(mechanics::Declaration& declaration) {
  for (Joint& j : joints_) {
    j.a = NodeFrame(declaration.space(), j.at_a);
    j.b = NodeFrame(declaration.space(), j.at_b);
    j.rows = declaration.constraint<3>(mechanics::ConstraintKind::holonomic, MarkerNodes(j.at_a, j.at_b));
  }
}

SphericalJoints::Position SphericalJoints::Joint::position(const VectorXd& q) const {
  Position p;
  if (b.is_ground()) {
    p.d = -a.locate(q, at_b.point);
    if (a.is_direct()) p.A = a.pose(q);
  } else {
    p.A = a.pose(q);
    p.B = b.pose(q);
    p.d = p.A.R.transpose() * (p.A.x - p.B.act(at_b.point));
  }
  return p;
}

// (J.10), (J.15)
void SphericalJoints::constraint(double, const VectorXd& q, VectorRef phi) const {
  for (const Joint& j : joints_)
    j.rows.of(phi) = j.in_space ? Vector3d(j.a.pose(q).act(j.at_a.point) - j.b.pose(q).act(j.at_b.point))
                                : Vector3d(j.at_a.point + j.position(q).d);
}

void SphericalJoints::constraint_jacobian(double, const VectorXd& q, RowMatrix& C) const {
  for (const Joint& j : joints_) j.in_space ? j.write_space_rows(q, C) : j.write_rows(q, C);
}

void SphericalJoints::curvature(double, const VectorXd& q, const VectorXd& v, VectorRef gamma) const {
  for (const Joint& j : joints_) j.rows.of(gamma) = j.in_space ? j.space_curvature(q, v) : j.curvature(q, v);
}

void SphericalJoints::add_constraint_force_derivatives(double, const VectorXd& q, const VectorXd& lambda, double scale,
                                                       NodeMatrix& H) const {
  for (const Joint& j : joints_) {
    const Vector3d l = scale * j.rows.of(lambda);
    j.in_space ? j.add_space_derivatives(q, l, H) : j.add_derivatives(q, l, H);
  }
}

Vector3d SphericalJoints::multipliers_body(int joint, const VectorXd& q, const VectorXd& lambda) const {
  const Joint& j = joints_[joint];
  const Vector3d l = j.rows.of(lambda);
  return j.in_space ? Vector3d(j.a.pose(q).R.transpose() * l) : l;
}

// (J.16) C_a = R_a [−skw X_a, I], C_b = −R_b [−skw X_b, I]
void SphericalJoints::Joint::write_space_rows(const VectorXd& q, RowMatrix& C) const {
  const Pose A = a.pose(q);
  a.write_columns<3>(A, A.R * point_velocity(at_a.point), rows.columns(C, 0));
  if (b.is_ground()) return;
  const Pose B = b.pose(q);
  b.write_columns<3>(B, -B.R * point_velocity(at_b.point), rows.columns(C, 1));
}

// (J.17) γ = g_a − g_b with g = R (Ω × (U + Ω × X) + bias)
Vector3d SphericalJoints::Joint::space_curvature(const VectorXd& q, const VectorXd& v) const {
  const auto of = [&](const NodeFrame& frame, const Vector3d& X) -> Vector3d {
    const Pose pose = frame.pose(q);
    const Twist V = frame.twist(pose, v);
    return pose.R * (V.O.cross(V.at(X)) + frame.bias(V));
  };
  return b.is_ground() ? of(a, at_a.point) : Vector3d(of(a, at_a.point) - of(b, at_b.point));
}

// (J.18) The wrench of a force in space turns with its own frame only.
void SphericalJoints::Joint::add_space_derivatives(const VectorXd& q, const Vector3d& l, NodeMatrix& H) const {
  const auto add = [&](const NodeFrame& frame, const Vector3d& X, double sign, double* block) {
    const Pose pose = frame.pose(q);
    const Vector3d force = sign * (pose.R.transpose() * l);
    Matrix6d K = Matrix6d::Zero();
    K.topLeftCorner<3, 3>() = double_skw(X, force);
    K.bottomLeftCorner<3, 3>() = skw(force);
    frame.complete_pose_derivative(force, 1, K);
    NodeFrame::add_block(frame, pose, frame, pose, K, block);
  };
  add(a, at_a.point, 1, rows.blocks()(H, 0, 0));
  if (!b.is_ground()) add(b, at_b.point, -1, rows.blocks()(H, 1, 1));
}

// (J.11) Cₐ = [skw d, I], C_b = −S [−skw X_b, I] with S = RₐᵀR_b.
void SphericalJoints::Joint::write_rows(const VectorXd& q, RowMatrix& C) const {
  const auto& [A, B, d] = position(q);
  if (a.is_semidirect()) {
    Eigen::Map<Matrix36d> block(rows.columns(C, 0));
    block.leftCols<3>() = skw(d);
    block.rightCols<3>().setIdentity();
  } else {
    a.write_columns<3>(A, point_velocity(-d), rows.columns(C, 0));
  }
  if (b.is_ground()) return;
  const Matrix36d C_b = -(A.R.transpose() * B.R) * point_velocity(at_b.point);
  b.write_columns<3>(B, C_b, rows.columns(C, 1));
}

// (J.12) γ = −Ωₐ × (Uₐ − Ωₐ × d − 2 S W) − S (Ω_b × W) with W = U_b + Ω_b × X_b, and the biases of both frames.
Vector3d SphericalJoints::Joint::curvature(const VectorXd& q, const VectorXd& v) const {
  const auto& [A, B, d] = position(q);
  const Twist V = a.twist(A, v);
  Vector3d relative = V.at(-d);
  Vector3d sum = a.bias(V);
  if (!b.is_ground()) {
    const Twist Z = b.twist(B, v);
    const Vector3d W = Z.at(at_b.point);
    const auto to_a = [&R_a = A.R, &R_b = B.R](const Vector3d& w) -> Vector3d { return R_a.transpose() * (R_b * w); };
    relative -= 2 * to_a(W);
    sum -= to_a(Z.O.cross(W) + b.bias(Z));
  }
  return sum - V.O.cross(relative);
}

// (J.13) Wrenches of Cᵀλ: (λ × d, λ) on the first frame, −(X_b × l, l) with l = Sᵀλ on the second.
void SphericalJoints::Joint::add_derivatives(const VectorXd& q, const Vector3d& l, NodeMatrix& H) const {
  const Position p = position(q);
  if (a.is_semidirect()) {
    Eigen::Map<Matrix6d> block(rows.blocks()(H, 0, 0));
    block.topLeftCorner<3, 3>() += double_skw(l, p.d);
    block.topRightCorner<3, 3>() += skw(l);
  } else {
    Matrix6d K = Matrix6d::Zero();
    K.topLeftCorner<3, 3>() = double_skw(l, p.d);
    K.topRightCorner<3, 3>() = skw(l);
    a.complete_pose_derivative(l, 1, K);
    NodeFrame::add_block(a, p.A, a, p.A, K, rows.blocks()(H, 0, 0));
  }
  if (!b.is_ground()) add_partner_derivatives(p, l, H);
}

// (J.14) without K_aa.
void SphericalJoints::Joint::add_partner_derivatives(const Position& p, const Vector3d& l_a, NodeMatrix& H) const {
  const Matrix3d S = p.A.R.transpose() * p.B.R;
  const Vector3d l_b = S.transpose() * l_a;
  const Matrix36d J = point_velocity(at_b.point);
  Matrix6d K = Matrix6d::Zero();
  K.topRows<3>() = -skw(l_a) * S * J;
  NodeFrame::add_block(a, p.A, b, p.B, K, rows.blocks()(H, 0, 1));
  K.setZero();
  K.leftCols<3>() = J.transpose() * S.transpose() * skw(l_a);
  NodeFrame::add_block(b, p.B, a, p.A, K, rows.blocks()(H, 1, 0));
  K.setZero();
  K.leftCols<3>() = -J.transpose() * skw(l_b);
  b.complete_pose_derivative(-l_b, 1, K);
  NodeFrame::add_block(b, p.B, b, p.B, K, rows.blocks()(H, 1, 1));
}

std::string SphericalJoints::row_name(int constraint, int row) const {
  return "joint " + joints_[constraint].name + ": position " + std::to_string(row + 1);
}

JointHandle add_spherical_joint(SystemBuilder& builder, const std::string& name, const Marker& a, const Marker& b,
                                JointRows rows) {
  if (a.node == b.node)
    throw std::invalid_argument("joint " + name + ": both partners are " +
                                (a.node == ground ? std::string("the ground") : "node " + std::to_string(a.node)));
  if (a.node == ground) {
    JointHandle joint = add_spherical_joint(builder, name, b, a, rows);
    joint.swapped = true;
    return joint;
  }
  for (const Marker* m : {&a, &b}) NodeFrame(builder.space(), *m);  // refuses nodes that do not exist
  const lie::GroupId group = builder.space().group(a.node);
  if (b.node == ground && lie::is_rotation(group)) {
    const double size = 1 + a.origin.norm();
    if (a.point.norm() > 1e-9 * size || (b.point - a.origin).norm() > 1e-9 * size)
      throw std::invalid_argument("joint " + name + ": a body in " + std::string(lie::name(group)) +
                                  " turns about its pivot and cannot be held at another point of the ground");
    return {};
  }
  const auto part = builder.shared_part<SphericalJoints>();
  return {JointHandle::Kind::spherical, part, part->add(name, a, b, rows), false};
}

}  // namespace filum::parts
