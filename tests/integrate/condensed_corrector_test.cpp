/// What generalized-alpha and BLieDF promise alike, in both formulations. Theory: docs/theory/generalized_alpha.md,
/// sec. 3.
#include "integrate/tolerances.hpp"
#include "support/allocation_counter.hpp"
#include "trajectory.hpp"

#include <filum/integrate/bliedf.hpp>
#include <filum/integrate/generalized_alpha.hpp>

#include <gtest/gtest.h>
#include <support/beam_systems.hpp>
#include <support/benchmark_systems.hpp>
#include <support/small_systems.hpp>

#include <limits>

namespace filum::test {
namespace {

using integrate::Bliedf;
using integrate::BliedfOptions;
using integrate::Formulation;
using integrate::GeneralizedAlpha;
using integrate::GeneralizedAlphaOptions;
using integrate::Integrator;
using integrate::NewtonMatrix;
using integrate::NewtonOptions;
using integrate::StepReport;
using integrate::StepTrouble;

struct CorrectedMethod {
  std::string name;
  int order;
  bool alpha;
  Formulation formulation;

  std::unique_ptr<Integrator> make(const System& s, const NewtonOptions& newton = within(1e-10),
                                   NewtonMatrix matrix = NewtonMatrix::exact) const {
    if (alpha)
      return std::make_unique<GeneralizedAlpha>(
          s, GeneralizedAlphaOptions{.formulation = formulation, .matrix = matrix, .newton = newton});
    return std::make_unique<Bliedf>(
        s, BliedfOptions{.steps = order, .formulation = formulation, .matrix = matrix, .newton = newton});
  }
};

std::vector<CorrectedMethod> corrected_methods() {
  std::vector<CorrectedMethod> all;
  for (const auto& [suffix, f] :
       {std::pair{"Index3", Formulation::index_3}, {"Stabilized", Formulation::stabilized_index_2}}) {
    all.push_back({std::string("GeneralizedAlpha") + suffix, 2, true, f});
    all.push_back({std::string("Bliedf1") + suffix, 1, false, f});
    all.push_back({std::string("Bliedf2") + suffix, 2, false, f});
  }
  return all;
}

class CondensedCorrector : public ::testing::TestWithParam<CorrectedMethod> {
 protected:
  const CorrectedMethod& method() const { return GetParam(); }

