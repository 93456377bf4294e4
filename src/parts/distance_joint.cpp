/// Equations of distance joints, (J.25) to (J.27). Theory: docs/theory/joints.md, sec. 4.
#include <filum/parts/distance_joint.hpp>

#include <cmath>
#include <stdexcept>

namespace filum::parts {

int DistanceJoints::add(std::string name, const Marker& a, const Marker& b, double length) {
  if (!(length > 0) || !std::isfinite(length))
    throw std::invalid_argument("joint " + name + ": the distance must be positive, got " + std::to_string(length));
  PointPair pair("joint " + name, a, b);
  joints_.push_back({.name = std::move(name), .pair = std::move(pair), .length = length});
  return static_cast<int>(joints_.size()) - 1;
}

void DistanceJoints::declare(mechanics::Declaration& declaration) {
  for (Joint& j : joints_) {
    j.pair.attach(declaration.space());
    j.row = declaration.constraint<1>(mechanics::ConstraintKind::holonomic, j.pair.nodes());
  }
}

void DistanceJoints::constraint(double, const VectorXd& q, VectorRef phi) const {
  for (const Joint& j : joints_) phi[j.row.row()] = 0.5 * (j.pair.position(q).r.squaredNorm() - j.length * j.length);
}

void DistanceJoints::constraint_jacobian(double, const VectorXd& q, RowMatrix& C) const {
  for (const Joint& j : joints_) {
    const PointPair::Motion m = j.pair.position(q);
    j.pair.write_row(m, m.r, j.row, C);
  }
}

void DistanceJoints::curvature(double, const VectorXd& q, const VectorXd& v, VectorRef gamma) const {
  for (const Joint& j : joints_) {
    const PointPair::Motion m = j.pair.motion(q, v);
    gamma[j.row.row()] = m.r_dot.squaredNorm() + m.r.dot(j.pair.convective_acceleration(m));
  }
}

// (J.27) Cᵀλ pulls with −λ r.
void DistanceJoints::add_constraint_force_derivatives(double, const VectorXd& q, const VectorXd& lambda, double scale,
                                                      NodeMatrix& H) const {
  for (const Joint& j : joints_) {
    const PointPair::Motion m = j.pair.position(q);
    const double s = scale * lambda[j.row.row()];
    j.pair.add_pull_derivatives(m, -s * m.r, -s * Matrix3d::Identity(), Matrix3d::Zero(), Matrix3d::Zero(),
                                j.row.blocks(), H);
  }
}

std::string DistanceJoints::row_name(int constraint, int) const {
  return "joint " + joints_[constraint].name + ": distance";
}

JointHandle add_distance_joint(SystemBuilder& builder, const std::string& name, const Marker& a, const Marker& b,
                               double length) {
  const auto part = builder.shared_part<DistanceJoints>();
  const int number = part->add(name, a, b, length);
  return {JointHandle::Kind::distance, part, number, a.node == ground};
}

}  // namespace filum::parts
