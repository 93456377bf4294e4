/// Joints between frames in all groups: derivatives, degrees of freedom, drives, readings, refusals.
#include "parts/any_nodes.hpp"
#include "support/any_node.hpp"
#include "support/benchmark_systems.hpp"
#include "support/derivative_checks.hpp"

#include <filum/lie/quaternion.hpp>
#include <filum/mechanics/acceleration_solver.hpp>
#include <filum/mechanics/consistent_start.hpp>
#include <filum/parts/joint.hpp>
#include <filum/parts/joint_spring.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace filum::parts {
namespace {

using test::GroupId;

constexpr std::array frame_types{JointType::fixed,       JointType::revolute, JointType::prismatic,
                                 JointType::cylindrical, JointType::planar,   JointType::universal};
constexpr std::array oriented_groups{GroupId::SO3, GroupId::S3,     GroupId::SO3xR3, GroupId::S3xR3,
                                     GroupId::SE3, GroupId::S3sdR3, GroupId::UDQ};

JointOptions between(JointType type, const Marker& first, const Marker& second) {
  return {.name = "link", .type = type, .first = first, .second = second, .axis = {1, 2, -2}, .axis2 = {2, 1, 2}};
}

DriveValue wave(double t) { return {std::sin(3 * t) + t, 3 * std::cos(3 * t) + 1, -9 * std::sin(3 * t)}; }

/// connect(builder, first, second) for all pairs of nodes and for every node and the ground, in both orders.
template <class Connect, class Check>
void for_all_pairs(const Connect& connect, const Check& check) {
  for (const GroupId a : oriented_groups) {
    for (const GroupId b : oriented_groups) {
      SCOPED_TRACE(test::group_name(a) + " and " + test::group_name(b));
      SystemBuilder builder;
      const Marker first = test::add_any_node(builder, a, here), second = test::add_any_node(builder, b, there);
      builder.start().q = builder.space().identity();
      connect(builder, first, second);
      const auto built = builder.build();
      const System& system = *built;
      check(system, test::random_state(system, 7));
    }
    for (const bool ground_first : {true, false}) {
      SCOPED_TRACE(test::group_name(a) + " and ground");
      SystemBuilder builder;
      const Marker node = test::add_any_node(builder, a, here), fixed{.point = there};
      builder.start().q = builder.space().identity();
      connect(builder, ground_first ? fixed : node, ground_first ? node : fixed);
      const auto built = builder.build();
      const System& system = *built;
      check(system, test::random_state(system, 11));
    }
  }
}

VectorXd velocity_residual(const System& s, double t, const VectorXd& q, const VectorXd& v) {
  VectorXd rate(s.size_rows());
  s.constraint_rate(t, q, rate);
  return test::rows_of(s, t, q) * v + rate;
}

/// rate = ∂Φ/∂t and γ = d/dt (C v + rate) with v constant.
void expect_time_derivatives(const System& s, const State& x) {
  VectorXd rate(s.size_rows()), gamma(s.size_rows());
  s.constraint_rate(x.t, x.q, rate);
  s.curvature(x.t, x.q, x.v, gamma);
  test::expect_equal(rate, test::derivative([&](double h) {
                       VectorXd phi = VectorXd::Zero(s.size_rows());
                       s.constraint(x.t + h, x.q, phi);
                       return phi;
                     }),
                     1e-9, "the rate");
  test::expect_equal(gamma, test::derivative([&](double h) {
                       VectorXd q(x.q.size());
                       s.space().advance(x.q, h, x.v, q);
                       return velocity_residual(s, x.t + h, q, x.v);
                     }),
                     1e-9, "the curvature");
  test::expect_rows_are_derivatives(s, x);
  test::expect_constraint_force_derivatives(s, x);
}

TEST(FrameJoints, HaveExactDerivativesBetweenAllGroupsInBothFrames) {
  for (const JointRows rows : {JointRows::space, JointRows::body})
    for (const JointType type : frame_types) {
      if (rows == JointRows::body && !holds_point(type)) continue;
      SCOPED_TRACE(name(type));
      for_all_pairs(
          [&](SystemBuilder& s, const Marker& a, const Marker& b) {
            JointOptions options = between(type, a, b);
            options.rows = rows;
            add_joint(s, options);
          },
          [](const System& s, const State& x) { test::expect_constraint_derivatives(s, x); });
    }
}

TEST(Drives, OfJointCoordinatesHaveExactDerivativesBetweenAllGroups) {
  for (const JointType type :
       {JointType::revolute, JointType::prismatic, JointType::cylindrical, JointType::planar, JointType::universal}) {
    SCOPED_TRACE(name(type));
    for_all_pairs(
        [&](SystemBuilder& s, const Marker& a, const Marker& b) {
          const JointHandle joint = add_joint(s, between(type, a, b));
          if (type != JointType::prismatic) drive_angle(s, joint, wave);
          if (type == JointType::prismatic || type == JointType::cylindrical) drive_displacement(s, joint, wave);
        },
        expect_time_derivatives);
  }
}

FrameMotion tumbling(double t) {
  FrameMotion m = turned(Vector4d(0.5, 0.5, -0.5, 0.5), Vector3d(1, -2, 2), wave(t));
  m.position = Vector3d(t * t, std::sin(t), 1);
  m.velocity = Vector3d(2 * t, std::cos(t), 0);
  m.acceleration = Vector3d(2, -std::sin(t), 0);
  return m;
}

TEST(Drives, OfFramesHaveExactDerivativesInAllGroups) {
  for (const GroupId group : oriented_groups)
    for (const bool position : {true, false})
      for (const bool orientation : {true, false})
        for (const JointRows rows : {JointRows::space, JointRows::body}) {
          if (!position && !orientation) continue;
          SCOPED_TRACE(test::group_name(group));
          SystemBuilder s;
          const Marker node = test::add_any_node(s, group, here);
          add_motion_drive(
              s, {.at = node, .motion = tumbling, .position = position, .orientation = orientation, .rows = rows});
          const auto system = s.build();
          expect_time_derivatives(*system, test::random_state(*system, 5));
        }
  SystemBuilder s;
  add_motion_drive(s, {.at = add_point_mass(s, {}).marker(), .motion = tumbling, .orientation = false});
  const auto system = s.build();
  expect_time_derivatives(*system, test::random_state(*system, 5));
}

/// Two bodies in their odd initial position, a joint between them, and a consistent motion.
struct Pair {
  SystemBuilder builder;
  std::shared_ptr<const System> system;
  RigidBody first, second;
  JointHandle joint;
  State x;

