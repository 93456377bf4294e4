/// Steps end at switches and events, and methods restart after them. Theory: docs/theory/events.md.
#include "support/small_systems.hpp"

#include <filum/integrate/method.hpp>
#include <filum/integrate/run.hpp>
#include <filum/mechanics/switches.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace filum::integrate {
namespace {

using mechanics::Switch;
using mechanics::Switching;
using mechanics::SwitchList;

/// A force along x that takes one of two values by the sign of a decision.
class SwitchedForce final : public mechanics::Part, public mechanics::SwitchingPart {
 public:
  using Decision = std::function<double(double t, double x, double v)>;
  using Value = std::function<double(double t, double x, double v)>;
  SwitchedForce(Switching switching, Decision g, Value below, Value above)
      : switching_(switching), g_(std::move(g)), below_(std::move(below)), above_(std::move(above)) {}
  std::string name() const override { return "switched force"; }
  void declare(mechanics::Declaration& d) override {
    d.forces<1>({0}, {.velocity = true, .derivatives = mechanics::Derivatives::differences});
  }
  void add_forces(double t, const VectorXd& q, const VectorXd& v, mechanics::VectorRef f) const override {
    f[0] += (g_(t, q[0], v[0]) < 0 ? below_ : above_)(t, q[0], v[0]);
  }
  Switching switching() const override { return switching_; }
  void add_switches(double t, const VectorXd& q, const VectorXd& v, SwitchList& out) const override {
    const double g = g_(t, q[0], v[0]);
    Switch sign{.value = g};
    (g < 0 ? sign.high : sign.low) = 0;
    out.begin_law();
    out.add(sign);
  }

 private:
  Switching switching_;
  Decision g_;
  Value below_, above_;
};

/// A mass of 1 in the plane at (x, 0) with the velocity (v, 0).
test::SmallSystem mass(double x, double v, std::vector<std::shared_ptr<mechanics::Part>> forces) {
  auto builder = test::one_node(lie::GroupId::R2, Eigen::Vector2d(1, 1), Eigen::Vector2d(x, 0), Eigen::Vector2d(v, 0));
  for (auto& force : forces) builder.add_part(std::move(force));
  return test::started(builder);
}
SwitchedForce::Value constant(double f) {
  return [f](double, double, double) { return f; };
}

test::SmallSystem force_until(double jump) {
  return mass(
      0, 0,
      {std::make_shared<SwitchedForce>(
          Switching::of_time, [jump](double t, double, double) { return t - jump; }, constant(1), constant(-2))});
}
double position_after(double t, double jump) {
  const double s = std::max(0.0, t - jump);
  return 0.5 * t * t - 1.5 * s * s;
}

constexpr double g = 10, floor_stiffness = 4000;
/// Falls from height 1 onto a floor of that stiffness.
test::SmallSystem bouncing() {
  return mass(1, 0,
              {std::make_shared<test::ConstantForce>(Eigen::Vector2d(-g, 0)),
               std::make_shared<SwitchedForce>(
                   Switching::of_motion, [](double, double x, double) { return x; },
                   [](double, double x, double) { return -floor_stiffness * x; }, constant(0))});
}
const double touch = std::sqrt(2 / g);
/// Contact lasts (2π − 2 atan(v ω / g)) / ω with v the speed of the impact.
double contact() {
  const double w = std::sqrt(floor_stiffness), v = g * touch;
  return (2 * M_PI - 2 * std::atan2(v * w, g)) / w;
}

std::unique_ptr<Integrator> rattlie(const test::SmallSystem& s) { return make_integrator(RattlieOptions{}, *s.system); }
std::unique_ptr<Integrator> adaptive(const test::SmallSystem& s) {
  return make_integrator(HalfExplicitOptions{.adaptive = true, .control = {.atol = 1e-11, .rtol = 1e-11}}, *s.system);
}

TEST(Switches, OfTimeCostNoAccuracyWhereverTheyLieInAStep) {
  for (const double jump : {0.37, 0.4, 0.3000000001, 0.03}) {
    const test::SmallSystem s = force_until(jump);
    const auto method = rattlie(s);
    State x = s.start, y = s.start;
    run(*s.system, *method, x, {.end = 1, .step = 0.1});
    EXPECT_EQ(x.t, 1.0);
    EXPECT_NEAR(x.q[0], position_after(1, jump), 1e-13) << jump;
    EXPECT_NEAR(x.v[0], jump - 2 * (1 - jump), 1e-13) << jump;
    run(*s.system, *method, y, {.end = 1, .step = 0.1, .follow_switches = false});
    EXPECT_GT(std::abs(y.v[0] - x.v[0]), 0.01) << "the jump is there";
  }
}

// A constant force is followed exactly by all of them, so that nothing but the jump could make an error: one that
// restarts after it must not look back.
TEST(Switches, OfTimeCostMethodsWithAMemoryNoAccuracyEither) {
  for (const double jump : {0.37, 0.4})
    for (const bool adapts : {false, true})
      for (const MethodOptions& options :
           {MethodOptions(GeneralizedAlphaOptions{.adaptive = adapts}),
            MethodOptions(BliedfOptions{.adaptive = adapts}), MethodOptions(RadauOptions{.adaptive = adapts}),
            MethodOptions(RattlieOptions{.adaptive = adapts})}) {
        const test::SmallSystem s = force_until(jump);
        State x = s.start;
        const RunStatistics done = run(*s.system, *make_integrator(options, *s.system), x, {.end = 1, .step = 0.1});
        EXPECT_NEAR(x.q[0], position_after(1, jump), 1e-13) << name(options) << ' ' << jump;
        EXPECT_NEAR(x.v[0], jump - 2 * (1 - jump), 1e-13) << name(options) << ' ' << jump;
        EXPECT_EQ(done.rejected, 0) << name(options);
        EXPECT_EQ(done.switches.crossed, 1) << name(options);
      }
}

TEST(Switches, OfTimeLetAdaptiveMethodsKeepTheirSteps) {
  const test::SmallSystem s = force_until(1 / M_PI);
  State x = s.start, y = s.start;
  const RunStatistics with = run(*s.system, *adaptive(s), x, {.end = 1, .step = 0.1});
  const RunStatistics without = run(*s.system, *adaptive(s), y, {.end = 1, .step = 0.1, .follow_switches = false});
  EXPECT_NEAR(x.q[0], position_after(1, 1 / M_PI), 1e-13);
  EXPECT_EQ(with.switches.crossed, 1);
  EXPECT_EQ(with.rejected, 0);
  EXPECT_GT(without.rejected, 10);
}

TEST(Switches, OfTheMotionAreLocatedToTenDigits) {
  const test::SmallSystem s = bouncing();
  for (const bool adapts : {false, true}) {
    const auto method = adapts ? adaptive(s) : rattlie(s);
    std::vector<double> times;
    State x = s.start;
    run(*s.system, *method, x, {.end = 0.9, .step = 0.001},
        [&](State& now, const StepReport& report, const RunStatistics&) {
          if (report.crossing) times.push_back(now.t);
          return true;
        });
    ASSERT_EQ(times.size(), 2U);
    EXPECT_NEAR(times[0], touch, 1e-10);
    EXPECT_NEAR(times[1], touch + contact(), adapts ? 1e-10 : 2e-5) << "the oscillation between is the method's own";
    const double t = 0.9 - touch - contact(), v = g * touch;
    EXPECT_NEAR(x.q[0], v * t - 0.5 * g * t * t, adapts ? 1e-9 : 1e-4);
  }
}

TEST(Switches, OfTheMotionKeepTheOrderOfRattlie) {
  const test::SmallSystem s = bouncing();
  std::vector<double> errors;
  for (const double h : {0.004, 0.002, 0.001}) {
    State x = s.start;
    run(*s.system, *rattlie(s), x, {.end = 0.7, .step = h});
    const double t = 0.7 - touch - contact(), v = g * touch;
    errors.push_back(std::abs(x.q[0] - (v * t - 0.5 * g * t * t)));
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.2);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2, 0.1);
}

