/// Everything a system says about its own derivatives, against differences of fourth order along group curves: the
/// checks that a new part has to pass. They need no test framework; the namespace is not called testing, which is
/// GoogleTest's. Theory: docs/theory/mechanics.md, sec. 3.
#pragma once

#include <filum/mechanics/system.hpp>

#include <cstdint>
#include <random>
#include <sstream>
#include <string>

namespace filum::checks {

using Eigen::MatrixXd;
using mechanics::NodeMatrix;
using mechanics::RowMatrix;
using mechanics::State;
using mechanics::System;
using mechanics::VectorXd;

/// What a check found: nothing, or a text that says what is wrong with both values.
struct CheckReport {
  bool ok = true;
  std::string text = {};

  explicit operator bool() const { return ok; }
  CheckReport& operator+=(const CheckReport& other) { return ok = ok && other.ok, text += other.text, *this; }
};

/// Uniform in [−size, size].
inline VectorXd random_vector(Eigen::Index n, std::uint64_t seed, double size = 1) {
  std::mt19937_64 rng(seed);
  return VectorXd::NullaryExpr(n, [&] { return size * (static_cast<double>(rng() >> 11) * 0x1p-52 - 1); });
}

/// Any configuration and velocity, not on the constraints.
inline State random_state(const System& system, std::uint64_t seed) {
  State x = system.make_state();
  system.space().advance(x.q, 1, random_vector(system.size_v(), seed, 0.9), x.q);
  x.v = random_vector(system.size_v(), seed + 1, 2);
  x.lambda = random_vector(system.size_rows(), seed + 2, 3);
  x.t = 0.3;
  return x;
}

/// f'(0) with the error h⁴.
template <class F>
VectorXd derivative(const F& f, double h = 1e-3) {
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

/// The matrix of D f(q), column by column; f takes a configuration and returns a vector.
template <class F>
MatrixXd configuration_derivative(const System& system, const VectorXd& q, const F& f) {
  MatrixXd D(f(q).size(), system.size_v());
  for (int j = 0; j < system.size_v(); ++j)
    D.col(j) = derivative([&](double h) {
      VectorXd moved(q.size());
      system.space().advance(q, h, VectorXd::Unit(system.size_v(), j), moved);
      return f(moved);
    });
  return D;
}

inline double largest(const MatrixXd& m) {
  return m.size() == 0 ? 0 : m.cwiseAbs().template maxCoeff<Eigen::PropagateNaN>();
}

/// Largest difference against tolerance · (1 + largest expected entry).
inline CheckReport compare(const MatrixXd& computed, const MatrixXd& expected, double tolerance, const char* what) {
  std::ostringstream text;
  if (computed.rows() != expected.rows() || computed.cols() != expected.cols()) {
    text << what << " is " << computed.rows() << " x " << computed.cols() << ", but should be " << expected.rows()
         << " x " << expected.cols() << '\n';
    return {false, text.str()};
  }
  if (largest(computed - expected) <= tolerance * (1 + largest(expected))) return {};
  text << what << " is\n"
       << computed << "\nbut should be\n"
       << expected << "\nLargest difference: " << largest(computed - expected) << '\n';
  return {false, text.str()};
}

inline MatrixXd rows_of(const System& system, double t, const VectorXd& q) {
  RowMatrix C(system.pattern());
  system.constraint_jacobian(t, q, C);
  return C.to_dense(system.row_blocks());
}

inline VectorXd forces_of(const System& system, double t, const VectorXd& q, const VectorXd& v) {
  VectorXd f(system.size_v());
  system.forces(t, q, v, f);
  return f;
}

inline VectorXd constraint_of(const System& system, double t, const VectorXd& q) {
  VectorXd phi = VectorXd::Zero(system.size_rows());
  system.constraint(t, q, phi);
  return phi.head(system.size_lambda());
}

inline VectorXd rate_of(const System& system, double t, const VectorXd& q) {
  VectorXd rate(system.size_rows());
  system.constraint_rate(t, q, rate);
  return rate;
}

/// Holonomic rows of C are DΦ.
inline CheckReport check_rows(const System& system, const State& x, double tolerance = 1e-9) {
  const MatrixXd expected =
      configuration_derivative(system, x.q, [&](const VectorXd& q) { return constraint_of(system, x.t, q); });
  return compare(rows_of(system, x.t, x.q).topRows(system.size_lambda()), expected, tolerance, "DΦ");
}

/// The rate of holonomic rows is ∂Φ/∂t.
inline CheckReport check_rate(const System& system, const State& x, double tolerance = 1e-9) {
  const VectorXd expected = derivative([&](double h) { return constraint_of(system, x.t + h, x.q); });
  return compare(rate_of(system, x.t, x.q).head(system.size_lambda()), expected, tolerance, "the rate");
}

/// γ is what C v + rate gains per time along q̇ = v with v̇ = 0, nonholonomic rows included.
inline CheckReport check_curvature(const System& system, const State& x, double tolerance = 1e-9) {
  VectorXd gamma = VectorXd::Constant(system.size_rows(), 1e99);
  system.curvature(x.t, x.q, x.v, gamma);
  const VectorXd expected = derivative([&](double h) {
    VectorXd q(x.q.size());
    system.space().advance(x.q, h, x.v, q);
    return VectorXd(rows_of(system, x.t + h, q) * x.v + rate_of(system, x.t + h, q));
  });
  return compare(gamma, expected, tolerance, "the curvature");
}

inline CheckReport check_constraint_force_derivatives(const System& system, const State& x, double tolerance = 1e-9) {
  const MatrixXd expected = configuration_derivative(
      system, x.q, [&](const VectorXd& q) { return VectorXd(rows_of(system, x.t, q).transpose() * x.lambda); });
  NodeMatrix H(system.pattern());
  system.add_constraint_force_derivatives(x.t, x.q, x.lambda, -0.7, H);
  return compare(H.to_dense(), -0.7 * expected, tolerance, "D(Cᵀλ)");
}

/// All of the above.
inline CheckReport check_constraints(const System& system, const State& x, double tolerance = 1e-9) {
  CheckReport report = check_rows(system, x, tolerance);
  report += check_rate(system, x, tolerance);
  report += check_curvature(system, x, tolerance);
  return report += check_constraint_force_derivatives(system, x, tolerance);
}

inline CheckReport check_force_derivatives(const System& system, const State& x, double tolerance = 1e-9) {
  const MatrixXd by_q =
      configuration_derivative(system, x.q, [&](const VectorXd& q) { return forces_of(system, x.t, q, x.v); });
  MatrixXd by_v(system.size_v(), system.size_v());
  for (int j = 0; j < system.size_v(); ++j)
    by_v.col(j) =
        derivative([&](double h) { return forces_of(system, x.t, x.q, x.v + h * VectorXd::Unit(system.size_v(), j)); });
  NodeMatrix H(system.pattern());
  system.add_force_derivatives(x.t, x.q, x.v, 1.3, 0, H);
  CheckReport report = compare(H.to_dense(), 1.3 * by_q, tolerance, "D f by q");
  H.set_zero();
  system.add_force_derivatives(x.t, x.q, x.v, 0, -0.4, H);
  return report += compare(H.to_dense(), -0.4 * by_v, tolerance, "∂f/∂v");
}

/// Forces of parts that conserve energy are −DU.
inline CheckReport check_potential(const System& system, const State& x, double tolerance = 1e-9) {
  const MatrixXd gradient = configuration_derivative(
      system, x.q, [&](const VectorXd& q) { return VectorXd::Constant(1, system.potential_energy(x.t, q)); });
  return compare(forces_of(system, x.t, x.q, x.v), -gradient.transpose(), tolerance, "the force");
}

/// Power f·v against −dU/dt along q̇ = v, plus the power of everything that has no potential (0: the forces conserve
/// energy).
inline CheckReport check_power_balance(const System& system, const State& x, double other_power = 0,
                                       double tolerance = 1e-9) {
  const VectorXd energy_rate = derivative([&](double h) {
    VectorXd q(x.q.size());
    system.space().advance(x.q, h, x.v, q);
    return VectorXd(VectorXd::Constant(1, system.potential_energy(x.t, q)));
  });
  const double power = forces_of(system, x.t, x.q, x.v).dot(x.v);
  return compare(MatrixXd::Constant(1, 1, power), MatrixXd::Constant(1, 1, other_power - energy_rate[0]), tolerance,
                 "the power of the forces");
}

}  // namespace filum::checks
