/// Munthe-Kaas methods on the benchmark systems: orders, and the examples of paper 004.
/// Theory: docs/theory/munthe_kaas_rk.md.
#include "support/allocation_counter.hpp"

#include <filum/integrate/half_explicit_rk.hpp>
#include <filum/integrate/munthe_kaas_rk.hpp>

#include <gtest/gtest.h>
#include <support/benchmark_systems.hpp>
#include <support/convergence.hpp>

#include <array>
#include <numbers>

namespace filum::test {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using integrate::MuntheKaasOptions;
using integrate::MuntheKaasRk;

std::unique_ptr<MuntheKaasRk> munthe_kaas_of_order(const System& system, int order) {
  return std::make_unique<MuntheKaasRk>(system, MuntheKaasOptions{.order = order});
}

/// Largest value of f(state) over n steps to t1 with the classical method.
template <class F>
double largest(const Benchmark& b, double t1, int n, F&& f) {
  MuntheKaasRk method(*b.system);
  State x = b.start;
  const double h = t1 / n;
  double size = 0;
  method.start(x, h);
  for (int k = 1; k <= n; ++k) {
    method.step(x, h);
    x.t = k * h;
    size = std::max(size, f(x));
  }
  return size;
}

double largest_residual(const Benchmark& b, double t1, int n) {
  VectorXd phi(b.system->size_lambda());
  return largest(b, t1, n, [&](const State& x) {
    b.system->constraint(x.t, x.q, phi);
    return phi.norm();
  });
}

/// How far the centre of mass is from where it should be, at most.
double largest_displacement(const Benchmark& b, const Vector3d& velocity, double t1, int n) {
  const Vector3d c = b.body.center_of_mass(b.start);
  return largest(b, t1, n, [&](const State& x) { return (b.body.center_of_mass(x) - c - x.t * velocity).norm(); });
}

double energy_drift(const Benchmark& b, double t1, int n) {
  MuntheKaasRk method(*b.system);
  return b.energy(run(method, b.start, t1, n)) - b.energy(b.start);
}

/// Slope of f(n) over step sizes t1/n.
template <class F>
double observed_order(double t1, F&& f) {
  std::vector<double> h, error;
  for (const int n : {1000, 1500, 2000, 3000}) {
    h.push_back(t1 / n);
    error.push_back(f(n));
  }
  return slope(h, error);
}

const Vector3d at_rest = Vector3d::Zero(), flying(10, 0, 0);
constexpr std::array direct_products{GroupId::SO3xR3, GroupId::S3xR3};
constexpr std::array semidirect_products{GroupId::SE3, GroupId::S3sdR3, GroupId::UDQ};

// Orders --------------------------------------------------------------------------------------------------------------

class MuntheKaasOrder : public ::testing::TestWithParam<GroupId> {
 protected:
  static void expect_orders(TopSpeed speed, double t1) {
    const Benchmark b = heavy_top(speed, GetParam());
    integrate::HalfExplicitRk fine(*b.system);
    const auto reference = trajectory(fine, b.start, t1, 4096, 8);
    for (const int p : {2, 3, 4, 5}) {
      const Convergence c =
          convergence([&] { return munthe_kaas_of_order(*b.system, p); }, b.start, reference, {128, 192, 256, 384});
      const double tolerance = p == 5 ? 0.15 : 0.1;
      EXPECT_NEAR(c.order_q(), p, tolerance) << c.table();
      EXPECT_NEAR(c.order_v(), p, tolerance) << c.table();
      if (b.system->size_lambda() > 0) {
        EXPECT_NEAR(c.order_lambda(), p, tolerance) << c.table();
      }
    }
  }
};

TEST_P(MuntheKaasOrder, HoldsForTheFastTopInAllVariables) { expect_orders(TopSpeed::fast, 0.0625); }
TEST_P(MuntheKaasOrder, HoldsForTheSlowTopInAllVariables) { expect_orders(TopSpeed::slow, 1); }

INSTANTIATE_TEST_SUITE_P(Top, MuntheKaasOrder, ::testing::ValuesIn(all_top_groups),
                         [](const auto& group) { return group_name(group.param); });

TEST(MuntheKaasDisk, RollsToTheTrueValues) {
  for (const GroupId group : rigid_motion_groups) {
    const Benchmark b = rolling_disk(group);
    const auto method = munthe_kaas_of_order(*b.system, 5);
    const State x = run(*method, b.start, 2, 8000);
    EXPECT_LT((b.body.center_of_mass(x) - Vector3d(-1.060389299432, 0.475936458681, 0.627430485657)).norm(), 1e-9)
        << group_name(group);
    EXPECT_LT((x.lambda - Vector3d(-2604.5416, 480.4068, 533.0748)).norm(), 1e-3) << group_name(group);
  }
}

TEST(MuntheKaasStep, AllocatesNothing) {
  for (const GroupId group : all_top_groups) {
    const Benchmark b = heavy_top(TopSpeed::fast, group);
    MuntheKaasRk method(*b.system);
    State x = b.start;
    method.start(x, 1e-4);
    EXPECT_EQ(allocations_of([&] {
                for (int k = 0; k < 5; ++k) method.step(x, 1e-4);
                method.complete(x);
              }),
              0)
        << group_name(group);
  }
}

// Paper 004, 5.1: a free box, frame at the centre of mass
// --------------------------------------------------------------

TEST(MuntheKaasBox, RotatingBoxStaysWhereItIsExactly) {
  for (const GroupId group : rigid_motion_groups)
    for (const int n : {100, 1000})
      EXPECT_EQ(largest_displacement(free_box(BoxMotion::rotation, BoxFrame::at_center_of_mass, group), at_rest, 1, n),
                0)
          << group_name(group);
}

TEST(MuntheKaasBox, EnergyOfTheRotatingBoxDriftsAlikeInAllGroups) {
  const auto drift = [](GroupId group) {
    return energy_drift(free_box(BoxMotion::rotation, BoxFrame::at_center_of_mass, group), 10, 1000);
  };
  const double expected = drift(GroupId::SE3);
  EXPECT_LT(expected, -1e-3);
  for (const GroupId group : rigid_motion_groups) EXPECT_NEAR(drift(group), expected, 1e-10) << group_name(group);
}

TEST(MuntheKaasBox, FlyingBoxIsExactInDirectProductsAndOfOrderFourInSemidirectOnes) {
  for (const GroupId group : direct_products)
    for (const int n : {40, 400, 4000})
      EXPECT_LT(largest_displacement(free_box(BoxMotion::rotation_and_translation, BoxFrame::at_center_of_mass, group),
                                     flying, 4, n),
                1e-11)
          << group_name(group) << n;
  for (const GroupId group : semidirect_products) {
    const Benchmark b = free_box(BoxMotion::rotation_and_translation, BoxFrame::at_center_of_mass, group);
    EXPECT_NEAR(observed_order(4, [&](int n) { return largest_displacement(b, flying, 4, n); }), 4, 0.1)
        << group_name(group);
    EXPECT_GT(largest_displacement(b, flying, 4, 1000), 1e-6);
  }
}

TEST(MuntheKaasBox, FlyingBoxTurnsExactlyInAllGroups) {
  for (const GroupId group : rigid_motion_groups) {
    const Benchmark b = free_box(BoxMotion::rotation_and_translation, BoxFrame::at_center_of_mass, group);
    const double error = largest(b, 4, 400, [&](const State& x) {
      const double angle = 2 * std::numbers::pi * x.t;
      return (b.body.rotation(x).col(0) - Vector3d(std::cos(angle), std::sin(angle), 0)).norm();
    });
    EXPECT_LT(error, 2e-13) << group_name(group);
  }
}

// 5.2: the same box, frame off the centre of mass
// ----------------------------------------------------------------------

TEST(MuntheKaasBox, WithTheFrameOffItsCenterTheRotatingBoxStaysInSemidirectProductsOnly) {
  for (const GroupId group : semidirect_products)
    for (const int n : {400, 4000})
      EXPECT_LT(largest_displacement(free_box(BoxMotion::rotation, BoxFrame::off_center_of_mass, group), at_rest, 4, n),
                1e-12)
          << group_name(group) << n;
  for (const GroupId group : direct_products) {
    const Benchmark b = free_box(BoxMotion::rotation, BoxFrame::off_center_of_mass, group);
    EXPECT_NEAR(observed_order(1, [&](int n) { return largest_displacement(b, at_rest, 1, n); }), 4, 0.1)
        << group_name(group);
  }
}

TEST(MuntheKaasBox, WithTheFrameOffItsCenterTheFlyingBoxIsOfOrderFourInAllGroups) {
  for (const GroupId group : rigid_motion_groups) {
    const Benchmark b = free_box(BoxMotion::rotation_and_translation, BoxFrame::off_center_of_mass, group);
    EXPECT_NEAR(observed_order(1, [&](int n) { return largest_displacement(b, flying, 1, n); }), 4, 0.1)
        << group_name(group);
  }
}

TEST(MuntheKaasBox, WithTheFrameOffItsCenterTheFlyingBoxIsBetterInDirectProducts) {
  const auto error = [](GroupId group) {
    return largest_displacement(free_box(BoxMotion::rotation_and_translation, BoxFrame::off_center_of_mass, group),
                                flying, 4, 2000);
  };
  EXPECT_LT(5 * error(GroupId::SO3xR3), error(GroupId::SE3));
}

// 5.3: the spring top
// -----------------------------------------------------------------------------------------------------

TEST(MuntheKaasSpringTop, StartsWithTheRightEnergy) {
  for (const GroupId group : rigid_motion_groups) {
    const Benchmark b = spring_top(group);
    EXPECT_NEAR(b.energy(b.start), 2500.68625, 1e-10) << group_name(group);
  }
}

TEST(MuntheKaasSpringTop, ConstraintHoldsToRoundingForEveryStepInSemidirectProducts) {
  for (const GroupId group : semidirect_products)
    for (const int n : {800, 8000})
      EXPECT_LT(largest_residual(spring_top(group), 8, n), 2e-12) << group_name(group) << n;
}

TEST(MuntheKaasSpringTop, ConstraintErrorIsOfOrderFourInDirectProducts) {
  for (const GroupId group : direct_products) {
    const Benchmark b = spring_top(group);
    EXPECT_NEAR(observed_order(2, [&](int n) { return largest_residual(b, 2, n); }), 4, 0.1) << group_name(group);
  }
}

TEST(MuntheKaasSpringTop, EnergyIsBetterInSemidirectProducts) {
  const auto drift = [](GroupId group) { return std::abs(energy_drift(spring_top(group), 8, 4000)); };
  EXPECT_LT(50 * drift(GroupId::SE3), drift(GroupId::SO3xR3));
}

TEST(MuntheKaasHeavyTop, ConstraintHoldsToRoundingForEveryStepInSemidirectProducts) {
  for (const GroupId group : semidirect_products)
    for (const int n : {256, 1024, 4096})
      EXPECT_LT(largest_residual(heavy_top(TopSpeed::fast, group), 1, n), 2e-12) << group_name(group) << n;
}

TEST(MuntheKaasHeavyTop, ConstraintErrorIsOfOrderFourInDirectProducts) {
  for (const GroupId group : direct_products) {
    const Benchmark b = heavy_top(TopSpeed::fast, group);
    EXPECT_NEAR(observed_order(0.5, [&](int n) { return largest_residual(b, 0.5, n); }), 4, 0.1) << group_name(group);
  }
}

}  // namespace
}  // namespace filum::test
