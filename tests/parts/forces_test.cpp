/// Gravity, springs, damping and loads in all groups: derivatives, potentials, powers.
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

const Vector3d here(0.3, -0.8, 0.5), there(-0.6, 0.2, 0.9), field(1.2, -0.4, -9.81);

template <class Build>
void for_all_nodes(const Build& build, const auto& check) {
  for (const GroupId group : test::grippable_groups) {
    SCOPED_TRACE(test::group_name(group));
    System system;
    const Marker node = test::add_any_node(system, group, here);
    build(system, node);
    system.finish();
    check(system, test::random_state(system, 21));
  }
}

TEST(Gravity, HasAPotentialAndExactDerivativesInAllGroups) {
  for_all_nodes([](System& s, const Marker& m) { add_gravity(s, field, {}).add(m, 1.9); },
                [](const System& s, const State& x) {
                  test::expect_forces_have_potential(s, x);
                  test::expect_force_derivatives(s, x);
                });
}

TEST(Gravity, PullsOnMassesInAnyOrder) {
  System system;
  const RigidBody a = add_rigid_body(system, test::odd_body(GroupId::SE3));
  const PointMass b = add_point_mass(system, {.group = GroupId::R2, .mass = 2});
  const RigidBody c = add_rigid_body(system, test::odd_body(GroupId::S3xR3));
  Gravity& gravity = add_gravity(system, field, {c, a});
  gravity.add(b.marker(), 2);
  system.finish();
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
      System system;
      const Marker first = test::add_any_node(system, a, here);
      add_spring(system, {.stiffness = 3, .damping = 0.8, .length = 0.5}, first, test::add_any_node(system, b, there));
      system.finish();
      EXPECT_TRUE(system.forces_depend_on_velocity());
      test::expect_force_derivatives(system, test::random_state(system, 31), 1e-8);
    }
}

TEST(Spring, HasExactDerivativesToTheGround) {
  for_all_nodes(
      [](System& s, const Marker& m) {
        add_spring(s, {.stiffness = 3, .damping = 0.8, .length = 0.5}, {.point = there}, m);
        add_spring(s, {.stiffness = 2}, {.point = -there}, m);
      },
      [](const System& s, const State& x) { test::expect_force_derivatives(s, x, 1e-8); });
}

TEST(Spring, WithoutDampingHasAPotential) {
  for (const double length : {0.0, 0.5})
    for_all_nodes(
        [&](System& s, const Marker& m) {
          add_spring(s, {.stiffness = 3, .length = length}, m, test::add_any_node(s, GroupId::SE3, there));
        },
        [](const System& s, const State& x) {
          EXPECT_FALSE(s.forces_depend_on_velocity());
          test::expect_forces_have_potential(s, x);
        });
}

// What the damper takes is d l̇².
TEST(Spring, DissipatesWithItsOwnRate) {
  System system;
  const Marker first = test::add_any_node(system, GroupId::UDQ, here);
  add_spring(system, {.damping = 0.8}, first, test::add_any_node(system, GroupId::SO3xR3, there));
  system.finish();
  const State x = test::random_state(system, 9);
  const auto& springs = dynamic_cast<const Springs&>(*system.parts()[0]);
  const double rate = test::derivative([&](double h) {
    VectorXd q(x.q.size());
    system.space().advance(x.q, h, x.v, q);
    return VectorXd(VectorXd::Constant(1, springs.length(0, q)));
  })[0];
  EXPECT_NEAR(test::forces_of(system, 0, x.q, x.v).dot(x.v), -0.8 * rate * rate, 1e-10);
  EXPECT_NEAR(springs.tension(0, x.q, x.v), 0.8 * rate, 1e-10);
}

TEST(Spring, WithoutFreeLengthIsSmoothWhereItsEndsMeet) {
  System system;
  const PointMass mass = add_point_mass(system, {});
  add_spring(system, {.stiffness = 3}, mass.marker(), {});
  system.finish();
  const State x = system.make_state();
  EXPECT_EQ(test::forces_of(system, 0, x.q, x.v).norm(), 0);
  test::expect_force_derivatives(system, x);
}

TEST(Spring, WithFreeLengthIsNotANumberWhereItsEndsMeetAndTheStartIsRefused) {
  System system;
  const PointMass mass = add_point_mass(system, {});
  add_spring(system, {.stiffness = 3, .length = 1}, mass.marker(), {});
  system.finish();
  State x = system.make_state();
  EXPECT_TRUE(test::forces_of(system, 0, x.q, x.v).hasNaN());
  EXPECT_THROW(mechanics::make_consistent(system, x), mechanics::InconsistentStart);
}

