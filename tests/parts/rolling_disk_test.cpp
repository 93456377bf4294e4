/// The rolling disk in all groups, against differences and against the paper's formulas.
#include "support/any_node.hpp"
#include "support/benchmark_systems.hpp"
#include "support/derivative_checks.hpp"

#include <filum/lie/quaternion.hpp>
#include <filum/parts/rolling_disk.hpp>

#include <gtest/gtest.h>

namespace filum::parts {
namespace {

using test::GroupId;

class RollingDiskInGroup : public ::testing::TestWithParam<GroupId> {};
INSTANTIATE_TEST_SUITE_P(AllGroups, RollingDiskInGroup, ::testing::ValuesIn(test::rigid_motion_groups),
                         [](const auto& i) { return test::group_name(i.param); });

TEST_P(RollingDiskInGroup, HasExactDerivatives) {
  SystemBuilder builder;
  const RigidBody body = add_rigid_body(builder, test::odd_body(GetParam()));
  add_rolling_disk(builder, "wheel", body, 0.7);
  const auto built = builder.build();
  const System& system = *built;
  ASSERT_EQ(system.size_lambda(), 1);
  ASSERT_EQ(system.size_mu(), 2);
  for (int seed = 1; seed < 5; ++seed) test::expect_constraint_derivatives(system, test::random_state(system, seed));
}

// Remark 5.2 of paper 000 with the second entry of the first column of B corrected.
TEST(RollingDisk, HasTheRowsOfThePaper) {
  const test::Benchmark disk = test::rolling_disk(GroupId::S3sdR3);
  const Vector4d p = Vector4d(0.3, 0.1, -0.5, 0.8).normalized();
  const double p0 = p[0], p1 = p[1], p2 = p[2], p3 = p[3];
  const double x3 = 2 * std::sqrt((p1 * p1 + p2 * p2) * (p0 * p0 + p3 * p3));  // on the plane
  VectorXd q(7);
  q << p, 0.4, 0.2, x3;
  Eigen::Matrix<double, 6, 3> expected;
  expected.col(0) << 2 * (p0 * p1 + p2 * p3) * (p1 * p1 + p2 * p2 - p0 * p0 - p3 * p3),
      2 * (p1 * p3 - p0 * p2) * (p0 * p0 + p3 * p3 - p1 * p1 - p2 * p2), 0, 2 * (p1 * p3 - p0 * p2) * x3,
      2 * (p0 * p1 + p2 * p3) * x3, (p0 * p0 + p3 * p3 - p1 * p1 - p2 * p2) * x3;
  expected.col(1) << -4 * (p0 * p2 + p1 * p3) * (p0 * p1 + p2 * p3), -4 * (p0 * p0 * p2 * p2 - p1 * p1 * p3 * p3),
      2 * (p0 * p1 - p2 * p3), (p0 * p0 + p1 * p1 - p2 * p2 - p3 * p3) * x3, 2 * (p1 * p2 - p0 * p3) * x3,
      2 * (p0 * p2 + p1 * p3) * x3;
  expected.col(2) << 4 * (p0 * p1 - p2 * p3) * (p0 * p1 + p2 * p3), 4 * (p0 * p2 - p1 * p3) * (p0 * p1 - p2 * p3),
      2 * (p0 * p2 + p1 * p3), 2 * (p1 * p2 + p0 * p3) * x3, (p0 * p0 - p1 * p1 + p2 * p2 - p3 * p3) * x3,
      2 * (p2 * p3 - p0 * p1) * x3;
  EXPECT_LT(test::largest(test::rows_of(*disk.system, 0, q) - expected.transpose()), 1e-15);
  VectorXd phi = VectorXd::Zero(3);
  disk.system->constraint(0, q, phi);
  EXPECT_NEAR(phi[0], 0, 4e-16);
}

TEST(RollingDisk, TouchingPointOfTheDiskIsAtRest) {
  const test::Benchmark disk = test::rolling_disk(GroupId::SO3xR3);
  const Matrix3d R = disk.body.rotation(disk.start);
  const Vector3d n = R.row(2), m(n[0], n[1], 0), low = -m / m.norm();
  const Vector3d u = disk.body.velocity(disk.start) + R * disk.body.angular_velocity(disk.start).cross(low);
  EXPECT_NEAR(disk.body.space_point(disk.start, low)[2], 0, 1e-15);
  EXPECT_LT(u.norm(), 1e-14);
}

TEST(RollingDisk, StartsAlikeInAllGroups) {
  const test::Benchmark reference = test::rolling_disk(GroupId::S3sdR3);
  for (const GroupId group : test::rigid_motion_groups)
    EXPECT_LT((test::rolling_disk(group).start.lambda - reference.start.lambda).norm(), 1e-11)
        << test::group_name(group);
}

TEST(RollingDisk, IsRefusedWhereItCannotRoll) {
  SystemBuilder builder;
  const RigidBody top = add_rigid_body(builder, test::odd_body(GroupId::SO3));
  EXPECT_THROW(add_rolling_disk(builder, "wheel", top, 1), std::invalid_argument);
  const RigidBody body = add_rigid_body(builder, test::odd_body(GroupId::SE3));
  EXPECT_THROW(add_rolling_disk(builder, "wheel", body, -1), std::invalid_argument);
}

}  // namespace
}  // namespace filum::parts
