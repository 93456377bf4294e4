/// Systems in linear spaces that need no part of the library, most with a solution in closed form.
#pragma once

#include <filum/mechanics/consistent_start.hpp>
#include <filum/mechanics/system_builder.hpp>

#include <cmath>
#include <limits>
#include <memory>

namespace filum::test {

using Eigen::VectorXd;
using mechanics::ConstraintKind;
using mechanics::Declaration;
using mechanics::Part;
using mechanics::RowMatrix;
using mechanics::State;
using mechanics::System;
using mechanics::SystemBuilder;
using mechanics::VectorRef;

/// A constant force, which becomes NaN at time `breaks`.
class ConstantForce final : public Part {
 public:
  explicit ConstantForce(VectorXd f, double breaks = std::numeric_limits<double>::infinity())
      : f_(std::move(f)), breaks_(breaks) {}
  std::string name() const override { return "force"; }
  void declare(Declaration& declaration) override { declaration.forces<1>({0}); }
  void add_forces(double t, const VectorXd&, const VectorXd&, VectorRef f) const override {
    f += f_;
    if (t >= breaks_) f[0] = std::numeric_limits<double>::quiet_NaN();
  }
  double potential_energy(double, const VectorXd& q) const override { return -f_.dot(q); }
  void add_force_derivatives(double, const VectorXd&, const VectorXd&, double, double,
                             mechanics::NodeMatrix&) const override {}

 private:
  VectorXd f_;
  double breaks_;
};

/// One scalar constraint on node 0, the only node.
class OneRow : public Part {
 public:
  std::string name() const override { return "row"; }
  void declare(Declaration& declaration) override {
    row_ = declaration.constraint<1, 1>(
        kind(), {0}, {.time = depends_on_time(), .derivatives = mechanics::Derivatives::differences});
  }

 protected:
  virtual ConstraintKind kind() const { return ConstraintKind::holonomic; }
  virtual bool depends_on_time() const { return false; }
  double* row(RowMatrix& C) const { return row_.columns(C, 0); }
  int index() const { return row_.row(); }

 private:
  mechanics::Constraint<1, 1> row_;
};

/// A rod of length 1 from the origin to a point in the plane, Φ = (|x|² − 1)/2.
class PlanarRod final : public OneRow {
 public:
  void constraint(double, const VectorXd& q, VectorRef phi) const override {
    phi[index()] = 0.5 * (q.squaredNorm() - 1);
  }
  void constraint_jacobian(double, const VectorXd& q, RowMatrix& C) const override {
    row(C)[0] = q[0], row(C)[1] = q[1];
  }
  void curvature(double, const VectorXd&, const VectorXd& v, VectorRef gamma) const override {
    gamma[index()] = v.squaredNorm();
  }
};

/// A straight wire through the origin that turns with angular velocity w, Φ = x sin wt − y cos wt.
class TurningWire final : public OneRow {
 public:
  explicit TurningWire(double w) : w_(w) {}
  void constraint(double t, const VectorXd& q, VectorRef phi) const override {
    phi[index()] = q[0] * std::sin(w_ * t) - q[1] * std::cos(w_ * t);
  }
  void constraint_jacobian(double t, const VectorXd&, RowMatrix& C) const override {
    row(C)[0] = std::sin(w_ * t), row(C)[1] = -std::cos(w_ * t);
  }
  void constraint_rate(double t, const VectorXd& q, VectorRef rate) const override {
    rate[index()] = w_ * (q[0] * std::cos(w_ * t) + q[1] * std::sin(w_ * t));
  }
  void curvature(double t, const VectorXd& q, const VectorXd& v, VectorRef gamma) const override {
    const double c = std::cos(w_ * t), s = std::sin(w_ * t);
    gamma[index()] = 2 * w_ * (v[0] * c + v[1] * s) + w_ * w_ * (q[1] * c - q[0] * s);
  }

 protected:
  bool depends_on_time() const override { return true; }

 private:
  double w_;
};

/// A blade at (x, y) with heading φ that does not slip sideways: ẋ sin φ − ẏ cos φ = 0.
class Blade final : public OneRow {
 public:
  void constraint_jacobian(double, const VectorXd& q, RowMatrix& C) const override {
    row(C)[0] = std::sin(q[2]), row(C)[1] = -std::cos(q[2]), row(C)[2] = 0;
  }
  void curvature(double, const VectorXd& q, const VectorXd& v, VectorRef gamma) const override {
    gamma[index()] = v[2] * (v[0] * std::cos(q[2]) + v[1] * std::sin(q[2]));
  }

 protected:
  ConstraintKind kind() const override { return ConstraintKind::nonholonomic; }
};

/// A system and its consistent initial state; `exact(t)` where it is known.
struct SmallSystem {
  std::shared_ptr<const System> system;
  State start;
};

/// Node 0 in R² or R³ with inertia M, at q with the velocity v.
inline SystemBuilder one_node(lie::GroupId group, const VectorXd& inertia, const VectorXd& q, const VectorXd& v) {
  SystemBuilder builder;
  builder.add_nodes(group);
  builder.add_inertia(0, inertia.asDiagonal().toDenseMatrix());
  builder.start().q = q;
  builder.start().v = v;
  return builder;
}

inline SmallSystem started(SystemBuilder& builder) {
  auto system = builder.build();
  State x = builder.start();
  mechanics::make_consistent(*system, x);
  return {std::move(system), std::move(x)};
}

/// The mathematical pendulum, thrown from 30° above the horizontal; m = 2, g = 9.81.
inline SmallSystem planar_pendulum(double force_breaks = std::numeric_limits<double>::infinity()) {
  const Eigen::Vector2d x(std::sqrt(0.75), 0.5);
  SystemBuilder builder = one_node(lie::GroupId::R2, Eigen::Vector2d(2, 2), x, -4 * Eigen::Vector2d(-x[1], x[0]));
  builder.add_part(std::make_shared<ConstantForce>(Eigen::Vector2d(0, -2 * 9.81), force_breaks));
  builder.add_part(std::make_shared<PlanarRod>());
  return started(builder);
}

/// A bead of mass 2 on a wire that turns with w = 1.5, released at r = 1: r = cosh wt, λ = 4 w² sinh wt.
inline SmallSystem bead_on_turning_wire() {
  SystemBuilder builder =
      one_node(lie::GroupId::R2, Eigen::Vector2d(2, 2), Eigen::Vector2d(1, 0), Eigen::Vector2d(0, 1.5));
  builder.add_part(std::make_shared<TurningWire>(1.5));
  return started(builder);
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
  SystemBuilder builder =
      one_node(lie::GroupId::R3, Eigen::Vector3d(2, 2, 1), Eigen::Vector3d::Zero(), Eigen::Vector3d(0, 0, 2));
  builder.add_part(std::make_shared<ConstantForce>(Eigen::Vector3d(2 * 3, 0, 0)));
  builder.add_part(std::make_shared<Blade>());
  return started(builder);
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
  SystemBuilder builder =
      one_node(lie::GroupId::R2, Eigen::Vector2d(2, 2), Eigen::Vector2d(1, 0), Eigen::Vector2d(0, 1));
  builder.add_part(std::make_shared<PlanarRod>());
  builder.add_part(std::make_shared<PlanarRod>());
  auto system = builder.build();
  return {std::move(system), builder.start()};
}

}  // namespace filum::test