TEST(Spring, RefusesNegativeConstants) {
  System system;
  const Marker m = add_point_mass(system, {}).marker();
  EXPECT_THROW(add_spring(system, {.stiffness = -1}, m, {}), std::invalid_argument);
  EXPECT_THROW(add_spring(system, {.damping = -1}, m, {}), std::invalid_argument);
  EXPECT_THROW(add_spring(system, {.length = std::nan("")}, m, {}), std::invalid_argument);
  EXPECT_THROW(add_spring(system, {}, m, m), std::invalid_argument);
}

TEST(ViscousDamping, HasExactDerivativesAndTakesEnergyInAllGroups) {
  Matrix3d D;
  D << 1, 0.2, 0, -0.1, 2, 0.3, 0, 0.3, 0.5;
  for_all_nodes([&](System& s, const Marker& m) { add_viscous_damping(s, {.rotational = D, .translational = 0.6}, m); },
                [](const System& s, const State& x) {
                  test::expect_force_derivatives(s, x);
                  EXPECT_LT(test::forces_of(s, 0, x.q, x.v).dot(x.v), 0);
                });
}

TEST(ViscousDamping, IsRefusedIfItWouldFeedEnergy) {
  System system;
  const Marker m = test::add_any_node(system, GroupId::SE3, here);
  EXPECT_THROW(add_viscous_damping(system, {.translational = -1}, m), std::invalid_argument);
  EXPECT_THROW(add_viscous_damping(system, {.rotational = -Matrix3d::Identity()}, m), std::invalid_argument);
  EXPECT_THROW(add_viscous_damping(system, {}, {}), std::invalid_argument);
}

const auto of_time = [](double t) { return LoadValue{Vector3d(1, t, 2), Vector3d(t * t, -1, 0.5)}; };
const auto of_motion = [](double t, const MarkerMotion& m) {
  return LoadValue{t * m.position - m.velocity * m.velocity.norm(), m.rotation.col(0) - 0.3 * m.angular_velocity};
};

TEST(BodyLoad, HasExactDerivativesInAllGroups) {
  for (const LoadFrame frame : {LoadFrame::space, LoadFrame::body})
    for_all_nodes([&](System& s, const Marker& m) { add_load(s, "push", m, frame, of_time); },
                  [](const System& s, const State& x) { test::expect_force_derivatives(s, x); });
}

TEST(BodyLoad, OfTheMotionIsDifferenced) {
  for (const LoadFrame frame : {LoadFrame::space, LoadFrame::body})
    for_all_nodes([&](System& s, const Marker& m) { add_motion_load(s, "drag", m, frame, of_motion); },
                  [](const System& s, const State& x) { test::expect_force_derivatives(s, x, 3e-8); });
}

// The same load does the same work on the same motion, whatever the group and the frame it is given in.
TEST(BodyLoad, HasThePowerOfForceAndMoment) {
  for_all_nodes(
      [&](System& s, const Marker& m) {
        add_load(s, "push", m, LoadFrame::space, of_time);
        add_motion_load(s, "pull", m, LoadFrame::body, [](double t, const MarkerMotion& motion) {
          const LoadValue given = of_time(t);
          return LoadValue{-2 * motion.rotation.transpose() * given.force,
                           -2 * motion.rotation.transpose() * given.moment};
        });
        add_motion_load(s, "power", m, LoadFrame::space, [](double t, const MarkerMotion& motion) {
          const LoadValue given = of_time(t);
          const double power =
              given.force.dot(motion.velocity) + given.moment.dot(motion.rotation * motion.angular_velocity);
          const double per_work = power / motion.velocity.squaredNorm();
          return LoadValue{per_work * motion.velocity, Vector3d::Zero()};
        });
      },
      [](const System& s, const State& x) { EXPECT_NEAR(test::forces_of(s, x.t, x.q, x.v).dot(x.v), 0, 1e-13); });
}

TEST(Loads, AreRefusedOnTheGround) {
  System system;
  EXPECT_THROW(add_load(system, "push", {}, LoadFrame::space, of_time), std::invalid_argument);
  EXPECT_THROW(add_gravity(system, field, {}).add(Marker{}, 1), std::invalid_argument);
}

TEST(SpringTop, HasTheEnergyOfThePaper) {
  for (const GroupId group : test::all_top_groups) {
    const test::Benchmark top = test::spring_top(group);
    EXPECT_NEAR(top.energy(top.start), 2500.68625, 1e-10) << test::group_name(group);
  }
}

}  // namespace
}  // namespace filum::parts