  void expect_order(const System& system, const State& start, double t1, std::initializer_list<int> steps) const {
    const Trajectory trajectory(system, start, t1, 2 * *(steps.end() - 1));
    const Orders p = trajectory.orders([&](const System& s) { return method().make(s); }, steps);
    EXPECT_NEAR(p.q, method().order, 0.1);
    EXPECT_NEAR(p.v, method().order, 0.1);
    if (system.size_lambda() > 0) {
      EXPECT_NEAR(p.lambda, method().order, 0.1);
    }
  }
};

TEST_P(CondensedCorrector, BeadOnTurningWireConvergesWithTheOrder) {
  const SmallSystem s = bead_on_turning_wire();
  expect_order(*s.system, s.start, 0.5, {64, 128, 256, 512});
}

TEST_P(CondensedCorrector, DampedTopConvergesWithTheOrder) {
  for (const GroupId group : {GroupId::S3xR3, GroupId::S3sdR3}) {
    const Benchmark b = damped_top(group);
    expect_order(*b.system, b.start, 0.25, {64, 128, 256, 512});
  }
}

TEST_P(CondensedCorrector, BoxOffItsCenterOfMassConvergesWithTheOrder) {
  const Benchmark b = free_box(BoxMotion::rotation_and_translation, BoxFrame::off_center_of_mass, GroupId::SO3xR3);
  ASSERT_TRUE(b.system->has_varying_mass());
  expect_order(*b.system, b.start, 0.0625, {256, 512, 1024, 2048});
}

TEST_P(CondensedCorrector, StepsDownToAMillionthKeepTheirSolution) {
  for (const GroupId group : all_top_groups) {
    const Benchmark b = heavy_top(TopSpeed::fast, group);
    const double h = std::ldexp(1.0, -20);
    const auto integrator = method().make(*b.system, {});
    State x = b.start;
    integrator->start(x, h);
    for (int k = 0; k < 50; ++k)
      ASSERT_TRUE(integrator->step(x, h).accepted()) << group_name(group) << ", step " << k + 1;
    integrator->complete(x);
    const double t = 50 * h;
    EXPECT_LT((x.v - b.start.v - t * b.start.a).norm(), 1e-3 * b.start.v.norm()) << group_name(group);
    if (x.lambda.size() > 0) {
      EXPECT_LT((x.lambda - b.start.lambda).norm(), 1e-2 * b.start.lambda.norm()) << group_name(group);
    }
  }
}

TEST_P(CondensedCorrector, PositionsAlwaysSatisfyTheConstraints) {
  const Benchmark b = heavy_top(TopSpeed::slow, GroupId::S3xR3);
  const auto integrator = method().make(*b.system);
  State x = b.start;
  integrator->start(x, 0.01);
  Eigen::VectorXd phi(b.system->size_lambda());
  for (int k = 0; k < 100; ++k) {
    ASSERT_TRUE(integrator->step(x, 0.01).accepted());
    b.system->constraint(x.t, x.q, phi);
    EXPECT_LT(phi.norm(), 1e-12);
  }
}

// The Newton matrix decides about the number of iterations, not about the solution.
TEST_P(CondensedCorrector, SimplifiedMatrixFindsTheSameSolution) {
  const Benchmark b = heavy_top(TopSpeed::fast, GroupId::SO3xR3);
  const auto exact = method().make(*b.system),
             simplified = method().make(*b.system, within(1e-10), NewtonMatrix::simplified);
  const State x = run(*exact, b.start, 0.02, 20), y = run(*simplified, b.start, 0.02, 20);
  EXPECT_LT((x.q - y.q).norm(), 1e-10);
  EXPECT_LT((x.v - y.v).norm(), 1e-8);
  EXPECT_LT((x.lambda - y.lambda).norm(), 1e-5);
}

/// Increments of a Newton iteration that takes a new matrix each time.
std::vector<double> increments(const CorrectedMethod& method, const System& system, State x, double h) {
  constexpr double atol = 1e-13;
  const auto integrator = method.make(system, {.atol = atol, .rtol = 0, .full = true});
  integrator->start(x, h);
  const StepReport report = integrator->step(x, h);
  std::vector<double> all;
  for (int i = 0; i < std::min(report.newton_iterations, integrate::NewtonReport::remembered); ++i)
    all.push_back(atol * report.newton.norms[i]);
  return all;
}

TEST_P(CondensedCorrector, NewtonConvergesQuadraticallyWhereTheMatrixIsExact) {
  const Benchmark top = damped_top(GroupId::SO3xR3), spring = spring_top(GroupId::SE3),
                  box = free_box(BoxMotion::rotation_and_translation, BoxFrame::off_center_of_mass, GroupId::SO3xR3);
  for (const auto& [b, h] : {std::pair{&top, 1.0 / 16}, {&spring, 1.0 / 128}, {&box, 1.0 / 64}}) {
    const std::vector<double> d = increments(method(), *b->system, b->start, h);
    ASSERT_GE(d.size(), 3u);
    EXPECT_LT(d[2], std::max(d[1] * d[1], 1e-11)) << d[0] << " " << d[1] << " " << d[2];
  }
}

// (GA.15) What the decoupled solve of the stabilized formulation leaves out costs at most one iteration.
TEST_P(CondensedCorrector, StabilizedFormulationNeedsAtMostOneIterationMore) {
  CorrectedMethod index_3 = method();
  index_3.formulation = Formulation::index_3;
  for (const GroupId group : {GroupId::SO3xR3, GroupId::SE3})
    for (const int n : {32, 128, 512}) {
      const Benchmark b = heavy_top(TopSpeed::slow, group);
      const std::size_t needed = increments(method(), *b.system, b.start, 1.0 / n).size();
      EXPECT_LE(needed, increments(index_3, *b.system, b.start, 1.0 / n).size() + 1)
          << group_name(group) << ", h = 1/" << n;
    }
}

TEST_P(CondensedCorrector, RejectedStepLeavesEverythingUntouched) {
  const Benchmark b = heavy_top(TopSpeed::fast, GroupId::S3xR3);
  const auto tried = method().make(*b.system), plain = method().make(*b.system);
  State x = b.start, y = b.start;
  const double h = 1e-3;
  tried->start(x, h);
  plain->start(y, h);
  for (int k = 0; k < 10; ++k) {
    const State before = x;
    std::vector<double> memory_before, memory_after;
    tried->save(memory_before);
    const StepReport report = tried->step(x, 1e12);
    ASSERT_FALSE(report.accepted());
    tried->save(memory_after);
    EXPECT_EQ(memory_before, memory_after);
    EXPECT_EQ(x.t, before.t);
    EXPECT_EQ(x.q, before.q);
    EXPECT_EQ(x.v, before.v);
    ASSERT_TRUE(tried->step(x, h).accepted());
    ASSERT_TRUE(plain->step(y, h).accepted());
    EXPECT_EQ(x.q, y.q);
    EXPECT_EQ(x.v, y.v);
  }
}

TEST_P(CondensedCorrector, BrokenForceIsReportedAsNotFinite) {
  const SmallSystem s = planar_pendulum(0.25);
  const auto integrator = method().make(*s.system);
  State x = s.start;
  integrator->start(x, 0.1);
  ASSERT_TRUE(integrator->step(x, 0.1).accepted());
  ASSERT_TRUE(integrator->step(x, 0.1).accepted());
  const State before = x;
  EXPECT_EQ(integrator->step(x, 0.1).trouble, StepTrouble::not_finite);
  EXPECT_EQ(x.q, before.q);
  EXPECT_EQ(x.t, before.t);
}

/// A rod whose length is not a number from time 0.25 on.
class BreakingRod final : public OneRow {
 public:
  explicit BreakingRod(bool rows) : rows_(rows) {}
  void constraint(double t, const VectorXd& q, test::VectorRef phi) const override {
    phi[index()] = 0.5 * (q.squaredNorm() - 1) + (rows_ ? 0 : poison(t));
  }
  void constraint_jacobian(double t, const VectorXd& q, RowMatrix& C) const override {
    row(C)[0] = q[0] + (rows_ ? poison(t) : 0), row(C)[1] = q[1];
  }
  void curvature(double, const VectorXd&, const VectorXd& v, test::VectorRef gamma) const override {
    gamma[index()] = v.squaredNorm();
  }

