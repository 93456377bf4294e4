/// Loads of shells that vary over the surface, and edges whose motion is prescribed. User document:
/// docs/guide/scenarios.md, "Loads" and "Drives".
#include <filum/analysis/equilibrium.hpp>
#include <filum/integrate/generalized_alpha.hpp>
#include <filum/integrate/run.hpp>
#include <filum/model/drive.hpp>
#include <filum/model/joint.hpp>
#include <filum/model/load.hpp>
#include <filum/model/model.hpp>
#include <filum/model/shell.hpp>
#include <filum/model/support.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace filum::model {
namespace {

constexpr double all_along = Place::all;

Shell plank(std::array<int, 2> segments) {
  return {.shape = Parallelogram{Vector3d::Zero(), {Vector3d(10, 0, 0), Vector3d(0, 1, 0)}},
          .segments = segments,
          .material = IsotropicSheet{.thickness = 0.1, .rho = 1, .E = 1.2e6, .nu = 0}};
}

/// 11 q L⁴/(120 EI) of a cantilever under a load that grows linearly to q at its tip.
TEST(ShellLoads, APressureAndAForcePerAreaMayGrowAlongTheSurface) {
  const double q = 1e-6, exact = 11 * q * 1e4 / (120 * 100);
  const auto tip = [&](Load load) {
    Model m;
    const Handle s = m.add(plank({20, 2}));
    m.add(Joint{.name = "root", .first = ground, .second = s.at(0, all_along)});
    load.on = s;
    m.add(load);
    const BuiltModel& built = m.build();
    const analysis::Equilibrium e = analysis::find_equilibrium(built.system(), built.start(), built.rows());
    EXPECT_TRUE(e.is_found()) << e.message;
    return built.position(s.at(Place::end, 0), e.state)[2];
  };
  const double pressure = tip({.pressure = [=](double, double s1, double) { return q * s1 / 10; }}),
               force = tip({.force = [=](const PointMotion&m) { return Vector3d(0, 0, q * m.s / 10); }}),
               across = tip({.force = [=](const PointMotion&m) { return Vector3d(0, 0, 2 * q * m.s / 10 * m.s2); }});
  EXPECT_NEAR(pressure / exact, 1, 2e-3);
  EXPECT_NEAR(force / exact, 1, 2e-3);
  EXPECT_NEAR(across / exact, 1, 3e-3);  // the mean over the width is the same; the corner is twisted
}

/// ż = −9.81/k (1 − exp(−k t)) of a sheet that falls against a drag per area, and the end of its edges on springs per
/// length; a lone damper at a node holds its corner back.
TEST(ShellLoads, MaySeeTheMotionOverTheAreaAlongEdgesAndAtNodes) {
  for (const bool at_node : {false, true}) {
    Model m;
    const Handle s = m.add(plank({4, 2}));
    m.add(Load{.on = s, .force = [](const PointMotion& p) { return Vector3d(0, 0, -0.981 - 0.3 * p.velocity[2]); }});
    if (at_node) m.add(Load{.on = s.at(0, 0), .force = [](const PointMotion& p) { return Vector3d(-5 * p.velocity); }});
    const BuiltModel& built = m.build();
    integrate::GeneralizedAlpha method(built.system(), {}, built.rows());
    State x = built.start();
    integrate::run(built.system(), method, x, {.end = 0.5, .step = 2.5e-3});
    const double k = 3, z = -9.81 / k * (0.5 - (1 - std::exp(-k * 0.5)) / k);  // 0.3 per mass 0.1 of an area
    if (at_node)
      EXPECT_GT(built.position(s.at(0, 0), x)[2], 0.9 * z);
    else
      EXPECT_NEAR(built.position(s.at(Place::end, 0), x)[2], z, 1e-4);
  }
  Model m;
  const Handle s = m.add(plank({4, 2}));
  m.add(Load{.on = s, .force = {0, 0, -0.01}});
  for (const double end : {0.0, Place::end})
    m.add(Load{.on = s.at(end, all_along), .force = [end](const PointMotion& p) {
                 return Vector3d(1e-3 * ((end == 0 ? 0 : 10) - p.position[0]), 1e-3 * (p.s2 - p.position[1]),
                                 -5 * p.position[2]);
               }});
  const BuiltModel& built = m.build();
  const analysis::Equilibrium e = analysis::find_equilibrium(built.system(), built.start(), built.rows());
  ASSERT_TRUE(e.is_found()) << e.message;
  EXPECT_NEAR(built.position(s.at(0, 0), e.state)[2], -0.1 / (2 * 5), 1e-4);  // the weight 0.01 · 10 on two edges of 1
}

/// The same fall, with the drag as a pressure that sees the velocity; and a raft that floats where a pressure that
/// grows with the depth carries its weight.
TEST(ShellLoads, APressureMaySeeTheMotion) {
  {
    Model m;
    const Handle s = m.add(plank({4, 2}));
    m.add(Load{.on = s, .force = {0, 0, -0.981}});
    m.add(Load{.on = s, .pressure = [](const PointMotion& p) { return -0.3 * p.velocity[2]; }});
    const BuiltModel& built = m.build();
    integrate::GeneralizedAlpha method(built.system(), {}, built.rows());
    State x = built.start();
    integrate::run(built.system(), method, x, {.end = 0.5, .step = 2.5e-3});
    const double k = 3, z = -9.81 / k * (0.5 - (1 - std::exp(-k * 0.5)) / k);
    EXPECT_NEAR(built.position(s.at(Place::end, 0), x)[2], z, 1e-4);
  }
  Model m;
  const Handle s = m.add(plank({4, 2}));
  m.add(Support{.on = s.at(0, 0), .position = {true, true, false}});
  m.add(Support{.on = s.at(Place::end, 0), .position = {false, true, false}});
  m.add(Load{.on = s, .force = {0, 0, -0.02}});
  m.add(Load{.on = s, .pressure = [](const PointMotion& p) { return -0.5 * p.position[2]; }});
  const BuiltModel& built = m.build();
  const analysis::Equilibrium e = analysis::find_equilibrium(built.system(), built.start(), built.rows());
  ASSERT_TRUE(e.is_found()) << e.message;
  for (const double s1 : {0.0, 5.0, 10.0}) EXPECT_NEAR(built.position(s.at(s1, 0.5), e.state)[2], -0.04, 1e-6);
}

/// The edge moves as a rigid line: each of its nodes is where the rotation about the first one carries it.
TEST(ShellLoads, AnEdgeFollowsAPrescribedMotion) {
  for (const bool turns : {false, true}) {
    Model m;
    const Handle s = m.add(plank({6, 3}));
    MotionDrive drive{.on = s.at(0, all_along)};
    drive.position = std::array<OfTime, 3>{0.0, 0.0, [](double t) { return 1 - std::cos(3 * t); }};
    if (turns) drive.rotation = std::array<OfTime, 3>{[](double t) { return t * t; }, 0.0, 0.0};
    m.add(drive);
    const BuiltModel& built = m.build();
    integrate::GeneralizedAlpha method(built.system(), {}, built.rows());
    State x = built.start();
    integrate::run(built.system(), method, x, {.end = 0.5, .step = 5e-3});
    const double angle = turns ? 0.25 : 0;
    for (const double y : {0.0, 1. / 3, 1.0}) {
      const Vector3d expected(0, y * std::cos(angle), 1 - std::cos(1.5) + y * std::sin(angle));
      EXPECT_LT((built.position(s.at(0, y), x) - expected).norm(), 1e-9) << turns << " " << y;
    }
    EXPECT_GT(std::abs(built.rotation(s.at(0, 0), x)(0, 2)), turns ? -1e-9 : 1e-3);  // without `rotation` it may turn
  }
}

}  // namespace
}  // namespace filum::model
