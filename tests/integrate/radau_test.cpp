/// Radau IIA on Lie groups: orders, constraints, stiffness, step control. Theory: docs/theory/radau.md.
#include "support/allocation_counter.hpp"
#include "support/beam_systems.hpp"
#include "support/multibody_systems.hpp"
#include "support/small_systems.hpp"
#include "trajectory.hpp"

#include <filum/integrate/generalized_alpha.hpp>
#include <filum/integrate/radau.hpp>
#include <filum/integrate/run.hpp>
#include <filum/parts/body_load.hpp>
#include <filum/parts/joint.hpp>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace filum::test {
namespace {

using integrate::Integrator;
using integrate::NewtonOptions;
using integrate::Radau;
using integrate::RadauOptions;
using integrate::RunStatistics;
using integrate::StepReport;
using parts::Vector3d;

constexpr NewtonOptions tight{.atol = 1e-13, .rtol = 1e-13};

std::unique_ptr<Integrator> radau(const System& s) { return std::make_unique<Radau>(s, RadauOptions{.newton = tight}); }
std::unique_ptr<Integrator> adaptive(const System& s, double tolerance, const linalg::RowSelection& rows = {}) {
  return std::make_unique<Radau>(
      s, RadauOptions{.adaptive = true, .control = {.atol = tolerance, .rtol = tolerance, .max_factor = 4}}, rows);
}

/// f = −K q − D v on one node of R², implicit in both.
class LinearForce final : public Part {
 public:
  LinearForce(const Eigen::Matrix2d& K, const Eigen::Matrix2d& D) : K_(K), D_(D) {}
  std::string name() const override { return "spring"; }
  void declare(Declaration& declaration) override { declaration.forces<1>({0}, {.velocity = true}); }
  void add_forces(double, const VectorXd& q, const VectorXd& v, VectorRef f) const override { f -= K_ * q + D_ * v; }
  double potential_energy(double, const VectorXd& q) const override { return 0.5 * q.dot(K_ * q); }
  void add_force_derivatives(double, const VectorXd&, const VectorXd&, double scale_q, double scale_v,
                             mechanics::NodeMatrix& H) const override {
    H.block(0, 0) -= scale_q * K_ + scale_v * D_;
  }