  Pair(JointType type, GroupId a, GroupId b, bool ground_first = false, JointRows rows = JointRows::space) {
    first = add_rigid_body(builder, test::odd_body(a));
    RigidBodyOptions o = test::odd_body(b);
    o.position = Vector3d(1, -0.3, 0.8);
    o.orientation = Vector4d(0.8, 0, -0.6, 0);
    second = add_rigid_body(builder, o);
    const Vector3d at(0.7, 0.2, -0.4);
    JointOptions options = between(type, ground_first ? Marker{.point = at} : first.at_space(at), second.at_space(at));
    options.rows = rows;
    joint = add_joint(builder, options);
  }
  void build() {
    system = builder.build();
    x = builder.start();
  }
  void finish() {
    build();
    mechanics::make_consistent(*system, x, {.repair_velocity_fully = true});
  }
};

TEST(FrameJoints, LeaveTheDegreesOfFreedomOfTheirType) {
  const std::array<int, 6> freedoms{0, 1, 1, 2, 3, 2};
  for (std::size_t k = 0; k < frame_types.size(); ++k) {
    Pair p(frame_types[k], GroupId::SE3, GroupId::S3xR3);
    p.finish();
    EXPECT_EQ(p.system->size_lambda(), 6 - freedoms[k]) << name(frame_types[k]);
    EXPECT_EQ(mechanics::find_redundant_rows(*p.system, 0, p.x.q).rank, 6 - freedoms[k]) << name(frame_types[k]);
  }
}

TEST(FrameJoints, DoNoNetWorkAndLeaveTheMomentumAlone) {
  for (const JointType type : frame_types)
    for (const GroupId a : test::rigid_motion_groups) {
      SCOPED_TRACE(std::string(name(type)) + " " + test::group_name(a));
      Pair p(type, a, GroupId::UDQ);
      p.finish();
      const auto momentum = [&](double h) {
        VectorXd q(p.x.q.size());
        p.system->space().advance(p.x.q, h, p.x.v, q);
        const auto m = p.system->momentum(q, p.x.v + h * p.x.a);
        VectorXd all(7);
        all << m.linear, m.angular, p.system->kinetic_energy(q, p.x.v + h * p.x.a);
        return all;
      };
      EXPECT_LT(test::largest(test::derivative(momentum)), 1e-9);
      EXPECT_GT(p.x.lambda.norm(), 1e-2);
    }
}

// Newton and Euler for the second body alone, whose other forces are none.
TEST(FrameJoints, ReportTheForceAndMomentThatMoveTheSecondPartner) {
  for (const JointType type : {JointType::fixed, JointType::spherical, JointType::revolute, JointType::prismatic,
                               JointType::cylindrical, JointType::planar, JointType::universal})
    for (const bool ground_first : {false, true}) {
      SCOPED_TRACE(std::string(name(type)) + (ground_first ? " to the ground" : ""));
      Pair p(type, GroupId::S3xR3, GroupId::SE3, ground_first);
      p.finish();
      const JointReading r = read_joint(p.joint, p.x);
      const auto momentum = [&](double h) {  // of the second body, about the origin
        VectorXd q(p.x.q.size()), v = p.x.v + h * p.x.a;
        p.system->space().advance(p.x.q, h, p.x.v, q);
        v.segment(p.first.v_at, 6).setZero();
        const auto m = p.system->momentum(q, v);
        VectorXd all(6);
        all << m.linear, m.angular;
        return all;
      };
      const VectorXd rate = test::derivative(momentum);
      const Vector3d at(0.7, 0.2, -0.4);
      EXPECT_LT((rate.head<3>() - r.force).norm(), 1e-9);
      EXPECT_LT((rate.tail<3>() - at.cross(r.force) - r.moment).norm(), 1e-9);
      if (!ground_first) {
        EXPECT_GT(r.force.norm(), 1e-3);
      }
      EXPECT_NEAR(r.force_joint.norm(), r.force.norm(), 1e-12);
      EXPECT_NEAR(r.moment_joint.dot(r.force_joint), r.moment.dot(r.force), 1e-10);
      // A free coordinate feels no reaction.
      const bool slides = type == JointType::prismatic || type == JointType::cylindrical;
      const bool turns = type == JointType::revolute || type == JointType::cylindrical || type == JointType::planar;
      EXPECT_NEAR(slides ? r.force_joint[2] : 0, 0, 1e-12);
      EXPECT_NEAR(turns ? r.moment_joint[2] : 0, 0, 1e-12);
    }
}

// What is reported does not depend on how the equations are written: neither multipliers nor reactions.
TEST(JointRows, ReportTheSameMultipliersInBothFrames) {
  for (const JointType type : {JointType::fixed, JointType::spherical, JointType::revolute, JointType::universal}) {
    SCOPED_TRACE(name(type));
    Pair space(type, GroupId::S3xR3, GroupId::SE3, false, JointRows::space),
        body(type, GroupId::S3xR3, GroupId::SE3, false, JointRows::body);
    space.finish();
    body.build();
    // Away from the start, where the axes of both are the same.
    space.system->space().advance(space.x.q, 0.4, space.x.v, space.x.q);
    mechanics::make_consistent(*space.system, space.x, {.position_limit = 100, .repair_velocity_fully = true});
    body.x.q = space.x.q, body.x.v = space.x.v;
    ASSERT_TRUE(mechanics::AccelerationSolver(*body.system).solve(body.x).ok);
    VectorXd of_space(space.joint.rows().count), of_body(of_space);
    space.joint.report_multipliers(space.x, space.x.lambda, of_space.data());
    body.joint.report_multipliers(body.x, body.x.lambda, of_body.data());
    EXPECT_LT((of_space - of_body).norm(), 1e-11 * of_body.norm());
    EXPECT_EQ(of_body, body.x.lambda);
    EXPECT_GT((space.x.lambda - body.x.lambda).norm(), 1e-3 * of_body.norm());
    const JointReading a = read_joint(space.joint, space.x), b = read_joint(body.joint, body.x);
    EXPECT_LT((a.force - b.force).norm() + (a.moment - b.moment).norm(), 1e-11 * (1 + of_body.norm()));
  }
}

TEST(JointReading, FollowsThePrescribedCoordinates) {
  for (const bool ground_first : {false, true})
    for (const JointType type :
         {JointType::revolute, JointType::prismatic, JointType::cylindrical, JointType::universal}) {
      SCOPED_TRACE(std::string(name(type)) + (ground_first ? " to the ground" : ""));
      Pair p(type, GroupId::SE3, GroupId::S3xR3, ground_first);
      const bool turns = type != JointType::prismatic,
                 slides = type == JointType::prismatic || type == JointType::cylindrical;
      const double offset = 40;  // many turns
      const auto angle = [=](double) { return DriveValue{offset * 2 * M_PI + 0.2, 0.7, -0.3}; };
      const auto way = [](double) { return DriveValue{0.25, -0.4, 0.1}; };
      if (turns) drive_angle(p.builder, p.joint, angle);
      if (slides) drive_displacement(p.builder, p.joint, way);
      p.build();
      State& x = p.x;
      mechanics::make_consistent(*p.system, x, {.position_limit = 1, .repair_velocity_fully = true});
      const JointReading r = read_joint(p.joint, x);
      if (turns) {
        EXPECT_NEAR(unwound(r.angle, 251), offset * 2 * M_PI + 0.2, 1e-12);
        EXPECT_NEAR(r.angle_rate, 0.7, 1e-12);
      }
      if (slides) {
        EXPECT_NEAR(r.displacement[2], 0.25, 1e-12);
        EXPECT_NEAR(r.displacement_rate[2], -0.4, 1e-12);
      }
      // (M.4) With no other forces the energy changes by the power of the drives.
      const auto energy = [&](double h) {
        VectorXd q(x.q.size());
        p.system->space().advance(x.q, h, x.v, q);
        return VectorXd::Constant(1, p.system->kinetic_energy(q, x.v + h * x.a));
      };
      const double power = test::derivative(energy)[0];
      EXPECT_NEAR(power, r.drive_torque * 0.7 * turns + r.drive_force * -0.4 * slides, 1e-9);
      EXPECT_GT(std::abs(power), 1e-4);
    }
}

TEST(Drives, RefuseAStartHalfATurnAway) {
  Pair p(JointType::revolute, GroupId::SE3, GroupId::SE3);
  drive_angle(p.builder, p.joint, [](double) { return DriveValue{M_PI, 0, 0}; });
  p.build();
  State& x = p.x;
  x.v.setZero();
  try {
    mechanics::make_consistent(*p.system, x, {.repair_velocity_fully = true});
    FAIL() << "accepted";
  } catch (const mechanics::InconsistentStart& e) {
    EXPECT_NE(std::string(e.what()).find("joint link: drive of the angle"), std::string::npos) << e.what();
  }
}

TEST(JointSprings, HaveExactDerivativesBetweenAllGroups) {
  for (const JointType type : {JointType::revolute, JointType::cylindrical, JointType::universal})
    for_all_pairs(
        [&](SystemBuilder& s, const Marker& a, const Marker& b) {
          const JointHandle joint = add_joint(s, between(type, a, b));
          add_joint_spring(s, {.stiffness = 1.3, .damping = 0.4, .rest = 0.3}, joint);
          if (type == JointType::cylindrical)
            add_joint_spring(
                s, {.coordinate = JointCoordinate::displacement, .stiffness = 2, .damping = 0.7, .rest = -0.2}, joint);
        },
        [](const System& s, const State& x) { test::expect_force_derivatives(s, x, 1e-8); });
}

TEST(JointSprings, AreConservativeWithoutDampingAndTakeEnergyWith) {
  for (const JointCoordinate coordinate : {JointCoordinate::angle, JointCoordinate::displacement}) {
    for_all_pairs(
        [&](SystemBuilder& s, const Marker& a, const Marker& b) {
          add_joint_spring(s, {.coordinate = coordinate, .stiffness = 1.3, .rest = 0.3},
                           add_joint(s, between(JointType::cylindrical, a, b)));
        },
        [](const System& s, const State& x) { test::expect_forces_have_potential(s, x, 1e-8); });
    for_all_pairs(
        [&](SystemBuilder& s, const Marker& a, const Marker& b) {
          add_joint_spring(s, {.coordinate = coordinate, .damping = 0.4},
                           add_joint(s, between(JointType::cylindrical, a, b)));
        },
        [](const System& s, const State& x) { EXPECT_LT(test::forces_of(s, x.t, x.q, x.v).dot(x.v), 0); });
  }
}

TEST(JointSprings, StopWhereTheShortWayRoundChangesSides) {
  Pair p(JointType::revolute, GroupId::SE3, GroupId::SE3);
  const JointSpringHandle spring = add_joint_spring(p.builder, {.stiffness = 1, .rest = 3.1}, p.joint);
  p.build();
  EXPECT_TRUE(std::isnan(spring.effort(p.x)));
}

TEST(FrameJoints, OfABodyWithAPivotKeepOnlyTheirOrientation) {
  SystemBuilder builder;
  const RigidBody body = add_rigid_body(builder, test::odd_body(GroupId::S3));
  add_joint(builder, between(JointType::revolute, {.point = *body.initial.pivot}, body.at_space(*body.initial.pivot)));
  const auto built = builder.build();
  const System& system = *built;
  EXPECT_EQ(system.size_lambda(), 2);
  EXPECT_EQ(system.row_name(0), "joint link: orientation 1");
}

TEST(Joints, RefuseBadInputWithTheReason) {
  SystemBuilder s;
  const Marker a = test::add_any_node(s, GroupId::SE3, here), b = test::add_any_node(s, GroupId::SE3, here);
  const Marker point = test::add_any_node(s, GroupId::R3, here);
  const auto message = [&](const auto& call) -> std::string {
    try {
      call();
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "accepted";
  };
  const auto joined = [&](JointOptions o) { return message([&] { add_joint(s, o); }); };
  EXPECT_EQ(joined({.name = "j", .type = JointType::revolute, .first = a, .second = b, .axis = {0, 0, 0}}),
            "joint j: axis must be a direction, got (0 0 0)");
  EXPECT_EQ(
      joined(
          {.name = "j", .type = JointType::universal, .first = a, .second = b, .axis = {0, 0, 1}, .axis2 = {0, 1, 1}}),
      "joint j: axis and axis2 must be perpendicular, but make an angle of 45 degrees");
  EXPECT_EQ(joined({.name = "j", .type = JointType::fixed, .first = a, .second = a}),
            "joint j: both partners are node 0");
  EXPECT_NE(
      joined({.name = "j", .type = JointType::fixed, .first = a, .second = point}).find("node 2 is a point in R3"),
      std::string::npos);
  EXPECT_NE(joined({.name = "j", .first = a, .second = {.node = 9}}).find("there is no node 9"), std::string::npos);
  const JointHandle fixed = add_joint(s, {.type = JointType::fixed, .first = a, .second = b});
  EXPECT_NE(message([&] { drive_angle(s, fixed, wave); }).find("no angle"), std::string::npos);
  EXPECT_NE(message([&] { add_joint_spring(s, {.stiffness = 1}, fixed); }).find("no free angle"), std::string::npos);
  EXPECT_NE(message([&] { add_joint_spring(s, {.stiffness = -1}, fixed); }).find("must not be negative"),
            std::string::npos);
}

TEST(Joints, ThatCannotBeAssembledNameTheEquationAndTheDistance) {
  SystemBuilder s;
  const RigidBody body = add_rigid_body(s, test::odd_body(GroupId::SE3));
  Marker off = body.at_space(Vector3d(0, 0, 0));
  add_joint(s, {.name = "hinge", .type = JointType::revolute, .first = {.point = Vector3d(0.5, 0, 0)}, .second = off});
  const auto system = s.build();
  State x = s.start();
  x.v.setZero();
  try {
    mechanics::make_consistent(*system, x);
    FAIL() << "accepted";
  } catch (const mechanics::InconsistentStart& e) {
    EXPECT_NE(std::string(e.what()).find("joint hinge: position"), std::string::npos) << e.what();
  }
}

TEST(Joints, OfTheDistanceTypeTakeTheInitialDistanceAndReportTheTension) {
  SystemBuilder s;
  const PointMass mass = add_point_mass(s, {.mass = 2, .position = {0, 0, -3}, .velocity = {1.5, 0, 0}});
  const JointHandle rod = add_joint(s, {.type = JointType::distance, .first = {}, .second = mass.marker()});
  const auto system = s.build();
  State x = s.start();
  mechanics::make_consistent(*system, x);
  const JointReading r = read_joint(rod, x);
  EXPECT_EQ(rod.rows().first, 0);
  EXPECT_EQ(rod.rows().count, 1);
  EXPECT_EQ(rod.row_label(0), "distance");
  EXPECT_DOUBLE_EQ(r.distance, 3);
  EXPECT_LT((r.force - Vector3d(0, 0, 2 * 1.5 * 1.5 / 3)).norm(), 1e-14);
}

}  // namespace
}  // namespace filum::parts
