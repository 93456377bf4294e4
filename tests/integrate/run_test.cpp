/// The loop over time: random grids and outputs. Theory: docs/theory/integrators.md, sec. 2.
#include "support/small_systems.hpp"

#include <filum/integrate/half_explicit_rk.hpp>
#include <filum/integrate/munthe_kaas_rk.hpp>
#include <filum/integrate/run.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace filum::integrate {
namespace {

std::vector<double> times(Integrator& method, const test::SmallSystem& s, const RunOptions& options) {
  State x = s.start;
  std::vector<double> t{x.t};
  run(*s.system, method, x, options, [&](State& now, const StepReport&, const RunStatistics&) {
    t.push_back(now.t);
    return true;
  });
  return t;
}

std::vector<double> random_times(const test::SmallSystem& s, const RunOptions& options) {
  MuntheKaasRk method(*s.system, {.order = 2});
  return times(method, s, options);
}

TEST(RandomGrid, EndsAStepAtEveryOutput) {
  const test::SmallSystem pendulum = test::planar_pendulum();
  for (const double every : {0.002, 0.0031, 0.01, 0.0213, 0.1})
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const std::vector<double> t =
          random_times(pendulum, {.end = 0.3, .step = 0.01, .grid = Grid::random, .seed = seed, .output_every = every});
      for (int n = 1; n * every < 0.3; ++n)
        EXPECT_TRUE(std::binary_search(t.begin(), t.end(), n * every)) << every << ' ' << n;
      EXPECT_EQ(t.back(), 0.3);
    }
}

TEST(RandomGrid, KeepsItsStepsBetweenAQuarterAndTheWholeWhereverOutputsAllowIt) {
  const test::SmallSystem pendulum = test::planar_pendulum();
  const double step = 0.01;
  for (const double every : {0.0, 0.25 * step, 0.3 * step, 0.5 * step, step, 1.01 * step, 1.25 * step, 3.7 * step})
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const double end = every > 0 ? 40 * every : 0.4;
      const std::vector<double> t =
          random_times(pendulum, {.end = end, .step = step, .grid = Grid::random, .seed = seed, .output_every = every});
      for (std::size_t k = 1; k < t.size(); ++k) {
        EXPECT_GE(t[k] - t[k - 1], 0.25 * step * (1 - 1e-12)) << every << ' ' << t[k];
        EXPECT_LE(t[k] - t[k - 1], step * (1 + 1e-12)) << every << ' ' << t[k];
      }
    }
}

TEST(RandomGrid, DiffersBetweenSeedsAndIsSpreadOverItsRange) {
  const test::SmallSystem pendulum = test::planar_pendulum();
  const RunOptions one{.end = 2, .step = 0.01, .grid = Grid::random, .seed = 1, .output_every = 0.2};
  RunOptions two = one;
  two.seed = 2;
  const std::vector<double> t = random_times(pendulum, one);
  EXPECT_EQ(t, random_times(pendulum, one));
  EXPECT_NE(t, random_times(pendulum, two));
  double smallest = 1, largest = 0;
  for (std::size_t k = 1; k < t.size(); ++k) {
    smallest = std::min(smallest, t[k] - t[k - 1]);
    largest = std::max(largest, t[k] - t[k - 1]);
  }
  EXPECT_LT(smallest, 0.0027);
  EXPECT_GT(largest, 0.0097);
  EXPECT_NEAR(2.0 / static_cast<double>(t.size() - 1), 0.625 * 0.01, 0.0005) << "mean step";
}

TEST(RandomGrid, ContinuesFromAnyStepWithTheSameTimes) {
  const test::SmallSystem pendulum = test::planar_pendulum();
  const RunOptions options{.end = 0.3, .step = 0.01, .grid = Grid::random, .seed = 7, .output_every = 0.0213};
  const std::vector<double> whole = random_times(pendulum, options);
  for (std::size_t stop = 1; stop + 1 < whole.size(); ++stop) {
    MuntheKaasRk first(*pendulum.system, {.order = 2}), second(*pendulum.system, {.order = 2});
    State x = pendulum.start;
    std::vector<double> t{x.t};
    RunStatistics stopped;
    const auto observe = [&](State& now, const StepReport&, const RunStatistics& s) {
      t.push_back(now.t);
      stopped = s;
      return t.size() <= stop;
    };
    run(*pendulum.system, first, x, options, observe);
    std::vector<double> memory;
    first.save(memory);
    second.restore(memory);
    run(
        *pendulum.system, second, x, options,
        [&](State& now, const StepReport&, const RunStatistics&) {
          t.push_back(now.t);
          return true;
        },
        &stopped);
    EXPECT_EQ(t, whole) << "stopped after step " << stop;
  }
}

TEST(Interruption, EndsARunBetweenTwoAttemptsAtAStep) {
  const test::SmallSystem pendulum = test::planar_pendulum();
  int asked = 0;
  const RunOptions options{.end = 100, .step = 50, .interrupted = [&] { return ++asked == 2; }};
  HalfExplicitRk method(*pendulum.system, {.adaptive = true});
  State x = pendulum.start;
  const RunStatistics s = run(*pendulum.system, method, x, options);
  EXPECT_TRUE(s.interrupted);
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(s.rejected, 2);
  EXPECT_EQ(s.accepted, 0);
  EXPECT_EQ(x.t, pendulum.start.t);
  EXPECT_EQ(x.q, pendulum.start.q);
}

// 3 · 0.3 is one rounding error less than 0.9.
TEST(Outputs, ThatFallOnTheEndUpToRoundingLeaveNoTinyStep) {
  const test::SmallSystem pendulum = test::planar_pendulum();
  ASSERT_LT(3 * 0.3, 0.9);
  HalfExplicitRk adaptive(*pendulum.system, {.adaptive = true});
  for (const std::vector<double>& t :
       {times(adaptive, pendulum, {.end = 0.9, .step = 0.01, .output_every = 0.3}),
        random_times(pendulum, {.end = 0.9, .step = 0.01, .grid = Grid::random, .output_every = 0.3})}) {
    EXPECT_EQ(t.back(), 0.9);
    for (std::size_t k = 1; k < t.size(); ++k) EXPECT_GT(t[k] - t[k - 1], 1e-3);
  }
}

}  // namespace
}  // namespace filum::integrate
