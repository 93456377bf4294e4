/// Gravity, springs, damping and loads in all groups: derivatives, potentials, powers.
#include "parts/any_nodes.hpp"
#include "support/any_node.hpp"
#include "support/benchmark_systems.hpp"
#include "support/derivative_checks.hpp"

#include <filum/mechanics/consistent_start.hpp>
#include <filum/parts/body_load.hpp>
#include <filum/parts/gravity.hpp>
#include <filum/parts/spring.hpp>
#include <filum/parts/viscous_damping.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace filum::parts {
namespace {

using test::GroupId;

const Vector3d field(1.2, -0.4, -9.81);

TEST(Gravity, HasAPotentialAndExactDerivativesInAllGroups) {
  for_all_nodes([](SystemBuilder& s, const Marker& m) { add_gravity(s, field)->add(m, 1.9); },
                [](const System& s, const State& x) {
                  test::expect_forces_have_potential(s, x);
                  test::expect_force_derivatives(s, x);
                });
}

TEST(Gravity, PullsOnMassesInAnyOrder) {
  SystemBuilder builder;
  const RigidBody a = add_rigid_body(builder, test::odd_body(GroupId::SE3));
  const PointMass b = add_point_mass(builder, {.group = GroupId::R2, .mass = 2});
  const RigidBody c = add_rigid_body(builder, test::odd_body(GroupId::S3xR3));
  const auto gravity = add_gravity(builder, field, {c, a});
  gravity->add(b.marker(), 2);
  const auto built = builder.build();
  const System& system = *built;
  const State x = test::random_state(system, 4);
  test::expect_forces_have_potential(system, x);
  test::expect_force_derivatives(system, x);
  const double expected = -field.dot(1.7 * a.center_of_mass(x) + 1.7 * c.center_of_mass(x) + 2 * b.position(x));
  EXPECT_NEAR(system.potential_energy(0, x.q), expected, 1e-13);
}

TEST(Gravity, IsThePlainWeightInTheDirectProducts) {
  for (const GroupId group : {GroupId::SO3xR3, GroupId::S3xR3}) {
    const test::Benchmark top = heavy_top(test::TopSpeed::slow, group);
    const State x = test::random_state(*top.system, 2);
    VectorXd expected(6);
    expected << 0, 0, 0, 0, 0, -15 * 9.81;
    EXPECT_LT((test::forces_of(*top.system, 0, x.q, x.v) - expected).norm(), 1e-13);
  }
}

TEST(Spring, HasExactDerivativesBetweenAllGroups) {
  for (const GroupId a : test::grippable_groups)
    for (const GroupId b : test::grippable_groups) {
      SCOPED_TRACE(test::group_name(a) + " and " + test::group_name(b));
      SystemBuilder builder;
      const Marker first = test::add_any_node(builder, a, here);
      add_spring(builder, {.stiffness = 3, .damping = 0.8, .length = 0.5}, first,
                 test::add_any_node(builder, b, there));
      const auto built = builder.build();
      const System& system = *built;
      EXPECT_TRUE(system.forces_depend_on_velocity());
      test::expect_force_derivatives(system, test::random_state(system, 31), 1e-8);
    }
}

TEST(Spring, HasExactDerivativesToTheGround) {
  for_all_nodes(
      [](SystemBuilder& s, const Marker& m) {
        add_spring(s, {.stiffness = 3, .damping = 0.8, .length = 0.5}, {.point = there}, m);
        add_spring(s, {.stiffness = 2}, {.point = -there}, m);
      },
      [](const System& s, const State& x) { test::expect_force_derivatives(s, x, 1e-8); });
}

TEST(Spring, WithoutDampingHasAPotential) {
  for (const double length : {0.0, 0.5})
    for_all_nodes(
        [&](SystemBuilder& s, const Marker& m) {
          add_spring(s, {.stiffness = 3, .length = length}, m, test::add_any_node(s, GroupId::SE3, there));
        },
        [](const System& s, const State& x) {
          EXPECT_FALSE(s.forces_depend_on_velocity());
          test::expect_forces_have_potential(s, x);
        });
}

// What the damper takes is d l̇².
TEST(Spring, DissipatesWithItsOwnRate) {
  SystemBuilder builder;
  const Marker first = test::add_any_node(builder, GroupId::UDQ, here);
  const SpringHandle spring =
      add_spring(builder, {.damping = 0.8}, first, test::add_any_node(builder, GroupId::SO3xR3, there));
  const auto built = builder.build();
  const System& system = *built;
  const State x = test::random_state(system, 9);
  const double rate = test::derivative([&](double h) {
    State y = x;
    system.space().advance(x.q, h, x.v, y.q);
    return VectorXd(VectorXd::Constant(1, spring.length(y)));
  })[0];
  EXPECT_NEAR(test::forces_of(system, 0, x.q, x.v).dot(x.v), -0.8 * rate * rate, 1e-10);
  EXPECT_NEAR(spring.tension(x), 0.8 * rate, 1e-10);
}

TEST(Spring, WithoutFreeLengthIsSmoothWhereItsEndsMeet) {
  SystemBuilder builder;
  const PointMass mass = add_point_mass(builder, {});
  add_spring(builder, {.stiffness = 3}, mass.marker(), {});
  const auto built = builder.build();
  const System& system = *built;
  const State x = system.make_state();
  EXPECT_EQ(test::forces_of(system, 0, x.q, x.v).norm(), 0);
  test::expect_force_derivatives(system, x);
}

TEST(Spring, WithFreeLengthIsNotANumberWhereItsEndsMeetAndTheStartIsRefused) {
  SystemBuilder builder;
  const PointMass mass = add_point_mass(builder, {});
  add_spring(builder, {.stiffness = 3, .length = 1}, mass.marker(), {});
  const auto built = builder.build();
  const System& system = *built;
  State x = system.make_state();
  EXPECT_TRUE(test::forces_of(system, 0, x.q, x.v).hasNaN());
  EXPECT_THROW(mechanics::make_consistent(system, x), mechanics::InconsistentStart);
}

TEST(Spring, RefusesNegativeConstants) {
  SystemBuilder builder;
  const Marker m = add_point_mass(builder, {}).marker();
  EXPECT_THROW(add_spring(builder, {.stiffness = -1}, m, {}), std::invalid_argument);
  EXPECT_THROW(add_spring(builder, {.damping = -1}, m, {}), std::invalid_argument);
  EXPECT_THROW(add_spring(builder, {.length = std::nan("")}, m, {}), std::invalid_argument);
  EXPECT_THROW(add_spring(builder, {}, m, m), std::invalid_argument);
}

TEST(ViscousDamping, HasExactDerivativesAndTakesEnergyInAllGroups) {
  Matrix3d D;
  D << 1, 0.2, 0, -0.1, 2, 0.3, 0, 0.3, 0.5;
  for_all_nodes(
      [&](SystemBuilder& s, const Marker& m) { add_viscous_damping(s, {.rotational = D, .translational = 0.6}, m); },
      [](const System& s, const State& x) {
        test::expect_force_derivatives(s, x);
        EXPECT_LT(test::forces_of(s, 0, x.q, x.v).dot(x.v), 0);
      });
}

TEST(ViscousDamping, IsRefusedIfItWouldFeedEnergy) {
  SystemBuilder builder;
  const Marker m = test::add_any_node(builder, GroupId::SE3, here);
  EXPECT_THROW(add_viscous_damping(builder, {.translational = -1}, m), std::invalid_argument);
  EXPECT_THROW(add_viscous_damping(builder, {.rotational = -Matrix3d::Identity()}, m), std::invalid_argument);
  EXPECT_THROW(add_viscous_damping(builder, {}, {}), std::invalid_argument);
}

const auto of_time = [](double t) { return LoadValue{Vector3d(1, t, 2), Vector3d(t * t, -1, 0.5)}; };
const auto of_motion = [](const PointMotion& m) {
  return LoadValue{m.t * m.position - m.velocity * m.velocity.norm(), m.rotation.col(0) - 0.3 * m.angular_velocity};
};

TEST(BodyLoad, HasExactDerivativesInAllGroups) {
  for (const LoadFrame frame : {LoadFrame::space, LoadFrame::body})
    for_all_nodes([&](SystemBuilder& s, const Marker& m) { add_load(s, "push", m, frame, of_time); },
                  [](const System& s, const State& x) { test::expect_force_derivatives(s, x); });
}

TEST(BodyLoad, OfTheMotionIsDifferenced) {
  for (const LoadFrame frame : {LoadFrame::space, LoadFrame::body})
    for_all_nodes(
        [&](SystemBuilder& s, const Marker& m) { add_load(s, "drag", m, frame, LoadLaw::of_motion(of_motion)); },
        [](const System& s, const State& x) { test::expect_force_derivatives(s, x, 3e-8); });
}

// The same load does the same work on the same motion, whatever the group and the frame it is given in.
TEST(BodyLoad, HasThePowerOfForceAndMoment) {
  for_all_nodes(
      [&](SystemBuilder& s, const Marker& m) {
        add_load(s, "push", m, LoadFrame::space, of_time);
        add_load(s, "pull", m, LoadFrame::body, LoadLaw::of_motion([](const PointMotion& motion) {
                   const LoadValue given = of_time(motion.t);
                   return LoadValue{-2 * motion.rotation.transpose() * given.force,
                                    -2 * motion.rotation.transpose() * given.moment};
                 }));
        add_load(s, "power", m, LoadFrame::space, LoadLaw::of_motion([](const PointMotion& motion) {
                   const LoadValue given = of_time(motion.t);
                   const double power =
                       given.force.dot(motion.velocity) + given.moment.dot(motion.rotation * motion.angular_velocity);
                   const double per_work = power / motion.velocity.squaredNorm();
                   return LoadValue{per_work * motion.velocity, Vector3d::Zero()};
                 }));
      },
      [](const System& s, const State& x) { EXPECT_NEAR(test::forces_of(s, x.t, x.q, x.v).dot(x.v), 0, 1e-13); });
}

TEST(Loads, AreRefusedOnTheGround) {
  SystemBuilder builder;
  EXPECT_THROW(add_load(builder, "push", {}, LoadFrame::space, of_time), std::invalid_argument);
  EXPECT_THROW(add_gravity(builder, field)->add(Marker{}, 1), std::invalid_argument);
}

TEST(SpringTop, HasTheEnergyOfThePaper) {
  for (const GroupId group : test::all_top_groups) {
    const test::Benchmark top = test::spring_top(group);
    EXPECT_NEAR(top.energy(top.start), 2500.68625, 1e-10) << test::group_name(group);
  }
}

}  // namespace
}  // namespace filum::parts
