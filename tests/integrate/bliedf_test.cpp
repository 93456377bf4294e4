/// BLieDF: coefficients, orders, and what the start is worth. Theory: docs/theory/bliedf.md.
#include "integrate/tolerances.hpp"
#include "top_orders.hpp"

#include <filum/integrate/bliedf.hpp>

#include <gtest/gtest.h>
#include <support/benchmark_systems.hpp>
#include <support/small_systems.hpp>

namespace filum::test {
namespace {

using integrate::Bliedf;
using integrate::BliedfCoefficients;
using integrate::BliedfOptions;
using integrate::BliedfStart;
using integrate::Formulation;

Trajectory::Make maker(int k, Formulation formulation, BliedfStart start = BliedfStart::perturbed) {
  return [=](const System& s) {
    return std::make_unique<Bliedf>(
        s, BliedfOptions{.steps = k, .formulation = formulation, .start = start, .newton = within(1e-10)});
  };
}

TEST(BliedfCoefficients, DifferentiatePolynomialsExactlyAndSumUp) {
  for (const int k : {1, 2}) {
    const BliedfCoefficients& c = BliedfCoefficients::of(k);
    for (int degree = 0; degree <= k; ++degree) {
      double derivative = 0;  // of (t/h)^degree at 0, t = 0, −h, −2h
      for (int i = 0; i <= k; ++i) derivative += c.alpha[i] * std::pow(-i, degree);
      EXPECT_EQ(derivative, degree == 1 ? 1.0 : 0.0) << "k = " << k << ", degree " << degree;
    }
    double sum = 0;
    for (int i = 0; i < k; ++i) {
      sum += c.alpha[i];
      EXPECT_EQ(c.gamma[i], sum) << "k = " << k;
    }
  }
  EXPECT_THROW(BliedfCoefficients::of(0), std::invalid_argument);
  EXPECT_THROW(BliedfCoefficients::of(3), std::invalid_argument);
}

// In a linear space the method is BDF: (3q₂ − 4q₁ + q₀)/2 = h v₂, likewise for v.
TEST(Bliedf, StepInALinearSpaceIsTheClassicalFormula) {
  const SmallSystem s = planar_pendulum();
  const auto method = maker(2, Formulation::index_3)(*s.system);
  const double h = 0.01;
  std::vector<State> x{s.start};
  method->start(x[0], h);
  for (int k = 0; k < 4; ++k) {
    x.push_back(x.back());
    ASSERT_TRUE(method->step(x.back(), h).accepted());
    method->complete(x.back());
  }
  for (int n = 2; n <= 4; ++n) {
    EXPECT_LT((1.5 * x[n].q - 2 * x[n - 1].q + 0.5 * x[n - 2].q - h * x[n].v).norm(), 1e-14);
    EXPECT_LT((1.5 * x[n].v - 2 * x[n - 1].v + 0.5 * x[n - 2].v - h * x[n].a).norm(), 1e-14);
    const Eigen::Vector2d balance = 2 * x[n].a + x[n].lambda[0] * x[n].q - Eigen::Vector2d(0, -2 * 9.81);
    EXPECT_LT(balance.norm(), 1e-8);
  }
}

class BliedfTop : public ::testing::TestWithParam<TopCase> {};

TEST_P(BliedfTop, IsSecondOrderInPositionsVelocitiesAndMultipliersFromTheFirstStepOn) {
  expect_top_order(GetParam(), maker(2, std::get<Formulation>(GetParam())), 2, 0.125);
}

TEST_P(BliedfTop, IsFirstOrderInAllVariablesWithOneStep) {
  // One period of the fast spin takes 0.04: a first order method needs small steps before its order is seen.
  expect_top_order(GetParam(), maker(1, std::get<Formulation>(GetParam())), 1, 0.0078125);
}

INSTANTIATE_TEST_SUITE_P(All, BliedfTop, all_top_cases(), top_case_name);

// (BD.8) The first multiplier is off by h B v̈/2 for k = 2 and by B v̇/2 for k = 1 when velocities start exactly.
TEST(BliedfStart, ConsistentVelocitiesCostTheMultipliersAnOrderAndPerturbedOnesDoNot) {
  const Benchmark b = mathematical_pendulum(0.2);
  const Trajectory trajectory(*b.system, b.start, 0.5, 800);
  const std::initializer_list<int> steps = {50, 100, 200, 400};
  for (const int k : {1, 2}) {
    const Orders exact = trajectory.orders(maker(k, Formulation::index_3, BliedfStart::consistent), steps);
    const Orders perturbed = trajectory.orders(maker(k, Formulation::index_3), steps);
    EXPECT_NEAR(exact.lambda, k - 1, 0.1) << "k = " << k;
    EXPECT_NEAR(exact.q, k, 0.1) << "k = " << k;
    EXPECT_NEAR(exact.v, k, 0.1) << "k = " << k;
    EXPECT_NEAR(perturbed.lambda, k, 0.1) << "k = " << k;
  }
}

TEST(BliedfStart, FirstMultiplierErrorsOfExactVelocitiesAreThePredictedOnes) {
  const Benchmark b = mathematical_pendulum(0.2);
  const double h = 1e-4, g = 9.81;
  const State& x0 = b.start;
  const double normal_jerk = -3 * g * x0.q[0] * x0.v[0] / x0.q[1], normal_acceleration = x0.a.dot(x0.q);
  const double predicted[] = {-normal_acceleration / 2, -h * normal_jerk / 2};
  for (const int k : {1, 2}) {
    const auto method = maker(k, Formulation::index_3, BliedfStart::consistent)(*b.system);
    State x = run(*method, x0, h, 1);
    const Trajectory exact(*b.system, x0, h, 1);
    const double error = exact.errors(*maker(k, Formulation::index_3, BliedfStart::consistent)(*b.system), 1).lambda;
    EXPECT_NEAR(error, std::abs(predicted[k - 1]), 0.01 * error) << "k = " << k;
  }
}

TEST(Bliedf, HiddenConstraintIsKeptByTheStabilizedMethodAndViolatedBySecondOrderByIndex3) {
  const Benchmark b = heavy_top(TopSpeed::fast, GroupId::SO3xR3);
  const Trajectory trajectory(*b.system, b.start, 0.125, 1024);
  EXPECT_LT(trajectory.errors(*maker(2, Formulation::stabilized_index_2)(*b.system), 128).hidden, 1e-9);
  EXPECT_NEAR(trajectory.orders(maker(2, Formulation::index_3), {64, 128, 256, 512}).hidden, 2, 0.1);
}

// (BD.9) The start of the author's program: the energy jumps, and the formula never forgets it.
TEST(Bliedf, WithAFirstStepOfEulerTheEnergyJumps) {
  const Benchmark b = heavy_top(TopSpeed::fast, GroupId::S3sdR3);
  const auto jump = [&](BliedfStart start, int steps) {
    const double h = 0x1p-12;
    const auto method = maker(2, Formulation::stabilized_index_2, start)(*b.system);
    State x = b.start;
    method->start(x, h);
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(method->step(x, h).accepted());
    return b.energy(x) - b.energy(b.start);
  };
  EXPECT_GT(std::abs(jump(BliedfStart::euler, 1)), 30 * std::abs(jump(BliedfStart::perturbed, 1)));
  EXPECT_THROW(maker(1, Formulation::index_3, BliedfStart::euler)(*b.system), std::invalid_argument);
}

TEST(Bliedf, WithAFirstStepOfEulerIsOfSecondOrderInPositions) {
  const Benchmark b = heavy_top(TopSpeed::slow, GroupId::S3sdR3);
  const Trajectory exact(*b.system, b.start, 1, 512);
  EXPECT_NEAR(exact.orders(maker(2, Formulation::stabilized_index_2, BliedfStart::euler), {64, 128, 256}).q, 2, 0.15);
}

}  // namespace
}  // namespace filum::test