TEST(Switches, ThatAConstantStepCannotEndAtAreSaidOnce) {
  const test::SmallSystem s = force_until(0.37);
  int warnings = 0;
  State x = s.start;
  run(*s.system, *make_integrator(ShakelieOptions{}, *s.system), x,
      {.end = 1, .step = 0.1, .warn = [&](const std::string& text) {
         ++warnings;
         EXPECT_NE(text.find("try:"), std::string::npos);
       }});
  EXPECT_EQ(warnings, 1);
}

// Friction of a kind that drives back faster than it brakes: the force jumps where the mass turns round.
TEST(Switches, AcrossWhichAdaptiveStepsFailAreApproachedInAFewSteps) {
  const test::SmallSystem s =
      mass(0, 0.5,
           {std::make_shared<SwitchedForce>(
               Switching::of_motion, [](double, double, double v) { return v; }, constant(-3), constant(-1))});
  State x = s.start;
  const RunStatistics done = run(*s.system, *adaptive(s), x, {.end = 1, .step = 0.01});
  EXPECT_NEAR(x.v[0], -1.5, 1e-9);
  EXPECT_NEAR(x.q[0], 0.125 - 0.375, 1e-9);
  EXPECT_EQ(done.switches.crossed, 1);
  EXPECT_LT(done.rejected, 8);
}

// A relay with damping: the frequency of the switching grows without bound.
TEST(Switches, ThatFollowEachOtherWithoutEndDoNotHoldUpARun) {
  const test::SmallSystem s = mass(
      0.5, 0,
      {std::make_shared<SwitchedForce>(
          Switching::of_motion, [](double, double x, double) { return x; },
          [](double, double, double v) { return 1 - 4 * v; }, [](double, double, double v) { return -1 - 4 * v; })});
  State x = s.start;
  const RunStatistics done = run(*s.system, *rattlie(s), x, {.end = 10, .step = 0.01});
  EXPECT_NEAR(x.q[0], 0, 1e-3);
  EXPECT_GT(done.switches.crossed, 50);
  EXPECT_LT(done.accepted, 10000);
}

