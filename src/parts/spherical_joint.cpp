/// Equations of spherical joints and their derivatives, (J.10) to (J.14). Theory: docs/theory/joints.md, sec. 2.
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

int SphericalJoints::add(std::string name, const Marker& a, const Marker& b) {
  joints_.push_back({.name = std::move(name), .at_a = a, .at_b = b});
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

void SphericalJoints::constraint(double, const VectorXd& q, VectorRef phi) const {
  for (const Joint& j : joints_) j.rows.of(phi) = j.at_a.point + j.position(q).d;
}

// (J.11) Cₐ = [skw d, I], C_b = −S [−skw X_b, I] with S = RₐᵀR_b.
void SphericalJoints::constraint_rows(double, const VectorXd& q, RowMatrix& C) const {
  for (const Joint& j : joints_) {
    const auto& [A, B, d] = j.position(q);
    if (j.a.is_semidirect()) {
      Eigen::Map<Matrix36d> block(j.rows.columns(C, 0));
      block.leftCols<3>() = skw(d);
      block.rightCols<3>().setIdentity();
    } else {
      j.a.write_columns<3>(A, point_velocity(-d), j.rows.columns(C, 0));
    }
    if (j.b.is_ground()) continue;
    const Matrix36d C_b = -(A.R.transpose() * B.R) * point_velocity(j.at_b.point);
    j.b.write_columns<3>(B, C_b, j.rows.columns(C, 1));
  }
}

// (J.12) γ = −Ωₐ × (Uₐ − Ωₐ × d − 2 S W) − S (Ω_b × W) with W = U_b + Ω_b × X_b, and the biases of both frames.
void SphericalJoints::curvature(double, const VectorXd& q, const VectorXd& v, VectorRef gamma) const {
  for (const Joint& j : joints_) {
    const auto& [A, B, d] = j.position(q);
    const Twist V = j.a.twist(A, v);
    Vector3d relative = V.at(-d);
    Vector3d sum = j.a.bias(V);
    if (!j.b.is_ground()) {
      const Twist Z = j.b.twist(B, v);
      const Vector3d W = Z.at(j.at_b.point);
      const auto to_a = [&R_a = A.R, &R_b = B.R](const Vector3d& w) -> Vector3d { return R_a.transpose() * (R_b * w); };
      relative -= 2 * to_a(W);
      sum -= to_a(Z.O.cross(W) + j.b.bias(Z));
    }
    j.rows.of(gamma) = sum - V.O.cross(relative);
  }
}

// (J.13) Wrenches of Cᵀλ: (λ × d, λ) on the first frame, −(X_b × l, l) with l = Sᵀλ on the second.
void SphericalJoints::add_constraint_force_derivatives(double, const VectorXd& q, const VectorXd& lambda, double scale,
                                                       NodeMatrix& H) const {
  for (const Joint& j : joints_) {
    const Position p = j.position(q);
    const Vector3d l = scale * j.rows.of(lambda);
    if (j.a.is_semidirect()) {
      Eigen::Map<Matrix6d> block(j.rows.blocks()(H, 0, 0));
      block.topLeftCorner<3, 3>() += double_skw(l, p.d);
      block.topRightCorner<3, 3>() += skw(l);
    } else {
      Matrix6d K = Matrix6d::Zero();
      K.topLeftCorner<3, 3>() = double_skw(l, p.d);
      K.topRightCorner<3, 3>() = skw(l);
      j.a.complete_pose_derivative(l, 1, K);
      NodeFrame::add_block(j.a, p.A, j.a, p.A, K, j.rows.blocks()(H, 0, 0));
    }
    if (!j.b.is_ground()) j.add_partner_derivatives(p, l, H);
  }
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

JointHandle add_spherical_joint(SystemBuilder& builder, const std::string& name, const Marker& a, const Marker& b) {
  if (a.node == b.node)
    throw std::invalid_argument("joint " + name + ": both partners are " +
                                (a.node == ground ? std::string("the ground") : "node " + std::to_string(a.node)));
  if (a.node == ground) {
    JointHandle joint = add_spherical_joint(builder, name, b, a);
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
  return {JointHandle::Kind::spherical, part, part->add(name, a, b), false};
}

}  // namespace filum::parts
