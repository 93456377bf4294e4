/// Frequencies of beams, strings and chains against the literature and closed forms. Theory: docs/theory/modes.md,
/// sec. 7.
#include <filum/analysis/modes.hpp>
#include <filum/mechanics/consistent_start.hpp>
#include <filum/parts/beam.hpp>
#include <filum/parts/beam_load.hpp>
#include <filum/parts/joint.hpp>
#include <filum/parts/spring.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace filum::analysis {
namespace {

using Eigen::Vector3d;
using parts::JointType;
using std::numbers::pi;

struct MadeBeam {
  mechanics::SystemBuilder builder = {};
  std::shared_ptr<const parts::Beam> beam = nullptr;
  std::shared_ptr<const System> system = nullptr;
  State start = {};
  RowSelection rows = {};

  void hold(JointType type, int node) {
    parts::add_joint(
        builder, {.type = type, .first = {.point = beam->position(builder.start(), node)}, .second = beam->at(node)});
  }
  void finish() {
    system = builder.build();
    start = builder.start();
    rows = mechanics::make_consistent(*system, start).rows;
  }
  Linearization linearization() const { return linearize_about(*system, start, rows); }
  Modes modes(const ModesOptions& options = {}) const { return find_modes(linearization(), options); }
};

/// L = EI = ρA = 1, kGA = EA = 1e4, ρI = 1e-4, along −e3.
parts::BeamOptions timoshenko(int segments, double stretch = 1) {
  parts::BeamOptions o;
  parts::set_straight(o, Vector3d::Zero(), Vector3d(0, 0, -stretch), segments);
  for (int k = 0; k <= segments; ++k) o.grid[static_cast<std::size_t>(k)] = static_cast<double>(k) / segments;
  o.stiffness = {parts::diagonal_stiffness(Vector3d::Ones(), Vector3d::Constant(1e4))};
  o.inertia_per_length = {Vector3d(1e-4, 1e-4, 2e-4).asDiagonal().toDenseMatrix()};
  return o;
}

MadeBeam cantilever(int segments) {
  MadeBeam m;
  m.beam = parts::add_beam(m.builder, timoshenko(segments));
  m.hold(JointType::fixed, 0);
  m.finish();
  return m;
}

MadeBeam free_beam(int segments) {
  MadeBeam m;
  m.beam = parts::add_beam(m.builder, timoshenko(segments));
  m.finish();
  return m;
}

/// Bending modes come in pairs: errors of the second of each against exact values, for n and 2n segments.
void expect_second_order(const Modes& coarse, const Modes& fine, std::size_t first, const std::vector<double>& exact) {
  for (std::size_t k = 0; k < exact.size(); ++k) {
    const std::size_t at = first + 2 * k;
    ASSERT_LT(at + 1, coarse.modes.size());
    EXPECT_NEAR(coarse.modes[at].omega(), coarse.modes[at + 1].omega(), 1e-7 * exact[k]) << "pair " << k;
    const double a = coarse.modes[at].omega() - exact[k], b = fine.modes[at].omega() - exact[k];
    EXPECT_NEAR(std::log2(a / b), 2.0, 0.1) << exact[k] << ": " << a << ", " << b;
    EXPECT_LT(std::abs(b), 0.01 * exact[k]);
  }
}

// Values of the Timoshenko equations to ten digits, from their characteristic equation.
TEST(BeamModes, ClampedBeamConvergesWithSecondOrder) {
  expect_second_order(cantilever(20).modes({.count = 6}), cantilever(40).modes({.count = 6}), 0,
                      {3.51438257, 21.96344294, 61.22686924});
}

TEST(BeamModes, FreeBeamHasSixRigidModesAndConverges) {
  const Modes coarse = free_beam(20).modes({.count = 10}), fine = free_beam(40).modes({.count = 10});
  EXPECT_EQ(fine.rigid, 6);
  std::vector<std::string> names;
  for (const Mode& m : fine.modes)
    if (m.kind == ModeKind::rigid) names.push_back(m.name);
  EXPECT_EQ(names, (std::vector<std::string>{"translation along x", "translation along y", "translation along z",
                                             "rotation about x", "rotation about y", "rotation about z"}));
  expect_second_order(coarse, fine, 6, {22.30455014, 61.20149498});
}

TEST(BeamModes, LanczosFindsWhatAllEigenvaluesShow) {
  for (const bool is_free : {false, true}) {
    SCOPED_TRACE(is_free);
    const MadeBeam m = is_free ? free_beam(30) : cantilever(30);
    const Modes all = m.modes({.count = 20}), some = m.modes({.count = 20, .dense_limit = 0});
    EXPECT_EQ(all.solves, 0);
    EXPECT_GT(some.solves, 0);
    ASSERT_EQ(some.modes.size(), 20u);
    EXPECT_EQ(some.rigid, all.rigid);
    for (std::size_t k = 0; k < 20; ++k)
      EXPECT_NEAR(some.modes[k].omega(), all.modes[k].omega(), 1e-7 * (1 + all.modes[k].omega())) << k;
  }
}

// Viscosity in proportion to stiffness damps a mode by viscosity · ω: V = ν C gives s² + 2νω² s + ω² = 0.
TEST(BeamModes, ViscosityDampsEveryModeByItsFrequency) {
  const double nu = 1e-3;
  for (const bool is_free : {false, true}) {
    SCOPED_TRACE(is_free);
    MadeBeam m;
    parts::BeamOptions o = timoshenko(30);
    o.viscosity = {nu * o.stiffness[0]};
    m.beam = parts::add_beam(m.builder, o);
    if (!is_free) m.hold(JointType::fixed, 0);
    m.finish();
    const Modes undamped = m.modes({.count = 12, .undamped = true});
    EXPECT_TRUE(undamped.is_undamped);
    for (const int limit : {240, 0}) {
      SCOPED_TRACE(limit);
      const Modes damped = m.modes({.count = 12, .dense_limit = limit});
      EXPECT_FALSE(damped.is_undamped);
      EXPECT_EQ(damped.rigid, is_free ? 6 : 0);
      ASSERT_EQ(damped.modes.size(), 12u);
      for (std::size_t k = 0; k < 12; ++k) {
        const double omega = undamped.modes[k].omega();
        EXPECT_NEAR(damped.modes[k].omega(), omega, 1e-6 * (1 + omega)) << k;
        if (omega > 0) {
          EXPECT_NEAR(damped.modes[k].damping(), nu * omega, 1e-7) << k;
        }
      }
    }
  }
}

TEST(BeamModes, ShapesAreOrthonormalSolutions) {
  const MadeBeam m = cantilever(30);
  const Linearization lin = m.linearization();
  const SparseMatrix M = linalg::to_sparse(lin.M), K = linalg::to_sparse(lin.K), C = linalg::to_sparse(lin.C);
  for (const int limit : {1000, 0}) {
    const Modes found = find_modes(lin, {.count = 8, .dense_limit = limit});
    for (std::size_t i = 0; i < 8; ++i) {
      const VectorXd x = found.modes[i].shape.real();
      EXPECT_LT((C * x).norm(), 1e-10);
      const double square = std::pow(found.modes[i].omega(), 2);
      for (std::size_t j = 0; j < 8; ++j) {
        const VectorXd y = found.modes[j].shape.real();
        EXPECT_NEAR(y.dot(M * x), i == j, 1e-8);
        EXPECT_NEAR(y.dot(K * x), i == j ? square : 0, 1e-6 * (1 + square));
      }
    }
  }
}

/// Steel, 120 × 6 × 4 mm, on a soft spring with a damper along its axis: what the spring does not hold is rigid,
/// however stiff the rod is compared with the spring (entries of K differ by 1e9).
TEST(BeamModes, AStiffRodOnADampedPointSpringHasFiveRigidModes) {
  MadeBeam m;
  parts::BeamOptions o;
  parts::set_straight(o, Vector3d::Zero(), Vector3d(0, 0, -0.12), 16);
  const double E = 2.1e11, G = E / 2.6, b = 6e-3, h = 4e-3, rho = 7850, area = b * h;
  o.stiffness = {parts::diagonal_stiffness(Vector3d(E * b * h * h * h / 12, E * h * b * b * b / 12, G * 7.5e-11),
                                           Vector3d(G * area, G * area, E * area))};
  o.mass_per_length = {rho * area};
  o.inertia_per_length = {(rho * Vector3d(b * h * h * h / 12, h * b * b * b / 12, b * h * (b * b + h * h) / 12))
                              .asDiagonal()
                              .toDenseMatrix()};
  m.beam = parts::add_beam(m.builder, o);
  parts::add_spring(m.builder, {.stiffness = 100, .damping = 0.1, .length = 0.1}, m.beam->at(0),
                    {.point = {0, 0, 0.1}});
  m.finish();
  const double mass = rho * area * 0.12, omega = std::sqrt(100 / mass);
  for (const int limit : {240, 0}) {
    const Modes found = m.modes({.count = 8, .dense_limit = limit});
    EXPECT_FALSE(found.is_undamped);
    EXPECT_EQ(found.rigid, 5) << limit;
    ASSERT_GE(found.modes.size(), 7u);
    EXPECT_NEAR(found.modes[5].omega(), omega, 1e-5 * omega) << limit;
    EXPECT_NEAR(found.modes[5].damping(), 0.1 / (2 * mass * omega), 1e-5) << limit;
    EXPECT_GT(found.modes[6].omega(), 1000) << limit;
  }
}

// docs/theory/modes.md, sec. 7, has the time that this takes, in factorisations.
TEST(BeamModes, TwentyOfTwoThousandSegmentsCostFewSolves) {
  const Modes found = cantilever(2000).modes({.count = 20});
  ASSERT_EQ(found.modes.size(), 20u);
  EXPECT_NEAR(found.modes[0].omega(), 3.51438257, 1e-5);
  EXPECT_NEAR(found.modes[1].omega(), 3.51438257, 1e-5);
  EXPECT_NEAR(found.modes[2].omega(), 21.96344294, 1e-4);
  EXPECT_EQ(found.factorizations, 1);
  EXPECT_LE(found.solves, 60);
}

/// Equal beams side by side: every frequency as often as there are beams and directions, far beyond the size of a
/// block.
TEST(BeamModes, EqualBeamsShowEveryFrequencyAsOftenAsItIs) {
  MadeBeam m;
  constexpr int beams = 6;
  for (int k = 0; k < beams; ++k) {
    m.beam = parts::add_beam(m.builder, timoshenko(10));
    m.hold(JointType::fixed, 0);
  }
  m.finish();
  const Modes all = m.modes({.count = 2 * beams + 3, .dense_limit = 1000});
  const Modes found = m.modes({.count = 2 * beams + 3, .dense_limit = 0});
  EXPECT_GT(found.solves, 0);
  ASSERT_EQ(found.modes.size(), all.modes.size());
  for (std::size_t k = 0; k < all.modes.size(); ++k)
    EXPECT_NEAR(found.modes[k].omega(), all.modes[k].omega(), 1e-7 * all.modes[k].omega()) << k;
  EXPECT_NEAR(found.modes[2 * beams - 1].omega(), found.modes[0].omega(), 1e-6);
  EXPECT_GT(found.modes[2 * beams].omega(), 5 * found.modes[0].omega());
}

/// A beam that cannot be stretched or sheared, with next to no bending stiffness, under its weight (g = 1).
TEST(BeamModes, HangingChainHasTheFrequenciesOfBessel) {
  const auto chain = [](int segments) {
    MadeBeam m;
    parts::BeamOptions o = timoshenko(segments);
    o.held = parts::inextensible;
    o.stiffness = {parts::diagonal_stiffness(Vector3d(1e-9, 1e-9, 1e-3), Vector3d::Ones())};
    o.inertia_per_length = {Vector3d(1e-9, 1e-9, 1e-9).asDiagonal().toDenseMatrix()};
    m.beam = parts::add_beam(m.builder, o);
    m.hold(JointType::spherical, 0);
    parts::add_weight(*parts::add_gravity(m.builder, {0, 0, -1}), *m.beam);
    m.finish();
    return m.modes({.count = 7});
  };
  const Modes coarse = chain(40), fine = chain(80);
  EXPECT_EQ(fine.rigid, 1);
  EXPECT_EQ(fine.modes[0].name, "rotation about z");
  const double zeros[] = {2.404825557695773, 5.520078110286311, 8.653727912911013};
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t at = 1 + 2 * k;
    EXPECT_NEAR(coarse.modes[at].omega(), coarse.modes[at + 1].omega(), 1e-6);
    // Richardson: the error of second order is gone, what is left is the bending stiffness.
    EXPECT_NEAR((4 * fine.modes[at].omega() - coarse.modes[at].omega()) / 3, 0.5 * zeros[k], 5e-4 * zeros[k]) << k;
  }
}