/// x'' = 1 from rest at −0.5: passes zero at t = 1, and 0.5 at √2.
test::SmallSystem accelerated() {
  return mass(-0.5, 0, {std::make_shared<test::ConstantForce>(Eigen::Vector2d(1, 0))});
}

TEST(Events, StopARunWhereAFunctionChangesItsSignInTheirDirection) {
  const test::SmallSystem s = accelerated();
  for (const Direction direction : {Direction::both, Direction::rising, Direction::falling}) {
    State x = s.start;
    const RunStatistics done = run(*s.system, *rattlie(s), x,
                                   {.end = 2,
                                    .step = 0.3,
                                    .events = {{.name = "zero",
                                                .value = [](const State& now) { return now.q[0]; },
                                                .direction = direction,
                                                .action = EventAction::stop}}});
    const bool stops = direction != Direction::falling;
    EXPECT_EQ(done.stopped_by, stops ? 0 : -1);
    EXPECT_EQ(done.events[0].count, stops ? 1 : 0);
    EXPECT_NEAR(x.t, stops ? 1.0 : 2.0, 1e-10);
    if (stops) {
      EXPECT_GE(x.q[0], 0);
    }
  }
}

TEST(Events, MayChangeVelocitiesAndLoadsAndAreInTheMemoryOfARun) {
  const test::SmallSystem s = accelerated();
  // A wall at 0 that gives back half the speed.
  const auto options = [](std::vector<double>& times) {
    return RunOptions{.end = 3,
                      .step = 0.05,
                      .events = {{.name = "wall",
                                  .value = [](const State& now) { return now.q[0]; },
                                  .direction = Direction::rising,
                                  .change =
                                      [&times](State& now) {
                                        times.push_back(now.t);
                                        now.v[0] *= -0.5;
                                      }}}};
  };
  std::vector<double> times, again;
  State x = s.start;
  const RunStatistics whole = run(*s.system, *rattlie(s), x, options(times));
  // Speed 1 at t = 1; then 1/2, back after 1; then 1/4, after 1/2; and so on.
  ASSERT_GE(times.size(), 3U);
  for (const auto& [number, t] : {std::pair{0, 1.0}, {1, 2.0}, {2, 2.5}}) EXPECT_NEAR(times[number], t, 1e-9);
  EXPECT_EQ(whole.events[0].count, static_cast<long>(times.size()));

  const auto first = rattlie(s), second = rattlie(s);
  State y = s.start;
  RunStatistics stopped;
  run(*s.system, *first, y, options(again), [&](State& now, const StepReport&, const RunStatistics& so_far) {
    stopped = so_far;
    return now.t < 2.2 || !so_far.grid.is_whole;
  });
  std::vector<double> memory;
  first->save(memory);
  second->restore(memory);
  long restored = 0;
  RunOptions rest = options(again);
  rest.events[0].restore = [&](long count) { restored = count; };
  run(*s.system, *second, y, rest, {}, &stopped);
  EXPECT_EQ(restored, 2);
  EXPECT_EQ(again, times);
  EXPECT_EQ(y.q, x.q);
  EXPECT_EQ(y.v, x.v);
}

TEST(Events, ResumeWithTheSameBitsFromEveryPlace) {
  const test::SmallSystem s = bouncing();
  for (const bool adapts : {false, true}) {
    const RunOptions options{.end = 0.6, .step = 0.02};
    const auto make = [&] { return adapts ? adaptive(s) : rattlie(s); };
    State x = s.start;
    run(*s.system, *make(), x, options);
    for (int stop = 1; stop < 40; stop += 3) {
      const auto first = make(), second = make();
      State y = s.start;
      RunStatistics stopped;
      int calls = 0;
      run(*s.system, *first, y, options, [&](State&, const StepReport&, const RunStatistics& so_far) {
        stopped = so_far;
        return ++calls < stop || !so_far.grid.is_whole;
      });
      std::vector<double> memory;
      first->save(memory);
      second->restore(memory);
      run(*s.system, *second, y, options, {}, &stopped);
      EXPECT_EQ(y.q, x.q) << stop;
      EXPECT_EQ(y.v, x.v) << stop;
    }
  }
}

// A parabola that reaches 0 from below by 1e-13: nothing to cross.
TEST(Events, ThatAreOnlyGrazedLetTheRunGoOn) {
  const test::SmallSystem s =
      mass(0, 1, {std::make_shared<test::ConstantForce>(Eigen::Vector2d(-1, 0))});  // highest at 1/2
  for (const double level : {0.5 - 1e-13, 0.5, 0.5 + 1e-13}) {
    State x = s.start;
    const auto height = [level](const State& now) { return now.q[0] - level; };
    run(*s.system, *rattlie(s), x, {.end = 2, .step = 0.25, .events = {{.name = "level", .value = height}}});
    EXPECT_EQ(x.t, 2.0);
    EXPECT_NEAR(x.q[0], 0, 1e-9);
  }
}

}  // namespace
}  // namespace filum::integrate
