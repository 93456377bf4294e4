/// Systems in linear spaces that need no part of the library, most with a solution in closed form.
#pragma once

#include <filum/mechanics/consistent_start.hpp>
#include <filum/mechanics/system.hpp>

#include <cmath>
#include <limits>
#include <memory>

namespace filum::test {

using Eigen::VectorXd;
using mechanics::ConstraintKind;
using mechanics::Part;
using mechanics::PartPattern;
using mechanics::RowMatrix;
using mechanics::State;
using mechanics::System;

/// A constant force, which becomes NaN at time `breaks`.
class ConstantForce final : public Part {
 public:
  explicit ConstantForce(VectorXd f, double breaks = std::numeric_limits<double>::infinity())
      : f_(std::move(f)), breaks_(breaks) {}
  std::string name() const override { return "force"; }
  void declare(PartPattern&) override {}
  bool has_forces() const override { return true; }
  void add_forces(double t, const VectorXd&, const VectorXd&, VectorXd& f) const override {
    f += f_;
    if (t >= breaks_) f[0] = std::numeric_limits<double>::quiet_NaN();
  }
  double potential_energy(double, const VectorXd& q) const override { return -f_.dot(q); }

 private:
  VectorXd f_;
  double breaks_;
};

/// One scalar constraint on node 0, the only node.
class OneRow : public Part {
 public:
  std::string name() const override { return "row"; }
  void declare(PartPattern& pattern) override {
    const int node = 0;
    id_ = pattern.add_constraint(kind(), 1, {&node, 1});
  }
  void bind(const System& system) override { place_ = system.constraint_place(id_); }
  bool has_constraints() const override { return true; }

 protected:
  virtual ConstraintKind kind() const { return ConstraintKind::holonomic; }
  double* row(RowMatrix& C) const { return C.data() + place_.value_offset; }
  int index() const { return place_.first_row; }

 private:
  int id_ = 0;
  mechanics::ConstraintPlace place_{};
};

/// A rod of length 1 from the origin to a point in the plane, Φ = (|x|² − 1)/2.
class PlanarRod final : public OneRow {
 public:
  void constraint(double, const VectorXd& q, VectorXd& phi) const override {
    phi[index()] = 0.5 * (q.squaredNorm() - 1);
  }
  void constraint_rows(double, const VectorXd& q, RowMatrix& C) const override { row(C)[0] = q[0], row(C)[1] = q[1]; }
  void curvature(double, const VectorXd&, const VectorXd& v, VectorXd& gamma) const override {
    gamma[index()] = v.squaredNorm();
  }
};

/// A straight wire through the origin that turns with angular velocity w, Φ = x sin wt − y cos wt.
class TurningWire final : public OneRow {
 public:
  explicit TurningWire(double w) : w_(w) {}
  bool is_rheonomic() const override { return true; }
  void constraint(double t, const VectorXd& q, VectorXd& phi) const override {
    phi[index()] = q[0] * std::sin(w_ * t) - q[1] * std::cos(w_ * t);
  }
  void constraint_rows(double t, const VectorXd&, RowMatrix& C) const override {
    row(C)[0] = std::sin(w_ * t), row(C)[1] = -std::cos(w_ * t);
  }
  void constraint_rate(double t, const VectorXd& q, VectorXd& rate) const override {
    rate[index()] = w_ * (q[0] * std::cos(w_ * t) + q[1] * std::sin(w_ * t));
  }
  void curvature(double t, const VectorXd& q, const VectorXd& v, VectorXd& gamma) const override {
    const double c = std::cos(w_ * t), s = std::sin(w_ * t);
    gamma[index()] = 2 * w_ * (v[0] * c + v[1] * s) + w_ * w_ * (q[1] * c - q[0] * s);
  }

 private:
  double w_;
};

/// A blade at (x, y) with heading φ that does not slip sideways: ẋ sin φ − ẏ cos φ = 0.
class Blade final : public OneRow {
 public:
  void constraint_rows(double, const VectorXd& q, RowMatrix& C) const override {
    row(C)[0] = std::sin(q[2]), row(C)[1] = -std::cos(q[2]), row(C)[2] = 0;
  }
  void curvature(double, const VectorXd& q, const VectorXd& v, VectorXd& gamma) const override {
    gamma[index()] = v[2] * (v[0] * std::cos(q[2]) + v[1] * std::sin(q[2]));
  }

