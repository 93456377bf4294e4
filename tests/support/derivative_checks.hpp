/// The checks of filum/testing as expectations. Theory: docs/theory/mechanics.md, sec. 3.
#pragma once

#include <filum/testing/part_checks.hpp>

#include <gtest/gtest.h>

namespace filum::test {

using checks::configuration_derivative;
using checks::derivative;
using checks::forces_of;
using checks::largest;
using checks::random_state;
using checks::random_vector;
using checks::rows_of;
using Eigen::MatrixXd;
using mechanics::NodeMatrix;
using mechanics::RowMatrix;
using mechanics::State;
using mechanics::System;
using mechanics::VectorXd;

inline void expect_ok(const checks::CheckReport& report) { EXPECT_TRUE(report.ok) << report.text; }

inline void expect_equal(const MatrixXd& computed, const MatrixXd& expected, double tolerance, const char* what) {
  expect_ok(checks::compare(computed, expected, tolerance, what));
}
inline void expect_rows_are_derivatives(const System& system, const State& x, double tolerance = 1e-9) {
  expect_ok(checks::check_rows(system, x, tolerance));
}
inline void expect_curvature_is_derivative(const System& system, const State& x, double tolerance = 1e-9) {
  expect_ok(checks::check_curvature(system, x, tolerance));
}
inline void expect_constraint_force_derivatives(const System& system, const State& x, double tolerance = 1e-9) {
  expect_ok(checks::check_constraint_force_derivatives(system, x, tolerance));
}
inline void expect_constraint_derivatives(const System& system, const State& x, double tolerance = 1e-9) {
  expect_ok(checks::check_constraints(system, x, tolerance));
}
inline void expect_force_derivatives(const System& system, const State& x, double tolerance = 1e-9) {
  expect_ok(checks::check_force_derivatives(system, x, tolerance));
}
/// Forces of parts that conserve energy are −DU.
inline void expect_forces_have_potential(const System& system, const State& x, double tolerance = 1e-9) {
  expect_ok(checks::check_potential(system, x, tolerance));
}

}  // namespace filum::test
