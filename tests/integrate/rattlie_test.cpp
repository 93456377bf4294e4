/// RATTLie: orders, invariants, variants. Numbers: docs/theory/benchmarks.md.
#include "integrate/tolerances.hpp"
#include "support/benchmark_systems.hpp"
#include "support/convergence.hpp"

#include <filum/integrate/half_explicit_rk.hpp>
#include <filum/integrate/rattlie.hpp>
#include <filum/integrate/run.hpp>
#include <filum/mechanics/acceleration_solver.hpp>

#include <gtest/gtest.h>

namespace filum::integrate {
namespace {

using test::Benchmark;
using test::Convergence;
using test::GroupId;
using test::TopSpeed;
using test::within;

std::vector<State> reference(const Benchmark& b, double end, int steps, int outputs) {
  HalfExplicitRk method(*b.system, {});
  return test::trajectory(method, b.start, end, steps, outputs);
}

Convergence study(const Benchmark& b, const std::vector<State>& exact, std::initializer_list<int> steps,
                  RattlieOptions options = {.newton = within(1e-12)}) {
  return test::convergence([&] { return std::make_unique<Rattlie>(*b.system, options); }, b.start, exact, steps);
}

void expect_second_order(const Convergence& c, bool has_multipliers) {
  EXPECT_NEAR(c.order_q(), 2, 0.1) << c.table();
  EXPECT_NEAR(c.order_v(), 2, 0.1) << c.table();
  if (!has_multipliers) return;
  EXPECT_NEAR(c.order_lambda(), 2, 0.1) << c.table();
}

class RattlieHeavyTop : public testing::TestWithParam<GroupId> {};
INSTANTIATE_TEST_SUITE_P(Groups, RattlieHeavyTop, testing::ValuesIn(test::all_top_groups),
                         [](const auto& param) { return test::group_name(param.param); });

TEST_P(RattlieHeavyTop, IsSecondOrderForTheFastTop) {
  const Benchmark top = test::heavy_top(TopSpeed::fast, GetParam());
  const Convergence c = study(top, reference(top, 0.25, 8192, 8), {1024, 2048, 4096, 8192});
  expect_second_order(c, top.system->size_lambda() > 0);
}

TEST_P(RattlieHeavyTop, IsSecondOrderForTheSlowTop) {
  const Benchmark top = test::heavy_top(TopSpeed::slow, GetParam());
  const Convergence c = study(top, reference(top, 1, 2048, 8), {128, 256, 512, 1024});
  expect_second_order(c, top.system->size_lambda() > 0);
}

TEST_P(RattlieHeavyTop, IsSecondOrderWithInterpolatedMultipliers) {
  const Benchmark top = test::heavy_top(TopSpeed::slow, GetParam());
  const Convergence c = study(top, reference(top, 1, 2048, 8), {64, 128, 256, 512},
                              {.multipliers = Multipliers::interpolated, .newton = within(1e-12)});
  expect_second_order(c, top.system->size_lambda() > 0);
}

TEST_P(RattlieHeavyTop, IsSecondOrderWithDampingImplicitInTheVelocity) {
  const Benchmark top = test::damped_top(GetParam());
  const Convergence c = study(top, reference(top, 1, 2048, 8), {128, 256, 512, 1024});
  expect_second_order(c, top.system->size_lambda() > 0);
}

TEST_P(RattlieHeavyTop, KeepsBothConstraintLevels) {
  const Benchmark top = test::heavy_top(TopSpeed::fast, GetParam());
  Rattlie method(*top.system, {.newton = within(1e-12)});
  State x = top.start;
  VectorXd phi(top.system->size_rows()), rate(top.system->size_rows());
  mechanics::RowMatrix C(top.system->pattern());
  run(*top.system, method, x, {.end = 0.5, .step = 0x1p-10}, [&](State& s, const StepReport&, const RunStatistics&) {
    top.system->constraint(s.t, s.q, phi);
    top.system->constraint_jacobian(s.t, s.q, C);
    C.times(s.v, rate, top.system->row_blocks());
    EXPECT_LE(phi.size() ? phi.cwiseAbs().maxCoeff() : 0, 2e-14);
    EXPECT_LE(rate.size() ? rate.cwiseAbs().maxCoeff() : 0, 2e-12);
    return true;
  });
}

TEST_P(RattlieHeavyTop, RunsBackwardsToWhereItStarted) {
  const Benchmark top = test::heavy_top(TopSpeed::slow, GetParam());
  Rattlie method(*top.system, {.newton = {.atol = 1e-14, .rtol = 1e-14}});
  State x = top.start;
  method.start(x, 0x1p-7);
  for (int k = 0; k < 200; ++k) ASSERT_TRUE(method.step(x, 0x1p-7).accepted());
  for (int k = 0; k < 200; ++k) ASSERT_TRUE(method.step(x, -0x1p-7).accepted());
  EXPECT_LT((x.q - top.start.q).norm(), 3e-11);  // 400 steps of rounding errors
  EXPECT_LT((x.v - top.start.v).norm(), 3e-10);
}

TEST_P(RattlieHeavyTop, WorksWithVerySmallSteps) {
  const Benchmark top = test::heavy_top(TopSpeed::fast, GetParam());
  for (const double h : {0x1p-14, 0x1p-17, 0x1p-20}) {
    Rattlie method(*top.system);
    State x = top.start;
    method.start(x, h);
    for (int k = 0; k < 20; ++k) {
      const StepReport report = method.step(x, h);
      ASSERT_TRUE(report.accepted()) << h;
      EXPECT_LE(report.newton_iterations, 4);
    }
    method.complete(x);
    const State exact = reference(top, 20 * h, 32, 1).back();
    EXPECT_LT((x.q - exact.q).norm(), 100 * h * h + 1e-11);
    EXPECT_LT((x.v - exact.v).norm(), 1e-2 * h * x.v.norm());
    EXPECT_LE((x.lambda - exact.lambda).norm(), 1e-4 * exact.lambda.norm());
  }
}

TEST_P(RattlieHeavyTop, IsSecondOrderOnARandomGrid) {
  const Benchmark top = test::heavy_top(TopSpeed::slow, GetParam());
  const State exact = reference(top, 1, 2048, 1).back();
  Convergence c;
  for (const double h : {0x1p-6, 0x1p-7, 0x1p-8, 0x1p-9, 0x1p-10}) {
    Rattlie method(*top.system, {.newton = within(1e-12)});
    State x = top.start;
    run(*top.system, method, x, {.end = 1, .step = h, .grid = Grid::random, .seed = 3});
    method.complete(x);
    c.h.push_back(h);
    c.q.push_back((x.q - exact.q).norm());
    c.v.push_back((x.v - exact.v).norm());
    c.lambda.push_back((x.lambda - exact.lambda).norm());
  }
  expect_second_order(c, exact.lambda.size() > 0);
}

TEST(Rattlie, ExtrapolatesToTheReferenceOfTheFastTop) {
  const Benchmark top = test::heavy_top(TopSpeed::fast, GroupId::S3sdR3);
  std::vector<Eigen::Vector3d> positions;
  for (const int n : {8192, 16384, 32768}) {
    Rattlie method(*top.system, {.newton = {.atol = 1e-14, .rtol = 1e-14}});
    positions.push_back(test::run(method, top.start, 1, n).q.tail<3>());
  }
  const Eigen::Vector3d a = (4 * positions[1] - positions[0]) / 3, b = (4 * positions[2] - positions[1]) / 3;
  const Eigen::Vector3d limit = (16 * b - a) / 15;
  EXPECT_LT((limit - Eigen::Vector3d(0.173343964098386, 0.640088592070569, -0.748490791133581)).norm(), 1e-8);
}

class RattlieRollingDisk : public testing::TestWithParam<GroupId> {};
INSTANTIATE_TEST_SUITE_P(Groups, RattlieRollingDisk, testing::ValuesIn(test::rigid_motion_groups),
                         [](const auto& param) { return test::group_name(param.param); });

TEST_P(RattlieRollingDisk, IsSecondOrderInAllMultipliersWithTheTrueLimit) {
  const Benchmark disk = test::rolling_disk(GetParam());
  const std::vector<State> exact = reference(disk, 2, 4096, 4);
  EXPECT_NEAR(exact.back().lambda[0], -2604.5416, 1e-4);
  EXPECT_NEAR(exact.back().lambda[1], 480.4068, 1e-4);
  EXPECT_NEAR(exact.back().lambda[2], 533.0748, 1e-4);
  expect_second_order(study(disk, exact, {512, 1024, 2048, 4096}), true);
}

TEST(RattlieAdaptive, MeetsTheToleranceProportionallyAndKeepsTheConstraints) {
  const Benchmark top = test::heavy_top(TopSpeed::slow, GroupId::S3sdR3);
  const State exact = reference(top, 2, 8192, 1).back();
  std::vector<double> tolerance{1e-2, 1e-3, 1e-4, 1e-5}, error, steps;
  for (const double tol : tolerance) {
    Rattlie method(*top.system, {.adaptive = true, .control = {.atol = tol, .rtol = tol}, .newton = within(1e-12)});
    State x = top.start;
    VectorXd phi(3);
    const RunStatistics s =
        run(*top.system, method, x, {.end = 2, .step = 1e-3}, [&](State& now, const StepReport&, const RunStatistics&) {
          top.system->constraint(now.t, now.q, phi);
          EXPECT_LT(phi.cwiseAbs().maxCoeff(), 1e-13);
          return true;
        });
    EXPECT_EQ(x.t, 2);
    error.push_back((x.q - exact.q).norm());
    steps.push_back(static_cast<double>(s.accepted));
  }
  // Second order: the error falls with the square of the number of steps; (SC.3): and with the tolerance.
  EXPECT_NEAR(test::slope(steps, error), -2, 0.2);
  EXPECT_NEAR(test::slope(tolerance, error), 1, 0.15);
}

TEST(RattlieAdaptive, EstimatesTheTrueLocalError) {
  const Benchmark top = test::heavy_top(TopSpeed::slow, GroupId::S3sdR3);
  std::vector<double> ratio;
  for (const double h : {0x1p-6, 0x1p-7, 0x1p-8}) {
    const double tol = 1e-12;  // so large an estimate that it is a plain norm of the error; nothing is accepted
    Rattlie method(*top.system, {.adaptive = true, .control = {.atol = tol, .rtol = 0}, .newton = within(1e-12)});
    State x = top.start;
    method.start(x, h);
    const StepReport report = method.step(x, h);
    EXPECT_EQ(report.trouble, StepTrouble::error_too_large);
    Rattlie plain(*top.system, {.newton = within(1e-12)});
    const State one = test::run(plain, top.start, h, 1), exact = reference(top, h, 16, 1).back();
    VectorXd dq(6);
    top.system->space().difference(exact.q, one.q, dq);
    const double allowed = tol * local_share({.atol = tol, .rtol = 0}, 2);
    const double truth = std::sqrt((dq.squaredNorm() + (one.v - exact.v).squaredNorm()) / 12) / allowed;
    ratio.push_back(report.error / truth);
  }
  EXPECT_NEAR(ratio.back(), 1, 0.1) << ratio[0] << ' ' << ratio[1] << ' ' << ratio[2];
}

// Paper 000, remark 5.10, and (R.15): the errors of λ⁺ and λ⁻ are opposite.
TEST(RattlieMultipliers, OneSidedOnesAreFirstOrderAndTheirMeanIsSecond) {
  for (const GroupId group : test::rigid_motion_groups) {
    const Benchmark top = test::heavy_top(TopSpeed::slow, group);
    const std::vector<State> exact = reference(top, 1, 2048, 8);
    const auto lambdas = [&](Multipliers kind, int n) {
      Rattlie method(*top.system, {.multipliers = kind, .newton = within(1e-12)});
      return test::trajectory(method, top.start, 1, n, 8);
    };
    std::vector<double> h, plus, minus, mean;
    for (const int n : {128, 256, 512, 1024}) {
      const std::vector<State> p = lambdas(Multipliers::plus, n), m = lambdas(Multipliers::minus, n);
      double of_plus = 0, of_minus = 0, of_mean = 0;
      for (std::size_t k = 0; k < exact.size(); ++k) {
        of_plus = std::max(of_plus, (p[k].lambda - exact[k].lambda).norm());
        of_minus = std::max(of_minus, (m[k].lambda - exact[k].lambda).norm());
        of_mean = std::max(of_mean, (0.5 * (p[k].lambda + m[k].lambda) - exact[k].lambda).norm());
      }
      h.push_back(1.0 / n), plus.push_back(of_plus), minus.push_back(of_minus), mean.push_back(of_mean);
    }
    EXPECT_NEAR(test::slope(h, plus), 1, 0.1) << test::group_name(group);
    EXPECT_NEAR(test::slope(h, minus), 1, 0.1) << test::group_name(group);
    EXPECT_NEAR(test::slope(h, mean), 2, 0.1) << test::group_name(group);
  }
}

// (R.15) with M = 1 and a rod of length 1, from the first λ⁺ and from λ⁻ of a step that ends near the start.
TEST(RattlieMultipliers, FirstOrderErrorOfTheOneSidedOnesIsThePredictedOne) {
  const Benchmark b = test::mathematical_pendulum(0.2);
  const double h = 1e-4, normal_jerk = -3 * 9.81 * b.start.q[0] * b.start.v[0] / b.start.q[1];
  const auto error = [&](Multipliers kind, int steps) {
    Rattlie method(*b.system, {.multipliers = kind, .newton = {.atol = 1e-14, .rtol = 1e-14}});
    State x = b.start;
    method.start(x, h);
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(method.step(x, h).accepted());
    method.complete(x);
    return x.lambda[0] - (steps == 0 ? b.start : reference(b, steps * h, 8, 1).back()).lambda[0];
  };
  const double predicted = -h / 3 * normal_jerk;
  EXPECT_NEAR(error(Multipliers::plus, 0), predicted, 0.01 * std::abs(predicted));
  EXPECT_NEAR(error(Multipliers::plus, 1), predicted, 0.01 * std::abs(predicted));
  EXPECT_NEAR(error(Multipliers::minus, 1), -predicted, 0.01 * std::abs(predicted));
  EXPECT_NEAR(error(Multipliers::minus, 0), 0, 1e-12) << "before the first step: the index-1 value";
}

/// Steps of [0, 1] whose sizes differ by up to 4, the same pattern for every n.
std::vector<double> uneven_steps(int n) {
  std::vector<double> h(static_cast<std::size_t>(n));
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += h[k] = 1 + 3 * ((k * 7) % 16) / 15.0;
  for (double& x : h) x /= sum;
  return h;
}

/// Completed states after every step of an uneven grid; the method is told the step that comes.
std::vector<State> uneven_run(const Benchmark& b, Multipliers kind, const std::vector<double>& steps) {
  Rattlie method(*b.system, {.multipliers = kind, .newton = within(1e-12)});
  State x = b.start;
  std::vector<State> states;
  method.start(x, steps[0]);
  for (std::size_t k = 0; k < steps.size(); ++k) {
    EXPECT_TRUE(method.step(x, steps[k]).accepted());
    method.expect_step(k + 1 < steps.size() ? steps[k + 1] : steps[k]);
    method.complete(x);
    states.push_back(x);
  }
  return states;
}

// (R.11), paper 000 (3.55): between the means of the steps before and after, weighted with their true sizes.
TEST(RattlieMultipliers, InterpolatedOnesCombineTheTrueNeighbouringStepsOnAnUnevenGrid) {
  const Benchmark top = test::heavy_top(TopSpeed::slow, GroupId::SO3xR3);
  const std::vector<double> h = uneven_steps(64);
  const auto plus = uneven_run(top, Multipliers::plus, h), minus = uneven_run(top, Multipliers::minus, h),
             interpolated = uneven_run(top, Multipliers::interpolated, h);
  for (std::size_t n = 1; n + 1 < h.size(); ++n) {  // state n is at the end of step n
    const VectorXd before = 0.5 * (plus[n - 1].lambda + minus[n].lambda),
                   after = 0.5 * (plus[n].lambda + minus[n + 1].lambda);
    const VectorXd expected = (h[n + 1] * before + h[n] * after) / (h[n] + h[n + 1]);
    EXPECT_LT((interpolated[n].lambda - expected).norm(), 1e-9 * expected.norm());
  }
}

TEST(RattlieMultipliers, OfBothTwoSidedKindsAreSecondOrderOnAnUnevenGrid) {
  const Benchmark top = test::heavy_top(TopSpeed::slow, GroupId::SO3xR3);
  for (const Multipliers kind : {Multipliers::interpolated, Multipliers::differences}) {
    std::vector<double> size, error;
    for (const int n : {128, 256, 512}) {
      const std::vector<double> h = uneven_steps(n);
      HalfExplicitRk fine(*top.system, {});
      State exact = top.start;
      fine.start(exact, h[0]);
      double worst = 0;
      for (const State& x : uneven_run(top, kind, h)) {
        EXPECT_TRUE(fine.step(exact, x.t - exact.t).accepted());
        fine.complete(exact);
        worst = std::max(worst, (x.lambda - exact.lambda).norm());
      }
      size.push_back(1.0 / n), error.push_back(worst);
    }
    EXPECT_NEAR(test::slope(size, error), 2, 0.15) << error[0] << ' ' << error[1] << ' ' << error[2];
  }
}

// (R.16), paper 000 (3.57): all the difference to the index-1 system is that of γ, of second order.
TEST(RattlieMultipliers, ByDifferencesTendToThoseOfTheIndex1System) {
  const Benchmark disk = test::rolling_disk(GroupId::S3sdR3), top = test::heavy_top(TopSpeed::slow, GroupId::SO3xR3);
  for (const Benchmark* b : {&disk, &top}) {
    std::vector<double> size, distance;
    for (const int n : {128, 256, 512}) {
      const std::vector<double> h = uneven_steps(n);
      const auto by_differences = uneven_run(*b, Multipliers::differences, h),
                 index_1 = uneven_run(*b, Multipliers::index_1, h);
      double worst = 0;
      for (std::size_t k = 0; k < h.size(); ++k) {
        EXPECT_EQ(by_differences[k].q, index_1[k].q);
        worst = std::max(worst, (by_differences[k].lambda - index_1[k].lambda).norm());
      }
      size.push_back(1.0 / n), distance.push_back(worst);
    }
    EXPECT_NEAR(test::slope(size, distance), 2, 0.15) << distance[0] << ' ' << distance[1] << ' ' << distance[2];
  }
}

TEST(RattlieMultipliers, LookingAheadLeavesNoTrace) {
  const Benchmark top = test::heavy_top(TopSpeed::fast, GroupId::S3sdR3);
  const auto end = [&](Multipliers kind, int outputs) {
    Rattlie method(*top.system, {.multipliers = kind, .newton = {}});
    return test::trajectory(method, top.start, 0.125, 128, outputs).back();
  };
  const State plain = end(Multipliers::index_1, 1);
  for (const Multipliers kind :
       {Multipliers::interpolated, Multipliers::differences, Multipliers::plus, Multipliers::minus}) {
    const State x = end(kind, 128);
    EXPECT_EQ(x.q, plain.q);
    EXPECT_EQ(x.v, plain.v);
    EXPECT_NE(x.lambda, plain.lambda);
  }
}

/// Newton iterations per step.
double iterations(const Benchmark& system, const std::vector<double>& steps) {
  Rattlie method(*system.system);
  State x = system.start;
  method.start(x, steps[0]);
  constexpr int count = 256;
  int sum = 0;
  for (int k = 0; k < count; ++k)
    sum += method.step(x, steps[static_cast<std::size_t>(k) % steps.size()]).newton_iterations;
  return static_cast<double>(sum) / count;
}

// (R.6a) A line alone takes 2.6 iterations for the fast top, a parabola alone 2.7 for the spring top.
TEST(RattlieGuess, IsAParabolaWhereATopSpinsFastAndALineWhereItVibrates) {
  constexpr double h = 0x1p-10;
  const Benchmark fast = test::heavy_top(TopSpeed::fast, GroupId::S3sdR3);
  EXPECT_LE(iterations(fast, {h}), 2.1);
  EXPECT_LE(iterations(fast, {h, 0.8 * h, 0.9 * h}), 2.2);
  EXPECT_LE(iterations(test::spring_top(GroupId::S3sdR3), {1e-3}), 2.1);
}

TEST(RattlieVaryingMass, IsSecondOrderWithTheFrameOffTheCentreOfMass) {
  for (const GroupId group : {GroupId::SO3xR3, GroupId::S3xR3, GroupId::SE3}) {
    const Benchmark box = test::free_box(test::BoxMotion::rotation, test::BoxFrame::off_center_of_mass, group);
    const Convergence c = study(box, reference(box, 0.2, 2048, 4), {512, 1024, 2048, 4096});
    expect_second_order(c, false);
  }
}

}  // namespace
}  // namespace filum::integrate
