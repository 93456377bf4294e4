/// Long or large runs of beams: energy over 100 time units, convergence in space, a beam of 1e5 segments.
/// Numbers: docs/theory/benchmarks.md, sec. 8.
#include "support/beam_systems.hpp"
#include "support/convergence.hpp"

#include <filum/integrate/half_explicit_rk.hpp>
#include <filum/integrate/rattlie.hpp>
#include <filum/integrate/run.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace filum::integrate {
namespace {

using test::BeamBenchmark;

TEST(FlyingSpaghettiEnergy, DoesNotDriftFrom5To110) {
  const BeamBenchmark b = test::flying_spaghetti({.segments = 16});
  // With the default tolerance what Newton leaves behind adds up to −6e-8 in this time.
  Rattlie method(*b.system, {.newton = {.atol = 1e-11, .rtol = 1e-11}});
  State x = b.start;
  constexpr double h = 0x1p-11;
  run(*b.system, method, x, {.end = 5, .step = h}, {});
  const double initial = b.energy(x);
  double first = 0, last = 0, largest = 0;
  long count = 0;
  run(*b.system, method, x, {.end = 110, .step = h}, [&](State& now, const StepReport&, const RunStatistics&) {
    if (++count % 32 != 0) return true;
    const double error = b.energy(now) / initial - 1;
    largest = std::max(largest, std::abs(error));
    if (now.t < 15) first += error / 640;
    if (now.t >= 100) last += error / 640;
    return true;
  });
  EXPECT_LT(largest, 1e-6);
  EXPECT_LT(std::abs(last - first), 0.2 * largest) << first << ' ' << last << ' ' << largest;
}

/// Observed orders in space of q and v at t = 1. Nodes at multiples of L/8 are common to all grids, so that nothing has
/// to be interpolated.
std::pair<double, double> orders_in_space(bool smooth) {
  const auto solution = [smooth](int segments) {
    const BeamBenchmark b = test::flying_spaghetti({.segments = segments, .smooth = smooth});
    State x = b.start;
    Rattlie method(*b.system);
    run(*b.system, method, x, {.end = 1, .step = 0x1p-12}, {});
    Eigen::MatrixXd q(7, 9), v(6, 9);
    for (int i = 0; i <= 8; ++i) {
      const int node = i * segments / 8;
      q.col(i) << b.beam->orientation(x, node), b.beam->position(x, node);
      v.col(i) = x.v.segment<6>(6 * node);
    }
    return std::pair(q, v);
  };
  const auto [q, v] = solution(256);
  std::vector<double> ds, error_q, error_v;
  for (const int n : {8, 16, 32, 64}) {
    const auto [qn, vn] = solution(n);
    ds.push_back(1.0 / n), error_q.push_back((qn - q).norm()), error_v.push_back((vn - v).norm());
  }
  return {test::slope(ds, error_q), test::slope(ds, error_v)};
}

TEST(FlyingSpaghettiInSpace, IsSecondOrderInPositionAndVelocity) {
  const auto [q, v] = orders_in_space(true);
  EXPECT_NEAR(q, 2, 0.1);
  EXPECT_NEAR(v, 2, 0.1);
}

TEST(FlyingSpaghettiInSpace, IsSecondOrderInPositionButNotInVelocityWhenKinksRunAlongTheBeam) {
  const auto [q, v] = orders_in_space(false);
  EXPECT_NEAR(q, 2, 0.1);
  EXPECT_GT(v, 1.1);
  EXPECT_LT(v, 1.6);  // the angular velocity has kinks, which the waves of the hat function carry
}

TEST(LongBeam, StepsWithAHundredThousandSegments) {
  const BeamBenchmark b = test::flying_spaghetti({.segments = 100000});
  Rattlie method(*b.system);
  State x = b.start;
  constexpr double h = 0x1p-21;
  method.start(x, h);
  for (int k = 0; k < 3; ++k) ASSERT_TRUE(method.step(x, h).accepted());
  EXPECT_TRUE(x.q.allFinite());
}

}  // namespace
}  // namespace filum::integrate
