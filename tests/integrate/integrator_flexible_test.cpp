/// Beams and rigid bodies joined: balances of energy and momentum, and the rigid limit. Theory:
/// docs/theory/multibody_benchmarks.md, sec. 5.
#include "support/convergence.hpp"
#include "support/derivative_checks.hpp"
#include "support/multibody_systems.hpp"

#include <filum/integrate/generalized_alpha.hpp>
#include <filum/integrate/half_explicit_rk.hpp>
#include <filum/integrate/rattlie.hpp>
#include <filum/integrate/run.hpp>

#include <gtest/gtest.h>

#include <numbers>

namespace filum::integrate {
namespace {

using test::Multibody;
using test::Vector3d;

/// Largest |E − E0| and |Φ| along a RATTLie run.
struct Balance {
  double energy = 0, residual = 0;
};
Balance follow(const Multibody& m, double end, double h, State& x) {
  Rattlie method(*m.system);
  x = m.start;
  const double start = m.energy(x);
  Balance b;
  run(*m.system, method, x, {.end = end, .step = h}, [&](State& y, const StepReport&, const RunStatistics&) {
    b.energy = std::max(b.energy, std::abs(m.energy(y) - start));
    b.residual = std::max(b.residual, m.residual(y));
    return true;
  });
  return b;
}

TEST(FlexiblePendulum, KeepsItsEnergyAndItsJoints) {
  const Multibody m = test::flexible_pendulum(8);
  State x;
  const Balance coarse = follow(m, 0.4, 2e-4, x), fine = follow(m, 0.4, 1e-4, x);
  EXPECT_LT(coarse.residual, 1e-8);
  EXPECT_LT(coarse.energy, 1e-3);
  EXPECT_NEAR(std::log2(coarse.energy / fine.energy), 2, 0.4);
  const Vector3d tip = m.beams[0]->position(x, 8);
  EXPECT_LT(tip[1], -0.3);
  EXPECT_NEAR(tip[2], 0, 1e-12);
}

// θ̈ = (Σ m_i x_i g / I) cos θ downwards, with the inertia of the lumped rod about its hinge.
TEST(FlexiblePendulum, WithAStiffRodSwingsLikeARigidOne) {
  const int segments = 6;
  const double step = 1.0 / segments;
  double moment = 0, inertia = 2e-3;
  for (int i = 0; i <= segments; ++i) {
    const double mass = i == 0 || i == segments ? 0.5 * step : step, arm = i * step;
    moment += mass * arm;
    inertia += mass * arm * arm;
  }
  double angle = 0, rate = 0;
  const double h = 1e-4, pull = 9.81 * moment / inertia;
  for (int k = 0; k < 5000; ++k) {  // velocity Verlet, error 1e-8
    rate += 0.5 * h * pull * std::cos(angle);
    angle += h * rate;
    rate += 0.5 * h * pull * std::cos(angle);
  }
  const Multibody m = test::flexible_pendulum(segments, 1e6);
  GeneralizedAlpha method(*m.system, {.rho_infinity = 0.7});
  const State x = test::run(method, m.start, 0.5, 500);
  const Vector3d tip = m.beams[0]->position(x, segments);
  EXPECT_LT((tip - Vector3d(std::cos(angle), -std::sin(angle), 0)).norm(), 5e-3) << tip.transpose();
}

TEST(BeamWithTipBody, IsHeldByAReactionThatChangesItsMomentum) {
  const Multibody m = test::beam_with_tip_body(6);
  Rattlie method(*m.system);
  State x = m.start;
  run(*m.system, method, x, {.end = 0.05, .step = 1e-4});
  method.complete(x);
  const VectorXd rate = test::derivative(
      [&](double h) {
        VectorXd q(x.q.size()), v = x.v + h * x.a;
        m.system->space().advance(x.q, h, x.v, q);
        const auto momentum = m.system->momentum(q, v);
        VectorXd both(6);
        both << momentum.linear, momentum.angular;
        return both;
      },
      1e-5);
  const Vector3d weight(0, -9.81 * (1 + 0.5), 0);
  double arm = 0.5 * m.bodies[0].position(x)[0];
  for (int i = 0; i <= 6; ++i) arm += (i == 0 || i == 6 ? 0.5 : 1.0) / 6 * m.beams[0]->position(x, i)[0];
  const auto clamp = m.read(0, x);
  EXPECT_LT((rate.head<3>() - weight - clamp.force).norm(), 1e-6);
  EXPECT_LT((rate.tail<3>() - Vector3d(0, 0, -9.81 * arm) - clamp.moment).norm(), 1e-6);
  EXPECT_GT(clamp.moment.norm(), 1);
}

/// ∫ power dt by Simpson's rule along an order-5 run, against the change of energy.
template <class Power>
void expect_work(const Multibody& m, double end, int steps, const Power& power, double tolerance) {
  HalfExplicitRk method(*m.system);
  State x = m.start;
  const double h = end / steps;
  method.start(x, h);
  double work = h / 3 * power(x);
  for (int k = 1; k <= steps; ++k) {
    ASSERT_TRUE(method.step(x, h).accepted());
    method.complete(x);
    work += h / 3 * power(x) * (k == steps ? 1 : (k % 2 == 1 ? 4 : 2));
  }
  EXPECT_NEAR(m.energy(x) - m.energy(m.start), work, tolerance);
  EXPECT_GT(std::abs(work), 10 * tolerance);
}

TEST(BeamFrame, GainsTheWorkOfTheWind) {
  const Multibody m = test::beam_frame(4);
  expect_work(
      m, 0.2, 2000,
      [&](const State& x) { return Vector3d(20 * std::sin(5 * x.t), 0, 10 * x.t).dot(m.bodies[0].velocity(x)); }, 1e-6);
}

TEST(ElasticSliderCrank, GainsTheWorkOfItsDrive) {
  const Multibody m = test::elastic_slider_crank(4);
  expect_work(
      m, 0.1, 2000,
      [&](const State& x) {
        const auto bearing = m.read(0, x);
        return bearing.drive_torque * bearing.angle_rate;
      },
      1e-6);
}

TEST(ElasticSliderCrank, BendsItsRodAndKeepsTheJoints) {
  const Multibody m = test::elastic_slider_crank(4);
  State x;
  const Balance b = follow(m, 0.2, 1e-4, x);
  EXPECT_LT(b.residual, 1e-8);
  const double angle = 2 * std::numbers::pi * 0.2;
  EXPECT_NEAR(m.bodies[1].position(x)[0], 0.2 * std::cos(angle) + std::sqrt(0.25 - std::pow(0.2 * std::sin(angle), 2)),
              0.05);
  EXPECT_GT(m.beams[0]->elastic_energy(x.q, 1), 1e-8);
}

TEST(BeamNet, FallsSymmetricallyAndKeepsItsEnergy) {
  const Multibody m = test::beam_net(2, 2);
  State x;
  const Balance b = follow(m, 0.05, 1e-4, x);
  EXPECT_LT(b.residual, 1e-9);
  EXPECT_LT(b.energy, 2e-3);
  // The beams that start and end at the middle point (1, 1).
  int seen = 0;
  for (const auto& beam : m.beams)
    for (const int node : {0, 2}) {
      const Vector3d start = beam->position(m.start, node), now = beam->position(x, node);
      if ((start - Vector3d(1, 1, 0)).norm() > 1e-9) continue;
      EXPECT_LT((now - Vector3d(1, 1, now[2])).norm(), 1e-9);
      EXPECT_LT(now[2], -1e-3);
      ++seen;
    }
  EXPECT_EQ(seen, 4);
}

}  // namespace
}  // namespace filum::integrate
