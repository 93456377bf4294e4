/// Shells in large displacements: the popular benchmarks of Sze, Liu and Lo (2004). Theory: docs/theory/shell.md,
/// sec. 6.
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
std::array<double, 2> slit_annulus(int radial, int around) {
  const double turn = 2 * std::numbers::pi;
  Model m;
  const Handle s = m.add(Shell{
      .shape = surface_map([](double r, double a) { return Vector3d((6 + r) * std::cos(a), (6 + r) * std::sin(a), 0); },
                           Vector2d(4, turn)),
      .segments = {radial, around},
      .material = IsotropicSheet{.thickness = 0.03, .rho = 1, .E = 21e6, .nu = 0}});
  m.add(Joint{.first = ground, .second = s.at(whole_line, last)});
  m.add(Load{.on = s.at(whole_line, 0), .force = {0, 0, 0.8}});
  LoadedShell r(m);
  r.apply(1);
  return {r.moved(s.at(0, 0), 2), r.moved(s.at(last, 0), 2)};
}

TEST(ShellSze, SlitAnnularPlateComesCloserToThePublishedValues) {
  const auto coarse = slit_annulus(4, 24), fine = slit_annulus(6, 36);
  EXPECT_NEAR(coarse[0], 13.568, 2e-3);
  EXPECT_NEAR(coarse[1], 17.209, 2e-3);
  EXPECT_NEAR(fine[0], 13.891, 0.21);
  EXPECT_NEAR(fine[1], 17.528, 0.21);
  EXPECT_LT(13.891 - fine[0], 0.65 * (13.891 - coarse[0]));
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
  EXPECT_NEAR(fine[0], 2.77, 0.13);
  EXPECT_NEAR(fine[1], 4.55, 0.05);
  EXPECT_NEAR(fine[2], 3.28, 0.07);
  EXPECT_LT(2.77 - fine[0], 0.5 * (2.77 - coarse[0]));
}

/// E = 6.825e7, ν = 0.3, R = 10, θ = 0.04, hole of 18°, pulled and pressed at its rim by 400 each: a quarter. Outwards
/// and inwards under the forces.
std::array<double, 2> hemisphere(int cells) {
  const double R = 10, from = std::numbers::pi / 10;
  Model m;
  const Handle s =
      m.add(Shell{.shape = surface_map(
                      [=](double a, double b) -> Vector3d {
                        const double up = from + a;
                        return R * Vector3d(std::sin(up) * std::cos(b), std::sin(up) * std::sin(b), std::cos(up));
                      },
                      Vector2d(std::numbers::pi / 2 - from, std::numbers::pi / 2)),
                  .segments = {cells, cells},
                  .material = IsotropicSheet{.thickness = 0.04, .rho = 1, .E = 6.825e7, .nu = 0.3}});
  m.add(Support{.on = s.at(whole_line, 0), .position = {false, true, false}, .rotation = {true, false, true}});
  m.add(Support{.on = s.at(whole_line, last), .position = {true, false, false}, .rotation = {false, true, true}});
  m.add(Support{.on = s.at(last, 0), .position = {false, false, true}});
  m.add(Load{.on = s.at(last, 0), .force = {200, 0, 0}});
  m.add(Load{.on = s.at(last, last), .force = {0, -200, 0}});
  LoadedShell r(m);
  r.apply(1);
  return {r.moved(s.at(last, 0), 0), -r.moved(s.at(last, last), 1)};
}

TEST(ShellSze, HemisphereWithAHoleComesCloserToThePublishedValues) {
  const auto coarse = hemisphere(8), fine = hemisphere(12);
  EXPECT_NEAR(coarse[0], 3.879, 2e-3);
  EXPECT_NEAR(coarse[1], 7.764, 2e-3);
  EXPECT_NEAR(fine[0], 4.067, 0.08);
  EXPECT_NEAR(fine[1], 8.178, 0.21);
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
TEST(ShellSze, PinchedSemiCylinderFollowsThePublishedPath) {
  const double R = 101.6;
  Model m;
  const Handle s = m.add(Shell{
      .shape = surface_map([=](double a, double b) { return Vector3d(a, R * std::sin(b / R), R * std::cos(b / R)); },
                           Vector2d(304.8, R * std::numbers::pi / 2)),
      .segments = {12, 12},
      .material = IsotropicSheet{.thickness = 3, .rho = 1, .E = 2068.5, .nu = 0.3}});
  m.add(Joint{.first = ground, .second = s.at(0, whole_line)});
  m.add(Support{.on = s.at(whole_line, 0), .position = {false, true, false}, .rotation = {true, false, true}});
  m.add(Support{.on = s.at(whole_line, last), .position = {false, false, true}, .rotation = {true, true, false}});
  m.add(Load{.on = s.at(last, 0), .force = {0, 0, -1000}});
  LoadedShell r(m);
  for (const auto& [share, w] : {std::pair(0.1, 16.1), {0.2, 37.582}, {0.5, 132.653}, {1.0, 171.505}}) {
    r.apply(share);
    EXPECT_NEAR(-r.moved(s.at(last, 0), 2) / w, 1, 0.04) << share;
  }
}

/// E = 3e4, ν = 0.3, R = 100, L = 200, θ = 1, pinched by 12 000 between rigid diaphragms: one eighth. Along the arc
/// length, because the wrinkles that cross a coarse grid have limit points of their own. The numbers are ours.
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
std::vector<double> limit_loads(double thickness, int cells) {
  const double R = 2540, full = 3000;
  Model m;
  const Handle s =
      m.add(Shell{.shape = surface_map(
                      [=](double a, double b) { return Vector3d(a, R * std::sin(b / R), R * std::cos(b / R) - R); },
                      Vector2d(254, R * 0.1)),
                  .segments = {cells, cells},
                  .material = IsotropicSheet{.thickness = thickness, .rho = 1, .E = 3102.75, .nu = 0.3}});
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

/// Sabir and Lock (1972) and those who followed: 2.2 kN for θ = 12.7; 0.59 kN and back to −0.38 kN for θ = 6.35.
TEST(ShellSze, HingedRoofHasThePublishedLimitLoads) {
  const std::vector<double> thick = limit_loads(12.7, 6), thin = limit_loads(6.35, 6);
  ASSERT_EQ(thick.size(), 2);
  ASSERT_EQ(thin.size(), 2);
  EXPECT_NEAR(thick[0], 2230, 20);
  EXPECT_NEAR(thin[0], 590, 10);
  EXPECT_NEAR(thin[1], -380, 10);
}

}  // namespace
}  // namespace filum::model