 private:
  static double poison(double t) { return t > 0.25 ? std::numeric_limits<double>::quiet_NaN() : 0; }
  bool rows_;
};

TEST_P(CondensedCorrector, BrokenConstraintIsReportedAsNotFinite) {
  for (const bool rows : {false, true}) {
    mechanics::SystemBuilder builder =
        one_node(GroupId::R2, Eigen::Vector2d(2, 2), Eigen::Vector2d(0, -1), Eigen::Vector2d(1, 0));
    builder.add_part(std::make_shared<BreakingRod>(rows));
    const SmallSystem s = started(builder);
    const auto integrator = method().make(*s.system);
    State x = s.start;
    integrator->start(x, 0.1);
    ASSERT_TRUE(integrator->step(x, 0.1).accepted());
    ASSERT_TRUE(integrator->step(x, 0.1).accepted());
    EXPECT_EQ(integrator->step(x, 0.1).trouble, StepTrouble::not_finite) << (rows ? "in C" : "in Φ");
  }
}

TEST_P(CondensedCorrector, RestartContinuesToTheLastBit) {
  const Benchmark b = heavy_top(TopSpeed::fast, GroupId::SO3xR3);
  const double h = 1e-3;
  const auto first = method().make(*b.system), second = method().make(*b.system);
  State x = b.start;
  first->start(x, h);
  for (int k = 0; k < 10; ++k) ASSERT_TRUE(first->step(x, h).accepted());
  std::vector<double> memory;
  first->save(memory);
  State y = x;
  second->restore(memory);
  for (int k = 0; k < 10; ++k) {
    ASSERT_TRUE(first->step(x, h).accepted());
    ASSERT_TRUE(second->step(y, h).accepted());
  }
  first->complete(x);
  second->complete(y);
  EXPECT_EQ(x.q, y.q);
  EXPECT_EQ(x.v, y.v);
  EXPECT_EQ(x.a, y.a);
  EXPECT_EQ(x.lambda, y.lambda);
}

TEST_P(CondensedCorrector, StepsDoNotAllocate) {
  const Benchmark b = heavy_top(TopSpeed::fast, GroupId::S3sdR3);
  const auto integrator = method().make(*b.system);
  State x = b.start;
  integrator->start(x, 1e-3);
  ASSERT_TRUE(integrator->step(x, 1e-3).accepted());
  integrator->complete(x);
  EXPECT_EQ(allocations_of([&] {
              for (int k = 0; k < 10; ++k) integrator->step(x, 1e-3), integrator->complete(x);
            }),
            0);
}

TEST_P(CondensedCorrector, NonholonomicSystemsAreRefused) {
  const SmallSystem s = blade_on_slope();
  EXPECT_THROW(method().make(*s.system), std::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(All, CondensedCorrector, ::testing::ValuesIn(corrected_methods()),
                         [](const auto& c) { return c.param.name; });

// (GA.15b) Of the fast top in SE(3) mass matrix and rows in its own frame are constant: one matrix serves for long.
TEST(KeptMatrix, GivesTheSameMotionWithFewerFactorisations) {
  const Benchmark b = heavy_top(TopSpeed::fast, GroupId::SE3, parts::JointRows::body);
  const auto run_with = [&](NewtonMatrix matrix) {
    integrate::GeneralizedAlpha method(
        *b.system, {.formulation = Formulation::index_3, .matrix = matrix, .newton = {.atol = 1e-11, .rtol = 1e-11}});
    State x = b.start;
    int matrices = 0;
    method.start(x, 0x1p-11);
    for (int k = 0; k < 256; ++k) {
      const StepReport report = method.step(x, 0x1p-11);
      EXPECT_TRUE(report.accepted());
      matrices += report.matrices;
    }
    method.complete(x);
    return std::pair(x, matrices);
  };
  const auto [exact, of_exact] = run_with(NewtonMatrix::exact);
  const auto [kept, of_kept] = run_with(NewtonMatrix::kept);
  EXPECT_EQ(of_exact, 256);
  EXPECT_LT(of_kept, 128);
  EXPECT_LT((kept.q - exact.q).norm(), 1e-9);
  EXPECT_LT((kept.lambda - exact.lambda).norm(), 1e-6 * exact.lambda.norm());
}

TEST(KeptMatrix, ARejectedStepLeavesItAsItWas) {
  const Benchmark b = heavy_top(TopSpeed::fast, GroupId::SO3xR3);
  const integrate::GeneralizedAlphaOptions options{.matrix = NewtonMatrix::kept};
  integrate::GeneralizedAlpha one(*b.system, options), two(*b.system, options);
  State x = b.start, y = b.start;
  one.start(x, 1e-3), two.start(y, 1e-3);
  for (int k = 0; k < 5; ++k) ASSERT_TRUE(one.step(x, 1e-3).accepted() && two.step(y, 1e-3).accepted());
  ASSERT_FALSE(one.step(x, 10).accepted()) << "a step that no Newton iteration survives";
  for (int k = 0; k < 5; ++k) ASSERT_TRUE(one.step(x, 1e-3).accepted() && two.step(y, 1e-3).accepted());
  EXPECT_EQ(x.q, y.q);
  EXPECT_EQ(x.v, y.v);
}

// (GA.15a) The stiffness of the beam is beyond the simplified matrix.
TEST_P(CondensedCorrector, AutomaticMatrixOfAStiffBeamIsKept) {
  const BeamBenchmark b = roll_up({.segments = 8});
  constexpr double h = 0x1p-8;
  constexpr int steps = 100;
  const auto automatic = method().make(*b.system, within(1e-10), NewtonMatrix::automatic),
             exact = method().make(*b.system);
  State x = b.start, y = b.start;
  automatic->start(x, h), exact->start(y, h);
  int matrices = 0;
  for (int k = 0; k < steps; ++k) {
    const StepReport one = automatic->step(x, h), two = exact->step(y, h);
    ASSERT_TRUE(one.accepted() && two.accepted());
    matrices += one.matrices;
  }
  EXPECT_LT(matrices, steps / 3);
  EXPECT_LT((x.q - y.q).lpNorm<Eigen::Infinity>(), 1e-8);
}

// Steps of all sizes, some of them rejected: a second object that is restored from the first before every step, and has
// seen no rejected one, finds the same bits.
TEST_P(CondensedCorrector, KeptMatrixOfABeamIsMadeAgainToTheLastBit) {
  const BeamBenchmark b = roll_up({.segments = 8});
  const auto first = method().make(*b.system, {}, NewtonMatrix::automatic);
  State x = b.start;
  first->start(x, 0x1p-8);
  int without_matrix = 0;
  for (int k = 0; k < 60; ++k) {
    const double h = 0x1p-8 * (k % 7 == 6 ? 0.5 : 1 + 0.01 * (k % 3));
    std::vector<double> memory;
    first->save(memory);
    const auto second = method().make(*b.system, {}, NewtonMatrix::automatic);
    second->restore(memory);
    State y = x;
    if (k % 5 == 4) {
      ASSERT_FALSE(first->step(x, std::numeric_limits<double>::quiet_NaN()).accepted());
    }
    const StepReport report = first->step(x, h);
    ASSERT_TRUE(report.accepted());
    ASSERT_TRUE(second->step(y, h).accepted());
    ASSERT_EQ(x.q, y.q) << "step " << k;
    ASSERT_EQ(x.v, y.v) << "step " << k;
    without_matrix += report.matrices == 0;
  }
  EXPECT_GT(without_matrix, 20);
}

}  // namespace
}  // namespace filum::test
