/// Built-in scenarios against published numbers. Theory: docs/theory/benchmarks.md.
#include "scenario/built.hpp"

#include <filum/scenario/builtin.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace filum::scenario {
namespace {

using Eigen::Vector3d;
using mechanics::State;
using test::Built;

struct Trajectory {
  Built model;
  State x;
};

Trajectory run_builtin(const std::string& name, const std::vector<std::string>& overrides) {
  Built model(parse_scenario(find_builtin(name)->text, name, overrides));
  State x = model.run();
  return {std::move(model), std::move(x)};
}

TEST(Builtin, AndrewsSqueezerStartsWithThePublishedAccelerations) {
  const Built m(parse_scenario(find_builtin("andrews-squeezer")->text, "andrews"));
  EXPECT_EQ(m.model.rows().inactive().size(), 9u);
  const auto spin = [&](int body) { return m.start.a[6 * body + 2]; };
  EXPECT_NEAR(spin(0), 14222.44391995411, 1e-5);                      // β
  EXPECT_NEAR(spin(1), 14222.44391995411 - 10666.83293996559, 1e-5);  // β + Θ
  for (int k = 2; k < 7; ++k) EXPECT_NEAR(spin(k), 0, 1e-5) << k;
}

TEST(Builtin, AndrewsSqueezerEndsWhereItShould) {
  const Trajectory r = run_builtin(
      "andrews-squeezer", {"time.step=2^-5/4000", "time.end=0.03", "integrator={method=\"half-explicit-rk\"}"});
  const auto angle = [&](int body) {
    const Eigen::Vector4d p = r.model.measure(r.model.scenario.model.object(body).name(), "orientation", r.x);
    return 2 * std::atan2(p[3], p[0]);
  };
  const auto expect_angle = [&](int body, double expected) {
    EXPECT_NEAR(std::remainder(angle(body) - expected, 2 * std::numbers::pi), 0, 1e-6) << body;
  };
  const double beta = 15.81077119629904, theta = -15.75637105984298, gamma = 0.04082224013073101,
               phi = -0.5347301163226948, delta = 0.5244099658805304, omega = 0.5347301163226948,
               epsilon = 1.048080741042263;
  expect_angle(0, beta);
  expect_angle(1, beta + theta);
  expect_angle(2, gamma);
  expect_angle(3, phi + delta);
  expect_angle(4, delta);
  expect_angle(5, omega + epsilon);
  expect_angle(6, epsilon);
}

TEST(Builtin, FlyingSpaghettiReachesTheKnownPoint) {
  const Trajectory r = run_builtin("flying-spaghetti", {"time.end=5", "time.step=2^-8", "beam.spaghetti.segments=8",
                                                        "integrator={method=\"half-explicit-rk\"}"});
  const Vector3d start(19.634345715345063, 1.785333373351510, -1.707559842024147),
      end(11.780569502365424, 6.678332220771251, 1.949479140355475);
  EXPECT_LT((r.model.beams[0]->position(r.x, 0) - start).norm(), 1e-6);
  EXPECT_LT((r.model.beams[0]->position(r.x, 8) - end).norm(), 1e-6);
}

TEST(Builtin, RollingDiskReachesTheKnownPoint) {
  const Trajectory r = run_builtin("rolling-disk", {"integrator={method=\"half-explicit-rk\"}"});
  EXPECT_LT((r.model.position("disk", r.x) - Vector3d(-1.060389299432, 0.475936458681, 0.627430485657)).norm(), 1e-7);
}

/// Multiplier of the rod after every step of length h.
std::vector<double> tensions(double x0, const std::string& integrator, double step, double h) {
  const Built m(parse_scenario(
      find_builtin("mathematical-pendulum")->text, "pendulum",
      {"parameters.x0=" + std::to_string(x0), "time.step=" + std::to_string(step), "integrator={" + integrator + "}"}));
  State x = m.start;
  const auto method = m.method();
  std::vector<double> lambda;
  integrate::run(m.system, *method, x, m.run_options(),
                 [&](State& now, const integrate::StepReport&, const integrate::RunStatistics&) {
                   if (std::abs(std::remainder(now.t, h)) < 1e-9) {
                     method->complete(now);
                     lambda.push_back(now.lambda[0]);
                   }
                   return true;
                 });
  return lambda;
}

// Paper 002, Fig. 5 and example 3.2: 2.48e-1 and 1.23e-1, damped out after about 100 steps; very small for x0 = 0.
TEST(Builtin, MathematicalPendulumShowsThePublishedErrorsOfTheMultiplier) {
  const auto errors = [](double x0, double h, const std::string& start) {
    const std::vector<double> exact = tensions(x0, "method='half-explicit-rk'", 1e-3, h);
    std::vector<double> e =
        tensions(x0, "method='generalized-alpha', formulation='index-3', start='" + start + "'", h, h);
    EXPECT_EQ(e.size(), exact.size());
    for (std::size_t k = 0; k < e.size(); ++k) e[k] = std::abs(e[k] - exact[k]);
    return e;
  };
  const auto largest = [](const std::vector<double>& e, std::ptrdiff_t from = 0) {
    return *std::max_element(e.begin() + from, e.end());
  };
  const std::string half = "perturbed-acceleration";
  EXPECT_NEAR(largest(errors(0.2, 0.02, half)), 2.48e-1, 0.02 * 2.48e-1);
  EXPECT_NEAR(largest(errors(0.2, 0.01, half)), 1.23e-1, 0.02 * 1.23e-1);
  EXPECT_LT(largest(errors(0.2, 0.01, half), 100), 2e-3);
  EXPECT_LT(largest(errors(0, 0.02, half)), 5e-3);
  EXPECT_LT(largest(errors(0, 0.01, half)), 1.3e-3);
  EXPECT_LT(largest(errors(0.2, 0.02, "perturbed")), 5e-3);
}

TEST(Builtin, TheDrivenCrankIsWhereItsMotorSays) {
  const Trajectory r = run_builtin("elastic-slider-crank", {"time.end=0.15"});
  const Eigen::Vector4d p = r.model.measure("crank", "orientation", r.x);
  EXPECT_NEAR(std::remainder(2 * std::atan2(p[3], p[0]) - 40 * (0.15 - 0.05), 2 * std::numbers::pi), 0, 1e-9);
}

}  // namespace
}  // namespace filum::scenario