 private:
  Eigen::Matrix2d K_, D_;
};

SmallSystem oscillator(const Eigen::Matrix2d& K, const Eigen::Matrix2d& D) {
  SystemBuilder builder =
      one_node(lie::GroupId::R2, Eigen::Vector2d(1, 1), Eigen::Vector2d(1, 2), Eigen::Vector2d(3, -1));
  builder.add_part(std::make_shared<LinearForce>(K, D));
  return started(builder);
}

// R(z) = (1 + 2z/5 + z²/20) / (1 − 3z/5 + 3z²/20 − z³/60)
TEST(Radau, StepOfALinearSystemIsItsStabilityFunction) {
  Eigen::Matrix2d K, D;
  K << 5, 1, -2, 40;
  D << 1, 0.5, 0, 3;
  const SmallSystem s = oscillator(K, D);
  Radau method(*s.system, {.newton = tight});
  State x = s.start;
  Eigen::Matrix4d L = Eigen::Matrix4d::Zero(), I = Eigen::Matrix4d::Identity();
  L.topRightCorner<2, 2>().setIdentity();
  L.bottomLeftCorner<2, 2>() = -K;
  L.bottomRightCorner<2, 2>() = -D;
  Eigen::Vector4d y;
  y << x.q, x.v;
  method.start(x, 0.3);
  for (const double h : {0.3, 0.3, 0.1, 0.7}) {
    const Eigen::Matrix4d z = h * L, z2 = z * z;
    y = (I - 0.6 * z + 0.15 * z2 - z * z2 / 60).inverse() * (I + 0.4 * z + 0.05 * z2) * y;
    const StepReport report = method.step(x, h);
    ASSERT_TRUE(report.accepted());
    EXPECT_LE(report.newton_iterations, 3) << "the matrix is exact";
    EXPECT_LT((x.q - y.head<2>()).norm(), 1e-12);
    EXPECT_LT((x.v - y.tail<2>()).norm(), 1e-12);
  }
}

TEST(Radau, StepTakesStiffModesOut) {
  const SmallSystem s = oscillator(Eigen::Vector2d(1, 1e12).asDiagonal(), Eigen::Matrix2d::Zero());
  Radau method(*s.system, {.newton = tight});
  State x = s.start;
  method.start(x, 0.1);
  ASSERT_TRUE(method.step(x, 0.1).accepted());
  EXPECT_NEAR(x.q[0], std::cos(0.1) + 3 * std::sin(0.1), 1e-9);
  EXPECT_LT(std::abs(x.q[1]), 1e-3);
}

/// Slopes of the errors at t = 1 against a solution in closed form.
template <class Exact>
Orders closed_form_orders(const SmallSystem& s, const Exact& exact, std::initializer_list<int> steps) {
  std::vector<double> h, q, v, lambda;
  for (const int n : steps) {
    const auto method = radau(*s.system);
    const State x = run(*method, s.start, 1, n), y = exact(1);
    h.push_back(1.0 / n), q.push_back((x.q - y.q).norm()), v.push_back((x.v - y.v).norm());
    lambda.push_back((x.lambda - y.lambda).norm());
  }
  return {slope(h, q), slope(h, v), slope(h, lambda), 0};
}

TEST(Radau, IsOfOrderFiveWithConstraintsOfTimeAndWithNonholonomicOnes) {
  for (const Orders& p : {closed_form_orders(bead_on_turning_wire(), exact_bead, {16, 32, 64}),
                          closed_form_orders(blade_on_slope(), exact_blade, {8, 16, 32})}) {
    EXPECT_NEAR(p.q, 5, 0.15);
    EXPECT_NEAR(p.v, 5, 0.15);
    EXPECT_NEAR(p.lambda, 5, 0.15);
  }
}

class RadauTop : public ::testing::TestWithParam<std::tuple<GroupId, TopSpeed>> {};
INSTANTIATE_TEST_SUITE_P(All, RadauTop,
                         ::testing::Combine(::testing::ValuesIn(all_top_groups),
                                            ::testing::Values(TopSpeed::fast, TopSpeed::slow)),
                         [](const auto& each) {
                           return group_name(std::get<0>(each.param)) +
                                  (std::get<1>(each.param) == TopSpeed::fast ? "Fast" : "Slow");
                         });

TEST_P(RadauTop, IsOfOrderFiveInPositionsVelocitiesAndMultipliers) {
  const auto [group, speed] = GetParam();
  const Benchmark b = heavy_top(speed, group);
  const bool fast = speed == TopSpeed::fast;
  const Trajectory exact(*b.system, b.start, fast ? 0.0625 : 0.5, fast ? 4096 : 2048);
  const Orders p = fast ? exact.orders(radau, {32, 64, 128}) : exact.orders(radau, {8, 16, 32});
  EXPECT_NEAR(p.q, 5, 0.15);
  EXPECT_NEAR(p.v, 5, 0.15);
  if (b.system->size_lambda() > 0) {
    EXPECT_NEAR(p.lambda, 5, 0.15);
  }
}

/// Steps between a quarter of the largest and the largest.
std::vector<double> random_steps(double length, int n) {
  std::mt19937_64 random(3);
  std::vector<double> steps;
  double sum = 0;
  for (int k = 0; k < n; ++k) steps.push_back(0.25 + 0.75 * static_cast<double>(random() >> 11) * 0x1p-53);
  for (const double h : steps) sum += h;
  for (double& h : steps) h *= length / sum;
  return steps;
}

TEST_P(RadauTop, KeepsItsOrderOnRandomGrids) {
  const auto [group, speed] = GetParam();
  const Benchmark b = heavy_top(speed, group);
  const double end = speed == TopSpeed::fast ? 0.0625 : 0.5;
  integrate::HalfExplicitRk reference(*b.system, {.order = 5});
  const State exact = run(reference, b.start, end, 4096);
  std::vector<double> hs, q, v, lambda;
  for (const int n : speed == TopSpeed::fast ? std::vector{64, 128, 256} : std::vector{16, 32, 64}) {
    const std::vector<double> steps = random_steps(end, n);
    const auto method = radau(*b.system);
    State x = b.start;
    method->start(x, steps[0]);
    for (const double h : steps) ASSERT_TRUE(method->step(x, h).accepted());
    x.t = end;
    method->complete(x);
    hs.push_back(end / n), q.push_back((x.q - exact.q).norm()), v.push_back((x.v - exact.v).norm());
    lambda.push_back((x.lambda - exact.lambda).norm());
  }
  // The grids differ, and with them the constants of the errors.
  EXPECT_NEAR(slope(hs, q), 5, 0.5);
  EXPECT_NEAR(slope(hs, v), 5, 0.5);
  if (b.system->size_lambda() > 0) {
    EXPECT_NEAR(slope(hs, lambda), 5, 0.5);
  }
}

TEST(Radau, KeepsBothLevelsOfTheConstraintsAndNeedsAnEtaOfFifthOrder) {
  for (const GroupId group : rigid_motion_groups)
    for (const Benchmark& b : {heavy_top(TopSpeed::slow, group), rolling_disk(group)}) {
      const System& s = *b.system;
      VectorXd phi(s.size_lambda()), hidden(s.size_rows()), rate = hidden;
      mechanics::RowMatrix C(s.pattern());
      std::vector<double> hs, etas;
      for (const int n : {64, 128, 256}) {
        const auto method = radau(s);
        State x = b.start;
        const double h = 0.4 / n;
        double eta = 0;
        method->start(x, h);
        for (int k = 0; k < n; ++k) {
          ASSERT_TRUE(method->step(x, h).accepted());
          s.constraint(x.t, x.q, phi);
          EXPECT_LT(phi.norm(), 1e-13);
          s.constraint_jacobian(x.t, x.q, C);
          C.times(x.v, hidden, s.row_blocks());
          s.constraint_rate(x.t, x.q, rate);
          EXPECT_LT((hidden + rate).norm(), 1e-11);
          eta = std::max(eta, method->stabilization()->norm());
        }
        hs.push_back(h), etas.push_back(eta);
      }
      if (etas.back() > 1e-11) {
        EXPECT_GT(slope(hs, etas), 4.7) << group_name(group);
      }
    }
}

// METHODS: true values of the rolling disk.
TEST(Radau, RollsADisk) {
  for (const GroupId group : {GroupId::SO3xR3, GroupId::S3sdR3}) {
    const Benchmark b = rolling_disk(group);
    const auto method = adaptive(*b.system, 1e-9);
    State x = b.start;
    integrate::run(*b.system, *method, x, {.end = 2, .step = 0});
    method->complete(x);
    EXPECT_LT((b.body.position(x) - Vector3d(-1.060389299432, 0.475936458681, 0.627430485657)).norm(), 2e-8);
    EXPECT_NEAR(x.lambda[0], -2604.5416, 1e-3);
    EXPECT_NEAR(x.lambda[1], 480.4068, 1e-3);
    EXPECT_NEAR(x.lambda[2], 533.0748, 1e-3);
  }
}

class RadauBeam : public ::testing::TestWithParam<GroupId> {};
INSTANTIATE_TEST_SUITE_P(Groups, RadauBeam, ::testing::ValuesIn(rigid_motion_groups),
                         [](const auto& each) { return group_name(each.param); });

TEST_P(RadauBeam, IsOfOrderFiveWithElasticAndWithHeldStrains) {
  for (const parts::StrainMask& held : {parts::cosserat, parts::kirchhoff, parts::inextensible}) {
    const BeamBenchmark b = flying_spaghetti({.segments = 4, .group = GetParam(), .held = held, .smooth = true});
    integrate::HalfExplicitRk reference(*b.system, {});
    const auto exact = trajectory(reference, b.start, 2, 2048, 2);
    const Convergence c = convergence([&] { return radau(*b.system); }, b.start, exact, {32, 64, 128});
    EXPECT_GT(c.order_q(), 4.8) << c.table();  // positions begin with 7
    EXPECT_NEAR(c.order_v(), 5, 0.1) << c.table();
    if (b.system->size_lambda() > 0) {
      EXPECT_GT(c.order_lambda(), 4.8) << c.table();
    }
  }
}

// A moment that comes at once on a beam of stiff viscosity: what is left of the order is that of the stages.
TEST(Radau, KeepsTheOrderOfItsStagesOnAStiffBeam) {
  const BeamBenchmark b = roll_up({.segments = 4, .viscosity = 1e4});
  const State exact = run(*radau(*b.system), b.start, 0.5, 512);
  std::vector<double> h, q;
  for (const int n : {8, 16, 32, 64}) {
    h.push_back(0.5 / n);
    q.push_back((run(*radau(*b.system), b.start, 0.5, n).q - exact.q).norm());
  }
  EXPECT_GT(slope(h, q), 3) << ::testing::PrintToString(q);
  EXPECT_LT(q.front(), 1e-7);
}

/// A steel wire of 1 m and 2 mm, clamped, released from the horizontal; stresses lag by a millisecond.
BeamBenchmark steel_wire(int segments, const parts::StrainMask& held) {
  constexpr double d = 2e-3, E = 2.1e11, G = E / 2.6, rho = 7850, A = std::numbers::pi * d * d / 4, I = A * d * d / 16;
  BeamBenchmark b;
  parts::BeamOptions o;
  o.held = held;
  o.stiffness = {
      parts::diagonal_stiffness(Vector3d(E * I, E * I, 2 * G * I), Vector3d(0.9 * G * A, 0.9 * G * A, E * A))};
  o.viscosity = {0.5e-3 * o.stiffness[0]};
  o.mass_per_length = {rho * A};
  o.inertia_per_length = {rho * I * parts::Matrix3d(Vector3d(1, 1, 2).asDiagonal())};
  parts::set_straight(o, Vector3d::Zero(), Vector3d(1, 0, 0), segments);
  b.beam = parts::add_beam(b.builder, o);
  parts::add_joint(b.builder, {.name = "clamp", .type = parts::JointType::fixed, .first = {}, .second = b.beam->at(0)});
  for (int i = 0; i <= segments; ++i)
    parts::add_load(b.builder, "weight", b.beam->at(i), parts::LoadFrame::space,
                    parts::LoadLaw::constant({.force = Vector3d(0, 0, -9.81 * b.beam->node_mass(i))}));
  complete(b);
  return b;
}

// radau.md, sec. 4: generalized-alpha needs 200 times as many steps.
TEST(Radau, FollowsASteelWireToTenToTheMinusEight) {
  for (const parts::StrainMask& held : {parts::cosserat, parts::inextensible}) {
    const BeamBenchmark b = steel_wire(8, held);
    State x = b.start, exact = b.start;
    const RunStatistics s = integrate::run(*b.system, *adaptive(*b.system, 1e-8), x, {.end = 0.3, .step = 0});
    integrate::run(*b.system, *adaptive(*b.system, 1e-9), exact, {.end = 0.3, .step = 0});
    EXPECT_LT((b.tip(x) - b.tip(exact)).norm(), 1e-8);
    EXPECT_LT(s.accepted, 300);
    EXPECT_LT(s.rejected, 5);
    EXPECT_LT(s.newton_iterations, 5 * s.accepted);
    EXPECT_LT(s.matrices, s.accepted);
  }
}

TEST(Radau, HasErrorsInProportionToTheTolerance) {
  for (const GroupId group : {GroupId::SO3xR3, GroupId::S3sdR3}) {
    const Benchmark b = heavy_top(TopSpeed::slow, group);
    integrate::HalfExplicitRk reference(*b.system, {.order = 5});
    const State exact = run(reference, b.start, 1, 4096);
    std::vector<double> tolerances, found;
    for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
      State x = b.start;
      const RunStatistics s = integrate::run(*b.system, *adaptive(*b.system, tolerance), x, {.end = 1, .step = 0});
      tolerances.push_back(tolerance), found.push_back((x.q - exact.q).norm());
      EXPECT_LT(found.back(), tolerance);
      EXPECT_LT(s.rejected, 3);
    }
    EXPECT_NEAR(slope(tolerances, found), 1, 0.15) << ::testing::PrintToString(found);
  }
}

