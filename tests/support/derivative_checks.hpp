/// Everything a system says about its own derivatives, against differences of fourth order along group curves.
/// Theory: docs/theory/mechanics.md, sec. 3.
#pragma once

#include <filum/mechanics/system.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

namespace filum::test {

using Eigen::MatrixXd;
using mechanics::NodeMatrix;
using mechanics::RowMatrix;
using mechanics::State;
using mechanics::System;
using mechanics::VectorXd;

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

inline void expect_equal(const MatrixXd& computed, const MatrixXd& expected, double tolerance, const char* what) {
  ASSERT_EQ(computed.rows(), expected.rows()) << what;
  ASSERT_EQ(computed.cols(), expected.cols()) << what;
  const double error = largest(computed - expected), scale = 1 + largest(expected);
  EXPECT_LE(error, tolerance * scale) << what << " is\n" << computed << "\nbut should be\n" << expected;
}

inline MatrixXd rows_of(const System& system, double t, const VectorXd& q) {
  RowMatrix C(system.pattern());
  system.constraint_rows(t, q, C);
  return C.to_dense(system.row_blocks());
}

inline VectorXd forces_of(const System& system, double t, const VectorXd& q, const VectorXd& v) {
  VectorXd f(system.size_v());
  system.forces(t, q, v, f);
  return f;
}

/// Holonomic rows of C are DΦ.
inline void expect_rows_are_derivatives(const System& system, const State& x, double tolerance = 1e-9) {
  const MatrixXd expected = configuration_derivative(system, x.q, [&](const VectorXd& q) {
    VectorXd phi = VectorXd::Zero(system.size_rows());
    system.constraint(x.t, q, phi);
    return VectorXd(phi.head(system.size_lambda()));
  });
  expect_equal(rows_of(system, x.t, x.q).topRows(system.size_lambda()), expected, tolerance, "DΦ");
}

/// γ is what C v gains per time along q̇ = v with v̇ = 0, nonholonomic rows included.
inline void expect_curvature_is_derivative(const System& system, const State& x, double tolerance = 1e-9) {
  VectorXd gamma = VectorXd::Constant(system.size_rows(), 1e99);
  system.curvature(x.t, x.q, x.v, gamma);
  const VectorXd expected = derivative([&](double h) {
    VectorXd q(x.q.size());
    system.space().advance(x.q, h, x.v, q);
    return VectorXd(rows_of(system, x.t, q) * x.v);
  });
  expect_equal(gamma, expected, tolerance, "the curvature");
}

inline void expect_constraint_force_derivatives(const System& system, const State& x, double tolerance = 1e-9) {
  const MatrixXd expected = configuration_derivative(
      system, x.q, [&](const VectorXd& q) { return VectorXd(rows_of(system, x.t, q).transpose() * x.lambda); });
  NodeMatrix H(system.pattern());
  H.set_zero();
  system.add_constraint_force_derivatives(x.t, x.q, x.lambda, -0.7, H);
  expect_equal(H.to_dense(), -0.7 * expected, tolerance, "D(Cᵀλ)");
}

inline void expect_constraint_derivatives(const System& system, const State& x, double tolerance = 1e-9) {
  expect_rows_are_derivatives(system, x, tolerance);
  expect_curvature_is_derivative(system, x, tolerance);
  expect_constraint_force_derivatives(system, x, tolerance);
}

inline void expect_force_derivatives(const System& system, const State& x, double tolerance = 1e-9) {
  const MatrixXd by_q =
      configuration_derivative(system, x.q, [&](const VectorXd& q) { return forces_of(system, x.t, q, x.v); });
  MatrixXd by_v(system.size_v(), system.size_v());
  for (int j = 0; j < system.size_v(); ++j)
    by_v.col(j) =
        derivative([&](double h) { return forces_of(system, x.t, x.q, x.v + h * VectorXd::Unit(system.size_v(), j)); });
  NodeMatrix H(system.pattern());
  H.set_zero();
  system.add_force_derivatives(x.t, x.q, x.v, 1.3, 0, H);
  expect_equal(H.to_dense(), 1.3 * by_q, tolerance, "D f by q");
  H.set_zero();
  system.add_force_derivatives(x.t, x.q, x.v, 0, -0.4, H);
  expect_equal(H.to_dense(), -0.4 * by_v, tolerance, "∂f/∂v");
}

/// Forces of parts that conserve energy are −DU.
inline void expect_forces_have_potential(const System& system, const State& x, double tolerance = 1e-9) {
  const MatrixXd gradient = configuration_derivative(
      system, x.q, [&](const VectorXd& q) { return VectorXd::Constant(1, system.potential_energy(x.t, q)); });
  expect_equal(forces_of(system, x.t, x.q, x.v), -gradient.transpose(), tolerance, "the force");
}

}  // namespace filum::test