/// Nodes stand farther apart than their arc lengths: ω = kπ √(T/(1 + ε)/ρA) and a share of the bending stiffness.
TEST(BeamModes, StretchedStringSoundsByItsTension) {
  const double strain = 0.02, EA = 50, EI = 1e-5;
  const auto string = [&](int segments) {
    MadeBeam m;
    parts::BeamOptions o = timoshenko(segments, 1 + strain);
    o.held = parts::kirchhoff;
    o.stiffness = {parts::diagonal_stiffness(Vector3d(EI, EI, 1e-3), Vector3d(1, 1, EA))};
    o.rest_strain = {parts::straight_strain()};
    o.inertia_per_length = {Vector3d(1e-9, 1e-9, 1e-6).asDiagonal().toDenseMatrix()};
    m.beam = parts::add_beam(m.builder, o);
    m.hold(JointType::spherical, 0);
    m.hold(JointType::spherical, segments);
    m.finish();
    return m;
  };
  EXPECT_EQ(string(8).linearization().situation, Situation::equilibrium);
  const Modes coarse = string(24).modes({.count = 5}), fine = string(48).modes({.count = 5});
  for (std::size_t k = 1; k <= 2; ++k) {
    const double kp = static_cast<double>(k) * pi, T = EA * strain;
    const double exact = std::sqrt(kp * kp * T / (1 + strain) + std::pow(kp, 4) * EI / std::pow(1 + strain, 2));
    const std::size_t at = 2 * k - 1;  // the string turns freely about itself
    EXPECT_NEAR((4 * fine.modes[at].omega() - coarse.modes[at].omega()) / 3, exact, 1e-4 * exact);
  }
}

