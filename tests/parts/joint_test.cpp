/// Joints between nodes of all groups: derivatives, forms of the papers, refusals.
#include "parts/any_nodes.hpp"
#include "support/any_node.hpp"
#include "support/benchmark_systems.hpp"
#include "support/derivative_checks.hpp"

#include <filum/lie/quaternion.hpp>
#include <filum/mechanics/consistent_start.hpp>
#include <filum/mechanics/nodes.hpp>
#include <filum/parts/distance_joint.hpp>
#include <filum/parts/spherical_joint.hpp>

#include <gtest/gtest.h>

namespace filum::parts {
namespace {

using lie::skw;
using test::GroupId;

/// Calls check for every pair of nodes, and for every node and the ground, joined by `connect`.
template <class Connect>
void for_all_pairs(const Connect& connect) {
  for (const GroupId a : test::grippable_groups) {
    for (const GroupId b : test::grippable_groups) {
      SCOPED_TRACE(test::group_name(a) + " and " + test::group_name(b));
      SystemBuilder builder;
      const Marker first = test::add_any_node(builder, a, here);
      connect(builder, first, test::add_any_node(builder, b, there));
      const auto built = builder.build();
      const System& system = *built;
      test::expect_constraint_derivatives(system, test::random_state(system, 7));
    }
    SCOPED_TRACE(test::group_name(a) + " and ground");
    SystemBuilder builder;
    const Marker node = test::add_any_node(builder, a, here);
    if (lie::is_rotation(a)) continue;
    connect(builder, Marker{.point = there}, node);
    const auto built = builder.build();
    const System& system = *built;
    test::expect_constraint_derivatives(system, test::random_state(system, 11));
  }
}

TEST(SphericalJoint, HasExactDerivativesBetweenAllGroupsInBothFrames) {
  for (const JointRows rows : {JointRows::space, JointRows::body})
    for_all_pairs(
        [=](SystemBuilder& s, const Marker& a, const Marker& b) { add_spherical_joint(s, "link", a, b, rows); });
}

TEST(DistanceJoint, HasExactDerivativesBetweenAllGroups) {
  for_all_pairs([](SystemBuilder& s, const Marker& a, const Marker& b) { add_distance_joint(s, "rod", a, b, 0.8); });
}

TEST(DistanceJoint, WorksInThePlaneAndOnALine) {
  for (const GroupId group : {GroupId::R1, GroupId::R2}) {
    SystemBuilder builder;
    const Marker a = add_point_mass(builder, {.group = group}).marker();
    const Marker b = add_point_mass(builder, {.group = GroupId::R3}).marker();
    add_distance_joint(builder, "rod", a, b, 0.8);
    const auto built = builder.build();
    const System& system = *built;
    test::expect_constraint_derivatives(system, test::random_state(system, 3));
  }
}

// Paper 000, appendix C.3 to C.7: Φ = Rᵀx − X, exactly differentiated, and the rows that the paper uses.
TEST(SphericalJoint, OfTheHeavyTopIsTheConstraintOfThePaper) {
  for (const GroupId group : test::rigid_motion_groups) {
    SCOPED_TRACE(test::group_name(group));
    const test::Benchmark top = heavy_top(test::TopSpeed::fast, group, JointRows::body);
    const Vector3d X(0, 1, 0), x(0.3, -0.4, 0.7);
    State s = top.start;
    const Vector4d p = Vector4d(0.3, 0.1, -0.5, 0.8).normalized();
    lie::visit_rigid_motion(group,
                            [&]<class G>(lie::GroupTag<G>) { mechanics::element<G>(s.q, 0) = G::from_pose(p, x); });
    const Matrix3d R = lie::quaternion::to_matrix(p);

    VectorXd phi(3);
    top.system->constraint(0, s.q, phi);
    EXPECT_LT((phi - (R.transpose() * x - X)).norm(), 1e-15);
    const auto C = test::rows_of(*top.system, 0, s.q);
    const bool direct = group == GroupId::SO3xR3 || group == GroupId::S3xR3;
    EXPECT_LT((C.leftCols(3) - skw(R.transpose() * x)).norm(), 1e-14);
    const Matrix3d of_translation = direct ? Matrix3d(R.transpose()) : Matrix3d::Identity();
    EXPECT_LT((C.rightCols(3) - of_translation).norm(), 1e-15);

    const test::Benchmark in_space = heavy_top(test::TopSpeed::fast, group, JointRows::space);
    in_space.system->constraint(0, s.q, phi);
    EXPECT_LT((phi - (x - R * X)).norm(), 1e-15);
    const Eigen::MatrixXd turned = R.transpose() * test::rows_of(*in_space.system, 0, s.q);
    EXPECT_LT((turned.leftCols(3) - skw(X)).norm(), 1e-14);
    EXPECT_LT((turned.rightCols(3) - of_translation).norm(), 1e-14);
  }
}

TEST(SphericalJoint, HasConstantRowsInSemidirectGroupsWhileTheJointHolds) {
  for (const GroupId group : {GroupId::SE3, GroupId::S3sdR3, GroupId::UDQ}) {
    const test::Benchmark top = heavy_top(test::TopSpeed::fast, group, JointRows::body);
    State s = top.start;
    for (int k = 1; k < 20; ++k) {
      VectorXd spin = test::random_vector(6, k);
      spin.tail<3>() = spin.head<3>().cross(Vector3d(0, 1, 0));  // a rotation about the pivot
      top.system->space().advance(s.q, 1, spin, s.q);
      EXPECT_LT((test::rows_of(*top.system, 0, s.q) - test::rows_of(*top.system, 0, top.start.q)).norm(), 1e-14);
    }
  }
}

TEST(SphericalJoint, ToTheGroundIsAbsorbedByAPivot) {
  SystemBuilder builder;
  const RigidBody body = add_rigid_body(builder, test::odd_body(GroupId::S3));
  add_spherical_joint(builder, "pivot", {.point = *body.initial.pivot}, body.at_space(*body.initial.pivot));
  EXPECT_TRUE(builder.parts().empty());
  EXPECT_THROW(
      add_spherical_joint(builder, "elsewhere", {.point = Vector3d(9, 9, 9)}, body.at_space(Vector3d(9, 9, 9))),
      std::invalid_argument);
}

TEST(Joints, RefuseToJoinANodeToItself) {
  SystemBuilder builder;
  const Marker a = test::add_any_node(builder, GroupId::SE3, here);
  EXPECT_THROW(add_spherical_joint(builder, "loop", a, {.node = a.node}), std::invalid_argument);
  EXPECT_THROW(add_spherical_joint(builder, "air", {}, {}), std::invalid_argument);
  EXPECT_THROW(add_distance_joint(builder, "loop", a, {.node = a.node}, 1), std::invalid_argument);
  EXPECT_THROW(add_distance_joint(builder, "flat", a, {}, 0), std::invalid_argument);
}

TEST(Joints, AreNamedInMessages) {
  const test::Benchmark top = heavy_top(test::TopSpeed::fast, GroupId::SE3);
  EXPECT_EQ(top.system->row_name(1), "joint pivot: position 2");
  EXPECT_EQ(test::mathematical_pendulum(0.2).system->row_name(0), "joint rod: distance");
  EXPECT_EQ(test::rolling_disk(GroupId::SE3).system->row_name(0), "rolling disk disk: touches the plane");
  EXPECT_EQ(test::rolling_disk(GroupId::SE3).system->row_name(2), "rolling disk disk: no slip 2");
}

// Two bodies hanging on each other: what one feels the other feels with the opposite sign.
TEST(SphericalJoint, DoesNoNetWorkAndLeavesTheMomentumAlone) {
  for (const GroupId a : test::rigid_motion_groups)
    for (const GroupId b : test::rigid_motion_groups) {
      SCOPED_TRACE(test::group_name(a) + " and " + test::group_name(b));
      SystemBuilder builder;
      const Marker first = test::add_any_node(builder, a, here);
      add_spherical_joint(builder, "link", first, test::add_any_node(builder, b, there));
      const auto built = builder.build();
      const System& system = *built;
      State x = test::random_state(system, 5);
      mechanics::make_consistent(system, x, {.position_limit = 100, .repair_velocity_fully = true});
      const auto momentum = [&](double h) {
        VectorXd q(x.q.size());
        system.space().advance(x.q, h, x.v, q);
        const auto m = system.momentum(q, x.v + h * x.a);
        VectorXd both(7);
        both << m.linear, m.angular, system.kinetic_energy(q, x.v + h * x.a);
        return both;
      };
      EXPECT_LT(test::largest(test::derivative(momentum)), 1e-9);
      EXPECT_GT(x.lambda.norm(), 1e-2);
    }
}

}  // namespace
}  // namespace filum::parts
