/// First steps that nobody has given. Theory: docs/theory/step_control.md, (SC.6).
#include <filum/integrate/first_step.hpp>
#include <filum/integrate/method.hpp>
#include <filum/integrate/run.hpp>

#include <gtest/gtest.h>
#include <support/beam_systems.hpp>

namespace filum::integrate {
namespace {

std::vector<MethodOptions> adaptive_methods(double tolerance) {
  const StepControlOptions control{.atol = tolerance, .rtol = tolerance};
  return {RattlieOptions{.adaptive = true, .control = control},
          GeneralizedAlphaOptions{.adaptive = true, .control = control},
          BliedfOptions{.adaptive = true, .control = control}, RadauOptions{.adaptive = true, .control = control},
          HalfExplicitOptions{.adaptive = true, .control = control}};
}

TEST(FirstStep, IsAcceptedAndSoonFollowedByLargerOnes) {
  const test::Benchmark top = test::heavy_top(test::TopSpeed::slow, test::GroupId::S3sdR3);
  for (const MethodOptions& options : adaptive_methods(1e-4)) {
    const auto method = make_integrator(options, *top.system);
    State x = top.start;
    double first = 0, mean = 0;
    const RunStatistics s = run(*top.system, *method, x, {.end = 1, .step = 0},
                                [&](State& now, const StepReport&, const RunStatistics& so_far) {
                                  if (so_far.accepted == 1) {
                                    first = now.t;
                                    EXPECT_EQ(so_far.rejected, 0) << name(options);
                                  }
                                  return true;
                                });
    mean = 1.0 / static_cast<double>(s.accepted);
    EXPECT_EQ(x.t, 1) << name(options);
    EXPECT_GT(first, 1e-3 * mean) << name(options);
  }
}

TEST(FirstStep, ShrinksWithTheTolerance) {
  const test::Benchmark top = test::heavy_top(test::TopSpeed::slow, test::GroupId::S3sdR3);
  for (std::size_t k = 0; k < adaptive_methods(1e-2).size(); ++k) {
    double before = 1;
    for (const double tolerance : {1e-2, 1e-4, 1e-6}) {
      const MethodOptions options = adaptive_methods(tolerance)[k];
      const auto method = make_integrator(options, *top.system);
      const double h = first_step(*top.system, {}, top.start, *method->step_control(), 1);
      EXPECT_GT(h, 0);
      EXPECT_LT(h, before) << name(options);
      before = h;
    }
  }
}

// At rest without forces nothing tells how fast things will be: the load comes later.
TEST(FirstStep, OfASystemAtRestIsAFractionOfTheRun) {
  const test::BeamBenchmark spaghetti = test::flying_spaghetti({.segments = 4, .smooth = true});
  const auto method = make_integrator(GeneralizedAlphaOptions{.adaptive = true}, *spaghetti.system);
  const double h = first_step(*spaghetti.system, {}, spaghetti.start, *method->step_control(), 2);
  EXPECT_GT(h, 0);
  EXPECT_LE(h, 0.2);
}

TEST(FirstStep, OfAMethodWithConstantStepsMustBeGiven) {
  const test::Benchmark top = test::heavy_top(test::TopSpeed::slow, test::GroupId::S3sdR3);
  const auto method = make_integrator(GeneralizedAlphaOptions{}, *top.system);
  State x = top.start;
  EXPECT_THROW(run(*top.system, *method, x, {.end = 1, .step = 0}), std::invalid_argument);
}

}  // namespace
}  // namespace filum::integrate