/// EI = L = 1, a dead load P on the tip: ω² falls on a straight line to 0 at P = π²/4.
TEST(BeamModes, ColumnLosesItsFrequencyLinearlyNearBuckling) {
  const auto square = [](double P) {
    MadeBeam m;
    parts::BeamOptions o = timoshenko(32);
    o.held = parts::inextensible;
    m.beam = parts::add_beam(m.builder, o);
    m.hold(JointType::fixed, 0);
    parts::add_beam_point_load(m.builder, m.beam, "load", 1, parts::LoadFrame::space,
                               parts::LoadLaw::constant({Vector3d(0, 0, P), Vector3d::Zero()}));
    m.finish();
    const Mode mode = m.modes({.count = 1}).modes[0];
    EXPECT_EQ(mode.kind == ModeKind::unstable, P > 2.467);
    return (mode.kind == ModeKind::unstable ? -1 : 1) * std::pow(mode.omega(), 2);
  };
  const double a = square(2.44), b = square(2.45), c = square(2.46), d = square(2.49);
  EXPECT_NEAR(a - b, b - c, 2e-3 * (a - b)) << "a straight line";
  const double critical = 2.46 + 0.01 * c / (b - c);
  EXPECT_NEAR(critical, 2.4674011, 5e-3);
  EXPECT_LT(d, 0);
}

}  // namespace
}  // namespace filum::analysis
