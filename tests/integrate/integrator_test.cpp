/// What every integrator promises, one suite over all of them: docs/theory/integrators.md.
#include "support/allocation_counter.hpp"
#include "support/benchmark_systems.hpp"
#include "support/convergence.hpp"
#include "support/small_systems.hpp"

#include <filum/integrate/bliedf.hpp>
#include <filum/integrate/generalized_alpha.hpp>
#include <filum/integrate/half_explicit_rk.hpp>
#include <filum/integrate/munthe_kaas_rk.hpp>
#include <filum/integrate/radau.hpp>
#include <filum/integrate/rattlie.hpp>
#include <filum/integrate/run.hpp>
#include <filum/integrate/shakelie.hpp>

#include <gtest/gtest.h>

namespace filum::integrate {
namespace {

using test::Benchmark;
using test::GroupId;
using test::TopSpeed;

template <class Method>
class Integrators : public testing::Test {};

struct Names {
  template <class Method>
  static std::string GetName(int) {
    const Benchmark top = test::heavy_top(TopSpeed::slow, GroupId::S3);
    std::string name(Method(*top.system).name());
    for (char& c : name)
      if (c == '-') c = '_';
    return name;
  }
};
using Methods = testing::Types<Rattlie, Shakelie, GeneralizedAlpha, Bliedf, Radau, HalfExplicitRk, MuntheKaasRk>;
TYPED_TEST_SUITE(Integrators, Methods, Names);

TYPED_TEST(Integrators, AStepAllocatesNothingAfterTheFirst) {
  for (const GroupId group : test::all_top_groups) {
    const Benchmark top = test::damped_top(group);
    TypeParam method(*top.system);
    State x = top.start;
    method.start(x, 1e-3);
    ASSERT_TRUE(method.step(x, 1e-3).accepted());
    const double growth = method.capabilities().variable_steps ? 0.2 : 0;
    EXPECT_EQ(test::allocations_of([&] {
                for (int k = 0; k < 5; ++k) method.step(x, (1 + k % 3 * growth) * 1e-3);
              }),
              0)
        << test::group_name(group);
  }
}

TYPED_TEST(Integrators, NanInAForceIsAClearErrorAndLeavesTheStateUntouched) {
  test::SmallSystem pendulum = test::planar_pendulum(0.0105);
  TypeParam method(*pendulum.system);
  State x = pendulum.start;
  method.start(x, 1e-3);
  StepReport report;
  State before = x;
  for (int k = 0; k < 20; ++k) {
    before = x;
    report = method.step(x, 1e-3);
    if (!report.accepted()) break;
  }
  EXPECT_EQ(report.trouble, StepTrouble::not_finite);
  EXPECT_EQ(x.t, before.t);
  EXPECT_EQ(x.q, before.q);
  EXPECT_EQ(x.v, before.v);
  EXPECT_TRUE(x.q.allFinite());
}

TYPED_TEST(Integrators, TheLoopNamesTimeAndReasonWhenAForceBreaks) {
  test::SmallSystem pendulum = test::planar_pendulum(0.0105);
  TypeParam method(*pendulum.system);
  State x = pendulum.start;
  try {
    run(*pendulum.system, method, x, {.end = 1, .step = 1e-3});
    FAIL() << "the run should have stopped";
  } catch (const IntegrationStopped& stopped) {
    EXPECT_NEAR(stopped.state.t, 0.0105, 2.1e-3);
    EXPECT_NE(std::string(stopped.what()).find("not finite"), std::string::npos) << stopped.what();
  }
  EXPECT_TRUE(x.q.allFinite());
}

TYPED_TEST(Integrators, SavedAndRestoredItContinuesToTheLastBit) {
  const Benchmark top = test::heavy_top(TopSpeed::slow, GroupId::S3sdR3);
  TypeParam one(*top.system), two(*top.system);
  State x = top.start;
  one.start(x, 0x1p-9);
  for (int k = 0; k < 10; ++k) one.step(x, 0x1p-9);
  std::vector<double> memory;
  one.save(memory);
  State y = x;
  two.restore(memory);
  const double growth = one.capabilities().variable_steps ? 0.25 : 0;
  for (int k = 0; k < 10; ++k) {
    const double h = (1 + k % 4 * growth) * 0x1p-9;
    ASSERT_TRUE(one.step(x, h).accepted());
    ASSERT_TRUE(two.step(y, h).accepted());
  }
  one.complete(x), two.complete(y);
  EXPECT_EQ(x.q, y.q);
  EXPECT_EQ(x.v, y.v);
  EXPECT_EQ(x.lambda, y.lambda);
}

TYPED_TEST(Integrators, TheLoopEndsExactlyWhereItShould) {
  const Benchmark top = test::heavy_top(TopSpeed::slow, GroupId::S3sdR3);
  TypeParam method(*top.system);
  State x = top.start;
  const RunStatistics s = run(*top.system, method, x, {.end = 0.1, .step = 0.0013});
  EXPECT_EQ(x.t, 0.1);
  EXPECT_EQ(s.accepted, 77);
}

TYPED_TEST(Integrators, RefusesWhatItCannotTreat) {
  const Benchmark disk = test::rolling_disk(GroupId::S3sdR3);
  const Benchmark top = test::heavy_top(TopSpeed::slow, GroupId::S3sdR3);
  TypeParam method(*top.system);
  const bool nonholonomic = method.capabilities().nonholonomic, variable = method.capabilities().variable_steps;
  EXPECT_EQ(objection(*disk.system, method, {}).empty(), nonholonomic);
  EXPECT_EQ(objection(*top.system, method, {.grid = Grid::random}).empty(), variable);
  EXPECT_FALSE(objection(*top.system, method, {.step = 0}).empty());
}

}  // namespace
}  // namespace filum::integrate
