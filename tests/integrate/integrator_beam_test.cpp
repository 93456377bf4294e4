/// Beams in time: published values, orders, momentum, roll-up, adaptive steps, slenderness. Numbers:
/// docs/theory/benchmarks.md, sec. 8.
#include "integrate/tolerances.hpp"
#include "support/allocation_counter.hpp"
#include "support/beam_systems.hpp"
#include "support/convergence.hpp"

#include <filum/integrate/bliedf.hpp>
#include <filum/integrate/generalized_alpha.hpp>
#include <filum/integrate/half_explicit_rk.hpp>
#include <filum/integrate/munthe_kaas_rk.hpp>
#include <filum/integrate/rattlie.hpp>
#include <filum/integrate/run.hpp>
#include <filum/integrate/shakelie.hpp>
#include <filum/lie/quaternion.hpp>
#include <filum/parts/body_load.hpp>
#include <filum/parts/joint.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

namespace filum::integrate {
namespace {

using parts::Vector3d;
using test::BeamBenchmark;
using test::Convergence;
using test::GroupId;
using test::within;

/// Reference values of the semi-discrete flying spaghetti, Kirchhoff, 8 segments, errors below 1e-12.
const Vector3d start_at_5(19.634345715345063, 1.785333373351510, -1.707559842024147);
const Vector3d end_at_5(11.780569502365424, 6.678332220771251, 1.949479140355475);
const Vector3d start_at_15(68.90204729937355, 3.392582551246451, -3.549251924852625);
constexpr double energy_after_5 = 874.527299866316;

Vector3d center_of_mass(const BeamBenchmark& b, const State& x) {
  Vector3d sum = Vector3d::Zero();
  for (int i = 0; i < b.beam->nodes(); ++i) sum += b.beam->nodal_length(i) * b.beam->position(x, i);
  return sum / b.beam->arc_length(b.beam->segments());
}

TEST(FlyingSpaghetti, HalfExplicitOrderFiveReachesThePublishedValues) {
  const BeamBenchmark b = test::flying_spaghetti({});
  HalfExplicitRk method(*b.system, {.adaptive = true, .control = {.atol = 1e-11, .rtol = 1e-11}});
  State x = b.start;
  run(*b.system, method, x, {.end = 5, .step = 1e-3, .output_every = 2.5}, {});
  EXPECT_LT((b.beam->position(x, 0) - start_at_5).norm(), 1e-8);
  EXPECT_LT((b.tip(x) - end_at_5).norm(), 1e-8);
  EXPECT_NEAR(b.energy(x), energy_after_5, 1e-7);
  EXPECT_LT((center_of_mass(b, x) - Vector3d(15.5, 4, 0)).norm(), 1e-8);
  run(*b.system, method, x, {.end = 15, .step = 1e-3}, {});
  EXPECT_LT((center_of_mass(b, x) - Vector3d(65.5, 4, 0)).norm(), 1e-7);
  EXPECT_LT((b.beam->position(x, 0) - start_at_15).norm(), 1e-6);
  EXPECT_NEAR(b.energy(x), energy_after_5, 1e-6);
}

TEST(FlyingSpaghetti, RattlieKeepsTheMomentumOfTheThrowToRounding) {
  const BeamBenchmark b = test::flying_spaghetti({});
  Rattlie method(*b.system, {.newton = {.atol = 1e-14, .rtol = 1e-14}});
  State x = b.start;
  double error = 0;
  run(*b.system, method, x, {.end = 8, .step = 0x1p-8}, [&](State& now, const StepReport&, const RunStatistics&) {
    if (now.t >= 5) error = std::max(error, (b.system->momentum(now.q, now.v).linear - Vector3d(50, 0, 0)).norm());
    return true;
  });
  EXPECT_LT(error, 1e-10);
}

/// Momentum that RATTLie adds to the free flight in 4096 steps of 2^-17.
Vector3d momentum_of_tiny_steps(int segments) {
  const BeamBenchmark b = test::flying_spaghetti({.segments = segments});
  HalfExplicitRk throwing(*b.system, {});
  State x = b.start;
  run(*b.system, throwing, x, {.end = 5.5, .step = 0x1p-9}, {});
  const Vector3d before = b.system->momentum(x.q, x.v).linear;
  Rattlie method(*b.system, {.newton = within(1e-12)});
  run(*b.system, method, x, {.end = 5.5 + 0x1p-5, .step = 0x1p-17}, {});
  return b.system->momentum(x.q, x.v).linear - before;
}

// (NW.4) Corrections are rounding errors of the constraints here from the first one on, and what the matrix of the step
// before leaves of the momentum balance lies beneath them: without the last correction it is 4e-14 per step, always in
// the same direction.
TEST(FlyingSpaghetti, TinyStepsDoNotPushItSideways) {
  const Vector3d change = momentum_of_tiny_steps(8);
  EXPECT_LT(std::hypot(change[1], change[2]), 2e-11);
}

// Inverse masses of 8 segments, 0.8, are rounded up by 5.6e-17, and velocities with them in every step (1.2e-11 here);
// those of 5 segments are exact.
TEST(FlyingSpaghetti, TinyStepsKeepTheMomentumWhereInverseMassesAreExact) {
  EXPECT_LT(momentum_of_tiny_steps(5).norm(), 3e-12);
}

using MakeMethod = std::function<std::unique_ptr<Integrator>(const System&, const NewtonOptions&)>;

std::vector<std::pair<std::string, MakeMethod>> implicit_methods() {
  std::vector<std::pair<std::string, MakeMethod>> all{
      {"rattlie",
       [](const System& s, const NewtonOptions& n) -> std::unique_ptr<Integrator> {
         return std::make_unique<Rattlie>(s, RattlieOptions{.newton = n});
       }},
      {"shakelie", [](const System& s, const NewtonOptions& n) -> std::unique_ptr<Integrator> {
         return std::make_unique<Shakelie>(s, ShakelieOptions{.newton = n});
       }}};
  for (const Formulation f : {Formulation::stabilized_index_2, Formulation::index_3}) {
    const std::string index = f == Formulation::index_3 ? " index 3" : " stabilized";
    all.emplace_back("generalized-alpha" + index, [f](const System& s, const NewtonOptions& n) {
      return std::make_unique<GeneralizedAlpha>(s, GeneralizedAlphaOptions{.formulation = f, .newton = n});
    });
    all.emplace_back("bliedf" + index, [f](const System& s, const NewtonOptions& n) {
      return std::make_unique<Bliedf>(s, BliedfOptions{.formulation = f, .newton = n});
    });
  }
  return all;
}

// Rounding errors of q, 7e-14, are those of a velocity of 1.7e-8 m/s here: the default tolerance cannot be met.
TEST(FarFromTheOrigin, ImplicitMethodsTakeTinyStepsAsNearIt) {
  constexpr double h = 0x1p-18;
  const Vector3d far(300, 0, 0);
  const BeamBenchmark near_b = test::flying_spaghetti({}), far_b = test::flying_spaghetti({.shift = far});
  for (const auto& [name, make] : implicit_methods())
    for (const NewtonOptions newton : {NewtonOptions{}, NewtonOptions{.atol = 1e-10, .rtol = 1e-10}}) {
      const auto fly = [&, name = name, make = make](const BeamBenchmark& b) {
        const auto method = make(*b.system, newton);
        State x = b.start;
        method->start(x, h);
        EXPECT_TRUE(method->step(x, h).accepted()) << name;
        int accepted = 0;
        const long allocated = test::allocations_of([&] {
          while (accepted < 63 && method->step(x, h).accepted()) ++accepted;
        });
        EXPECT_EQ(accepted, 63) << name;
        EXPECT_EQ(allocated, 0) << name;
        return x;
      };
      const State x = fly(near_b), y = fly(far_b);
      for (int i = 0; i < near_b.beam->nodes(); ++i)
        EXPECT_LT((far_b.beam->position(y, i) - far - near_b.beam->position(x, i)).norm(), 1e-10)
            << name;  // shakelie: 2e-11
      EXPECT_LT((y.v - x.v).lpNorm<Eigen::Infinity>(), 1e-6) << name;
    }
}

TEST(FarFromTheOrigin, StepsThatDoNotConvergeFailAsNearIt) {
  const BeamBenchmark b = test::flying_spaghetti({.shift = Vector3d(300, 0, 0)});
  for (const auto& [name, make] : implicit_methods()) {
    const auto method = make(*b.system, {});
    State x = b.start;
    x.t = 2.5;  // the load is at its maximum and turns the beam by more than 100 rad in such a step
    method->start(x, 0x1p-18);
    EXPECT_FALSE(method->step(x, 4).accepted()) << name;
  }
}

/// Errors at quarters of [0, end] of a method against half-explicit order 5.
template <class Make>
Convergence study(const BeamBenchmark& b, Make&& make, double end, int fine, std::initializer_list<int> steps) {
  HalfExplicitRk method(*b.system, {});
  const auto exact = test::trajectory(method, b.start, end, fine, 4);
  return test::convergence([&] { return make(*b.system); }, b.start, exact, steps);
}

void expect_second_order(const Convergence& c, double tolerance = 0.1) {
  EXPECT_NEAR(c.order_q(), 2, tolerance) << c.table();
  EXPECT_NEAR(c.order_v(), 2, tolerance) << c.table();
  EXPECT_NEAR(c.order_lambda(), 2, tolerance) << c.table();
}

class SpaghettiInGroup : public testing::TestWithParam<GroupId> {};
INSTANTIATE_TEST_SUITE_P(Groups, SpaghettiInGroup,
                         testing::Values(GroupId::SE3, GroupId::S3sdR3, GroupId::UDQ, GroupId::S3xR3),
                         [](const auto& p) { return test::group_name(p.param); });

TEST_P(SpaghettiInGroup, RattlieIsSecondOrder) {
  const BeamBenchmark b = test::flying_spaghetti({.group = GetParam()});
  expect_second_order(
      study(b, [](const System& s) { return std::make_unique<Rattlie>(s, RattlieOptions{.newton = within(1e-12)}); }, 1,
            1024, {512, 1024, 2048, 4096}));
}

TEST(FlyingSpaghetti, GeneralizedAlphaIsSecondOrder) {
  const BeamBenchmark b = test::flying_spaghetti({});
  for (const Formulation formulation : {Formulation::stabilized_index_2, Formulation::index_3})
    expect_second_order(study(b,
                              [&](const System& s) {
                                return std::make_unique<GeneralizedAlpha>(
                                    s, GeneralizedAlphaOptions{.formulation = formulation, .newton = within(1e-12)});
                              },
                              0.5, 1024, {128, 256, 512, 1024}));
}

TEST(FlyingSpaghetti, BliedfIsSecondOrder) {
  const BeamBenchmark b = test::flying_spaghetti({});
  expect_second_order(
      study(b, [](const System& s) { return std::make_unique<Bliedf>(s, BliedfOptions{.newton = within(1e-12)}); }, 0.5,
            1024, {512, 1024, 2048, 4096}));
}

TEST(FlyingSpaghetti, RungeKuttaMethodsHaveTheirOrders) {
  const BeamBenchmark b = test::flying_spaghetti({});
  for (const int order : {2, 3, 4}) {
    const Convergence c = study(
        b, [&](const System& s) { return std::make_unique<HalfExplicitRk>(s, HalfExplicitOptions{.order = order}); },
        0.5, 2048, {256, 512, 1024, 2048});
    EXPECT_NEAR(c.order_q(), order, 0.15) << c.table();
    EXPECT_NEAR(c.order_v(), order, 0.15) << c.table();
  }
  const Convergence c = study(b, [](const System& s) { return std::make_unique<MuntheKaasRk>(s, MuntheKaasOptions{}); },
                              0.5, 2048, {128, 256, 512, 1024});
  EXPECT_NEAR(c.order_v(), 4, 0.15) << c.table();
}

TEST(FlyingSpaghetti, ShakelieRuns) {
  const BeamBenchmark b = test::flying_spaghetti({});
  const Convergence c =
      study(b, [](const System& s) { return std::make_unique<Shakelie>(s, ShakelieOptions{.newton = within(1e-12)}); },
            0.5, 512, {128, 256, 512, 1024});
  EXPECT_NEAR(c.order_q(), 2, 0.1) << c.table();
}

TEST(FlyingSpaghetti, IsTheSameForEveryObserver) {
  // The same throw, seen from another place and another direction: strains agree to rounding.
  const auto strains = [](bool moved) {
    mechanics::SystemBuilder builder;
    parts::BeamOptions o;
    o.held = parts::kirchhoff;
    o.stiffness = {parts::diagonal_stiffness(Vector3d::Constant(500), Vector3d::Constant(1e4))};
    o.inertia_per_length = {10 * parts::Matrix3d::Identity()};
    parts::set_straight(o, Vector3d(6, 0, 0), Vector3d(0, 8, 0), 8);
    const parts::Vector4d turn =
        moved ? parts::Vector4d(0.5, -0.1, 0.7, 0.3).normalized() : parts::Vector4d(1, 0, 0, 0);
    const Vector3d shift = moved ? Vector3d(3, -4, 1) : Vector3d(0, 0, 0);
    for (auto& p : o.orientations) p = lie::quaternion::product(turn, p);
    for (auto& x : o.positions) x = lie::quaternion::rotate(turn, x) + shift;
    const auto beam = parts::add_beam(builder, o);
    const Vector3d F = lie::quaternion::rotate(turn, Vector3d(20, 0, 0)),
                   M = lie::quaternion::rotate(turn, Vector3d(0, -100, -200));
    parts::add_load(builder, "throw", beam->at(0), parts::LoadFrame::space,
                    [=](double t) { return parts::LoadValue{.force = t * F, .moment = t * M}; });
    const auto built = builder.build();
    const System& system = *built;
    State x = builder.start();
    Rattlie method(system, {.newton = within(1e-12)});
    run(system, method, x, {.end = 0.5, .step = 0x1p-8}, {});
    Eigen::MatrixXd w(6, 8);
    for (int m = 0; m < 8; ++m) w.col(m) = beam->strain(x.q, m);
    return w;
  };
  EXPECT_LT((strains(true) - strains(false)).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(RollUp, ClosesToACircleWithEightSegments) {
  const BeamBenchmark b = test::roll_up({});
  Rattlie method(*b.system);
  State x = b.start;
  const auto gap = [&](const State& s) { return (b.beam->position(s, 0) - b.tip(s)).norm(); };
  run(*b.system, method, x, {.end = 25, .step = 0x1p-7}, {});
  const double before = gap(x);
  run(*b.system, method, x, {.end = 30, .step = 0x1p-7}, {});
  EXPECT_LT(gap(x), 3e-3);
  EXPECT_LT(gap(x), 0.8 * before) << before;
  // A full turn leads to the antipodal quaternion.
  EXPECT_LT((b.beam->orientation(x, 0) + b.beam->orientation(x, 8)).norm(), 2e-3);
}

TEST(RollUp, IsSecondOrderAlthoughDamped) {
  const BeamBenchmark b = test::roll_up({});
  const auto make = [](const System& s) {
    return std::make_unique<Rattlie>(s, RattlieOptions{.newton = within(1e-12)});
  };
  expect_second_order(study(b, make, 0.5, 2048, {128, 256, 512, 1024}));
  const auto alpha = [](const System& s) {
    return std::make_unique<GeneralizedAlpha>(s, GeneralizedAlphaOptions{.newton = within(1e-12)});
  };
  expect_second_order(study(b, alpha, 0.5, 2048, {128, 256, 512, 1024}));
  const auto bliedf = [](const System& s) {
    return std::make_unique<Bliedf>(s, BliedfOptions{.newton = within(1e-12)});
  };
  expect_second_order(study(b, bliedf, 0.5, 2048, {128, 256, 512, 1024}));
}

/// Largest and last accepted step of an adaptive run, after the time `from`.
struct Steps {
  double largest = 0, last = 0, mean = 0;
};

Steps adaptive_steps(const BeamBenchmark& b, double from, double end) {
  HalfExplicitRk method(*b.system, {.adaptive = true});
  State x = b.start;
  Steps steps;
  int count = 0;
  double t = 0;
  run(*b.system, method, x, {.end = end, .step = 1e-3}, [&](State& now, const StepReport&, const RunStatistics&) {
    const double h = now.t - t;
    t = now.t;
    if (t > from && t < end) steps.largest = std::max(steps.largest, h), steps.last = h, steps.mean += h, ++count;
    return true;
  });
  steps.mean /= count;
  return steps;
}

TEST(AdaptiveSteps, GrowTowardsTheEquilibriumOfTheRollUpAndStayBoundedForTheSpaghetti) {
  const BeamBenchmark strip = test::roll_up({.held = parts::kirchhoff});
  const Steps early = adaptive_steps(strip, 0, 1), late = adaptive_steps(strip, 4, 6);
  EXPECT_GT(late.mean, 1.5 * early.mean) << early.mean << ' ' << late.mean;
  const BeamBenchmark spaghetti = test::flying_spaghetti({.segments = 16});
  const Steps first = adaptive_steps(spaghetti, 0.5, 2), second = adaptive_steps(spaghetti, 3, 5);
  EXPECT_LT(second.largest, 2 * first.largest) << first.largest << ' ' << second.largest;
}

TEST(AdaptiveSteps, ShrinkWithStifferBending) {
  double before = 1;
  for (const double bending : {5e2, 5e4, 5e6}) {
    const Steps steps = adaptive_steps(test::roll_up({.held = parts::kirchhoff, .bending = bending}), 0.2, 2);
    EXPECT_LT(steps.mean, before) << bending;
    before = steps.mean;
  }
}

/// A cantilever of length 1 and square section of thickness d with a tip load that bends all of them alike, in units in
/// which bending takes place in times of order 1.
BeamBenchmark cantilever(double d, const parts::StrainMask& held) {
  BeamBenchmark b;
  parts::BeamOptions o;
  o.held = held;
  const double EI = 1, EA = 12 / (d * d), GA = EA / 2.6;
  o.stiffness = {parts::diagonal_stiffness(Vector3d(EI, EI, EI / 1.3), Vector3d(GA, GA, EA))};
  o.mass_per_length = {1};
  o.inertia_per_length = {d * d / 12 * parts::Matrix3d(Vector3d(1, 1, 2).asDiagonal())};
  parts::set_straight(o, Vector3d::Zero(), Vector3d(1, 0, 0), 10);
  b.beam = parts::add_beam(b.builder, o);
  parts::add_joint(b.builder, {.name = "clamp", .type = parts::JointType::fixed, .first = {}, .second = b.beam->at(0)});
  parts::add_load(b.builder, "tip", b.beam->at(10), parts::LoadFrame::space,
                  [](double t) { return parts::LoadValue{.force = std::min(t, 1.0) * Vector3d(0, 0.4, -2)}; });
  test::complete(b);
  return b;
}

TEST(Slenderness, CostsNeitherAccuracyNorConvergence) {
  const auto tip = [](const BeamBenchmark& b, double h) {
    GeneralizedAlpha method(*b.system, {.rho_infinity = 0.6});
    State x = b.start;
    const RunStatistics statistics = run(*b.system, method, x, {.end = 2, .step = h}, {});
    EXPECT_LE(statistics.rejected, 2);  // Newton's method fails in one step of some hundreds where EA/EI is 1e9
    return b.tip(x);
  };
  for (const double d : {1e-1, 1e-2, 1e-3, 1e-4}) {
    const BeamBenchmark b = cantilever(d, parts::cosserat);
    const Vector3d coarse = tip(b, 0.01), fine = tip(b, 0.0025);
    EXPECT_LT((coarse - fine).norm(), 2e-3) << d;  // measured: 3e-5 to 1.1e-4
    const Vector3d limit = tip(cantilever(d, parts::inextensible), 0.0025);
    EXPECT_LT((fine - limit).norm(), 2 * d * d + 1e-4) << d;
  }
}

// Rounding errors of Φ, divided by such steps, are above this tolerance.
TEST(BeamsWithTinySteps, AreIntegratedEvenIfTheToleranceCannotBeMet) {
  const BeamBenchmark b = test::flying_spaghetti({.segments = 16});
  const NewtonOptions newton{.atol = 1e-12, .rtol = 1e-12};
  for (const int k : {13, 16, 19}) {
    const double h = std::ldexp(1.0, -k);
    GeneralizedAlpha alpha(*b.system, {.newton = newton});
    Bliedf bliedf(*b.system, {.newton = newton});
    for (Integrator* method : {static_cast<Integrator*>(&alpha), static_cast<Integrator*>(&bliedf)}) {
      State x = b.start;
      method->start(x, h);
      for (int n = 0; n < 50; ++n) {
        const StepReport report = method->step(x, h);
        ASSERT_TRUE(report.accepted()) << method->name() << ", step 2^-" << k << " number " << n;
      }
      VectorXd phi(b.system->size_lambda());
      b.system->constraint(x.t, x.q, phi);
      EXPECT_LT(phi.lpNorm<Eigen::Infinity>(), 1e-13) << method->name() << ", step 2^-" << k;
    }
  }
}

}  // namespace
}  // namespace filum::integrate
