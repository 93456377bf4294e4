/// The benchmark systems: the same in all formulations, and where the published numbers say they are.
#include "support/benchmark_systems.hpp"
#include "support/derivative_checks.hpp"
#include "support/reference_motion.hpp"

#include <filum/mechanics/consistent_start.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace filum::test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::Vector4d;

/// (Ω̇, ẍ) whatever the group.
VectorXd space_acceleration(const Benchmark& b, const State& x) {
  const Matrix3d R = b.body.rotation(x);
  const Vector3d O = x.v.head<3>(), O_dot = x.a.head<3>();
  VectorXd both(6);
  both.head<3>() = O_dot;
  if (!lie::is_rigid_motion(b.body.group())) {
    const Vector3d X = b.body.frame_at;
    both.tail<3>() = R * (O_dot.cross(X) + O.cross(O.cross(X)));
  } else if (b.body.group() == GroupId::SO3xR3 || b.body.group() == GroupId::S3xR3) {
    both.tail<3>() = x.a.tail<3>();
  } else {
    both.tail<3>() = R * (x.a.tail<3>() + O.cross(x.v.tail<3>()));
  }
  return both;
}

TEST(HeavyTop, AcceleratesAlikeInAllFormulations) {
  for (const auto build : {+[](GroupId g) { return heavy_top(TopSpeed::fast, g); },
                           +[](GroupId g) { return heavy_top(TopSpeed::slow, g); },
                           +[](GroupId g) { return damped_top(g); }, +[](GroupId g) { return spring_top(g); }}) {
    Benchmark reference = build(GroupId::S3);
    advance_reference(*reference.system, reference.start, 1e-3, 50);  // away from the symmetry of the start
    const State& x = reference.start;
    const VectorXd expected = space_acceleration(reference, x);
    for (const GroupId group : all_top_groups) {
      SCOPED_TRACE(group_name(group));
      Benchmark b = build(group);
      b.body.place(b.start, reference.body.position(x), reference.body.orientation(x),
                   reference.body.angular_velocity(x), reference.body.velocity(x));
      make_consistent(*b.system, b.start);
      EXPECT_LT(largest(space_acceleration(b, b.start) - expected), 1e-10 * (1 + largest(expected)));
    }
  }
}

TEST(HeavyTop, HasTheSameMultipliersInAllConstrainedFormulations) {
  const VectorXd expected = heavy_top(TopSpeed::fast, GroupId::S3sdR3).start.lambda;
  ASSERT_EQ(expected.size(), 3);
  for (const GroupId group : rigid_motion_groups)
    EXPECT_LT(largest(heavy_top(TopSpeed::fast, group).start.lambda - expected), 1e-9) << group_name(group);
}

// Newton's law for the centre of mass: m ẍ = m γ − λ, or − R λ where the equations are those of the body's frame.
TEST(HeavyTop, MultiplierIsTheForceOfTheJointInTheFrameOfItsRows) {
  for (const auto rows : {parts::JointRows::space, parts::JointRows::body}) {
    Benchmark b = heavy_top(TopSpeed::slow, GroupId::SE3, rows);
    advance_reference(*b.system, b.start, 1e-2, 30);
    const Vector3d acceleration = space_acceleration(b, b.start).tail<3>();
    Vector3d force = b.start.lambda;
    if (rows == parts::JointRows::body) force = b.body.rotation(b.start) * force;
    EXPECT_LT((15 * acceleration - 15 * Vector3d(0, 0, -9.81) + force).norm(), 1e-10);
  }
}

class FastTopInGroup : public ::testing::TestWithParam<GroupId> {};
INSTANTIATE_TEST_SUITE_P(AllGroups, FastTopInGroup, ::testing::ValuesIn(all_top_groups),
                         [](const auto& i) { return group_name(i.param); });

