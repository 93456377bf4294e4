/// Loads and springs that see the motion: exact derivatives in all groups, powers, special laws. Theory:
/// docs/theory/bodies.md, sec. 5.
#include "parts/any_nodes.hpp"
#include "support/any_node.hpp"
#include "support/benchmark_systems.hpp"
#include "support/derivative_checks.hpp"

#include <filum/parts/beam_load.hpp>
#include <filum/parts/body_load.hpp>
#include <filum/parts/joint_spring.hpp>
#include <filum/parts/node_frame_inline.hpp>
#include <filum/parts/spring.hpp>
#include <filum/parts/viscous_damping.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace filum::parts {
namespace {

using test::GroupId;

template <class Motion>
using ScalarOf = typename std::decay_t<decltype(std::declval<Motion>().position)>::Scalar;

/// Quadratic drag and a moment that brakes the spin.
const auto drag = [](const auto& m) {
  BasicLoadValue<ScalarOf<decltype(m)>> load;
  load.force = -0.3 * m.velocity.norm() * m.velocity;
  load.moment = -0.2 * m.angular_velocity;
  return load;
};

/// Something of everything.
const auto anything = [](const auto& m) {
  using std::sin;
  BasicLoadValue<ScalarOf<decltype(m)>> load;
  load.force = sin(m.position[0] + m.t) * m.rotation.col(1) - m.velocity.cross(m.position);
  load.moment = m.rotation * m.angular_velocity + m.position * m.velocity[2] / (1 + m.s);
  return load;
};

TEST(Dual, FollowsTheRulesOfDifferentiation) {
  using D = Dual<2>;
  const auto f = [](auto x, auto y) {
    using std::abs, std::atan2, std::cos, std::exp, std::log, std::pow, std::sin, std::sqrt, std::tanh;
    return sqrt(x * x + y * y) + sin(x) * cos(y) / (2 + tanh(x * y)) - exp(-x) * log(3 + y) + atan2(y, x) +
           pow(x, 2.5) + abs(-x) - 1 / y;
  };
  const double x = 0.7, y = 1.3, h = 1e-5;
  const D value = f(D::variable(x, 0), D::variable(y, 1));
  EXPECT_DOUBLE_EQ(value.value, f(x, y));
  EXPECT_NEAR(value.d[0], (f(x + h, y) - f(x - h, y)) / (2 * h), 1e-9);
  EXPECT_NEAR(value.d[1], (f(x, y + h) - f(x, y - h)) / (2 * h), 1e-9);
  EXPECT_TRUE(max(D(1), D::variable(2, 1)).d[1] == 1 && min(D(1), D::variable(2, 1)).d[1] == 0);
}

TEST(LoadLaw, OfDualNumbersHasExactDerivativesInAllGroups) {
  for (const LoadFrame frame : {LoadFrame::space, LoadFrame::body})
    for_all_nodes(
        [&](SystemBuilder& b, const Marker& m) {
          add_load(b, "drag", m, frame, LoadLaw::differentiable(drag, {.velocity = true, .angular_velocity = true}));
          add_load(b, "anything", m, frame, LoadLaw::differentiable(anything));
        },
        [](const System& s, const State& x) {
          EXPECT_TRUE(s.forces_depend_on_velocity());
          test::expect_force_derivatives(s, x, 1e-8);
        });
}

TEST(LoadLaw, OfTheMotionIsDifferencedInTheLawOrHasTheFormulaThatWasGiven) {
  const LoadLaw differenced = LoadLaw::of_motion([](const PointMotion& m) { return anything(m); });
  const LoadLaw formula = LoadLaw::of_motion(
      [](const PointMotion& m) {
        return LoadValue{-2 * m.position, Vector3d::Zero()};
      },
      [](const PointMotion&) {
        LoadDerivatives d;
        d.by_position.topRows<3>() = -2 * Matrix3d::Identity();
        return d;
      },
      {.position = true});
  for (const LoadFrame frame : {LoadFrame::space, LoadFrame::body})
    for_all_nodes(
        [&](SystemBuilder& b, const Marker& m) {
          add_load(b, "differenced", m, frame, differenced), add_load(b, "formula", m, frame, formula);
        },
        [](const System& s, const State& x) { test::expect_force_derivatives(s, x, 1e-8); });
}

TEST(LoadLaw, ThatDoesNotSeeTheVelocityDoesNotMakeTheForcesDependOnIt) {
  for_all_nodes(
      [](SystemBuilder& b, const Marker& m) {
        add_load(b, "magnet", m, LoadFrame::space,
                 LoadLaw::differentiable(
                     [](const auto& p) {
                       BasicLoadValue<ScalarOf<decltype(p)>> load;
                       load.force = -p.position / p.position.squaredNorm();
                       return load;
                     },
                     {.position = true}));
      },
      [](const System& s, const State& x) {
        EXPECT_FALSE(s.forces_depend_on_velocity());
        test::expect_force_derivatives(s, x, 1e-8);
      });
}

// What drag takes is force · velocity of the point and moment · spin, in every group and frame.
TEST(LoadLaw, HasThePowerOfItsForceAndMoment) {
  for (const LoadFrame frame : {LoadFrame::space, LoadFrame::body})
    for (const GroupId group : test::grippable_groups) {
      SCOPED_TRACE(test::group_name(group));
      SystemBuilder builder;
      const Marker at = test::add_any_node(builder, group, here);
      const auto load = add_load(builder, "drag", at, frame, LoadLaw::differentiable(drag));
      const auto system = builder.build();
      const State x = test::random_state(*system, 3);
      const NodeFrame node(system->space(), at);
      const Pose pose = node.pose(x.q);
      const Twist V = node.twist(pose, x.v);
      const LoadValue value = load->value(x);
      const Vector3d u = frame == LoadFrame::space ? Vector3d(pose.R * V.at(at.point)) : V.at(at.point);
      const Vector3d spin = frame == LoadFrame::space ? Vector3d(pose.R * V.O) : V.O;
      const double power = value.force.dot(u) + value.moment.dot(spin);
      test::expect_ok(checks::check_power_balance(*system, x, power));
    }
}

TEST(LoadLaw, ThatFollowsTheBodyIsTheSameInBothFrames) {
  const Vector3d F(0.4, -1, 2);
  for (const GroupId group : test::grippable_groups) {
    SCOPED_TRACE(test::group_name(group));
    const auto matrix = [&](bool in_body) {
      SystemBuilder builder;
      const Marker at = test::add_any_node(builder, group, here);
      if (in_body)
        add_load(builder, "thrust", at, LoadFrame::body, LoadLaw::constant({.force = F}));
      else
        add_load(builder, "thrust", at, LoadFrame::space,
                 LoadLaw::differentiable(
                     [F](const auto& m) {
                       BasicLoadValue<ScalarOf<decltype(m)>> load;
                       load.force = m.rotation * F.template cast<ScalarOf<decltype(m)>>();
                       return load;
                     },
                     {.rotation = true}));
      const auto system = builder.build();
      const State x = test::random_state(*system, 8);
      NodeMatrix H(system->pattern());
      system->add_force_derivatives(x.t, x.q, x.v, 1, 1, H);
      Eigen::MatrixXd both(system->size_v(), system->size_v() + 1);
      both << H.to_dense(), test::forces_of(*system, x.t, x.q, x.v);
      return both;
    };
    test::expect_equal(matrix(true), matrix(false), 1e-14, "force and matrix");
  }
}

/// A floor at z = 0 that pushes back with k z² from below.
LoadLaw floor_law(double k) {
  return LoadLaw::differentiable(
      [k](const auto& m) {
        using S = ScalarOf<decltype(m)>;
        BasicLoadValue<S> load;
        if (m.position[2] < S(0)) load.force[2] = k * m.position[2] * m.position[2];
        return load;
      },
      {.position = true});
}

TEST(LoadLaw, OfAPenaltyFloorPushesFromBelowOnlyAndConservesEnergy) {
  SystemBuilder builder;
  const PointMass mass = add_point_mass(builder, {});
  add_load(builder, "floor", mass.marker(), LoadFrame::space, floor_law(300));
  const auto system = builder.build();
  State x = builder.start();
  x.q << 1, 2, 0.1;
  EXPECT_EQ(test::forces_of(*system, 0, x.q, x.v).norm(), 0);
  x.q << 1, 2, -0.1;
  EXPECT_NEAR(test::forces_of(*system, 0, x.q, x.v)[2], 3, 1e-14);
  test::expect_force_derivatives(*system, x);
  // The work on the way down is that of the potential −k z³/3.
  x.v << 0, 0, -1;
  EXPECT_NEAR(test::forces_of(*system, 0, x.q, x.v).dot(x.v), -3, 1e-14);
}

/// A beam without stiffness, so that all forces are those of the load.
BeamOptions slack_beam(GroupId group, int segments = 3) {
  BeamOptions o;
  o.group = group;
  o.stiffness = {Matrix6d::Zero()};
  set_straight(o, Vector3d(0.2, 0, 0.4), Vector3d(1, 1.3, 0.4), segments);
  return o;
}

State bent(const SystemBuilder& builder, const System& system, std::uint64_t seed) {
  State x = builder.start();
  system.space().advance(x.q, 1, test::random_vector(system.size_v(), seed, 0.4), x.q);
  x.v = test::random_vector(system.size_v(), seed + 1, 1.5);
  x.t = 0.3;
  return x;
}

class BeamLaws : public ::testing::TestWithParam<GroupId> {};
INSTANTIATE_TEST_SUITE_P(Groups, BeamLaws, ::testing::ValuesIn(test::rigid_motion_groups),
                         [](const auto& p) { return test::group_name(p.param); });

TEST_P(BeamLaws, HaveExactDerivativesForAllRules) {
  for (const LoadFrame frame : {LoadFrame::space, LoadFrame::body})
    for (const LoadRule rule : {LoadRule::trapezoidal, LoadRule::integrated, LoadRule::segment_mean}) {
      SystemBuilder builder;
      const auto beam = add_beam(builder, slack_beam(GetParam()));
      add_beam_load(
          builder, beam,
          {.frame = frame, .rule = rule, .points_per_segment = 8, .density = LoadLaw::differentiable(anything)});
      const auto system = builder.build();
      test::expect_force_derivatives(*system, bent(builder, *system, 3), 1e-8);
    }
}

TEST_P(BeamLaws, HaveExactDerivativesAtPointsBetweenNodes) {
  for (const LoadFrame frame : {LoadFrame::space, LoadFrame::body})
    for (const double share : {0.0, 0.2, 0.5, 1.0}) {
      SystemBuilder builder;
      const auto beam = add_beam(builder, slack_beam(GetParam()));
      const double s = beam->arc_length(1) + share * beam->segment_length(1);
      const auto load = add_beam_point_load(builder, beam, "push", s, frame, LoadLaw::differentiable(anything));
      EXPECT_EQ(load->places(), share == 0 || share == 1 ? 1 : 2);
      const auto system = builder.build();
      test::expect_force_derivatives(*system, bent(builder, *system, 5), 1e-8);
    }
}

TEST_P(BeamLaws, TakeWithDragWhatForceTimesVelocityTakes) {
  for (const LoadRule rule : {LoadRule::trapezoidal, LoadRule::segment_mean}) {
    SystemBuilder builder;
    const auto beam = add_beam(builder, slack_beam(GetParam()));
    const auto load = add_beam_load(builder, beam,
                                    {.rule = rule,
                                     .density = LoadLaw::differentiable(
                                         [](const auto& m) {
                                           BasicLoadValue<ScalarOf<decltype(m)>> value;
                                           value.force = -0.3 * m.velocity.norm() * m.velocity;
                                           return value;
                                         },
                                         {.velocity = true})});
    const auto system = builder.build();
    const State x = bent(builder, *system, 7);
    double power = 0;
    const auto values = load->values(x);
    for (int i = 0; i < load->places(); ++i) {
      const NodeFrame node(system->space(), beam->at(load->node(i)));
      const Pose pose = node.pose(x.q);
      power += values[static_cast<std::size_t>(i)].force.dot(pose.R * node.twist(pose, x.v).U);
    }
    EXPECT_LT(power, 0);
    test::expect_ok(checks::check_power_balance(*system, x, power));
  }
}

// (BM.22) The point between nodes feels its own velocity: the power is F·v at that point.
TEST_P(BeamLaws, DoWorkAtPointsBetweenNodesWithTheVelocityOfThePoint) {
  SystemBuilder builder;
  const auto beam = add_beam(builder, slack_beam(GetParam()));
  PointMotion seen;
  add_beam_point_load(builder, beam, "push", beam->arc_length(1) + 0.3 * beam->segment_length(1), LoadFrame::space,
                      LoadLaw::of_motion([&seen](const PointMotion& m) {
                        seen = m;
                        return LoadValue{.force = Vector3d(1, -2, 0.5)};
                      }));
  const auto system = builder.build();
  const State x = bent(builder, *system, 9);
  const double power = test::forces_of(*system, x.t, x.q, x.v).dot(x.v);
  EXPECT_NEAR(power, Vector3d(1, -2, 0.5).dot(seen.velocity), 1e-13);
}

TEST(BeamLoad, SegmentMeansShareHalfOfEverySegment) {
  SystemBuilder builder;
  const auto beam = add_beam(builder, slack_beam(GroupId::SE3, 2));
  const auto load =
      add_beam_load(builder, beam, {.rule = LoadRule::segment_mean, .density = LoadLaw::of_time([](double s, double) {
                                                                      return LoadValue{.force = Vector3d(s * s, 1, 0)};
                                                                    })});
  builder.build();
  const double h = beam->segment_length(0);
  const auto values = load->values(builder.start());
  ASSERT_EQ(values.size(), 3u);
  const double first = h * h * h / 3, second = 8 * first - first;
  EXPECT_LT((values[0].force - Vector3d(first / 2, h / 2, 0)).norm(), 1e-13);
  EXPECT_LT((values[1].force - Vector3d((first + second) / 2, h, 0)).norm(), 1e-13);
  EXPECT_LT((values[2].force - Vector3d(second / 2, h / 2, 0)).norm(), 1e-13);
}

TEST(SpringLaw, HasExactDerivativesBetweenAllGroups) {
  const auto f = [](auto l, auto r, double t) {
    using std::exp, std::tanh;
    return 3 * (l - 0.5) + 2 * (l - 0.5) * (l - 0.5) * (l - 0.5) + 0.4 * tanh(r) * exp(-l) + t;
  };
  const SpringLaw laws[] = {SpringLaw::differentiable(f),
                            SpringLaw::of([f](double l, double r, double t) { return f(l, r, t); })};
  for (const SpringLaw& law : laws)
    for (const GroupId a : test::grippable_groups)
      for (const GroupId b : {GroupId::R3, GroupId::S3xR3, GroupId::SE3}) {
        SCOPED_TRACE(test::group_name(a) + " and " + test::group_name(b));
        SystemBuilder builder;
        const Marker first = test::add_any_node(builder, a, here);
        add_spring(builder, {.law = law}, first, test::add_any_node(builder, b, there));
        const auto system = builder.build();
        EXPECT_TRUE(system->couples_by_velocity());
        test::expect_force_derivatives(*system, test::random_state(*system, 31), 1e-8);
      }
}

/// Nothing up to l0, then a hardening spring.
SpringLaw bump_stop(double l0, double k) {
  SpringLaw law = SpringLaw::differentiable(
      [=](auto l, auto, double) {
        using S = decltype(l);
        return l > S(l0) ? k * (l - l0) * (l - l0) : S(0);
      },
      false);
  law.set_potential([=](double l, double) { return l > l0 ? k * std::pow(l - l0, 3) / 3 : 0; });
  return law;
}

TEST(SpringLaw, OfABumpStopConservesEnergyAndIsSlackBeforeIt) {
  SystemBuilder builder;
  const PointMass mass = add_point_mass(builder, {.position = {0, 0, 0.5}});
  const SpringHandle stop = add_spring(builder, {.law = bump_stop(1, 40)}, mass.marker(), {});
  const auto system = builder.build();
  EXPECT_FALSE(system->forces_depend_on_velocity());
  State x = builder.start();
  EXPECT_EQ(stop.tension(x), 0);
  EXPECT_EQ(test::forces_of(*system, 0, x.q, x.v).norm(), 0);
  x.q << 0.3, 0, 1.2;
  EXPECT_NEAR(stop.tension(x), 40 * std::pow(stop.length(x) - 1, 2), 1e-14);
  test::expect_forces_have_potential(*system, x);
  test::expect_force_derivatives(*system, x);
}

TEST(SpringLaw, IsRefusedBesideConstants) {
  SystemBuilder builder;
  const Marker m = add_point_mass(builder, {}).marker();
  EXPECT_THROW(add_spring(builder, {.stiffness = 1, .law = bump_stop(1, 1)}, m, {}), std::invalid_argument);
}

TEST(SpringLaw, OnAJointActsOnItsCoordinate) {
  for (const JointCoordinate coordinate : {JointCoordinate::angle, JointCoordinate::displacement}) {
    SystemBuilder builder;
    const RigidBody a = add_rigid_body(builder, test::odd_body(GroupId::SE3)),
                    b = add_rigid_body(builder, test::odd_body(GroupId::S3xR3));
    const Vector3d at(0.1, 0.2, 0.3);
    const JointHandle joint = add_joint(
        builder,
        {.type = JointType::cylindrical, .first = a.at_space(at), .second = b.at_space(at), .axis = {1, 2, 2}});
    SpringLaw law =
        SpringLaw::differentiable([](auto x, auto rate, double) { return 2 * x + 5 * x * x * x + 0.3 * rate; });
    law.set_potential([](double x, double) { return x * x + 1.25 * x * x * x * x; });
    const JointSpringHandle spring =
        add_joint_spring(builder, {.coordinate = coordinate, .rest = 0.1, .law = law}, joint);
    const auto system = builder.build();
    State x = builder.start();
    system->space().advance(x.q, 1, test::random_vector(12, 4, 0.3), x.q);
    x.v = test::random_vector(12, 5);
    test::expect_force_derivatives(*system, x, 1e-8);
    const JointReading r = read_joint(joint, x);
    const bool turns = coordinate == JointCoordinate::angle;
    const double d = (turns ? r.angle : r.displacement[2]) - 0.1, rate = turns ? r.angle_rate : r.displacement_rate[2];
    if (!turns) {  // the angle of the reading is that of parallel axes only
      EXPECT_NEAR(spring.effort(x), -(2 * d + 5 * d * d * d + 0.3 * rate), 1e-12);
    }
    x.v.setZero();
    test::expect_forces_have_potential(*system, x, 1e-8);
  }
}

// In free flight, whatever the group: u̇ = −rate u at the centre of mass, and the spin is not touched.
TEST(MassDamping, LetsFlightDieOutAndLeavesTheSpinAlone) {
  for (const GroupId group : test::rigid_motion_groups) {
    SCOPED_TRACE(test::group_name(group));
    SystemBuilder builder;
    const RigidBody body = add_rigid_body(builder, test::odd_body(group));
    add_mass_damping(builder, "air", 0.7, body);
    const auto system = builder.build();
    State x = builder.start();
    const auto momentum = system->momentum(x.q, x.v);
    const Vector3d c = body.center_of_mass(x);
    const VectorXd f = test::forces_of(*system, 0, x.q, x.v);
    const NodeFrame node(system->space(), body.at(Vector3d::Zero()));
    const Pose pose = node.pose(x.q);
    const bool direct = node.is_direct();
    const Vector3d force = direct ? Vector3d(f.tail<3>()) : Vector3d(pose.R * f.tail<3>()),
                   moment = pose.R * f.head<3>() + pose.x.cross(force);
    EXPECT_LT((force + 0.7 * momentum.linear).norm(), 1e-13);
    EXPECT_LT((moment - c.cross(force)).norm(), 1e-13);
    test::expect_force_derivatives(*system, x);
  }
}

TEST(MassDamping, OfABeamIsThatOfItsNodes) {
  for (const GroupId group : test::rigid_motion_groups) {
    SystemBuilder builder;
    BeamOptions o = slack_beam(group);
    o.mass_per_length = {1, 2, 3};
    o.mass_center = {Vector3d(0.1, 0, 0), Vector3d(0, 0.2, 0), Vector3d(0, 0, 0)};
    o.inertia_per_length = {0.01 * Matrix3d::Identity()};
    const auto beam = add_beam(builder, o);
    add_mass_damping(builder, "air", 0.7, *beam);
    const auto system = builder.build();
    const State x = bent(builder, *system, 3);
    test::expect_force_derivatives(*system, x, 1e-8);
    const auto momentum = system->momentum(x.q, x.v);
    const VectorXd f = test::forces_of(*system, 0, x.q, x.v);
    Vector3d force = Vector3d::Zero();
    for (int i = 0; i < beam->nodes(); ++i) {
      const NodeFrame node(system->space(), beam->at(i));
      force +=
          node.is_direct() ? Vector3d(f.segment<3>(6 * i + 3)) : Vector3d(node.pose(x.q).R * f.segment<3>(6 * i + 3));
    }
    EXPECT_LT((force + 0.7 * momentum.linear).norm(), 1e-12) << test::group_name(group);
  }
}

}  // namespace
}  // namespace filum::parts
