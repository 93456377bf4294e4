/// Estimates of the fastest motion. User document: docs/guide/integrators.md.
#include <filum/analysis/fastest_rates.hpp>
#include <filum/mechanics/consistent_start.hpp>
#include <filum/parts/gravity.hpp>
#include <filum/parts/joint.hpp>
#include <filum/parts/rigid_body.hpp>
#include <filum/parts/spring.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace filum::analysis {
namespace {

struct Started {
  std::shared_ptr<const mechanics::System> system;
  mechanics::State start;
};

/// A bar with its centre of mass at (x, 0, z), hinged at the origin about the second axis, in gravity.
Started bar(const Eigen::Vector3d& at) {
  mechanics::SystemBuilder builder;
  const auto body = parts::add_rigid_body(
      builder, {.mass = 2, .inertia = Eigen::Vector3d(0.1, 0.5, 0.5).asDiagonal().toDenseMatrix(), .position = at});
  parts::add_joint(builder, {.type = parts::JointType::revolute,
                             .first = body.at_space(Eigen::Vector3d::Zero()),
                             .second = {},
                             .axis = {0, 1, 0}});
  parts::add_gravity(builder, {0, 0, -9.81}, {body});
  mechanics::State x = builder.start();
  const auto system = builder.build();
  mechanics::make_consistent(*system, x);
  return {system, x};
}

TEST(FastestRates, AHangingBarSwingsWithItsOwnFrequency) {
  const Started m = bar({0, 0, -1.5});
  EXPECT_NEAR(fastest_rates(*m.system, m.start).frequency, std::sqrt(2 * 9.81 * 1.5 / (0.5 + 2 * 2.25)), 0.02);
}

TEST(FastestRates, ABarHeldHorizontallyHasNone) {
  const Started m = bar({1.5, 0, 0});
  EXPECT_LT(fastest_rates(*m.system, m.start).frequency, 1e-2);
}

TEST(FastestRates, LimitsBelongToMethods) {
  const FastestRates rates{.frequency = 10, .damping = 4};
  EXPECT_DOUBLE_EQ(largest_stable_step(integrate::RattlieOptions{}, rates), 0.2);
  EXPECT_DOUBLE_EQ(largest_stable_step(integrate::HalfExplicitOptions{}, rates), 0.28);
  EXPECT_TRUE(std::isinf(largest_stable_step(integrate::GeneralizedAlphaOptions{}, rates)));
}

}  // namespace
}  // namespace filum::analysis
