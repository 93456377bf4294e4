/// Generalized-alpha: parameters, orders, starting values, hidden constraints. Theory:
/// docs/theory/generalized_alpha.md.
#include "integrate/tolerances.hpp"
#include "top_orders.hpp"

#include <filum/integrate/generalized_alpha.hpp>

#include <Eigen/Dense>
#include <gtest/gtest.h>
#include <support/benchmark_systems.hpp>
#include <support/small_systems.hpp>

#include <random>

namespace filum::test {
namespace {

using integrate::AlphaParameters;
using integrate::AlphaStart;
using integrate::Formulation;
using integrate::GeneralizedAlpha;
using integrate::GeneralizedAlphaOptions;

Trajectory::Make maker(Formulation formulation, AlphaStart start = AlphaStart::perturbed) {
  return [=](const System& s) {
    return std::make_unique<GeneralizedAlpha>(
        s, GeneralizedAlphaOptions{.formulation = formulation, .start = start, .newton = within(1e-10)});
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

/// Largest eigenvalue of the map (q, hv, h²a) → next for q̈ = −ω²q, z = (hω)².
double spectral_radius(const AlphaParameters& p, double z) {
  Eigen::Matrix3d next, now;
  next << 1, 0, -p.beta, 0, 1, -p.gamma, (1 - p.alpha_f) * z, 0, 1 - p.alpha_m;
  now << 1, 1, 0.5 - p.beta, 0, 1, 1 - p.gamma, -p.alpha_f * z, 0, -p.alpha_m;
  return Eigen::Matrix3d(next.partialPivLu().solve(now)).eigenvalues().cwiseAbs().maxCoeff();
}

// (GA.2d) Whatever is not refused is stable for every frequency, and damps the highest by what spectral_radius says.
TEST(AlphaParameters, OfYourOwnAreStableUnlessTheyAreRefused) {
  std::mt19937_64 random(5);
  const auto between = [&](double a, double b) { return a + (b - a) * static_cast<double>(random() >> 11) * 0x1p-53; };
  int accepted = 0, refused_unstable = 0;
  for (int k = 0; k < 2000; ++k) {
    const GeneralizedAlphaOptions o{.family = integrate::AlphaFamily::free,
                                    .alpha_m = between(-1, 0.6),
                                    .alpha_f = between(0, 0.6),
                                    .beta = between(0.1, 1.2),
                                    .gamma = between(0.4, 1.4)};
    const AlphaParameters p{*o.alpha_m, *o.alpha_f, *o.beta, *o.gamma};
    double worst = 0;
    for (double z = 1e-4; z < 1e8; z *= 3) worst = std::max(worst, spectral_radius(p, z));
    if (objection(o)) {
      refused_unstable += worst > 1 + 1e-9;
      continue;
    }
    ++accepted;
    EXPECT_LE(worst, 1 + 1e-7) << p.alpha_m << ' ' << p.alpha_f << ' ' << p.beta << ' ' << p.gamma;
    EXPECT_NEAR(spectral_radius(p, 1e14), p.spectral_radius(), 1e-4);
  }
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused_unstable, 100);
}

TEST(AlphaParameters, OfHhtAndNewmarkAreWhatTheirNamesSay) {
  using integrate::AlphaFamily;
  const AlphaParameters hht = integrate::parameters_of({.family = AlphaFamily::hht, .alpha_f = 0.3}),
                        trapezoidal = integrate::parameters_of({.family = AlphaFamily::newmark}),
                        damped = integrate::parameters_of({.family = AlphaFamily::newmark, .beta = 0.4, .gamma = 0.7});
  EXPECT_EQ(hht.alpha_m, 0);
  EXPECT_EQ(hht.order(), 2);
  EXPECT_NEAR(hht.beta, 0.4225, 1e-15);
  EXPECT_EQ(trapezoidal.order(), 2);
  EXPECT_NEAR(trapezoidal.spectral_radius(), 1, 1e-7);
  EXPECT_EQ(damped.order(), 1);
  EXPECT_THROW(integrate::parameters_of({.family = AlphaFamily::hht}), std::invalid_argument) << "alpha_f is missing";
  EXPECT_THROW(integrate::parameters_of({.beta = 0.3}), std::invalid_argument) << "not of this family";
  EXPECT_THROW(integrate::parameters_of({.family = AlphaFamily::newmark, .beta = 0.2}), std::invalid_argument)
      << "unstable";
  const SmallSystem s = planar_pendulum();
  EXPECT_THROW(GeneralizedAlpha(*s.system, {.family = AlphaFamily::newmark}), std::invalid_argument) << "undamped";
}

TEST(GeneralizedAlpha, HasTheOrderOfItsParameters) {
  const Benchmark b = heavy_top(TopSpeed::slow, GroupId::SO3xR3);
  const Trajectory trajectory(*b.system, b.start, 1, 1024);
  const auto orders = [&](GeneralizedAlphaOptions options) {
    options.newton = within(1e-10);
    return trajectory.orders([=](const System& s) { return std::make_unique<GeneralizedAlpha>(s, options); },
                             {64, 128, 256});
  };
  const Orders hht = orders({.family = integrate::AlphaFamily::hht, .alpha_f = 0.2});
  EXPECT_NEAR(hht.q, 2, 0.1);
  EXPECT_NEAR(hht.v, 2, 0.1);
  EXPECT_NEAR(hht.lambda, 2, 0.15);
  const Orders newmark = orders({.family = integrate::AlphaFamily::newmark, .beta = 0.4, .gamma = 0.7});
  EXPECT_NEAR(newmark.q, 1, 0.1);
  EXPECT_NEAR(newmark.v, 1, 0.1);
}

// Paper 002, sec. 3.2: max ‖Tⁿ‖₂ = ‖T³‖₂ = 7.4 for ρ∞ = 0.6, ‖T¹⁴‖₂ = 34.3 for 0.9.
TEST(AlphaParameters, OvershootAsThePaperSays) {
  const auto overshoot = [](double rho) {
    const AlphaParameters p = AlphaParameters::from_rho_infinity(rho);
    Eigen::Matrix3d next, now;  // of (ω²q, v/h, a), h ω → ∞
    next << 0, 0, -p.beta, 0, 1, -p.gamma, 1 - p.alpha_f, 0, 1 - p.alpha_m;
    now << 0, 1, 0.5 - p.beta, 0, 1, 1 - p.gamma, -p.alpha_f, 0, -p.alpha_m;
    const Eigen::Matrix3d T = next.partialPivLu().solve(now);
    Eigen::Matrix3d power = Eigen::Matrix3d::Identity();
    std::pair<int, double> best{0, 1};
    for (int n = 1; n <= 60; ++n) {
      power = T * power;
      const double norm = power.jacobiSvd().singularValues()[0];
      if (norm > best.second) best = {n, norm};
    }
    return best;
  };
  const auto [n_6, size_6] = overshoot(0.6);
  EXPECT_EQ(n_6, 3);
  EXPECT_NEAR(size_6, 7.4, 0.05);
  const auto [n_9, size_9] = overshoot(0.9);
  EXPECT_EQ(n_9, 14);
  EXPECT_NEAR(size_9, 34.3, 0.05);
}

/// A spring of stiffness k from the origin to node 0.
class LinearSpring final : public Part {
 public:
  explicit LinearSpring(double k) : k_(k) {}
  std::string name() const override { return "spring"; }
  void declare(mechanics::Declaration& declaration) override { declaration.forces<1>({0}); }
  void add_forces(double, const VectorXd& q, const VectorXd&, mechanics::VectorRef f) const override { f -= k_ * q; }
  void add_force_derivatives(double, const VectorXd&, const VectorXd&, double scale_q, double,
                             mechanics::NodeMatrix& H) const override {
    H.block(0, 0).diagonal().array() -= scale_q * k_;
  }

 private:
  double k_;
};

// (GA.1) for q̈ = −ω²q is a linear map of (q, hv, h²a).
TEST(GeneralizedAlpha, StepOfAnOscillatorIsTheKnownLinearMap) {
  const double omega = 3, h = 0.2, z = h * h * omega * omega;
  mechanics::SystemBuilder builder =
      one_node(GroupId::R1, VectorXd::Ones(1), VectorXd::Constant(1, 0.7), VectorXd::Constant(1, -0.4));
  builder.add_part(std::make_shared<LinearSpring>(omega * omega));
  const SmallSystem s = started(builder);
  GeneralizedAlpha method(
      *s.system, {.rho_infinity = 0.6, .start = AlphaStart::classical, .matrix = integrate::NewtonMatrix::exact});
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

class GeneralizedAlphaTop : public ::testing::TestWithParam<TopCase> {};

TEST_P(GeneralizedAlphaTop, IsSecondOrderInPositionsVelocitiesAndMultipliersFromTheFirstStepOn) {
  expect_top_order(GetParam(), maker(std::get<Formulation>(GetParam())), 2, 0.125);
}

INSTANTIATE_TEST_SUITE_P(All, GeneralizedAlphaTop, all_top_cases(), top_case_name);

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
      largest = std::max(largest, std::abs(0.5 * n * (n - 1) * (rho * rho - 1) * std::pow(-rho, n - 2) +
                                           n * (2 - rho) * std::pow(-rho, n - 1)));
    const auto p = AlphaParameters::from_rho_infinity(rho);
    const double predicted = std::abs(p.position_error()) * (1 + rho) * (1 + rho) * largest * h * std::abs(normal_jerk);
    GeneralizedAlpha method(*b.system, {.rho_infinity = rho,
                                        .formulation = Formulation::index_3,
                                        .start = AlphaStart::perturbed_acceleration,
                                        .newton = within(1e-10)});
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
    GeneralizedAlpha method(*b.system, {.newton = within(1e-10)});
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
