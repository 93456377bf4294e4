/// Generalized-alpha: parameters, orders, starting values, hidden constraints. Theory:
/// docs/theory/generalized_alpha.md.
#include "trajectory.hpp"

#include <filum/integrate/generalized_alpha.hpp>

#include <Eigen/Dense>
#include <gtest/gtest.h>
#include <support/benchmark_systems.hpp>
#include <support/small_systems.hpp>

namespace filum::test {
namespace {

using integrate::AlphaParameters;
using integrate::AlphaStart;
using integrate::Formulation;
using integrate::GeneralizedAlpha;
using integrate::GeneralizedAlphaOptions;

constexpr integrate::NewtonOptions tight{.atol = 1e-10, .rtol = 1e-10};

Trajectory::Make maker(Formulation formulation, AlphaStart start = AlphaStart::perturbed) {
  return [=](const System& s) {
    return std::make_unique<GeneralizedAlpha>(
        s, GeneralizedAlphaOptions{.formulation = formulation, .start = start, .newton = tight});
  };
}

TEST(AlphaParameters, SatisfyTheOrderConditionAndDampTheHighestFrequenciesByRhoInfinity) {
  for (const double rho : {0.0, 0.25, 0.6, 0.9, 1.0}) {
    const auto p = AlphaParameters::from_rho_infinity(rho);
    EXPECT_NEAR(p.gamma, 0.5 - p.offset(), 1e-15);
    // Eigenvalues for h ω → ∞: −α_f/(1 − α_f), and both roots of a z² + b z + c, (GA.2).
    const double a = p.beta, b = 0.5 + p.gamma - 2 * p.beta, c = 1 - a - b;
    EXPECT_NEAR(p.alpha_f / (1 - p.alpha_f), rho, 1e-15);
    EXPECT_NEAR(a * rho * rho - b * rho + c, 0, 1e-15) << "−rho is a root";
    EXPECT_NEAR(b - 2 * a * rho, 0, 1e-15) << "and a double one";
    if (rho < 1) {
      EXPECT_LT(p.gamma, 2 * p.beta);
    }
  }
}

TEST(AlphaParameters, OutOfRangeIsRefused) {
  EXPECT_THROW(AlphaParameters::from_rho_infinity(-0.01), std::invalid_argument);
  EXPECT_THROW(AlphaParameters::from_rho_infinity(1.01), std::invalid_argument);
  EXPECT_THROW(AlphaParameters::from_rho_infinity(std::nan("")), std::invalid_argument);
  const SmallSystem s = planar_pendulum();
  EXPECT_THROW(GeneralizedAlpha(*s.system, {.rho_infinity = 1}), std::invalid_argument);
}

/// A spring of stiffness k from the origin to node 0.
class LinearSpring final : public Part {
 public:
  explicit LinearSpring(double k) : k_(k) {}
  std::string name() const override { return "spring"; }
  void declare(mechanics::Declaration& declaration) override { declaration.forces<1>({0}); }
  void add_forces(double, const VectorXd& q, const VectorXd&, mechanics::VectorRef f) const override { f -= k_ * q; }
  void add_force_derivatives(double, const VectorXd&, const VectorXd&, double scale_q, double, mechanics::NodeMatrix& H) const override {
    H.block(0, 0).diagonal().array() -= scale_q * k_;
  }

