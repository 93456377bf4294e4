/// Rank of constraints: against a dense factorisation, in large systems, and what is done with dependent rows.
#include "mechanics/refusal.hpp"
#include "support/any_node.hpp"
#include "support/derivative_checks.hpp"
#include "support/multibody_systems.hpp"

#include <filum/mechanics/consistent_start.hpp>
#include <filum/parts/spherical_joint.hpp>

#include <Eigen/QR>
#include <gtest/gtest.h>

namespace filum::mechanics {
namespace {

using Eigen::Vector3d;
using lie::GroupId;
using test::JointType;
using test::Multibody;

int dense_rank(const System& s, const VectorXd& q) {
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(test::rows_of(s, 0, q).transpose());
  qr.setThreshold(1e-9);
  return static_cast<int>(qr.rank());
}

TEST(ConstraintRank, AgreesWithADenseFactorisation) {
  for (const GroupId group : test::rigid_motion_groups)
    for (auto make : {test::planar_four_bar, test::andrews_squeezer, test::bricard, test::spherical_double_pendulum,
                      test::cardan_transmission}) {
      const Multibody m = make(group);
      const RedundancyReport report = find_redundant_rows(*m.system, 0, m.start.q);
      EXPECT_EQ(report.rank, dense_rank(*m.system, m.start.q)) << test::group_name(group);
      EXPECT_EQ(report.rank + static_cast<int>(report.dependent_rows.size()), m.system->size_rows());
    }
}

TEST(ConstraintRank, OfAnyConfigurationIsThatOfTheRows) {
  const Multibody m = test::andrews_squeezer(GroupId::SO3xR3);
  ConstraintRank rank(*m.system);
  for (int seed = 0; seed < 20; ++seed) {
    State x = m.start;
    m.system->space().advance(x.q, 1, test::random_vector(m.system->size_v(), seed), x.q);
    EXPECT_EQ(rank.analyse(0, x.q).rank, dense_rank(*m.system, x.q));
  }
}

TEST(ConstraintRank, CallsTheLaterOfTwoEquivalentRowsDependent) {
  const Multibody m = test::planar_four_bar(GroupId::SE3);
  for (const int row : m.report.rows.inactive()) EXPECT_NE(m.system->row_name(row).find("joint D"), std::string::npos);
}

TEST(ConstraintRank, TreatsNetsAndLongChains) {
  const Multibody chain = test::rod_chain(1000, JointType::revolute, GroupId::S3sdR3);
  EXPECT_TRUE(chain.report.rows.is_all());
  EXPECT_FALSE(has_constraint_loops(*chain.system));
  const Multibody net = test::beam_net(6, 2);
  EXPECT_TRUE(net.report.rows.is_all());
  EXPECT_TRUE(has_constraint_loops(*net.system));
}

TEST(ConstraintLoops, AreFoundWhereEdgesClose) {
  EXPECT_TRUE(has_constraint_loops(*test::planar_four_bar(GroupId::SE3).system));
  EXPECT_TRUE(has_constraint_loops(*test::beam_frame(3).system));
  EXPECT_FALSE(has_constraint_loops(*test::rod_tree(4, GroupId::SE3).system));
  EXPECT_FALSE(has_constraint_loops(*test::beam_with_tip_body(3).system));
}

TEST(InactiveRows, AreZeroInEverythingTheSystemSays) {
  const Multibody m = test::slider_crank(GroupId::SO3xR3, true);
  const System& s = *m.system;
  State x = test::random_state(s, 3);
  AccelerationSolver solver(s, m.report.rows);
  ASSERT_TRUE(solver.solve(x).ok);
  // In a configuration that violates them, the rows that are left depend on nothing that was left out.
  VectorXd gamma(s.size_rows()), phi = VectorXd::Zero(s.size_rows());
  s.constraint(x.t, x.q, phi);
  s.curvature(x.t, x.q, x.v, gamma);
  const VectorXd left = test::rows_of(s, x.t, x.q) * x.a + gamma;
  double violated = 0, misfit = 0;
  ASSERT_EQ(m.report.rows.inactive().size(), 3u);
  for (int row = 0; row < s.size_rows(); ++row)
    if (m.report.rows.is_active(row)) {
      EXPECT_NEAR(left[row], 0, 1e-8 * (1 + gamma.norm())) << s.row_name(row);
    } else {
      EXPECT_EQ(x.lambda[row], 0);
      EXPECT_EQ(m.start.lambda[row], 0);
      violated = std::max(violated, std::abs(left[row]));
      misfit = std::max(misfit, std::abs(phi[row]));
    }
  EXPECT_GT(misfit, 1e-3) << "a random configuration violates what was dropped";
  EXPECT_GT(violated, 1e-3) << "and accelerations do not care";
}

// Two balls whose sockets are a little farther apart than they are.
TEST(ConsistentStart, RefusesConstraintsThatContradictEachOther) {
  for (const GroupId group : test::rigid_motion_groups) {
    SystemBuilder builder;
    const parts::RigidBody body = parts::add_rigid_body(builder, test::odd_body(group));
    const Vector3d a(0.5, 0.5, 0.5), b(-0.3, 0.2, 0.9);
    parts::add_spherical_joint(builder, "first", body.at_space(a), {.point = a});
    parts::add_spherical_joint(builder, "second", body.at_space(b), {.point = b + 5e-4 * (b - a)});
    const auto built = builder.build();
    const System& system = *built;
    State x = builder.start();
    const std::string reason = refusal(system, x, {.repair_velocity_fully = true});
    EXPECT_NE(reason.find("contradict each other"), std::string::npos) << reason;
    EXPECT_NE(reason.find("joint second"), std::string::npos) << reason;
  }
}

TEST(ConsistentStart, RepairsALoopThatIsALittleOffBeforeItJudgesItsRank) {
  const Multibody m = test::planar_four_bar(GroupId::SE3);
  State x = m.start;
  m.system->space().advance(x.q, 1, test::random_vector(m.system->size_v(), 4, 1e-4), x.q);
  const ConsistencyReport report = make_consistent(*m.system, x, {.repair_velocity_fully = true});
  EXPECT_EQ(report.rows.inactive().size(), 3u);
  EXPECT_GT(report.position_off, 1e-5);
  EXPECT_LT(m.residual(x), 1e-12);
}

TEST(ConsistentStart, RefusesTwoDrivesThatDisagreeInSpeed) {
  for (const double rate : {2.0, 3.0}) {
    Multibody m;
    m.add(test::rod("rod", GroupId::SE3, {0, 0}, {1, 0}, 1));
    for (const char* name : {"one", "other"}) m.join(name, JointType::revolute, Multibody::ground, 0, {0, 0, 0});
    parts::drive_angle(m.builder, m.joints[0], [](double t) { return parts::DriveValue{2 * t, 2, 0}; });
    parts::drive_angle(m.builder, m.joints[1], [rate](double t) { return parts::DriveValue{rate * t, rate, 0}; });
    if (rate == 2) {
      m.finish();
      EXPECT_EQ(m.report.rows.inactive().size(), 6u);
      continue;
    }
    try {
      m.finish();
      FAIL() << "accepted";
    } catch (const InconsistentStart& e) {
      EXPECT_NE(std::string(e.what()).find("joint other: drive of the angle"), std::string::npos) << e.what();
    }
  }
}

// A parallelogram that starts folded flat.
TEST(ConsistentStart, RefusesASingularPosition) {
  Multibody m;
  m.add(test::rod("left", GroupId::SE3, {0, 0}, {1, 0}, 1));
  m.add(test::rod("top", GroupId::SE3, {1, 0}, {3, 0}, 2));
  m.add(test::rod("right", GroupId::SE3, {2, 0}, {3, 0}, 1));
  m.join("A", JointType::revolute, Multibody::ground, 0, {0, 0, 0});
  m.join("B", JointType::revolute, 0, 1, {1, 0, 0});
  m.join("C", JointType::revolute, 1, 2, {3, 0, 0});
  m.join("D", JointType::revolute, Multibody::ground, 2, {2, 0, 0});
  try {
    m.finish();
    FAIL() << "accepted";
  } catch (const InconsistentStart& e) {
    EXPECT_NE(std::string(e.what()).find("singular configuration"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("joint D: position"), std::string::npos) << e.what();
  }
}

TEST(MinimumNorm, SharesTheLoadOfTwoEqualJoints) {
  SystemBuilder builder;
  const parts::RigidBody body = parts::add_rigid_body(builder, test::odd_body(GroupId::SE3));
  const Vector3d at(0.5, 0.5, 0.5);
  parts::add_spherical_joint(builder, "first", body.at_space(at), {.point = at});
  parts::add_spherical_joint(builder, "second", body.at_space(at), {.point = at});
  const auto built = builder.build();
  const System& system = *built;
  State x = builder.start();
  const ConsistencyReport report = make_consistent(system, x, {.repair_velocity_fully = true});
  EXPECT_EQ(x.lambda.tail<3>().norm(), 0);
  EXPECT_GT(x.lambda.norm(), 0.1);
  const VectorXd shared = minimum_norm_multipliers(system, x, report.rows);
  EXPECT_LT((shared.head<3>() - shared.tail<3>()).norm(), 1e-12);
  EXPECT_LT((shared.head<3>() + shared.tail<3>() - x.lambda.head<3>()).norm(), 1e-12);
}

}  // namespace
}  // namespace filum::mechanics
