/// Plates, strips and curved shells against exact and published solutions. Theory: docs/theory/shell.md, sec. 6.
#include <filum/analysis/equilibrium.hpp>
#include <filum/analysis/modes.hpp>
#include <filum/integrate/generalized_alpha.hpp>
#include <filum/integrate/run.hpp>
#include <filum/model/beam.hpp>
#include <filum/model/body.hpp>
#include <filum/model/joint.hpp>
#include <filum/model/load.hpp>
#include <filum/model/model.hpp>
#include <filum/model/shell.hpp>
#include <filum/model/support.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace filum::model {
namespace {

using std::numbers::pi;
constexpr double end = Place::end, all = Place::all;

struct Solved {
  BuiltModel model;
  State x;
  Vector3d displacement(const Point& p) const { return model.position(p, x) - model.position(p, model.start()); }
};

Solved solved(Model& m) {
  const BuiltModel& built = m.build();
  const analysis::Equilibrium e = analysis::find_equilibrium(built.system(), built.start(), built.rows());
  EXPECT_TRUE(e.is_found()) << e.message;
  return {built, e.state};
}

void expect_order_two(const std::vector<double>& values, double limit, double slack = 0.15) {
  for (std::size_t k = 1; k < values.size(); ++k)
    EXPECT_NEAR(std::log2((values[k - 1] - limit) / (values[k] - limit)), 2, slack) << values[k];
}

// Strips
// ---------------------------------------------------------------------------------------------------------------------

Shell strip(double length, int cells, double nu = 0) {
  return {.name = "strip",
          .shape = Parallelogram{Vector3d::Zero(), {Vector3d(length, 0, 0), Vector3d(0, 1, 0)}},
          .segments = {cells, 1},
          .material = IsotropicSheet{.thickness = 0.1, .rho = 1, .E = 1.2e6, .nu = nu}};
}

TEST(ShellStrip, RollsUpToACircleOnAnyGrid) {
  for (const int cells : {3, 8}) {
    Model m;
    const Handle s = m.add(strip(12, cells));
    m.add(Joint{.first = ground, .second = s.at(0, all)});
    m.add(Load{.on = s.at(end, all), .moment = {0, -2 * pi * 100 / 12, 0}});
    const Solved r = solved(m);
    EXPECT_LT(r.model.position(s.at(end, 0), r.x).norm(), 1e-7) << cells;
    EXPECT_LT((r.model.position(s.at(end, end), r.x) - Vector3d(0, 1, 0)).norm(), 1e-7) << cells;
  }
}

/// Sze 2004, cantilever under end shear; 6.700132549 and 3.289509358 from quadruple precision on fine grids.
TEST(ShellStrip, CantileverUnderEndShearConvergesWithOrderTwo) {
  std::vector<double> up, back;
  for (const int cells : {8, 16, 32}) {
    Model m;
    const Handle s = m.add(strip(10, cells));
    m.add(Joint{.first = ground, .second = s.at(0, all)});
    m.add(Load{.on = s.at(end, all), .force = {0, 0, 4}});
    const Solved r = solved(m);
    up.push_back(r.displacement(s.at(end, 0))[2]);
    back.push_back(-r.displacement(s.at(end, 0))[0]);
  }
  expect_order_two(up, 6.700132549);
  expect_order_two(back, 3.289509358);
  EXPECT_NEAR(up.back(), 6.700132549, 5e-3);
}

/// A strip with M2 cells over its height, bent in its plane by a rigid end, has the share 1/(1 + (12η − 1)/M2²) of the
/// deflection of the beam.
TEST(ShellStrip, InPlaneBendingIsThatOfABeam) {
  for (const int over_height : {1, 2, 4})
    for (const double eta : {1. / 12, 0.25, 0.02}) {
      Model m;
      Shell o = strip(10, 5);
      o.segments[1] = over_height, o.hourglass = eta;
      std::get<IsotropicSheet>(o.material).drilling.drilling = 1e-4;  // 1e-6 of D
      const Handle s = m.add(o);
      const Handle head = m.add(Body{.mass = 1, .inertia = Matrix3d(Matrix3d::Identity()), .position = {10, 0.5, 0}});
      m.add(Joint{.first = ground, .second = s.at(0, all)});
      m.add(Joint{.first = head, .second = s.at(end, all)});
      m.add(Load{.on = head, .moment = {0, 0, 1}});
      const double beam = 100 / (2 * 1.2e6 * 0.1 / 12), share = 1 / (1 + (12 * eta - 1) / (over_height * over_height));
      EXPECT_NEAR(solved(m).displacement(s.at(end, 0))[1] / (share * beam), 1, 3e-4) << over_height << " " << eta;
    }
}

/// One row of cells without Poisson's ratio is the discrete beam of the same stiffness, in statics and, with thin
/// inertia, in motion.
TEST(ShellStrip, IsABeamToRounding) {
  Model m;
  Shell o = strip(10, 6);
  o.inertia = ShellInertia::thin;
  const Handle s = m.add(o);
  const Handle b = m.add(Beam{.shape = Line{{0, 5, 0}, {10, 5, 0}, Vector3d(0, 1, 0)},
                              .segments = 6,
                              .held = parts::cosserat,
                              .section = Section{.shape = SectionShape::rectangle,
                                                 .width = 1,
                                                 .height = 0.1,
                                                 .material = {.E = 1.2e6, .nu = 0, .rho = 1},
                                                 .shear_correction = 5. / 6}});
  m.add(Joint{.first = ground, .second = s.at(0, all)});
  m.add(Joint{.first = ground, .second = b.start()});
  m.add(Load{.on = s.at(end, all), .force = {0, 0, 4}});
  m.add(Load{.on = b.end(), .force = {0, 0, 4}});
  const Solved r = solved(m);
  EXPECT_GT(r.displacement(b.end())[2], 6);
  EXPECT_LT((r.displacement(s.at(end, 0)) - r.displacement(b.end())).norm(), 1e-8);
  EXPECT_LT((r.displacement(s.at(end, end)) - r.displacement(b.end())).norm(), 1e-8);

  integrate::GeneralizedAlpha method(r.model.system(), {.newton = {.atol = 1e-12, .rtol = 1e-12}}, r.model.rows());
  State x = r.model.start();
  integrate::run(r.model.system(), method, x, {.end = 0.2, .step = 2e-3});
  const Vector3d strip_at = r.model.position(s.at(end, 0), x), beam_at = r.model.position(b.end(), x);
  EXPECT_GT(strip_at[2], 0.5);
  EXPECT_LT((strip_at - beam_at + Vector3d(0, 5, 0)).norm(), 1e-8);
}

// Plates
// ---------------------------------------------------------------------------------------------------------------------

struct Plate {
  double thickness = 1e-3, E = 1e9, nu = 0.3, eta = 1. / 12;
  int cells = 8;  ///< of the whole plate along an edge
  enum { clamped, hard, soft } edge = clamped;
  double couple_modulus_bending = 1;  ///< over G
  double D() const { return E * std::pow(thickness, 3) / 12 / (1 - nu * nu); }
};

/// w D/(q a⁴) in the middle of a square plate under an even load, from a quarter of it.
double deflection(const Plate& p) {
  Model m;
  IsotropicSheet material{.thickness = p.thickness, .rho = 1, .E = p.E, .nu = p.nu};
  material.drilling.couple_modulus_bending = p.couple_modulus_bending * p.E / (2 * (1 + p.nu));
  const Handle s = m.add(Shell{.shape = Parallelogram{Vector3d::Zero(), {Vector3d(0.5, 0, 0), Vector3d(0, 0.5, 0)}},
                               .segments = {p.cells / 2, p.cells / 2},
                               .material = material,
                               .hourglass = p.eta});
  m.add(Support{.on = s.at(0, all), .position = {true, false, false}, .rotation = {false, true, true}});
  m.add(Support{.on = s.at(all, 0), .position = {false, true, false}, .rotation = {true, false, true}});
  const bool clamped = p.edge == Plate::clamped, hard = p.edge != Plate::soft;
  const std::array<bool, 3> held{clamped, clamped, true};
  m.add(Support{.on = s.at(end, all), .position = held, .rotation = {hard, clamped, clamped}});
  m.add(Support{.on = s.at(all, end), .position = held, .rotation = {clamped, hard, clamped}});
  const double q = 1e-4 * p.thickness * p.D();  // small against the thickness
  m.add(Load{.on = s, .force = {0, 0, q}});
  return solved(m).displacement(s.at(0, 0))[2] * p.D() / q;
}

/// 0.00126532 is the series solution of the thin plate; the values on 8 × 8 cells come from an independent program.
TEST(ShellPlate, ClampedSquareHasTheKnownDeflections) {
  EXPECT_NEAR(deflection({}), 0.00124532, 5e-8);
  EXPECT_NEAR(deflection({.eta = 0.25}), 0.00119539, 5e-8);
  std::vector<double> w;
  for (const int cells : {8, 16, 32}) w.push_back(deflection({.cells = cells}));
  expect_order_two(w, 0.00126532);
}

TEST(ShellPlate, HardSimplySupportedSquareConvergesToTheSeries) {
  std::vector<double> w;
  for (const int cells : {4, 8, 16}) w.push_back(deflection({.cells = cells, .edge = Plate::hard}));
  expect_order_two(w, 0.004062353, 0.25);
}

/// A tenth as thick as wide, in the limit of fine grids: 0.00406235 and the shear of the Marcus moment,
/// 0.0736713 D/(κGθa²), on hard supports; 0.0046169 on soft ones (published values of the Reissner-Mindlin plate, which
/// has no stiffness against the curl of its rotations: there μb counts).
TEST(ShellPlate, SoftSimpleSupportsLetAThickPlateDeflectMore) {
  const auto limit = [](decltype(Plate::edge) edge, double modulus) {
    Plate p{.thickness = 0.1, .cells = 16, .edge = edge, .couple_modulus_bending = modulus};
    const double coarse = deflection(p);
    p.cells = 32;
    return deflection(p) + (deflection(p) - coarse) / 3;
  };
  const Plate p{.thickness = 0.1};
  const double kGt = 5. / 6 * p.E / (2 * (1 + p.nu)) * p.thickness;
  EXPECT_NEAR(limit(Plate::hard, 1) / (0.00406235 + 0.0736713 * p.D() / kGt), 1, 1e-3);
  EXPECT_NEAR(limit(Plate::soft, 0.01) / 0.0046169, 1, 2e-3);
  EXPECT_NEAR(limit(Plate::soft, 1) / 0.0046169, 0.982, 1e-3);
}

/// What the couple modulus of bending costs a thin plate of 16 × 16 cells: up to G nothing, a hundred times G a tenth
/// of its deflection, and a quarter with the weights of appendix D.
TEST(ShellPlate, LargeCoupleModuliOfBendingLock) {
  const auto share = [](double eta, double modulus) {
    return deflection({.eta = eta, .cells = 16, .couple_modulus_bending = modulus}) /
           deflection({.eta = eta, .cells = 16});
  };
  EXPECT_NEAR(share(1. / 12, 0.01), 1, 2e-3);
  EXPECT_NEAR(share(1. / 12, 100), 0.905, 1e-3);
  EXPECT_NEAR(share(0.25, 100), 0.75, 0.03);
}

/// A moment about the normal of one node has no limit: its turn grows with the square of the number of cells.
TEST(ShellPlate, ALoneDrillingMomentHasNoLimit) {
  std::vector<double> turns;
  for (const int cells : {8, 16, 32}) {
    Model m;
    const Handle s = m.add(Shell{.shape = Parallelogram{},
                                 .segments = {cells, cells},
                                 .material = IsotropicSheet{.thickness = 0.01, .rho = 1, .E = 1e6, .nu = 0.3}});
    m.add(Joint{.first = ground, .second = s.at(0, all)});
    m.add(Load{.on = s.at(0.5, 0.5), .moment = {0, 0, 1e-3}});
    const Solved r = solved(m);
    turns.push_back(r.model.rotation(s.at(0.5, 0.5), r.x)(1, 0));
  }
  EXPECT_GT(turns[1] / turns[0], 3);
  EXPECT_GT(turns[2] / turns[1], 3);
  EXPECT_LT(turns[2] / turns[1], 4.2);
}

/// Neither the shear of thin plates nor the rounding of their stiffness ratio is felt.
TEST(ShellPlate, DoesNotLockDownToATenThousandth) {
  const double thin = deflection({.thickness = 1e-3});
  for (const double thickness : {1e-2, 3e-4, 1e-4})
    EXPECT_NEAR(deflection({.thickness = thickness}) / thin, 1, thickness == 1e-2 ? 0.01 : 1e-4) << thickness;
  EXPECT_GT(deflection({.thickness = 0.1}), 1.1 * thin);  // shear counts
}

/// Frequencies λ = ω a² √(ρθ/D) of a cantilever plate; Leissa's 3.492, 8.525, 21.43, 27.33, 31.11 are upper
/// bounds.
TEST(ShellPlate, CantileverSquareVibratesAsPublished) {
  std::vector<std::vector<double>> found;
  const Plate p{.thickness = 1e-2};
  for (const int cells : {8, 16}) {
    Model m;
    const Handle s = m.add(Shell{.shape = Parallelogram{},
                                 .segments = {cells, cells},
                                 .material = IsotropicSheet{.thickness = p.thickness, .rho = 1, .E = p.E, .nu = p.nu}});
    m.add(Joint{.first = ground, .second = s.at(0, all)});
    const BuiltModel& built = m.build();
    const analysis::Modes modes = analysis::find_modes(
        analysis::linearize_about(built.system(), built.start(), built.rows()), {.count = 5, .undamped = true});
    EXPECT_EQ(modes.rigid, 0);
    found.emplace_back();
    for (const analysis::Mode& mode : modes.modes)
      found.back().push_back(mode.omega() * std::sqrt(p.thickness / p.D()));
  }
  const std::array<double, 5> expected{3.471, 8.507, 21.285, 27.199, 30.956};
  for (std::size_t k = 0; k < 5; ++k) {
    const double extrapolated = (4 * found[1][k] - found[0][k]) / 3;
    EXPECT_NEAR(extrapolated / expected[k], 1, 3e-3) << k << ": " << found[0][k] << ", " << found[1][k];
  }
}

// Curved shells
// ---------------------------------------------------------------------------------------------------------------------

/// A quarter of a cylinder about the x axis, from its top.
SurfaceMap cylinder(double R, double length, double angle) {
  return surface_map([=](double s1, double s2) { return Vector3d(s1, R * std::sin(s2 / R), R * std::cos(s2 / R)); },
                     Vector2d(length, R * angle));
}

/// Deflection of the middle of the free edge relative to 0.3024.
double scordelis_lo(int cells, double eta) {
  Model m;
  const Handle s = m.add(Shell{.shape = cylinder(25, 25, 40 * pi / 180),
                               .segments = {cells, cells},
                               .material = IsotropicSheet{.thickness = 0.25, .rho = 1, .E = 4.32e8, .nu = 0},
                               .hourglass = eta});
  m.add(Support{.on = s.at(end, all), .position = {false, true, true}});
  m.add(Support{.on = s.at(0, all), .position = {true, false, false}, .rotation = {false, true, true}});
  m.add(Support{.on = s.at(all, 0), .position = {false, true, false}, .rotation = {true, false, true}});
  m.add(Load{.on = s, .force = {0, 0, -90e-4}});
  return -solved(m).displacement(s.at(0, end))[2] * 1e4 / 0.3024;
}

TEST(ShellCurved, ScordelisLoRoofHasTheKnownDeflections) {
  EXPECT_NEAR(scordelis_lo(8, 1. / 12), 0.985, 1.5e-3);
  EXPECT_NEAR(scordelis_lo(16, 1. / 12), 0.993, 1.5e-3);
  EXPECT_NEAR(scordelis_lo(32, 1. / 12), 0.995, 1.5e-3);
  EXPECT_NEAR(scordelis_lo(8, 0.25), 0.921, 1.5e-3);
  EXPECT_NEAR(scordelis_lo(16, 0.25), 0.974, 1.5e-3);
  EXPECT_NEAR(scordelis_lo(32, 0.25), 0.990, 1.5e-3);
}

/// A strip that is curved at rest bends like a straight one: no membrane locking.
TEST(ShellCurved, ThinArchesDoNotLock) {
  std::vector<double> found;
  for (const double thickness : {1e-1, 1e-2, 1e-3}) {
    Model m;
    const double R = 10, E = 1e6, I = std::pow(thickness, 3) / 12, F = 1e-6 * E * I;
    const Handle s = m.add(Shell{
        .shape = surface_map([=](double a, double b) { return Vector3d(R * std::sin(a / R), b, R * std::cos(a / R)); },
                             Vector2d(R * pi / 2, 1)),
        .segments = {16, 1},
        .material = IsotropicSheet{.thickness = thickness, .rho = 1, .E = E, .nu = 0}});
    m.add(Joint{.first = ground, .second = s.at(0, all)});
    m.add(Load{.on = s.at(end, all), .force = {0, 0, -F}});
    // Castigliano: a quarter circle, clamped at the top, loaded at the end along the tangent there.
    found.push_back(-solved(m).displacement(s.at(end, 0))[2] / (F * std::pow(R, 3) / (E * I) * (3 * pi / 4 - 2)));
  }
  EXPECT_NEAR(found[2], 1, 0.01);
  EXPECT_NEAR(found[1] / found[2], 1, 1e-4);
  EXPECT_NEAR(found[0] / found[2], 1, 1e-2);
}

}  // namespace
}  // namespace filum::model