 private:
  double k_;
};

// (GA.1) for q̈ = −ω²q is a linear map of (q, hv, h²a).
TEST(GeneralizedAlpha, StepOfAnOscillatorIsTheKnownLinearMap) {
  const double omega = 3, h = 0.2, z = h * h * omega * omega;
  mechanics::SystemBuilder builder = one_node(GroupId::R1, VectorXd::Ones(1), VectorXd::Constant(1, 0.7), VectorXd::Constant(1, -0.4));
  builder.add_part(std::make_shared<LinearSpring>(omega * omega));
  const SmallSystem s = started(builder);
  GeneralizedAlpha method(*s.system, {.rho_infinity = 0.6, .start = AlphaStart::classical, .matrix = integrate::NewtonMatrix::exact});
  const auto [am, af, beta, gamma] = method.parameters();
  Eigen::Matrix3d next, now;
  next << 1, 0, -beta, 0, 1, -gamma, (1 - af) * z, 0, 1 - am;
  now << 1, 1, 0.5 - beta, 0, 1, 1 - gamma, -af * z, 0, -am;

  State x = s.start;
  Eigen::Vector3d y(x.q[0], h * x.v[0], h * h * x.a[0]);
  method.start(x, h);
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(method.step(x, h).accepted());
    y = next.partialPivLu().solve(now * y);
    EXPECT_NEAR(x.q[0], y[0], 1e-13);
    EXPECT_NEAR(h * x.v[0], y[1], 1e-13);
  }
}

using TopCase = std::tuple<GroupId, TopSpeed, Formulation>;

class GeneralizedAlphaTop : public ::testing::TestWithParam<TopCase> {};

TEST_P(GeneralizedAlphaTop, IsSecondOrderInPositionsVelocitiesAndMultipliersFromTheFirstStepOn) {
  const auto [group, speed, formulation] = GetParam();
  const Benchmark b = heavy_top(speed, group);
  const Trajectory trajectory(*b.system, b.start, speed == TopSpeed::fast ? 0.125 : 0.5, 1024);
  const Orders p = trajectory.orders(maker(formulation), {64, 128, 256, 512});
  EXPECT_NEAR(p.q, 2, 0.1);
  EXPECT_NEAR(p.v, 2, 0.1);
  if (b.system->size_lambda() > 0) {
    EXPECT_NEAR(p.lambda, 2, 0.1);
  }
}

INSTANTIATE_TEST_SUITE_P(All, GeneralizedAlphaTop,
                         ::testing::Combine(::testing::ValuesIn(all_top_groups),
                                            ::testing::Values(TopSpeed::fast, TopSpeed::slow),
                                            ::testing::Values(Formulation::index_3, Formulation::stabilized_index_2)),
                         [](const auto& c) {
                           return group_name(std::get<0>(c.param)) +
                                  (std::get<1>(c.param) == TopSpeed::fast ? "Fast" : "Slow") +
                                  (std::get<2>(c.param) == Formulation::index_3 ? "Index3" : "Stabilized");
                         });

// Paper 002, Fig. 5: 2.48e-1 and 1.23e-1.
TEST(GeneralizedAlphaStart, PendulumShowsThePublishedErrorsOfTheMultiplierWhenVelocitiesAreNotPerturbed) {
  const Benchmark b = mathematical_pendulum(0.2);
  const Trajectory trajectory(*b.system, b.start, 2, 800);
  const auto error = [&](int steps) {
    return trajectory.errors(*maker(Formulation::index_3, AlphaStart::perturbed_acceleration)(*b.system), steps).lambda;
  };
  EXPECT_NEAR(error(100), 2.48e-1, 0.02 * 2.48e-1);
  EXPECT_NEAR(error(200), 1.23e-1, 0.02 * 1.23e-1);
  EXPECT_LT(trajectory.errors(*maker(Formulation::index_3)(*b.system), 100).lambda, 5e-3) << "perturbed start";
}

// Paper 002 (53), (54), with M = 1 and a rod of length 1: δλₙ = cₙ h C v̈.
TEST(GeneralizedAlphaStart, FirstOrderErrorOfTheMultiplierIsThePredictedOne) {
  const Benchmark b = mathematical_pendulum(0.2);
  const State& x = b.start;
  const double h = 1e-3, normal_jerk = -3 * 9.81 * x.q[0] * x.v[0] / x.q[1];
  const Trajectory trajectory(*b.system, x, 0.2, 200);
  for (const double rho : {0.6, 0.9}) {
    double largest = 0;
    for (int n = 1; n < 50; ++n)
      largest = std::max(largest, std::abs(n * (n - 1) / 2 * (rho * rho - 1) * std::pow(-rho, n - 2) +
                                           n * (2 - rho) * std::pow(-rho, n - 1)));
    const auto p = AlphaParameters::from_rho_infinity(rho);
    const double predicted = std::abs(p.position_error()) * (1 + rho) * (1 + rho) * largest * h * std::abs(normal_jerk);
    GeneralizedAlpha method(*b.system, {.rho_infinity = rho,
                                        .formulation = Formulation::index_3,
                                        .start = AlphaStart::perturbed_acceleration,
                                        .newton = tight});
    EXPECT_NEAR(trajectory.errors(method, 200).lambda, predicted, 0.02 * predicted) << "rho_infinity = " << rho;
  }
}

// Paper 002, Figs. 6, 16 to 18 and 21.
TEST(GeneralizedAlphaStart, ClassicalStartCostsTheMultipliersAnOrderAndThePerturbedOneDoesNot) {
  const Benchmark b = heavy_top(TopSpeed::fast, GroupId::SO3xR3);
  const Trajectory trajectory(*b.system, b.start, 0.125, 2048);
  const std::initializer_list<int> steps = {128, 256, 512, 1024};
  const Orders classical = trajectory.orders(maker(Formulation::index_3, AlphaStart::classical), steps);
  const Orders half = trajectory.orders(maker(Formulation::index_3, AlphaStart::perturbed_acceleration), steps);
  const Orders perturbed = trajectory.orders(maker(Formulation::index_3), steps);
  EXPECT_NEAR(classical.lambda, 1, 0.1);
  EXPECT_NEAR(half.lambda, 1, 0.1);
  EXPECT_NEAR(perturbed.lambda, 2, 0.1);
  EXPECT_NEAR(classical.q, 2, 0.1);
  EXPECT_NEAR(classical.v, 2, 0.1);
}

// Paper 002, Fig. 13: the stabilized formulation needs steps this small before the first order term is seen at all.
TEST(GeneralizedAlphaStart, StabilizedFormulationNeedsThePerturbedAccelerationOnly) {
  const Benchmark b = mathematical_pendulum(0.2);
  const Trajectory trajectory(*b.system, b.start, 0.02, 1600);
  const std::initializer_list<int> steps = {100, 200, 400, 800};
  EXPECT_NEAR(trajectory.orders(maker(Formulation::stabilized_index_2, AlphaStart::classical), steps).lambda, 1, 0.1);
  EXPECT_NEAR(
      trajectory.orders(maker(Formulation::stabilized_index_2, AlphaStart::perturbed_acceleration), steps).lambda, 2,
      0.1);
}

// Paper 002, Fig. 10 and lemma 3.5.
TEST(GeneralizedAlphaHiddenConstraint, IsKeptByTheIndex3MethodInSemidirectProductsOnly) {
  for (const GroupId group : rigid_motion_groups) {
    const Benchmark b = heavy_top(TopSpeed::fast, group);
    const Trajectory trajectory(*b.system, b.start, 0.125, 1024);
    if (group == GroupId::SO3xR3 || group == GroupId::S3xR3) {
      const Orders p = trajectory.orders(maker(Formulation::index_3), {64, 128, 256, 512});
      EXPECT_NEAR(p.hidden, 2, 0.1) << group_name(group);
    } else {
      EXPECT_LT(trajectory.errors(*maker(Formulation::index_3)(*b.system), 128).hidden, 1e-10) << group_name(group);
    }
  }
}

TEST(GeneralizedAlphaHiddenConstraint, IsKeptByTheStabilizedMethodInAllGroups) {
  for (const GroupId group : rigid_motion_groups) {
    const Benchmark b = heavy_top(TopSpeed::fast, group);
    const Trajectory trajectory(*b.system, b.start, 0.125, 128);
    EXPECT_LT(trajectory.errors(*maker(Formulation::stabilized_index_2)(*b.system), 128).hidden, 1e-9)
        << group_name(group);
  }
}

// Paper 002, example 4.19c: where the hidden constraint holds anyway, both formulations are the same method.
TEST(GeneralizedAlphaHiddenConstraint, MakesBothFormulationsOneMethodInSE3) {
  const Benchmark b = heavy_top(TopSpeed::fast, GroupId::SE3);
  const State x = run(*maker(Formulation::index_3)(*b.system), b.start, 0.125, 128);
  const State y = run(*maker(Formulation::stabilized_index_2)(*b.system), b.start, 0.125, 128);
  EXPECT_LT((x.q - y.q).norm(), 1e-9);
  EXPECT_LT((x.v - y.v).norm(), 1e-7);
}

// Paper 002, Fig. 14.
TEST(GeneralizedAlphaHiddenConstraint, StabilizingMultiplierVanishesWithTheSquareOfTheStep) {
  const Benchmark b = heavy_top(TopSpeed::fast, GroupId::SO3xR3);
  std::vector<double> hs, etas;
  for (const int n : {64, 128, 256, 512}) {
    GeneralizedAlpha method(*b.system, {.newton = tight});
    run(method, b.start, 0.125, n);
    hs.push_back(0.125 / n);
    etas.push_back(method.eta().norm());
  }
  EXPECT_NEAR(slope(hs, etas), 2, 0.1);
}

TEST(GeneralizedAlphaHiddenConstraint, IsStabilizedByAMultiplierInOneFormulationOnly) {
  const Benchmark b = heavy_top(TopSpeed::fast, GroupId::SO3xR3);
  EXPECT_EQ(maker(Formulation::index_3)(*b.system)->stabilization(), nullptr);
  const auto method = maker(Formulation::stabilized_index_2)(*b.system);
  const Eigen::VectorXd* eta = method->stabilization();
  ASSERT_NE(eta, nullptr);
  EXPECT_EQ(*eta, Eigen::VectorXd::Zero(3)) << "before the first step";
  run(*method, b.start, 0.125, 64);
  EXPECT_EQ(method->stabilization(), eta);
  EXPECT_GT(eta->norm(), 0);
}

}  // namespace
}  // namespace filum::test
