/// Equations of spherical joints and their derivatives, (J.10) to (J.14). Theory: docs/theory/joints.md, sec. 2.
#include <filum/parts/shared_part.hpp>
#include <filum/parts/spherical_joint.hpp>

#include <array>
#include <stdexcept>

namespace filum::parts {
namespace {

using lie::skw;
using Matrix36d = Eigen::Matrix<double, 3, 6>;

/// skw(a) skw(b) = b aᵀ − (a·b) I.
Matrix3d double_skw(const Vector3d& a, const Vector3d& b) {
  Matrix3d m = b * a.transpose();
  m.diagonal().array() -= a.dot(b);
  return m;
}

/// Velocity of the point X by twist: [−skw X, I].
Matrix36d point_velocity(const Vector3d& X) {
  Matrix36d J;
  J.leftCols<3>() = skw(-X);
  J.rightCols<3>().setIdentity();
  return J;
}

}  // namespace

int SphericalJoints::add(std::string name, const Marker& a, const Marker& b) {
  joints_.push_back({.name = std::move(name), .at_a = a, .at_b = b});
  return static_cast<int>(joints_.size()) - 1;
}

void SphericalJoints::declare(mechanics::PartPattern& pattern) {
  for (Joint& j : joints_) {
    const std::array<int, 2> nodes{j.at_a.node, j.at_b.node};
    const std::size_t count = j.at_b.node == ground ? 1 : 2;
    j.id = pattern.add_constraint(mechanics::ConstraintKind::holonomic, 3, std::span(nodes).first(count));
  }
}

void SphericalJoints::bind(const System& system) {
  for (Joint& j : joints_) {
    const auto place = system.constraint_place(j.id);
    const auto& pattern = system.pattern();
    const int a = j.at_a.node, b = j.at_b.node;
    j.a = NodeFrame(system, j.at_a);
    j.b = NodeFrame(system, j.at_b);
    j.row = place.first_row;
    j.rows_a = place.value_offset;
    j.block_aa = pattern.block_offset(a, a);
    if (j.b.is_ground()) continue;
    j.rows_b = j.rows_a + 3 * pattern.dim(a);
    j.block_ab = pattern.block_offset(a, b);
    j.block_ba = pattern.block_offset(b, a);
    j.block_bb = pattern.block_offset(b, b);
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

void SphericalJoints::constraint(double, const VectorXd& q, VectorXd& phi) const {
  for (const Joint& j : joints_) phi.segment<3>(j.row) = j.at_a.point + j.position(q).d;
}

// (J.11) Cₐ = [skw d, I], C_b = −S [−skw X_b, I] with S = RₐᵀR_b.
void SphericalJoints::constraint_rows(double, const VectorXd& q, RowMatrix& C) const {
  for (const Joint& j : joints_) {
    const auto& [A, B, d] = j.position(q);
    if (j.a.is_semidirect()) {
      Eigen::Map<Matrix36d> block(C.data() + j.rows_a);
      block.leftCols<3>() = skw(d);
      block.rightCols<3>().setIdentity();
    } else {
      j.a.write_columns<3>(A, point_velocity(-d), C.data() + j.rows_a);
    }
    if (j.b.is_ground()) continue;
    const Matrix36d C_b = -(A.R.transpose() * B.R) * point_velocity(j.at_b.point);
    j.b.write_columns<3>(B, C_b, C.data() + j.rows_b);
  }
}

// (J.12) γ = −Ωₐ × (Uₐ − Ωₐ × d − 2 S W) − S (Ω_b × W) with W = U_b + Ω_b × X_b, and the biases of both frames.
void SphericalJoints::curvature(double, const VectorXd& q, const VectorXd& v, VectorXd& gamma) const {
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
    gamma.segment<3>(j.row) = sum - V.O.cross(relative);
  }
}

// (J.13) Wrenches of Cᵀλ: (λ × d, λ) on the first frame, −(X_b × l, l) with l = Sᵀλ on the second.
bool SphericalJoints::add_constraint_force_derivatives(double, const VectorXd& q, const VectorXd& lambda, double scale,
                                                       NodeMatrix& H) const {
  for (const Joint& j : joints_) {
    const Position p = j.position(q);
    const Vector3d l = scale * lambda.segment<3>(j.row);
    if (j.a.is_semidirect()) {
      Eigen::Map<Matrix6d> block(H.data() + j.block_aa);
      block.topLeftCorner<3, 3>() += double_skw(l, p.d);
      block.topRightCorner<3, 3>() += skw(l);
    } else {
      Matrix6d K = Matrix6d::Zero();
      K.topLeftCorner<3, 3>() = double_skw(l, p.d);
      K.topRightCorner<3, 3>() = skw(l);
      j.a.complete_pose_derivative(l, 1, K);
      NodeFrame::add_block(j.a, p.A, j.a, p.A, K, H.data() + j.block_aa);
    }
    if (!j.b.is_ground()) j.add_partner_derivatives(p, l, H);
  }
  return true;
}

// (J.14) without K_aa.
void SphericalJoints::Joint::add_partner_derivatives(const Position& p, const Vector3d& l_a, NodeMatrix& H) const {
  const Matrix3d S = p.A.R.transpose() * p.B.R;
  const Vector3d l_b = S.transpose() * l_a;
  const Matrix36d J = point_velocity(at_b.point);
  Matrix6d K = Matrix6d::Zero();
  K.topRows<3>() = -skw(l_a) * S * J;
  NodeFrame::add_block(a, p.A, b, p.B, K, H.data() + block_ab);
  K.setZero();
  K.leftCols<3>() = J.transpose() * S.transpose() * skw(l_a);
  NodeFrame::add_block(b, p.B, a, p.A, K, H.data() + block_ba);
  K.setZero();
  K.leftCols<3>() = -J.transpose() * skw(l_b);
  b.complete_pose_derivative(-l_b, 1, K);
  NodeFrame::add_block(b, p.B, b, p.B, K, H.data() + block_bb);
  H.mark_coupled();
}

std::string SphericalJoints::row_name(int constraint, int row) const {
  return "joint " + joints_[constraint].name + ": position " + std::to_string(row + 1);
}

namespace {

bool turns_about_fixed_point(const System& system, const Marker& m) {
  const lie::GroupId group = system.space().group(m.node);
  return group == lie::GroupId::SO3 || group == lie::GroupId::S3;
}

}  // namespace

int add_spherical_joint(System& system, const std::string& name, const Marker& a, const Marker& b) {
  if (a.node == b.node)
    throw std::invalid_argument("joint " + name + ": both partners are " +
                                (a.node == ground ? std::string("the ground") : "node " + std::to_string(a.node)));
  if (a.node == ground) return add_spherical_joint(system, name, b, a);
  if (b.node == ground && turns_about_fixed_point(system, a)) {
    const double size = 1 + a.origin.norm();
    if (a.point.norm() > 1e-9 * size || (b.point - a.origin).norm() > 1e-9 * size)
      throw std::invalid_argument("joint " + name + ": a body in " +
                                  std::string(lie::name(system.space().group(a.node))) +
                                  " turns about its pivot and cannot be held at another point of the ground");
    return -1;
  }
  return shared_part<SphericalJoints>(system).add(name, a, b);
}

}  // namespace filum::parts
