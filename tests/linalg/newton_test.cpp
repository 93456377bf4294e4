/// Newton's method on small problems with known behaviour.
#include <filum/linalg/newton.hpp>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <functional>

namespace filum::linalg {
namespace {

/// F and F' as functions; counts what it is asked for.
struct Scalar {
  std::function<double(double)> f, derivative;
  double slope = 0;
  int linearized = 0, corrected = 0;
  FactorReport linearize(const VectorXd& x) {
    ++linearized;
    slope = derivative(x[0]);
    return {.ok = slope != 0, .rcond = 1};
  }
  bool correction(const VectorXd& x, VectorXd& dx) {
    ++corrected;
    dx[0] = -f(x[0]) / slope;
    return std::isfinite(dx[0]);
  }
};

TEST(Newton, ConvergesToTheRootWithinTheTolerance) {
  Scalar problem{[](double x) { return x * x - 2; }, [](double x) { return 2 * x; }};
  for (const double tolerance : {1e-3, 1e-6, 1e-9, 1e-13}) {
    Newton newton(1, {.atol = tolerance, .rtol = 0});
    VectorXd x = VectorXd::Constant(1, 1.5);
    const NewtonReport report = newton.solve(problem, x);
    ASSERT_TRUE(report.converged()) << tolerance;
    EXPECT_LE(std::abs(x[0] - std::sqrt(2.0)), tolerance);
  }
}

TEST(Newton, TakesOneMatrixWhenSimplifiedAndOnePerIterationWhenFull) {
  Scalar problem{[](double x) { return x * x - 2; }, [](double x) { return 2 * x; }};
  VectorXd x = VectorXd::Constant(1, 1.45);
  const NewtonReport simplified = Newton(1, {.atol = 1e-12, .rtol = 0}).solve(problem, x);
  EXPECT_EQ(simplified.matrices, 1);
  x[0] = 1.45;
  const NewtonReport full = Newton(1, {.atol = 1e-12, .rtol = 0, .full = true}).solve(problem, x);
  EXPECT_EQ(full.matrices, full.iterations);
  EXPECT_LT(full.iterations, simplified.iterations);
}

TEST(Newton, DoesNotMistakeSmallIncrementsOfAPoorMatrixForConvergence) {
  // The matrix is 20 times too large: increments are 1/20 of the error, and the rate is 0.95.
  Scalar problem{[](double x) { return x - 1; }, [](double) { return 20.0; }};
  Newton newton(1, {.atol = 1e-4, .rtol = 0, .max_iterations = 1000});
  VectorXd x = VectorXd::Constant(1, 1 + 1e-3);
  newton.solve(problem, x);
  EXPECT_LE(std::abs(x[0] - 1), 1e-4);
}

TEST(Newton, RenewsAnOldMatrixThatConvergesSlowly) {
  Scalar problem{[](double x) { return std::exp(x) - 2; }, [](double x) { return std::exp(x); }};
  problem.slope = 20;  // left from long ago
  Newton newton(1, {.atol = 1e-10, .rtol = 0});
  VectorXd x = VectorXd::Constant(1, 0.5);
  const NewtonReport report = newton.solve(problem, x, false);
  ASSERT_TRUE(report.converged());
  EXPECT_GE(problem.linearized, 1);
  EXPECT_NEAR(x[0], std::log(2.0), 1e-10);
}

TEST(Newton, ShortensStepsWhereFullOnesDiverge) {
  Scalar problem{[](double x) { return std::atan(x); }, [](double x) { return 1 / (1 + x * x); }};
  Newton newton(1, {.atol = 1e-12, .rtol = 0, .max_iterations = 40, .full = true});
  VectorXd x = VectorXd::Constant(1, 3.0);
  const NewtonReport report = newton.solve(problem, x);
  ASSERT_TRUE(report.converged());
  EXPECT_NEAR(x[0], 0, 1e-12);
}

TEST(Newton, AcceptsWhatRoundingPermitsWhenTheToleranceIsTighter) {
  Scalar problem{[](double x) { return x * x - 2; }, [](double x) { return 2 * x; }};
  VectorXd x = VectorXd::Constant(1, 1.5);
  ASSERT_TRUE(Newton(1, {.atol = 1e-20, .rtol = 0}).solve(problem, x).converged());
  EXPECT_NEAR(x[0], std::sqrt(2.0), 1e-15);
}

/// Corrections of about ±size that do not shrink.
struct Noisy {
  double size;
  bool residual, is_lost;  ///< what it says of itself
  int corrected = 0;
  FactorReport linearize(const VectorXd&) { return {.ok = true, .rcond = 1}; }
  bool correction_is_rounding() const { return is_lost; }
  bool residual_is_rounding() const { return residual; }
  bool correction(const VectorXd&, VectorXd& dx) {
    dx[0] = (++corrected % 2 ? 1 : -1.3) * size;
    return true;
  }
};

NewtonReport solve_noisy(double size, bool residual, bool correction) {
  Noisy problem{.size = size, .residual = residual, .is_lost = correction};
  VectorXd x = VectorXd::Constant(1, 1.0);
  const NewtonReport report = Newton(1, {.atol = 1e-8, .rtol = 0}).solve(problem, x);
  EXPECT_NEAR(x[0], 1, 20 * 1.3 * size);
  return report;
}

TEST(Newton, AcceptsCorrectionsAboveTheToleranceThatAreRoundingErrors) {
  const NewtonReport report = solve_noisy(1e-5, true, true);
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.iterations, 2);
}

TEST(Newton, DoesNotTakeForRoundingWhatOnlyTheResidualOrOnlyTheCorrectionSays) {
  EXPECT_FALSE(solve_noisy(1e-5, true, false).converged());
  EXPECT_FALSE(solve_noisy(1e-5, false, true).converged());
}

TEST(Newton, DoesNotTakeForRoundingWhatChangesTheSolution) { EXPECT_FALSE(solve_noisy(1e-2, true, true).converged()); }

/// Noise in x₀ that does not shrink, and x₁ = 0 with a matrix that is off by a tenth.
struct NoisyBesideExact : Noisy {
  bool correction(const VectorXd& x, VectorXd& dx) {
    Noisy::correction(x, dx);
    dx[1] = -0.9 * x[1];
    return true;
  }
};

// (NW.4) Otherwise x₁ would keep a tenth of where it began, in every step of a run and always on the same side.
TEST(Newton, AppliesTheLastCorrectionBeneathRoundingErrors) {
  NoisyBesideExact problem{{.size = 1e-5, .residual = true, .is_lost = true}};
  VectorXd x = Eigen::Vector2d(1, 1e-6);
  const NewtonReport report = Newton(2, {.atol = 1e-8, .rtol = 0}).solve(problem, x);
  ASSERT_TRUE(report.converged());
  ASSERT_EQ(report.iterations, 2);
  EXPECT_NEAR(x[1], 1e-8, 1e-12);
}

TEST(Newton, SaysWhyItFailed) {
  VectorXd x = VectorXd::Constant(1, 1.0);
  Scalar flat{[](double) { return 1.0; }, [](double) { return 0.0; }};
  EXPECT_EQ(Newton(1, {}).solve(flat, x).outcome, NewtonOutcome::singular);
  Scalar hole{[](double) { return NAN; }, [](double) { return 1.0; }};
  EXPECT_EQ(Newton(1, {}).solve(hole, x).outcome, NewtonOutcome::not_finite);
  Scalar rootless{[](double v) { return v * v + 1; }, [](double v) { return 2 * v; }};
  x[0] = 1.0;
  const NewtonReport report = Newton(1, {}).solve(rootless, x);
  EXPECT_FALSE(report.converged());
  EXPECT_GT(report.norms[0], 1);
  EXPECT_EQ(report.worst_unknown, 0);
}

}  // namespace
}  // namespace filum::linalg