 protected:
  ConstraintKind kind() const override { return ConstraintKind::nonholonomic; }
};

/// A system and its consistent initial state; `exact(t)` where it is known.
struct SmallSystem {
  std::unique_ptr<System> system;
  State start;
};

/// Node 0 in R² or R³ with inertia M.
inline std::unique_ptr<System> one_node(lie::GroupId group, const VectorXd& inertia) {
  auto system = std::make_unique<System>();
  system->add_nodes(group);
  system->add_inertia(0, inertia.asDiagonal().toDenseMatrix());
  return system;
}

inline SmallSystem started(std::unique_ptr<System> system, const VectorXd& q, const VectorXd& v) {
  system->finish();
  State x = system->make_state();
  x.q = q;
  x.v = v;
  mechanics::make_consistent(*system, x);
  return {std::move(system), std::move(x)};
}

/// The mathematical pendulum, thrown from 30° above the horizontal; m = 2, g = 9.81.
inline SmallSystem planar_pendulum(double force_breaks = std::numeric_limits<double>::infinity()) {
  auto system = one_node(lie::GroupId::R2, Eigen::Vector2d(2, 2));
  system->add_part(std::make_unique<ConstantForce>(Eigen::Vector2d(0, -2 * 9.81), force_breaks));
  system->add_part(std::make_unique<PlanarRod>());
  const Eigen::Vector2d x(std::sqrt(0.75), 0.5);
  return started(std::move(system), x, -4 * Eigen::Vector2d(-x[1], x[0]));
}

/// A bead of mass 2 on a wire that turns with w = 1.5, released at r = 1: r = cosh wt, λ = 4 w² sinh wt.
inline SmallSystem bead_on_turning_wire() {
  auto system = one_node(lie::GroupId::R2, Eigen::Vector2d(2, 2));
  system->add_part(std::make_unique<TurningWire>(1.5));
  return started(std::move(system), Eigen::Vector2d(1, 0), Eigen::Vector2d(0, 1.5));
}
inline State exact_bead(double t) {
  const double w = 1.5, r = std::cosh(w * t), r_dot = w * std::sinh(w * t);
  const Eigen::Vector2d e(std::cos(w * t), std::sin(w * t)), n(-e[1], e[0]);
  State x;
  x.t = t;
  x.q = r * e;
  x.v = r_dot * e + r * w * n;
  x.a = 2 * w * r_dot * n;
  x.lambda = VectorXd::Constant(1, 2 * 2 * w * r_dot);
  return x;
}

/// A blade of mass 2 and inertia 1 on an inclined plane, g = 3 along x, turning with w = 2 from rest.
inline SmallSystem blade_on_slope() {
  auto system = one_node(lie::GroupId::R3, Eigen::Vector3d(2, 2, 1));
  system->add_part(std::make_unique<ConstantForce>(Eigen::Vector3d(2 * 3, 0, 0)));
  system->add_part(std::make_unique<Blade>());
  return started(std::move(system), Eigen::Vector3d::Zero(), Eigen::Vector3d(0, 0, 2));
}
inline State exact_blade(double t) {
  const double w = 2, g = 3, m = 2, phi = w * t, u = g / w * std::sin(phi), k = g / (2 * w * w);
  State x;
  x.t = t;
  x.q = Eigen::Vector3d(k * std::pow(std::sin(phi), 2), k * (phi - 0.5 * std::sin(2 * phi)), phi);
  x.v = Eigen::Vector3d(u * std::cos(phi), u * std::sin(phi), w);
  x.a = Eigen::Vector3d(g * std::cos(2 * phi), g * std::sin(2 * phi), 0);
  x.lambda = VectorXd::Constant(1, 2 * m * g * std::sin(phi));
  return x;
}

/// Two rods that say the same: the matrix of the index-1 system is singular.
inline SmallSystem redundant_pendulum() {
  auto system = one_node(lie::GroupId::R2, Eigen::Vector2d(2, 2));
  system->add_part(std::make_unique<PlanarRod>());
  system->add_part(std::make_unique<PlanarRod>());
  system->finish();
  State x = system->make_state();
  x.q = Eigen::Vector2d(1, 0);
  x.v = Eigen::Vector2d(0, 1);
  return {std::move(system), std::move(x)};
}

}  // namespace filum::test