TEST_P(FastTopInGroup, PassesThePublishedPositions) {
  Benchmark b = heavy_top(TopSpeed::fast, GetParam());
  const double energy = b.energy(b.start);
  advance_reference(*b.system, b.start, 1e-4, 5000);
  EXPECT_LT((b.body.position(b.start) - Vector3d(-0.702468297056586, -0.0211651847019233, -0.711400257651734)).norm(),
            4e-8);
  advance_reference(*b.system, b.start, 1e-4, 5000);
  EXPECT_LT((b.body.position(b.start) - Vector3d(0.173343964098386, 0.640088592070569, -0.748490791133581)).norm(),
            2e-7);
  const Vector4d p(0.732943980679664, -0.278285719337613, 0.531824611334163, -0.320176142736249);
  EXPECT_NEAR(std::abs(b.body.orientation(b.start).dot(p)), 1, 1e-12);
  EXPECT_NEAR(b.start.v[1], 150, 1e-5);
  EXPECT_NEAR(b.energy(b.start) / energy, 1, 1e-7);
}

class DiskInGroup : public ::testing::TestWithParam<GroupId> {};
INSTANTIATE_TEST_SUITE_P(AllGroups, DiskInGroup, ::testing::ValuesIn(rigid_motion_groups),
                         [](const auto& i) { return group_name(i.param); });

TEST_P(DiskInGroup, ReachesTheReferencePositionAndMultipliers) {
  Benchmark b = rolling_disk(GetParam());
  const double energy = b.energy(b.start);
  advance_reference(*b.system, b.start, 0x1p-12, 8192);
  EXPECT_LT((b.body.position(b.start) - Vector3d(-1.060389299432, 0.475936458681, 0.627430485657)).norm(), 1e-8);
  EXPECT_LT((b.start.lambda - Vector3d(-2604.5416, 480.4068, 533.0748)).norm(), 1e-4);
  EXPECT_NEAR(b.energy(b.start) / energy, 1, 1e-9);
}

TEST(FreeBody, TumblesAsTheReference) {
  mechanics::SystemBuilder builder;
  const parts::RigidBody body = parts::add_rigid_body(builder, {.group = GroupId::S3,
                                                                .inertia = Vector3d(1, 2, 3).asDiagonal(),
                                                                .angular_velocity = Vector3d(0.01, 1, 0.01),
                                                                .pivot = Vector3d::Zero()});
  const auto built = builder.build();
  const mechanics::System& system = *built;
  State x = builder.start();
  advance_reference(system, x, 0.005, 2000);
  EXPECT_LT((x.v - Vector3d(-0.874573437891094, 0.484996187341049, 0.505001220547913)).norm(), 1e-9);
}

// Paper 002: E = m/2 − mgl, and the multiplier of the squared constraint carries centripetal force and weight: λ = v² −
// g y.
TEST(MathematicalPendulum, StartsWithTheEnergyAndTheMultiplierOfThePaper) {
  for (const double x0 : {0.0, 0.2}) {
    const Benchmark b = mathematical_pendulum(x0);
    EXPECT_NEAR(b.energy(b.start), 0.5 - 9.81, 1e-14);
    const double expected = b.start.v.squaredNorm() - 9.81 * b.start.q[1];
    EXPECT_NEAR(b.start.lambda[0], expected, 1e-13);
    VectorXd phi(1);
    b.system->constraint(0, b.start.q, phi);
    EXPECT_NEAR(phi[0], 0, 1e-16);
    EXPECT_LT(largest(rows_of(*b.system, 0, b.start.q) - b.start.q.transpose()), 1e-16);
    EXPECT_GT(b.start.v[0], 0);
  }
}

TEST(DampedTop, LosesWhatTheDampersTake) {
  for (const GroupId group : all_top_groups) {
    Benchmark b = damped_top(group);
    EXPECT_TRUE(b.system->forces_depend_on_velocity());
    advance_reference(*b.system, b.start, 1e-2, 20);
    make_consistent(*b.system, b.start);
    const State& x = b.start;
    const double power = derivative([&](double h) {
      State moved = x;
      b.system->space().advance(x.q, h, x.v, moved.q);
      moved.v = x.v + h * x.a;
      return VectorXd(VectorXd::Constant(1, b.energy(moved)));
    })[0];
    const double expected = -0.5 * b.body.angular_velocity(x).squaredNorm() - b.body.velocity(x).squaredNorm();
    EXPECT_NEAR(power, expected, 1e-9) << group_name(group);
    EXPECT_LT(power, -0.1);
  }
}

}  // namespace
}  // namespace filum::test
