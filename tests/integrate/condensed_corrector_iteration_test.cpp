/// Newton's iteration of the program behind paper 000. Theory: docs/theory/generalized_alpha.md, (GA.15d).
#include "integrate/tolerances.hpp"
#include "support/allocation_counter.hpp"
#include "support/beam_systems.hpp"
#include "support/convergence.hpp"

#include <filum/integrate/bliedf.hpp>
#include <filum/integrate/generalized_alpha.hpp>
#include <filum/integrate/half_explicit_rk.hpp>

#include <gtest/gtest.h>

namespace filum::integrate {
namespace {

using test::BeamBenchmark;
using test::within;

using MakeCorrected = std::unique_ptr<Integrator> (*)(const System&, const NewtonOptions&, NewtonMatrix);

template <class Method>
std::unique_ptr<Integrator> make_corrected(const System& s, const NewtonOptions& newton, NewtonMatrix matrix) {
  return std::make_unique<Method>(s, typename Method::Options{.matrix = matrix, .newton = newton});
}

const std::pair<const char*, MakeCorrected> corrected[] = {{"generalized-alpha", make_corrected<GeneralizedAlpha>},
                                                           {"bliedf", make_corrected<Bliedf>}};

TEST(IterationOfPaper000, WithATightToleranceFindsTheSameMotion) {
  const BeamBenchmark b = test::flying_spaghetti({.segments = 4});
  for (const auto& [name, make] : corrected) {
    const auto own = make(*b.system, within(1e-12), NewtonMatrix::simplified),
               of_program = make(*b.system, within(1e-10), NewtonMatrix::paper_000);
    const State x = test::run(*own, b.start, 0.25, 256), y = test::run(*of_program, b.start, 0.25, 256);
    EXPECT_LT((x.q - y.q).lpNorm<Eigen::Infinity>(), 1e-10) << name;
    EXPECT_LT((x.v - y.v).lpNorm<Eigen::Infinity>(), 1e-8) << name;
    EXPECT_LT((x.lambda - y.lambda).lpNorm<Eigen::Infinity>(), 1e-5 * x.lambda.norm()) << name;
  }
}

/// Mean number of iterations and largest constraint residual over 128 steps of h from x on.
std::pair<double, double> iterate(const BeamBenchmark& b, State x, Integrator& method, double h) {
  VectorXd phi(b.system->size_lambda());
  double iterations = 0, residual = 0;
  method.start(x, h);
  EXPECT_TRUE(method.step(x, h).accepted());
  const long allocated = test::allocations_of([&] {
    for (int k = 0; k < 128; ++k) {
      const StepReport report = method.step(x, h);
      EXPECT_TRUE(report.accepted());
      iterations += report.newton_iterations;
      b.system->constraint(x.t, x.q, phi);
      residual = std::max(residual, phi.lpNorm<Eigen::Infinity>());
    }
  });
  EXPECT_EQ(allocated, 0);
  return {iterations / 128, residual};
}

// Remark 5.6: the behaviour changes between 2^-14 and 2^-15, where one iteration less meets the tolerance.
TEST(IterationOfPaper000, EndsWithTheFirstSmallCorrectionAndLeavesItOutOfPositions) {
  const BeamBenchmark b = test::flying_spaghetti({.segments = 16});
  const NewtonOptions newton{.atol = 1e-8, .rtol = 1e-6};
  HalfExplicitRk throwing(*b.system, {});
  const State x = test::run(throwing, b.start, 2, 1024);

  GeneralizedAlpha alpha(*b.system, {.matrix = NewtonMatrix::paper_000, .newton = newton});
  const auto [before, small] = iterate(b, x, alpha, 0x1p-14);
  const auto [after, large] = iterate(b, x, alpha, 0x1p-15);
  EXPECT_EQ(before, 2);
  EXPECT_EQ(after, 1);
  EXPECT_LT(small, 1e-14);
  EXPECT_GT(large, 1e-13);  // that of the initial guess

  Bliedf bliedf(*b.system, {.matrix = NewtonMatrix::paper_000, .newton = newton});
  EXPECT_EQ(iterate(b, x, bliedf, 0x1p-12).first, 3);
  EXPECT_EQ(iterate(b, x, bliedf, 0x1p-15).first, 2);
}

}  // namespace
}  // namespace filum::integrate