// Redundant rows, closed loops, drives: against the half-explicit method.
TEST(Radau, TreatsMechanismsWithRedundantRows) {
  for (const GroupId group : {GroupId::S3xR3, GroupId::SE3}) {
    const Multibody m = planar_four_bar(group);
    State x = m.start, exact = m.start;
    integrate::HalfExplicitRk reference(*m.system, {.adaptive = true, .control = {.atol = 1e-11, .rtol = 1e-11}},
                                        m.report.rows);
    integrate::run(*m.system, reference, exact, {.end = 0.05, .step = 1e-4});
    const auto method = adaptive(*m.system, 1e-8, m.report.rows);
    integrate::run(*m.system, *method, x, {.end = 0.05, .step = 0});
    method->complete(x), reference.complete(exact);
    EXPECT_LT((x.q - exact.q).norm(), 1e-8);
    EXPECT_LT((x.lambda - exact.lambda).norm(), 1e-5);
  }
}

// Whatever size it had: afterwards an accepted step gives the same bits as if the rejected one had never been.
TEST(Radau, StepsThatAreRejectedLeaveEverythingUntouched) {
  for (const Benchmark& b : {heavy_top(TopSpeed::slow, GroupId::SO3xR3), rolling_disk(GroupId::S3xR3)}) {
    const auto one = adaptive(*b.system, 1e-8), two = adaptive(*b.system, 1e-8);
    State x = b.start, y = b.start;
    one->start(x, 1e-3), two->start(y, 1e-3);
    for (int k = 0; k < 6; ++k) {
      const State before = x;
      ASSERT_FALSE(one->step(x, 0.1).accepted());  // by its error, or in Newton's iterations
      EXPECT_EQ(x.t, before.t);
      EXPECT_EQ(x.q, before.q);
      EXPECT_EQ(x.v, before.v);
      std::vector<double> memory_x, memory_y;
      one->save(memory_x), two->save(memory_y);
      EXPECT_EQ(memory_x, memory_y);
      const double h = k < 3 ? 1e-3 : 2e-3;  // kept matrices and new ones
      ASSERT_TRUE(one->step(x, h).accepted());
      ASSERT_TRUE(two->step(y, h).accepted());
      EXPECT_EQ(x.q, y.q);
      EXPECT_EQ(x.v, y.v);
    }
  }
}

