/// Generalized-alpha and BLieDF with steps that change all the time. Theory: docs/theory/generalized_alpha.md, sec. 6,
/// docs/theory/bliedf.md, sec. 4, docs/theory/step_control.md.
#include "integrate/tolerances.hpp"
#include "support/allocation_counter.hpp"

#include <filum/integrate/bliedf.hpp>
#include <filum/integrate/generalized_alpha.hpp>
#include <filum/integrate/half_explicit_rk.hpp>
#include <filum/integrate/run.hpp>

#include <gtest/gtest.h>
#include <support/benchmark_systems.hpp>
#include <support/convergence.hpp>
#include <support/small_systems.hpp>

#include <memory>
#include <random>

namespace filum::test {
namespace {

using integrate::Bliedf;
using integrate::Formulation;
using integrate::GeneralizedAlpha;
using integrate::Integrator;

/// Steps between a quarter of the largest and the largest, n of them on average.
std::vector<double> random_steps(double length, int n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<double> steps;
  double sum = 0;
  for (int k = 0; k < n; ++k) {
    steps.push_back(0.25 + 0.75 * static_cast<double>(random() >> 11) * 0x1p-53);
    sum += steps.back();
  }
  for (double& h : steps) h *= length / sum;
  return steps;
}

struct Errors {
  double q = 0, v = 0, lambda = 0;  ///< root mean squares over the steps
  double lambda_max = 0;
};

/// Against the Runge-Kutta method of order 5 on the same grid.
Errors errors(Integrator& method, const System& system, const State& start, const std::vector<double>& steps) {
  integrate::HalfExplicitRk reference(system, {.order = 5});
  State x = start, exact = start;
  method.start(x, steps[0]);
  reference.start(exact, steps[0]);
  Errors e;
  for (const double h : steps) {
    if (!method.step(x, h).accepted() || !reference.step(exact, h).accepted()) throw std::runtime_error("step failed");
    method.complete(x);
    reference.complete(exact);
    e.q += (x.q - exact.q).squaredNorm();
    e.v += (x.v - exact.v).squaredNorm();
    e.lambda += (x.lambda - exact.lambda).squaredNorm();
    e.lambda_max = std::max(e.lambda_max, (x.lambda - exact.lambda).norm());
  }
  for (double* mean : {&e.q, &e.v, &e.lambda}) *mean = std::sqrt(*mean / static_cast<double>(steps.size()));
  return e;
}

struct Method {
  std::string name;
  int order;
  bool alpha;
  Formulation formulation;

