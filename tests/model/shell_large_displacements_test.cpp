/// Shells in large displacements: the popular benchmarks of Sze, Liu and Lo (2004), whose tables are at hand in the
/// tests of MBDyn (tests/plates/sze2004). Theory: docs/theory/shell.md, sec. 6.
#include <filum/analysis/static_path.hpp>
#include <filum/model/joint.hpp>
#include <filum/model/load.hpp>
#include <filum/model/model.hpp>
#include <filum/model/shell.hpp>
#include <filum/model/support.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace filum::model {
namespace {

/// Displacements of points of a built model, at given shares of its loads.
class LoadedShell {
 public:
  explicit LoadedShell(Model& m) : model_(m.build()), x_(model_.start()) {}

  void apply(double share, analysis::PathKind kind = analysis::PathKind::load) {
    const analysis::StaticPath path = analysis::follow_path(model_.system(), model_.start(), model_.rows(),
                                                            {.kind = kind, .to = share, .critical = false});
    ASSERT_TRUE(path.is_done()) << "share " << share << ": " << path.message;
    x_ = path.state;
  }
  double moved(const Point& p, int axis) const {
    return model_.position(p, x_)[axis] - model_.position(p, model_.start())[axis];
  }

 private:
  const BuiltModel& model_;
  State x_;
};

constexpr double last = Place::end, whole_line = Place::all;

/// One line of a published table: a share of the load and two displacements.
struct Published {
  double share, first, second;
};
/// displacements() after each share of the load, relative to the table.
template <class Displacements>
void expect_path(LoadedShell& shell, const std::vector<Published>& table, double tolerance,
                 const Displacements& displacements) {
  for (const Published& row : table) {
    shell.apply(row.share);
    const std::array<double, 2> found = displacements();
    EXPECT_NEAR(found[0] / row.first, 1, tolerance) << "share " << row.share << ": " << found[0];
    EXPECT_NEAR(found[1] / row.second, 1, tolerance) << "share " << row.share << ": " << found[1];
  }
}

/// Table 1: E = 1.2e6, ν = 0, L = 10, b = 1, θ = 0.1, P = 4.
TEST(ShellSze, CantileverUnderEndShearFollowsThePublishedPath) {
  Model m;
  const Handle s = m.add(Shell{.shape = Parallelogram{Vector3d::Zero(), {Vector3d(10, 0, 0), Vector3d(0, 1, 0)}},
                               .segments = {32, 1},
                               .material = IsotropicSheet{.thickness = 0.1, .rho = 1, .E = 1.2e6, .nu = 0}});
  m.add(Joint{.first = ground, .second = s.at(0, whole_line)});
  m.add(Load{.on = s.at(last, whole_line), .force = {0, 0, 4}});
  LoadedShell r(m);
  struct Row {
    double share, back, up;
  };
  for (const Row& row : {Row{0.1, 0.103, 1.309}, {0.25, 0.563, 3.015}, {0.5, 1.604, 4.933}, {1, 3.286, 6.698}}) {
    r.apply(row.share);
    EXPECT_NEAR(-r.moved(s.at(last, 0), 0), row.back, 4e-3) << row.share;
    EXPECT_NEAR(r.moved(s.at(last, 0), 2), row.up, 4e-3) << row.share;
  }
}

/// Exact: a circle of radius EI/M. A quarter, a half and the whole of it, on twelve cells.
TEST(ShellSze, CantileverUnderEndMomentIsACircleAllTheWay) {
  const double L = 12, EI = 100, full = 2 * std::numbers::pi * EI / L;
  Model m;
  const Handle s = m.add(Shell{.shape = Parallelogram{Vector3d::Zero(), {Vector3d(L, 0, 0), Vector3d(0, 1, 0)}},
                               .segments = {12, 1},
                               .material = IsotropicSheet{.thickness = 0.1, .rho = 1, .E = 1.2e6, .nu = 0}});
  m.add(Joint{.first = ground, .second = s.at(0, whole_line)});
  m.add(Load{.on = s.at(last, whole_line), .moment = {0, -full, 0}});
  LoadedShell r(m);
  for (const double share : {0.25, 0.5, 1.0}) {
    r.apply(share);
    const double R = EI / (share * full);
    EXPECT_NEAR(r.moved(s.at(last, 0), 0), R * std::sin(L / R) - L, 1e-7) << share;
    EXPECT_NEAR(r.moved(s.at(last, 0), 2), R * (1 - std::cos(L / R)), 1e-7) << share;
  }
}

/// E = 21e6, ν = 0, radii 6 and 10, θ = 0.03: one side of the slit is clamped, the other carries 0.8 per length. W at
/// A, the inner corner, and at B, the outer one.
struct SlitAnnulus {
  Model m;
  Handle s;
  SlitAnnulus(int radial, int around, double hourglass)
      : s(m.add(Shell{.shape = surface_map(
                          [](double r, double a) { return Vector3d((6 + r) * std::cos(a), (6 + r) * std::sin(a), 0); },
                          Vector2d(4, 2 * std::numbers::pi)),
                      .segments = {radial, around},
                      .material = IsotropicSheet{.thickness = 0.03, .rho = 1, .E = 21e6, .nu = 0},
                      .hourglass = hourglass})) {
    m.add(Joint{.first = ground, .second = s.at(whole_line, last)});
    m.add(Load{.on = s.at(whole_line, 0), .force = {0, 0, 0.8}});
  }
  std::array<double, 2> displacements(const LoadedShell& r) const {
    return {r.moved(s.at(0, 0), 2), r.moved(s.at(last, 0), 2)};
  }
};

TEST(ShellSze, SlitAnnularPlateFollowsThePublishedPath) {
  SlitAnnulus coarse(4, 24, 1. / 12), fine(6, 36, 1. / 12);
  LoadedShell r(coarse.m), q(fine.m);
  expect_path(r, {{0.1, 4.277, 5.876}, {0.25, 7.602, 10.288}, {0.5, 10.468, 13.768}, {1, 13.891, 17.528}}, 0.03,
              [&] { return coarse.displacements(r); });
  EXPECT_NEAR(coarse.displacements(r)[0], 13.568, 2e-3);
  EXPECT_NEAR(coarse.displacements(r)[1], 17.209, 2e-3);
  q.apply(1);
  EXPECT_LT(13.891 - fine.displacements(q)[0], 0.65 * (13.891 - coarse.displacements(r)[0]));
}

/// What is missing on these grids is the membrane stiffness of the stabilisation: a quarter of η brings a grid of
/// 6 x 36 cells to a quarter of a percent.
TEST(ShellSze, SlitAnnularPlateIsHeldBackByTheStabilisation) {
  SlitAnnulus soft(6, 36, 0.02);
  LoadedShell r(soft.m);
  r.apply(1);
  EXPECT_NEAR(soft.displacements(r)[0] / 13.891, 1, 3e-3);
  EXPECT_NEAR(soft.displacements(r)[1] / 17.528, 1, 3e-3);
}

/// E = 10.5e6, ν = 0.3125, R = 4.953, L = 10.35, θ = 0.094, pulled apart by 40 000 at two opposite points: one eighth.
/// W at A, under the force; U at B, a quarter turn from it; U at C, beside B on the free edge.
std::array<double, 3> pulled_cylinder(int axial, int around) {
  const double R = 4.953, L = 10.35 / 2;
  Model m;
  const Handle s = m.add(Shell{
      .shape = surface_map([=](double a, double b) { return Vector3d(a, R * std::sin(b / R), R * std::cos(b / R)); },
                           Vector2d(L, R * std::numbers::pi / 2)),
      .segments = {axial, around},
      .material = IsotropicSheet{.thickness = 0.094, .rho = 1, .E = 10.5e6, .nu = 0.3125}});
  m.add(Support{.on = s.at(0, whole_line), .position = {true, false, false}, .rotation = {false, true, true}});
  m.add(Support{.on = s.at(whole_line, 0), .position = {false, true, false}, .rotation = {true, false, true}});
  m.add(Support{.on = s.at(whole_line, last), .position = {false, false, true}, .rotation = {true, true, false}});
  m.add(Load{.on = s.at(0, 0), .force = {0, 0, 10000}});
  LoadedShell r(m);
  r.apply(1);
  return {r.moved(s.at(0, 0), 2), -r.moved(s.at(0, last), 1), -r.moved(s.at(last, last), 1)};
}

TEST(ShellSze, OpenCylinderComesCloserToThePublishedValues) {
  const auto coarse = pulled_cylinder(4, 6), fine = pulled_cylinder(8, 12);
  EXPECT_NEAR(coarse[0], 2.464, 2e-3);
  EXPECT_NEAR(coarse[1], 4.323, 2e-3);
  EXPECT_NEAR(fine[0], 2.768, 0.13);
  EXPECT_NEAR(fine[1], 4.551, 0.05);
  EXPECT_NEAR(fine[2], 3.269, 0.06);
  EXPECT_LT(2.768 - fine[0], 0.5 * (2.768 - coarse[0]));
}

/// E = 6.825e7, ν = 0.3, R = 10, θ = 0.04, hole of 18°, pulled and pressed at its rim by 400 each: a quarter. Outwards
/// and inwards under the forces.
struct Hemisphere {
  Model m;
  Handle s;
  explicit Hemisphere(int cells)
      : s(m.add(Shell{.shape = surface_map(
                          [](double a, double b) -> Vector3d {
                            const double up = std::numbers::pi / 10 + a;
                            return 10 * Vector3d(std::sin(up) * std::cos(b), std::sin(up) * std::sin(b), std::cos(up));
                          },
                          Vector2d(0.4 * std::numbers::pi, 0.5 * std::numbers::pi)),
                      .segments = {cells, cells},
                      .material = IsotropicSheet{.thickness = 0.04, .rho = 1, .E = 6.825e7, .nu = 0.3}})) {
    m.add(Support{.on = s.at(whole_line, 0), .position = {false, true, false}, .rotation = {true, false, true}});
    m.add(Support{.on = s.at(whole_line, last), .position = {true, false, false}, .rotation = {false, true, true}});
    m.add(Support{.on = s.at(last, 0), .position = {false, false, true}});
    m.add(Load{.on = s.at(last, 0), .force = {200, 0, 0}});
    m.add(Load{.on = s.at(last, last), .force = {0, -200, 0}});
  }
  std::array<double, 2> displacements(const LoadedShell& r) const {
    return {r.moved(s.at(last, 0), 0), -r.moved(s.at(last, last), 1)};
  }
};

TEST(ShellSze, HemisphereWithAHoleFollowsThePublishedPath) {
  Hemisphere coarse(8), fine(12);
  LoadedShell r(coarse.m), q(fine.m);
  r.apply(1);
  EXPECT_NEAR(coarse.displacements(r)[0], 3.879, 2e-3);
  EXPECT_NEAR(coarse.displacements(r)[1], 7.764, 2e-3);
  expect_path(q, {{0.1, 1.499, 1.840}, {0.25, 2.596, 3.833}, {0.5, 3.406, 5.902}, {1, 4.067, 8.178}}, 0.03,
              [&] { return fine.displacements(q); });
}

/// MacNeal and Harder (1985), small displacements: E = 3e6, ν = 0.3, R = 300, L = 600, θ = 3, one eighth. Deflection
/// under the force relative to 1.8248e-5.
double pinched_cylinder(int cells) {
  const double R = 300, small = 1e-3;
  Model m;
  const Handle s = m.add(Shell{
      .shape = surface_map([=](double a, double b) { return Vector3d(a, R * std::sin(b / R), R * std::cos(b / R)); },
                           Vector2d(300, R * std::numbers::pi / 2)),
      .segments = {cells, cells},
      .material = IsotropicSheet{.thickness = 3, .rho = 1, .E = 3e6, .nu = 0.3}});
  m.add(Support{.on = s.at(0, whole_line), .position = {true, false, false}, .rotation = {false, true, true}});
  m.add(Support{.on = s.at(whole_line, 0), .position = {false, true, false}, .rotation = {true, false, true}});
  m.add(Support{.on = s.at(whole_line, last), .position = {false, false, true}, .rotation = {true, true, false}});
  m.add(Support{.on = s.at(last, whole_line), .position = {false, true, true}});
  m.add(Load{.on = s.at(0, 0), .force = {0, 0, -small / 4}});
  LoadedShell r(m);
  r.apply(1);
  return -r.moved(s.at(0, 0), 2) / small / 1.8248e-5;
}

TEST(ShellCurved, PinchedCylinderComesCloserToThePublishedDeflection) {
  EXPECT_NEAR(pinched_cylinder(8), 0.793, 2e-3);
  EXPECT_NEAR(pinched_cylinder(16), 0.943, 2e-3);
}

/// E = 2068.5, ν = 0.3, R = 101.6, L = 304.8, θ = 3: half of a cylinder, clamped at one end, its straight edges held
/// upright, pressed down by 2000 at the top of the free end; a half of it by symmetry. W under the force.
/// The laminates have three layers of 1 with E1 = 2068.5, E2 = 517.125, ν12 = 0.3, G12 = 795.6, the first angle that of
/// the outer ones to the axis.
void expect_pinched_semi_cylinder(const SheetMaterial& material, int cells,
                                  const std::vector<std::pair<double, double>>& table, double tolerance) {
  const double R = 101.6;
  Model m;
  const Handle s = m.add(Shell{
      .shape = surface_map([=](double a, double b) { return Vector3d(a, R * std::sin(b / R), R * std::cos(b / R)); },
                           Vector2d(304.8, R * std::numbers::pi / 2)),
      .segments = {cells, cells},
      .material = material});
  m.add(Joint{.first = ground, .second = s.at(0, whole_line)});
  m.add(Support{.on = s.at(whole_line, 0), .position = {false, true, false}, .rotation = {true, false, true}});
  m.add(Support{.on = s.at(whole_line, last), .position = {false, false, true}, .rotation = {true, true, false}});
  m.add(Load{.on = s.at(last, 0), .force = {0, 0, -1000}});
  LoadedShell r(m);
  for (const auto& [share, w] : table) {
    r.apply(share);
    EXPECT_NEAR(-r.moved(s.at(last, 0), 2) / w, 1, tolerance) << share;
  }
}

SheetMaterial three_layers(const Layer& layer, double outer, double inner) {
  Laminate laminate{.layers = {layer, layer, layer}};
  for (std::size_t k = 0; k < 3; ++k) laminate.layers[k].angle = k == 1 ? inner : outer;
  return laminate;
}

TEST(ShellSze, PinchedSemiCylindersFollowThePublishedPaths) {
  constexpr double right = std::numbers::pi / 2;
  expect_pinched_semi_cylinder(IsotropicSheet{.thickness = 3, .rho = 1, .E = 2068.5, .nu = 0.3}, 12,
                               {{0.1, 16.1}, {0.2, 37.582}, {0.5, 132.653}, {1, 171.505}}, 0.04);
  const Layer layer{
      .thickness = 1, .E1 = 2068.5, .E2 = 517.125, .nu12 = 0.3, .G12 = 795.6, .G13 = 795.6, .G23 = 198.894, .rho = 1};
  expect_pinched_semi_cylinder(three_layers(layer, 0, right), 8, {{0.1, 37.92}, {1, 200.983}}, 0.05);
  expect_pinched_semi_cylinder(three_layers(layer, right, 0), 8, {{0.1, 22.722}, {1, 178.386}}, 0.05);
}

/// E = 3e4, ν = 0.3, R = 100, L = 200, θ = 1, pinched by 12 000 between rigid diaphragms: one eighth. Along the arc
/// length, because the wrinkles that cross a coarse grid have limit points of their own. Published: 23.164 at a tenth
/// of the load, 83.102 and 34.272 at all of it.
TEST(ShellSze, CylinderBetweenDiaphragmsIsPinchedToItsFullLoad) {
  const double R = 100;
  Model m;
  const Handle s = m.add(Shell{
      .shape = surface_map([=](double a, double b) { return Vector3d(a, R * std::sin(b / R), R * std::cos(b / R)); },
                           Vector2d(100, R * std::numbers::pi / 2)),
      .segments = {12, 12},
      .material = IsotropicSheet{.thickness = 1, .rho = 1, .E = 3e4, .nu = 0.3}});
  m.add(Support{.on = s.at(0, whole_line), .position = {true, false, false}, .rotation = {false, true, true}});
  m.add(Support{.on = s.at(whole_line, 0), .position = {false, true, false}, .rotation = {true, false, true}});
  m.add(Support{.on = s.at(whole_line, last), .position = {false, false, true}, .rotation = {true, true, false}});
  m.add(Support{.on = s.at(last, whole_line), .position = {false, true, true}});
  m.add(Load{.on = s.at(0, 0), .force = {0, 0, -3000}});
  LoadedShell r(m);
  r.apply(0.1);
  EXPECT_NEAR(-r.moved(s.at(0, 0), 2), 23.549, 0.02);
  r.apply(1, analysis::PathKind::arc_length);
  EXPECT_NEAR(-r.moved(s.at(0, 0), 2), 80.29, 0.02);
  EXPECT_NEAR(r.moved(s.at(0, last), 1), 29.82, 0.02);
}

/// E = 3102.75, ν = 0.3, R = 2540, 508 long, half angle 0.1, hinged along its straight edges, a quarter: limit loads of
/// the force in its middle, in order.
std::vector<double> limit_loads(const SheetMaterial& material, int cells) {
  const double R = 2540, full = 3000;
  Model m;
  const Handle s =
      m.add(Shell{.shape = surface_map(
                      [=](double a, double b) { return Vector3d(a, R * std::sin(b / R), R * std::cos(b / R) - R); },
                      Vector2d(254, R * 0.1)),
                  .segments = {cells, cells},
                  .material = material});
  m.add(Support{.on = s.at(whole_line, last), .position = {true, true, true}, .rotation = {false, true, true}});
  m.add(Support{.on = s.at(0, whole_line), .position = {true, false, false}, .rotation = {false, true, true}});
  m.add(Support{.on = s.at(whole_line, 0), .position = {false, true, false}, .rotation = {true, false, true}});
  m.add(Load{.on = s.at(0, 0), .force = {0, 0, -full / 4}});
  const BuiltModel& built = m.build();
  const analysis::StaticPath path = analysis::follow_path(built.system(), built.start(), built.rows(),
                                                          {.kind = analysis::PathKind::arc_length, .max_step = 0.01});
  EXPECT_TRUE(path.is_done()) << path.message;
  std::vector<double> loads;
  for (const analysis::CriticalPoint& c : path.critical) {
    EXPECT_EQ(c.kind, analysis::CriticalKind::limit_point);
    loads.push_back(full * c.factor);
  }
  return loads;
}

/// Of the published points of each path the highest and the lowest load; the paths are smooth between them. The
/// laminates are [0/90/0] and [90/0/90] to the axis.
TEST(ShellSze, HingedRoofsHaveThePublishedLimitLoads) {
  constexpr double right = std::numbers::pi / 2;
  const auto sheet = [](double thickness) {
    return IsotropicSheet{.thickness = thickness, .rho = 1, .E = 3102.75, .nu = 0.3};
  };
  const Layer layer{
      .thickness = 12.7 / 3, .E1 = 3300, .E2 = 1100, .nu12 = 0.25, .G12 = 660, .G13 = 660, .G23 = 660, .rho = 1};
  struct Roof {
    SheetMaterial material;
    double highest, lowest;
  };
  for (const Roof& roof :
       {Roof{sheet(12.7), 0.7421, 0.1729}, Roof{sheet(6.35), 0.1953, -0.1288},
        Roof{three_layers(layer, 0, right), 0.3618, -0.0504}, Roof{three_layers(layer, right, 0), 0.5970, 0.2789}}) {
    const std::vector<double> found = limit_loads(roof.material, 6);
    ASSERT_EQ(found.size(), 2);
    EXPECT_NEAR(found[0], 3000 * roof.highest, 12);
    EXPECT_NEAR(found[1], 3000 * roof.lowest, 12);
  }
}

}  // namespace
}  // namespace filum::model