TEST(Radau, AllocatesNothingWhetherAcceptedOrRejected) {
  const BeamBenchmark beam = roll_up({.segments = 6});
  const Benchmark top = heavy_top(TopSpeed::slow, GroupId::SO3xR3);
  for (const auto& [system, start] : {std::pair(beam.system, beam.start), std::pair(top.system, top.start)}) {
    const auto method = adaptive(*system, 1e-7);
    State x = start;
    method->start(x, 1e-3);
    ASSERT_TRUE(method->step(x, 1e-3).accepted());
    int rejected = 0;
    EXPECT_EQ(allocations_of([&] {
                for (int k = 0; k < 10; ++k)
                  rejected += !method->step(x, k % 3 == 2 ? 0.2 : 1e-3 * (1 + 0.1 * k)).accepted();
              }),
              0);
    EXPECT_GT(rejected, 0);
    EXPECT_EQ(allocations_of([&] { method->start(x, 1e-3), method->complete(x); }), 0) << "starting anew";
  }
}

TEST(Radau, ChoosesTheSameStepsAfterAResume) {
  const BeamBenchmark b = roll_up({.segments = 4});
  const integrate::RunOptions options{.end = 0.4, .step = 0, .output_every = 0.05};
  const auto whole = adaptive(*b.system, 1e-7), first = adaptive(*b.system, 1e-7), second = adaptive(*b.system, 1e-7);
  State x = b.start, y = b.start;
  const RunStatistics all = integrate::run(*b.system, *whole, x, options);
  for (const long at : {3L, all.accepted / 2, all.accepted - 2}) {
    y = b.start;
    RunStatistics stopped;
    integrate::run(*b.system, *first, y, options, [&](State&, const StepReport&, const RunStatistics& s) {
      stopped = s;
      return s.accepted < at;
    });
    std::vector<double> memory;
    first->save(memory);
    second->restore(memory);
    const RunStatistics rest = integrate::run(*b.system, *second, y, options, {}, &stopped);
    EXPECT_EQ(rest.accepted, all.accepted);
    EXPECT_EQ(rest.matrices, all.matrices);
    EXPECT_EQ(x.q, y.q);
    EXPECT_EQ(x.v, y.v);
  }
}

}  // namespace
}  // namespace filum::test
