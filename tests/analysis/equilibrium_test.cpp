/// Static equilibria with known solutions. Theory: docs/theory/statics.md.
#include "analysis/static_beams.hpp"

#include <filum/parts/gravity.hpp>
#include <filum/parts/rigid_body.hpp>

#include <gtest/gtest.h>

#include <numbers>

namespace filum::analysis {
namespace {

using std::numbers::pi;

/// Every node is on the circle, whatever the number of segments.
TEST(Equilibrium, AMomentBendsABeamToACircleForAnyNumberOfSegments) {
  for (const int segments : {1, 2, 8})
    for (const double turns : {0.25, 0.75, 1.0, 2.0}) {
      if (turns / segments >= 1) continue;  // a segment that closes to a circle has no logarithm
      const double angle = 2 * pi * turns;
      const BeamBenchmark b = static_beam({.segments = segments, .moment = {0, 0, angle}});
      const Equilibrium e = find_equilibrium(*b.system, b.start);
      ASSERT_EQ(e.outcome, EquilibriumOutcome::found) << segments << " segments, " << turns << " turns: " << words(e);
      for (int i = 0; i <= segments; ++i) {
        const double phi = angle * i / segments;
        const Vector3d exact(std::sin(phi) / angle, (1 - std::cos(phi)) / angle, 0);
        EXPECT_NEAR((b.beam->position(e.state, i) - exact).norm(), 0, 2e-12)
            << segments << " " << turns << " node " << i;
      }
      EXPECT_LE(e.load_steps, 70) << words(e);
    }
}

TEST(Equilibrium, TheCircleIsTheSameInEveryGroupAndModel) {
  for (const lie::GroupId group :
       {lie::GroupId::SE3, lie::GroupId::S3sdR3, lie::GroupId::UDQ, lie::GroupId::S3xR3, lie::GroupId::SO3xR3})
    for (const parts::StrainMask& held : {parts::cosserat, parts::kirchhoff, parts::inextensible}) {
      const BeamBenchmark b = static_beam({.segments = 6, .held = held, .group = group, .moment = {0, 0, 1.5 * pi}});
      const Equilibrium e = find_equilibrium(*b.system, b.start);
      ASSERT_TRUE(e.is_found()) << lie::name(group) << words(e);
      if (group == lie::GroupId::S3xR3 || group == lie::GroupId::SO3xR3) continue;  // their segments are no arcs
      EXPECT_NEAR((b.tip(e.state) - Vector3d(-1, 1, 0) / (1.5 * pi)).norm(), 0, 2e-12) << lie::name(group);
    }
}

struct ElasticaCase {
  double load, deflection, angle;
};

/// Deflection and angle of the tip of an inextensible cantilever under a force that keeps its direction: elliptic
/// integrals, PL²/EI = 1 and 10.
TEST(Equilibrium, TheElasticaIsReachedWithOrderTwo) {
  for (const ElasticaCase& c : {ElasticaCase{1, 0.3017207738, 0.461351949712}, {10, 0.81060902488, 1.4302855388}}) {
    double before_y = 0, before_a = 0;
    for (const int segments : {8, 16, 32}) {
      const BeamBenchmark b = static_beam({.segments = segments, .held = parts::inextensible, .force = {0, c.load, 0}});
      const Equilibrium e = find_equilibrium(*b.system, b.start);
      ASSERT_EQ(e.outcome, EquilibriumOutcome::found) << words(e);
      const Vector3d tangent = lie::quaternion::rotate(b.beam->orientation(e.state, segments), Vector3d(0, 0, 1));
      const double y = std::abs(b.tip(e.state)[1] - c.deflection),
                   a = std::abs(std::atan2(tangent[1], tangent[0]) - c.angle);
      if (segments > 8) {
        EXPECT_NEAR(before_y / y, 4, 0.3) << c.load << " " << segments;
        EXPECT_NEAR(before_a / a, 4, 0.3) << c.load << " " << segments;
      }
      before_y = y, before_a = a;
    }
    EXPECT_LT(before_y, 1e-3);
  }
}

TEST(Equilibrium, SlenderBeamsDoNotLock) {
  // Rectangular section, thickness over length from 1e-1 to 1e-4.
  for (const double thickness : {1e-1, 1e-2, 1e-3, 1e-4}) {
    const double stiff = 12 / (thickness * thickness);
    const BeamBenchmark b = static_beam({.segments = 16, .GA = stiff / 3, .EA = stiff, .force = {0, 1, 0}});
    const Equilibrium e = find_equilibrium(*b.system, b.start);
    ASSERT_EQ(e.outcome, EquilibriumOutcome::found) << thickness << words(e);
    EXPECT_NEAR(b.tip(e.state)[1], 0.3017207738, thickness > 0.05 ? 6e-3 : 1e-3) << thickness;
  }
}

/// Bathe and Bolourchi's bend, values of the exact rod by a fine grid of another program.
TEST(Equilibrium, TheBendOf45DegreesIsReachedWithOrderTwo) {
  const std::pair<double, Vector3d> cases[] = {{300, {58.778897, 22.244679, 40.192392}},
                                               {600, {47.150096, 15.684689, 53.475478}}};
  for (const auto& [load, exact] : cases) {
    double before = 0;
    for (const int segments : {8, 16, 32}) {
      const BeamBenchmark b = static_beam({.segments = segments,
                                           .length = 25 * pi,
                                           .EI = 1e7 / 12,
                                           .EI2 = 1e7 / 12,
                                           .GA = 5e6 * 5 / 6,
                                           .EA = 1e7,
                                           .GJ = 5e6 / 6,
                                           .curvature = 0.01,
                                           .force = {0, 0, load}});
      const Equilibrium e = find_equilibrium(*b.system, b.start);
      ASSERT_EQ(e.outcome, EquilibriumOutcome::found) << words(e);
      const double error = (b.tip(e.state) - exact).norm();
      if (segments > 8) {
        EXPECT_NEAR(before / error, 4, 0.4) << load << " " << segments;
      }
      before = error;
    }
    EXPECT_LT(before, 0.1);
  }
}

TEST(Equilibrium, LoadsAreWhatTheFactorScales) {
  const BeamBenchmark b = static_beam({.segments = 3, .force = {1, 2, 3}});
  State x = b.start;
  x.q[8] += 0.01;  // somewhat out of shape
  mechanics::VectorXd all(b.system->size_v()), loads(all.size());
  b.system->forces(0, x.q, x.v, all);
  b.system->load_forces(0, x.q, x.v, loads);
  EXPECT_EQ(b.system->load_parts().size(), 1u);
  EXPECT_NEAR(loads.norm(), std::sqrt(14.0), 1e-12);
  const BeamBenchmark none = static_beam({.segments = 3});
  mechanics::VectorXd without(all.size());
  none.system->forces(0, x.q, x.v, without);
  EXPECT_LT((all - loads - without).norm(), 1e-12 * all.norm());
}

TEST(Equilibrium, AFreeRodIsRefusedWithItsSixFreeMotions) {
  const BeamBenchmark b = test::flying_spaghetti({.segments = 4});
  const Equilibrium e = find_equilibrium(*b.system, b.start);
  EXPECT_EQ(e.outcome, EquilibriumOutcome::free_motion) << words(e);
  EXPECT_EQ(e.free_motions.cols(), 6) << words(e);
}

TEST(Equilibrium, AFreeRodThatIsHeldSoftlyStaysWhereItIs) {
  const BeamBenchmark b = test::flying_spaghetti({.segments = 4});
  const Equilibrium e = find_equilibrium(*b.system, b.start, {}, {.regularize = 1e-6});
  ASSERT_TRUE(e.is_found()) << words(e);
  EXPECT_LT((b.tip(e.state) - b.tip(b.start)).norm(), 1e-9);
}

struct Pendulum {
  std::shared_ptr<const System> system;
  State start;
  RowSelection rows;
};

/// A bar of mass 2, its centre at `at`, hinged at the origin about e2.
Pendulum pendulum(const Vector3d& at) {
  mechanics::SystemBuilder builder;
  const auto body = parts::add_rigid_body(builder, {.mass = 2, .inertia = parts::Matrix3d::Identity(), .position = at});
  parts::add_joint(
      builder,
      {.type = parts::JointType::revolute, .first = body.at_space(Vector3d::Zero()), .second = {}, .axis = {0, 1, 0}});
  parts::add_gravity(builder, {0, 0, -9.81}, {body});
  Pendulum p;
  p.start = builder.start();
  p.system = builder.build();
  p.rows = mechanics::make_consistent(*p.system, p.start).rows;
  return p;
}

TEST(Equilibrium, AHorizontalPendulumComesToHangDown) {
  const Pendulum p = pendulum({1.5, 0, 0});
  const Equilibrium e = find_equilibrium(*p.system, p.start, p.rows);
  ASSERT_EQ(e.outcome, EquilibriumOutcome::relaxed) << words(e);
  EXPECT_NEAR(p.system->potential_energy(0, e.state.q), -2 * 9.81 * 1.5, 1e-9);
  EXPECT_TRUE(e.state.v.isZero(0));
  EXPECT_FALSE(e.message.empty());
}

TEST(Equilibrium, MultipliersCarryTheWeight) {
  const Pendulum p = pendulum({0, 0, -1.5});
  const Equilibrium e = find_equilibrium(*p.system, p.start, p.rows);
  ASSERT_TRUE(e.is_found()) << words(e);
  mechanics::VectorXd f(p.system->size_v());
  p.system->forces(0, e.state.q, e.state.v, f);
  mechanics::RowMatrix C(p.system->pattern());
  p.system->constraint_jacobian(0, e.state.q, C);
  C.add_transpose_times(e.state.lambda, -1, f, p.system->row_blocks());
  EXPECT_LT(f.lpNorm<Eigen::Infinity>(), 1e-10);
}

TEST(Equilibrium, ABodyOnAHingeWithoutWeightIsAFreeMotion) {
  mechanics::SystemBuilder builder;
  const auto body =
      parts::add_rigid_body(builder, {.mass = 2, .inertia = parts::Matrix3d::Identity(), .position = {1, 0, 0}});
  parts::add_joint(
      builder,
      {.type = parts::JointType::revolute, .first = body.at_space(Vector3d::Zero()), .second = {}, .axis = {0, 1, 0}});
  State x = builder.start();
  const auto system = builder.build();
  const auto rows = mechanics::make_consistent(*system, x).rows;
  const Equilibrium e = find_equilibrium(*system, x, rows);
  EXPECT_EQ(e.outcome, EquilibriumOutcome::free_motion) << words(e);
  EXPECT_EQ(e.free_motions.cols(), 1);
}

}  // namespace
}  // namespace filum::analysis
