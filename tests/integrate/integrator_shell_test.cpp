/// Shells in time: orders of all methods, momentum of a plate in flight. Theory: docs/theory/shell.md, sec. 6.
#include "integrate/shell_sheet.hpp"
#include "integrate/tolerances.hpp"
#include "support/allocation_counter.hpp"
#include "support/convergence.hpp"

#include <filum/integrate/bliedf.hpp>
#include <filum/integrate/generalized_alpha.hpp>
#include <filum/integrate/half_explicit_rk.hpp>
#include <filum/integrate/munthe_kaas_rk.hpp>
#include <filum/integrate/radau.hpp>
#include <filum/integrate/rattlie.hpp>
#include <filum/integrate/shakelie.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace filum::integrate {
namespace {

using test::Sheet;
using test::sheet;
using test::within;

struct Expected {
  const char* name;
  std::function<std::unique_ptr<Integrator>(const System&)> make;
  std::array<int, 3> steps;
  double order;
};

const std::vector<Expected>& expected_orders() {
  static const std::vector<Expected> all{
      {"rattlie",
       [](const System& s) { return std::make_unique<Rattlie>(s, RattlieOptions{.newton = within(1e-12)}); },
       {32, 64, 128},
       2},
      {"generalized-alpha",
       [](const System& s) {
         return std::make_unique<GeneralizedAlpha>(s, GeneralizedAlphaOptions{.newton = within(1e-12)});
       },
       {64, 128, 256},
       2},
      {"bliedf",
       [](const System& s) { return std::make_unique<Bliedf>(s, BliedfOptions{.newton = within(1e-12)}); },
       {128, 256, 512},
       2},
      {"half-explicit 4",
       [](const System& s) { return std::make_unique<HalfExplicitRk>(s, HalfExplicitOptions{.order = 4}); },
       {24, 48, 96},
       4},
      {"half-explicit 5",
       [](const System& s) { return std::make_unique<HalfExplicitRk>(s, HalfExplicitOptions{.order = 5}); },
       {32, 64, 128},
       5}};
  return all;
}

TEST(ShellInTime, HasTheOrdersOfTheMethodsFreeAndClamped) {
  for (const bool clamped : {false, true}) {
    const Sheet s = sheet(clamped);
    HalfExplicitRk fine(*s.system, {.order = 5});
    const auto reference = test::trajectory(fine, s.start, 0.5, 2048, 4);
    for (const Expected& m : expected_orders()) {
      const test::Convergence c = test::convergence([&] { return m.make(*s.system); }, s.start, reference,
                                                    {m.steps[0], m.steps[1], m.steps[2]});
      EXPECT_NEAR(c.order_q(), m.order, 0.3) << m.name << (clamped ? ", clamped\n" : ", free\n") << c.table();
      EXPECT_NEAR(c.order_v(), m.order, 0.3) << m.name << (clamped ? ", clamped\n" : ", free\n") << c.table();
    }
  }
}

TEST(ShellInTime, TheOtherMethodsFindTheSameMotion) {
  for (const bool clamped : {false, true}) {
    const Sheet s = sheet(clamped);
    HalfExplicitRk fine(*s.system, {.order = 5});
    const State reference = test::run(fine, s.start, 0.5, 2048);
    const auto expect_same = [&](Integrator& method, int steps, double tolerance) {
      const State x = test::run(method, s.start, 0.5, steps);
      EXPECT_LT((x.q - reference.q).lpNorm<Eigen::Infinity>(), tolerance) << method.name() << " " << clamped;
      EXPECT_LT((x.v - reference.v).lpNorm<Eigen::Infinity>(), 20 * tolerance) << method.name() << " " << clamped;
    };
    Shakelie shakelie(*s.system, {.newton = within(1e-12)});
    Radau radau(*s.system, {});
    expect_same(shakelie, 512, 1e-4);
    expect_same(radau, 64, 1e-6);
    MuntheKaasRk munthe_kaas(*s.system, {});
    expect_same(munthe_kaas, 256, 1e-6);
  }
}

TEST(ShellInTime, AllocatesNothingInAStep) {
  for (const bool clamped : {false, true}) {
    const Sheet s = sheet(clamped);
    for (const Expected& m : expected_orders()) {
      const auto method = m.make(*s.system);
      State x = s.start;
      const double h = 1e-3;
      method->start(x, h);
      for (int k = 0; k < 3; ++k) ASSERT_TRUE(method->step(x, h).accepted()) << m.name;
      EXPECT_EQ(test::allocations_of([&] {
                  for (int k = 0; k < 5; ++k) method->step(x, h);
                }),
                0)
          << m.name << (clamped ? ", clamped" : ", free");
    }
  }
}

TEST(ShellInTime, FliesWithTheMomentumItHas) {
  const Sheet s = sheet(false);
  Rattlie method(*s.system, {.newton = within(1e-12)});
  const State x = test::run(method, s.start, 2, 400);
  const auto before = s.system->momentum(s.start.q, s.start.v), after = s.system->momentum(x.q, x.v);
  EXPECT_LT((before.linear - after.linear).norm(), 1e-9);
  EXPECT_LT((before.angular - after.angular).norm(), 1e-9);
}

}  // namespace
}  // namespace filum::integrate
