/// Equations of distance joints, (J.25) to (J.27). Theory: docs/theory/joints.md, sec. 4.
#include <filum/parts/distance_joint.hpp>
#include <filum/parts/shared_part.hpp>

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

void DistanceJoints::declare(mechanics::PartPattern& pattern) {
  for (Joint& j : joints_) j.id = j.pair.declare_constraint(pattern, 1);
}

void DistanceJoints::bind(const System& system) {
  for (Joint& j : joints_) {
    j.pair.bind(system);
    const auto place = system.constraint_place(j.id);
    j.row = place.first_row;
    j.values_at = place.value_offset;
  }
}

void DistanceJoints::constraint(double, const VectorXd& q, VectorXd& phi) const {
  for (const Joint& j : joints_) phi[j.row] = 0.5 * (j.pair.position(q).r.squaredNorm() - j.length * j.length);
}

void DistanceJoints::constraint_rows(double, const VectorXd& q, RowMatrix& C) const {
  for (const Joint& j : joints_) {
    const PointPair::Motion m = j.pair.position(q);
    j.pair.write_row(m, m.r, C.data() + j.values_at);
  }
}

void DistanceJoints::curvature(double, const VectorXd& q, const VectorXd& v, VectorXd& gamma) const {
  for (const Joint& j : joints_) {
    const PointPair::Motion m = j.pair.motion(q, v);
    gamma[j.row] = m.r_dot.squaredNorm() + m.r.dot(j.pair.convective_acceleration(m));
  }
}

// (J.27) Cᵀλ pulls with −λ r.
bool DistanceJoints::add_constraint_force_derivatives(double, const VectorXd& q, const VectorXd& lambda, double scale,
                                                      NodeMatrix& H) const {
  for (const Joint& j : joints_) {
    const PointPair::Motion m = j.pair.position(q);
    const double s = scale * lambda[j.row];
    j.pair.add_pull_derivatives(m, -s * m.r, -s * Matrix3d::Identity(), Matrix3d::Zero(), Matrix3d::Zero(), H);
  }
  return true;
}

std::string DistanceJoints::row_name(int constraint, int) const {
  return "joint " + joints_[constraint].name + ": distance";
}

int add_distance_joint(System& system, const std::string& name, const Marker& a, const Marker& b, double length) {
  return shared_part<DistanceJoints>(system).add(name, a, b, length);
}

}  // namespace filum::parts
