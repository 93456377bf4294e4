/// Rank of constraints: against a dense factorisation, in large systems, and what is done with dependent rows.
#include <filum/mechanics/consistent_start.hpp>
#include <filum/parts/spherical_joint.hpp>

#include <Eigen/QR>
#include <gtest/gtest.h>

#include "support/any_node.hpp"
#include "support/derivative_checks.hpp"
#include "support/multibody_systems.hpp"

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
    for (auto make : {test::planar_four_bar, test::andrews_squeezer, test::bricard, test::spherical_double_pendulum, test::cardan_transmission}) {
      const Multibody m = make(group);
      m.system->set_inactive_rows({});
      const RedundancyReport report = find_redundant_rows(*m.system, 0, m.start.q);
      EXPECT_EQ(report.rank, dense_rank(*m.system, m.start.q)) << test::group_name(group);
      EXPECT_EQ(report.rank + static_cast<int>(report.dependent_rows.size()), m.system->size_rows());
    }
}

TEST(ConstraintRank, OfAnyConfigurationIsThatOfTheRows) {
  const Multibody m = test::andrews_squeezer(GroupId::SO3xR3);
  m.system->set_inactive_rows({});
  ConstraintRank rank(*m.system);
  for (int seed = 0; seed < 20; ++seed) {
    State x = m.start;
    m.system->space().advance(x.q, 1, test::random_vector(m.system->size_v(), seed), x.q);
    EXPECT_EQ(rank.analyse(0, x.q).rank, dense_rank(*m.system, x.q));
  }
}

TEST(ConstraintRank, CallsTheLaterOfTwoEquivalentRowsDependent) {
  const Multibody m = test::planar_four_bar(GroupId::SE3);
  for (const int row : m.report.dropped_rows) EXPECT_NE(m.system->row_name(row).find("joint D"), std::string::npos);
}

TEST(ConstraintRank, TreatsNetsAndLongChains) {
  const Multibody chain = test::rod_chain(1000, JointType::revolute, GroupId::S3sdR3);
  EXPECT_TRUE(chain.report.dropped_rows.empty());
  EXPECT_FALSE(has_constraint_loops(*chain.system));
  const Multibody net = test::beam_net(6, 2);
  EXPECT_TRUE(net.report.dropped_rows.empty());
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
  VectorXd phi = VectorXd::Ones(s.size_rows()), rate = phi, gamma = phi;
  s.constraint(x.t, x.q, phi);
  s.constraint_rate(x.t, x.q, rate);
  s.curvature(x.t, x.q, x.v, gamma);
  const Eigen::MatrixXd C = test::rows_of(s, x.t, x.q);
  ASSERT_EQ(m.report.dropped_rows.size(), 3u);
  for (const int row : m.report.dropped_rows) {
    EXPECT_EQ(phi[row], 0);
    EXPECT_EQ(rate[row], 0);
    EXPECT_EQ(gamma[row], 0);
    EXPECT_EQ(C.row(row).norm(), 0);
    EXPECT_EQ(m.start.lambda[row], 0);
  }
  EXPECT_GT(s.inactive_residual(x.t, x.q).norm(), 1e-3) << "a random configuration violates what was dropped";
}

std::string refusal(System& system, State& x) {
  try {
    make_consistent(system, x, {.repair_velocity_fully = true});
  } catch (const InconsistentStart& e) {
    return e.what();
  }
  return "accepted";
}

// Two balls whose sockets are a little farther apart than they are.
TEST(ConsistentStart, RefusesConstraintsThatContradictEachOther) {
  for (const GroupId group : test::rigid_motion_groups) {
    System system;
    const parts::RigidBody body = parts::add_rigid_body(system, test::odd_body(group));
    const Vector3d a(0.5, 0.5, 0.5), b(-0.3, 0.2, 0.9);
    parts::add_spherical_joint(system, "first", body.at_space(a), {.point = a});
    parts::add_spherical_joint(system, "second", body.at_space(b), {.point = b + 5e-4 * (b - a)});
    system.finish();
    State x = system.make_state();
    body.start(x);
    const std::string reason = refusal(system, x);
    EXPECT_NE(reason.find("contradict each other"), std::string::npos) << reason;
    EXPECT_NE(reason.find("joint second"), std::string::npos) << reason;
  }
}

TEST(ConsistentStart, RepairsALoopThatIsALittleOffBeforeItJudgesItsRank) {
  const Multibody m = test::planar_four_bar(GroupId::SE3);
  State x = m.start;
  m.system->space().advance(x.q, 1, test::random_vector(m.system->size_v(), 4, 1e-4), x.q);
  const ConsistencyReport report = make_consistent(*m.system, x, {.repair_velocity_fully = true});
  EXPECT_EQ(report.dropped_rows.size(), 3u);
  EXPECT_GT(report.position_off, 1e-5);
  EXPECT_LT(m.residual(x), 1e-12);
}

TEST(ConsistentStart, RefusesTwoDrivesThatDisagreeInSpeed) {
  for (const double rate : {2.0, 3.0}) {
    Multibody m;
    m.add(test::rod("rod", GroupId::SE3, {0, 0}, {1, 0}, 1));
    for (const char* name : {"one", "other"}) m.join(name, JointType::revolute, Multibody::ground, 0, {0, 0, 0});
    parts::drive_angle(*m.system, m.joints[0], [](double t) { return parts::DriveValue{2 * t, 2, 0}; });
    parts::drive_angle(*m.system, m.joints[1], [rate](double t) { return parts::DriveValue{rate * t, rate, 0}; });
    if (rate == 2) {
      m.finish();
      EXPECT_EQ(m.report.dropped_rows.size(), 6u);
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
    EXPECT_NE(std::string(e.what()).find("singular position"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("joint D: position"), std::string::npos) << e.what();
  }
}

TEST(MinimumNorm, SharesTheLoadOfTwoEqualJoints) {
  System system;
  const parts::RigidBody body = parts::add_rigid_body(system, test::odd_body(GroupId::SE3));
  const Vector3d at(0.5, 0.5, 0.5);
  parts::add_spherical_joint(system, "first", body.at_space(at), {.point = at});
  parts::add_spherical_joint(system, "second", body.at_space(at), {.point = at});
  system.finish();
  State x = system.make_state();
  body.start(x);
  make_consistent(system, x, {.repair_velocity_fully = true});
  EXPECT_EQ(x.lambda.tail<3>().norm(), 0);
  EXPECT_GT(x.lambda.norm(), 0.1);
  const VectorXd shared = minimum_norm_multipliers(system, x);
  EXPECT_LT((shared.head<3>() - shared.tail<3>()).norm(), 1e-12);
  EXPECT_LT((shared.head<3>() + shared.tail<3>() - x.lambda.head<3>()).norm(), 1e-12);
}

}  // namespace
}  // namespace filum::mechanics
