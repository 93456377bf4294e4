/// Consistent starts: projection, refusal, redundancy.
#include "mechanics/refusal.hpp"
#include "support/any_node.hpp"
#include "support/benchmark_systems.hpp"
#include "support/derivative_checks.hpp"

#include <filum/mechanics/consistent_start.hpp>
#include <filum/parts/gravity.hpp>
#include <filum/parts/rolling_disk.hpp>
#include <filum/parts/spherical_joint.hpp>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace filum::mechanics {
namespace {

using Eigen::Vector3d;
using lie::GroupId;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class TopStart : public ::testing::TestWithParam<GroupId> {};
INSTANTIATE_TEST_SUITE_P(AllGroups, TopStart, ::testing::ValuesIn(test::rigid_motion_groups),
                         [](const auto& i) { return test::group_name(i.param); });

TEST_P(TopStart, LeavesConsistentValuesAlone) {
  const test::Benchmark top = heavy_top(test::TopSpeed::fast, GetParam());
  State x = top.start;
  const ConsistencyReport report = make_consistent(*top.system, x);
  EXPECT_EQ(x.q, top.start.q);
  EXPECT_LT((x.v - top.start.v).norm(), 1e-13);
  EXPECT_LT(report.position_off, 1e-15);
}

TEST_P(TopStart, ProjectsAPerturbedTop) {
  const test::Benchmark top = heavy_top(test::TopSpeed::slow, GetParam());
  State x = top.start;
  top.system->space().advance(x.q, 1, test::random_vector(6, 1, 2e-4), x.q);
  x.v += test::random_vector(6, 2, 1e-3);
  const ConsistencyReport report = make_consistent(*top.system, x);
  EXPECT_GT(report.position_off, 1e-5);
  EXPECT_GT(report.velocity_off, 1e-5);
  EXPECT_LT(report.position_left, 1e-13);
  EXPECT_LT(report.velocity_left, 1e-13);
  VectorXd phi(3);
  top.system->constraint(0, x.q, phi);
  EXPECT_LT(phi.norm(), 1e-13);
  EXPECT_LT((test::rows_of(*top.system, 0, x.q) * x.v).norm(), 1e-13);
}

// The nearest velocity in the metric of M: what is taken away is M⁻¹Cᵀ times something.
TEST_P(TopStart, ChangesTheVelocityOnlyAcrossTheConstraints) {
  const test::Benchmark top = heavy_top(test::TopSpeed::slow, GetParam());
  State x = top.start;
  x.v += test::random_vector(6, 2, 1);
  const VectorXd before = x.v;
  make_consistent(*top.system, x, {.repair_velocity_fully = true});
  VectorXd momentum(6);
  top.system->mass_times(x.q, before - x.v, momentum);
  const Eigen::MatrixXd C = test::rows_of(*top.system, 0, x.q);
  const Eigen::MatrixXd tangents = Eigen::FullPivLU<Eigen::MatrixXd>(C).kernel();
  EXPECT_LT((tangents.transpose() * momentum).norm(), 1e-12);
}

TEST_P(TopStart, RefusesATopThatIsTooFarOff) {
  const test::Benchmark top = heavy_top(test::TopSpeed::slow, GetParam());
  State x = top.start;
  top.system->space().advance(x.q, 1, VectorXd::Unit(6, 4) * 0.01, x.q);
  const std::string reason = refusal(*top.system, x);
  EXPECT_TRUE(has(reason, "position")) << reason;
  EXPECT_TRUE(has(reason, "joint pivot: position 2")) << reason;
  EXPECT_TRUE(has(reason, "0.01")) << reason;
}

TEST_P(TopStart, RefusesAVelocityThatIsTooFarOff) {
  const test::Benchmark top = heavy_top(test::TopSpeed::slow, GetParam());
  State x = top.start;
  x.v[5] += 1;
  const std::string reason = refusal(*top.system, x);
  EXPECT_TRUE(has(reason, "velocities")) << reason;
  EXPECT_TRUE(has(reason, "joint pivot: position 3")) << reason;
}

TEST_P(TopStart, RefusesWhatIsNotFinite) {
  const test::Benchmark top = heavy_top(test::TopSpeed::slow, GetParam());
  State x = top.start;
  x.q[0] = std::nan("");
  EXPECT_TRUE(has(refusal(*top.system, x), "not finite"));
  x = top.start;
  x.v[3] = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(has(refusal(*top.system, x), "not finite"));
}

TEST_P(TopStart, DropsTheSecondOfTwoEqualJointsAndNamesIt) {
  SystemBuilder builder;
  const parts::RigidBody body = parts::add_rigid_body(builder, test::odd_body(GetParam()));
  const Vector3d at(0.5, 0.5, 0.5);
  parts::add_spherical_joint(builder, "first", body.at_space(at), {.point = at});
  parts::add_spherical_joint(builder, "second", body.at_space(at), {.point = at});
  const auto built = builder.build();
  const System& system = *built;
  State x = builder.start();
  const RedundancyReport report = find_redundant_rows(system, 0, x.q);
  EXPECT_EQ(report.rank, 3);
  ASSERT_EQ(report.dependent_rows.size(), 3u);
  const ConsistencyReport start = make_consistent(system, x, {.repair_velocity_fully = true});
  EXPECT_EQ(start.rows.inactive(), report.dependent_rows);
  for (const int row : start.rows.inactive()) {
    EXPECT_TRUE(has(system.row_name(row), "joint second")) << system.row_name(row);
    EXPECT_EQ(x.lambda[row], 0);
  }
}

// Two balls at different points: five independent equations, rotation about their line stays.
TEST_P(TopStart, FindsTheOneDependentEquationOfTwoJointsAtDifferentPoints) {
  SystemBuilder builder;
  const parts::RigidBody body = parts::add_rigid_body(builder, test::odd_body(GetParam()));
  const Vector3d a(0.5, 0.5, 0.5), b(-0.3, 0.2, 0.9);
  parts::add_spherical_joint(builder, "first", body.at_space(a), {.point = a});
  parts::add_spherical_joint(builder, "second", body.at_space(b), {.point = b});
  const auto built = builder.build();
  const System& system = *built;
  State x = builder.start();
  EXPECT_EQ(find_redundant_rows(system, 0, x.q).rank, 5);
}

TEST(ConsistentStart, RepairsTheVelocityOfADiskFully) {
  const test::Benchmark disk = test::rolling_disk(GroupId::S3sdR3);
  State x = disk.start;
  x.v.tail<3>().setZero();
  EXPECT_TRUE(has(refusal(*disk.system, x), "rolling disk"));
  const ConsistencyReport report = make_consistent(*disk.system, x, {.repair_velocity_fully = true});
  EXPECT_GT(report.velocity_off, 1);
  EXPECT_LT(report.velocity_left, 1e-13);
  EXPECT_LT((test::rows_of(*disk.system, 0, x.q) * x.v).norm(), 1e-13);
}

TEST(ConsistentStart, GivesAccelerationsWithoutConstraints) {
  SystemBuilder builder;
  const parts::PointMass mass = parts::add_point_mass(builder, {.mass = 2});
  parts::add_gravity(builder, {0, 0, -10})->add(mass.marker(), 2);
  const auto built = builder.build();
  const System& system = *built;
  State x = system.make_state();
  make_consistent(system, x);
  EXPECT_LT((x.a - Vector3d(0, 0, -10)).norm(), 1e-15);
}

// Projection is along M: the light partner moves.
TEST(ConsistentStart, MovesTheLightBodyMoreThanTheHeavyOne) {
  SystemBuilder builder;
  const parts::PointMass heavy = parts::add_point_mass(builder, {.mass = 9}),
                         light = parts::add_point_mass(builder, {.mass = 1});
  parts::add_spherical_joint(builder, "weld", heavy.marker(), light.marker());
  const auto built = builder.build();
  const System& system = *built;
  State x = system.make_state();
  x.q[0] = 1e-4;
  make_consistent(system, x);
  EXPECT_NEAR(x.q[0], 0.9e-4, 1e-16);
  EXPECT_NEAR(x.q[3], 0.9e-4, 1e-16);
}

}  // namespace
}  // namespace filum::mechanics