  std::unique_ptr<Integrator> make(const System& s, double tolerance = 0) const {
    const integrate::StepControlOptions control{.atol = tolerance, .rtol = tolerance, .max_factor = 2};
    const bool adaptive = tolerance > 0;
    if (alpha)
      return std::make_unique<GeneralizedAlpha>(
          s, integrate::GeneralizedAlphaOptions{
                 .formulation = formulation, .adaptive = adaptive, .control = control, .newton = within(1e-11)});
    return std::make_unique<Bliedf>(s, integrate::BliedfOptions{.steps = order,
                                                                .formulation = formulation,
                                                                .adaptive = adaptive,
                                                                .control = control,
                                                                .newton = within(1e-11)});
  }
};

std::vector<Method> methods() {
  std::vector<Method> all;
  for (const auto& [suffix, f] :
       {std::pair{"Index3", Formulation::index_3}, {"Stabilized", Formulation::stabilized_index_2}}) {
    all.push_back({std::string("GeneralizedAlpha") + suffix, 2, true, f});
    all.push_back({std::string("Bliedf1") + suffix, 1, false, f});
    all.push_back({std::string("Bliedf2") + suffix, 2, false, f});
  }
  return all;
}

class VariableSteps : public ::testing::TestWithParam<Method> {};

TEST_P(VariableSteps, HaveTheOrderOfConstantOnesInPositionsVelocitiesAndMultipliers) {
  const Method& method = GetParam();
  for (const GroupId group : all_top_groups) {
    const Benchmark b = heavy_top(TopSpeed::slow, group);
    Convergence c;
    for (const int n : {128, 256, 512, 1024}) {
      const Errors e = errors(*method.make(*b.system), *b.system, b.start, random_steps(0.5, n, 5));
      c.h.push_back(0.5 / n), c.q.push_back(e.q), c.v.push_back(e.v), c.lambda.push_back(e.lambda);
      if (e.lambda > 0) {
        EXPECT_LT(e.lambda_max, 5 * e.lambda) << group_name(group) << ": no step has multipliers of its own kind";
      }
    }
    EXPECT_NEAR(c.order_q(), method.order, 0.1) << group_name(group) << '\n' << c.table();
    EXPECT_NEAR(c.order_v(), method.order, 0.1) << group_name(group) << '\n' << c.table();
    if (b.system->size_lambda() > 0) {
      EXPECT_NEAR(c.order_lambda(), method.order, 0.1) << group_name(group) << '\n' << c.table();
    }
  }
}

// One change of the step by 4 in the middle of a run, both ways: where (GA.23) or (BD.11) is left out, the multipliers
// are off by h C v̈ for a while.
TEST_P(VariableSteps, LeaveNoTransientInTheMultipliers) {
  const Method& method = GetParam();
  const Benchmark b = mathematical_pendulum(0.2);
  for (const double ratio : {0.25, 4.0}) {
    std::vector<double> hs, sizes;
    for (const int n : method.order == 1 ? std::vector{200, 400, 800} : std::vector{50, 100, 200}) {
      std::vector<double> steps(n, 0.5 / n);
      steps.resize(2 * n, ratio * 0.5 / n);
      hs.push_back(0.5 / n);
      sizes.push_back(errors(*method.make(*b.system), *b.system, b.start, steps).lambda_max);
    }
    EXPECT_NEAR(slope(hs, sizes), method.order, 0.15) << "ratio " << ratio;
  }
}

TEST_P(VariableSteps, KeepTheConstraints) {
  const Method& method = GetParam();
  const Benchmark b = heavy_top(TopSpeed::slow, GroupId::S3xR3);
  const auto integrator = method.make(*b.system);
  State x = b.start;
  const std::vector<double> steps = random_steps(0.5, 128, 3);
  integrator->start(x, steps[0]);
  Eigen::VectorXd phi(b.system->size_lambda()), hidden = phi, rate = phi;
  mechanics::RowMatrix C(b.system->pattern());
  for (const double h : steps) {
    ASSERT_TRUE(integrator->step(x, h).accepted());
    b.system->constraint(x.t, x.q, phi);
    EXPECT_LT(phi.norm(), 1e-12);
    if (method.formulation == Formulation::index_3) continue;
    b.system->constraint_jacobian(x.t, x.q, C);
    C.times(x.v, hidden, b.system->row_blocks());
    EXPECT_LT(hidden.norm(), 1e-10);
  }
}

TEST_P(VariableSteps, ContinueToTheLastBitAfterARestore) {
  const Method& method = GetParam();
  const Benchmark b = heavy_top(TopSpeed::slow, GroupId::SO3xR3);
  const auto one = method.make(*b.system), two = method.make(*b.system);
  const std::vector<double> steps = random_steps(0.2, 20, 8);
  State x = b.start, y;
  one->start(x, steps[0]);
  for (std::size_t k = 0; k < steps.size(); ++k) {
    if (k == 10) {
      std::vector<double> memory;
      one->save(memory);
      two->restore(memory);
      y = x;
    }
    ASSERT_TRUE(one->step(x, steps[k]).accepted());
    if (k >= 10) {
      ASSERT_TRUE(two->step(y, steps[k]).accepted());
    }
  }
  one->complete(x), two->complete(y);
  EXPECT_EQ(x.q, y.q);
  EXPECT_EQ(x.v, y.v);
  EXPECT_EQ(x.lambda, y.lambda);
}

// Whatever size it had: afterwards an accepted step gives the same bits as if the rejected one had never been.
TEST_P(VariableSteps, ThatAreRejectedLeaveEverythingUntouched) {
  const Method& method = GetParam();
  const Benchmark b = heavy_top(TopSpeed::slow, GroupId::SO3xR3);
  const double tolerance = method.order == 1 ? 1e-2 : 1e-4;
  const auto one = method.make(*b.system, tolerance), two = method.make(*b.system, tolerance);
  State x = b.start, y = b.start;
  one->start(x, 1e-3), two->start(y, 1e-3);
  for (int k = 0; k < 5; ++k) {
    const State before = x;
    ASSERT_EQ(one->step(x, 0.3).trouble, integrate::StepTrouble::error_too_large);
    EXPECT_EQ(x.t, before.t);
    EXPECT_EQ(x.q, before.q);
    EXPECT_EQ(x.v, before.v);
    std::vector<double> memory_x, memory_y;
    one->save(memory_x), two->save(memory_y);
    EXPECT_EQ(memory_x, memory_y);
    const double h = 1e-3 * (1 + 0.2 * k);
    ASSERT_TRUE(one->step(x, h).accepted());
    ASSERT_TRUE(two->step(y, h).accepted());
    EXPECT_EQ(x.q, y.q);
    EXPECT_EQ(x.v, y.v);
  }
}

TEST_P(VariableSteps, AllocateNothingWhetherAcceptedOrRejected) {
  const Method& method = GetParam();
  const Benchmark b = heavy_top(TopSpeed::slow, GroupId::SO3xR3);
  const auto integrator = method.make(*b.system, 1e-2);
  State x = b.start;
  integrator->start(x, 1e-3);
  ASSERT_TRUE(integrator->step(x, 1e-3).accepted());
  int rejected = 0;
  EXPECT_EQ(allocations_of([&] {
              for (int k = 0; k < 10; ++k)
                rejected += !integrator->step(x, k % 3 == 2 ? 0.3 : 1e-3 * (1 + 0.1 * k)).accepted();
            }),
            0);
  EXPECT_GT(rejected, 0);
  EXPECT_EQ(allocations_of([&] { integrator->start(x, 1e-3); }), 0) << "starting anew";
}

TEST_P(VariableSteps, ThatControlHasChosenAreChosenAgainAfterAResume) {
  const Method& method = GetParam();
  const Benchmark b = heavy_top(TopSpeed::slow, GroupId::SO3xR3);
  const integrate::RunOptions options{.end = 0.3, .step = 0, .output_every = 0.03};
  const auto whole = method.make(*b.system, 1e-2), first = method.make(*b.system, 1e-2),
             second = method.make(*b.system, 1e-2);
  State x = b.start, y = b.start;
  const auto all = integrate::run(*b.system, *whole, x, options);
  integrate::RunStatistics stopped;
  integrate::run(*b.system, *first, y, options,
                 [&](State&, const integrate::StepReport&, const integrate::RunStatistics& s) {
                   stopped = s;
                   return s.accepted < all.accepted / 2;
                 });
  std::vector<double> memory;
  first->save(memory);
  second->restore(memory);
  const auto rest = integrate::run(*b.system, *second, y, options, {}, &stopped);
  EXPECT_EQ(rest.accepted, all.accepted);
  EXPECT_EQ(x.q, y.q);
  EXPECT_EQ(x.v, y.v);
}

// A restart in the middle of smooth motion is a start at a state that a method has reached: nothing is lost.
TEST_P(VariableSteps, KeepTheirOrderThroughRestarts) {
  const Method& method = GetParam();
  const Benchmark b = mathematical_pendulum(0.2);
  std::vector<double> hs, sizes;
  for (const int n : method.order == 1 ? std::vector{200, 400, 800} : std::vector{50, 100, 200}) {
    const double h = 0.5 / n;
    const auto integrator = method.make(*b.system);
    integrate::HalfExplicitRk reference(*b.system, {.order = 5});
    State x = b.start, exact = b.start;
    integrator->start(x, h), reference.start(exact, h);
    double worst = 0;
    for (int k = 0; k < n; ++k) {
      if (k > 0 && k % (n / 5) == 0) integrator->restart(x, h);
      ASSERT_TRUE(integrator->step(x, h).accepted());
      ASSERT_TRUE(reference.step(exact, h).accepted());
      integrator->complete(x), reference.complete(exact);
      worst = std::max(worst, (x.lambda - exact.lambda).norm());
    }
    hs.push_back(h), sizes.push_back(worst);
  }
  EXPECT_NEAR(slope(hs, sizes), method.order, 0.15) << ::testing::PrintToString(sizes);
}

/// Largest error of positions at eight times.
double adaptive_error(Integrator& method, const Benchmark& b, double end, integrate::RunStatistics& statistics) {
  integrate::HalfExplicitRk reference(*b.system, {.order = 5});
  State x = b.start, exact = b.start;
  reference.start(exact, 1e-3);
  double worst = 0;
  const double every = end / 8;
  statistics = integrate::run(*b.system, method, x, {.end = end, .step = 0, .output_every = every},
                              [&](State& now, const integrate::StepReport&, const integrate::RunStatistics&) {
                                if (std::abs(now.t - std::round(now.t / every) * every) > 1e-9) return true;
                                while (exact.t < now.t - 1e-9) reference.step(exact, std::min(1e-3, now.t - exact.t));
                                worst = std::max(worst, (now.q - exact.q).norm());
                                return true;
                              });
  return worst;
}

// (SC.3)
TEST_P(VariableSteps, ChosenByToleranceHaveErrorsInProportionToIt) {
  const Method& method = GetParam();
  const Benchmark b = heavy_top(TopSpeed::slow, GroupId::SO3xR3);
  std::vector<double> tolerances, found;
  for (const double tolerance : method.order == 1 ? std::vector{1e-2, 1e-3} : std::vector{1e-3, 1e-4, 1e-5, 1e-6}) {
    integrate::RunStatistics statistics;
    tolerances.push_back(tolerance);
    found.push_back(adaptive_error(*method.make(*b.system, tolerance), b, 1, statistics));
    EXPECT_LT(statistics.rejected, 5 + statistics.accepted / 10) << tolerance;
  }
  EXPECT_NEAR(slope(tolerances, found), 1, 0.15) << ::testing::PrintToString(found);
}

INSTANTIATE_TEST_SUITE_P(All, VariableSteps, ::testing::ValuesIn(methods()),
                         [](const auto& m) { return m.param.name; });

}  // namespace
}  // namespace filum::test
