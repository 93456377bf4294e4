/// Paths, buckling loads, limit points. Theory: docs/theory/statics.md.
#include "analysis/static_beams.hpp"

#include <filum/parts/point_mass.hpp>
#include <filum/parts/spring.hpp>

#include <gtest/gtest.h>

#include <numbers>

namespace filum::analysis {
namespace {

using std::numbers::pi;

/// Under a compressive load −e1 at its free end.
StaticBeam column(int segments) {
  return {.segments = segments, .EI = 1, .EI2 = 4, .held = parts::inextensible, .force = {-1, 0, 0}};
}

TEST(StaticPath, AColumnBucklesAtEulersLoadWithOrderTwo) {
  double before = 0;
  for (const int segments : {8, 16, 32}) {
    const BeamBenchmark b = static_beam(column(segments));
    const StaticPath p = follow_path(*b.system, b.start, {}, {.to = 4});
    ASSERT_TRUE(p.is_done()) << words(p);
    ASSERT_EQ(p.critical.size(), 1u) << words(p);
    EXPECT_EQ(p.critical[0].kind, CriticalKind::bifurcation);
    EXPECT_EQ(p.negative_directions, 1);
    const double error = std::abs(p.critical[0].factor - pi * pi / 4);
    if (segments > 8) {
      EXPECT_NEAR(before / error, 4, 0.2) << segments;
    }
    before = error;
  }
  EXPECT_LT(before, 3e-3);
}

/// Discrete column of pinned arcs: cos is exact, so that the buckling load of n segments is known in closed form.
TEST(StaticPath, ShearAndCompressionLowerTheBucklingLoad) {
  std::vector<double> found;
  for (const int segments : {16, 32}) {
    StaticBeam c = column(segments);
    c.held = parts::cosserat, c.GA = 100, c.EA = 200;
    const BeamBenchmark b = static_beam(c);
    const StaticPath p = follow_path(*b.system, b.start, {}, {.to = 3});
    ASSERT_EQ(p.critical.size(), 1u) << words(p);
    found.push_back(p.critical[0].factor);
  }
  EXPECT_NEAR((4 * found[1] - found[0]) / 3, 2.43768945, 2e-6);  // order 2, extrapolated
}

TEST(StaticPath, ARoundColumnBucklesInTwoDirectionsAtOnce) {
  StaticBeam c = column(8);
  c.EI2 = 1;
  const BeamBenchmark b = static_beam(c);
  const StaticPath p = follow_path(*b.system, b.start, {}, {.to = 4});
  ASSERT_EQ(p.critical.size(), 1u) << words(p);
  EXPECT_EQ(p.critical[0].negative_after - p.critical[0].negative_before, 2);
  const BeamBenchmark flat = static_beam(column(8));
  const StaticPath q = follow_path(*flat.system, flat.start, {}, {.to = 4});
  EXPECT_NEAR(p.critical[0].factor, q.critical[0].factor, 1e-7);
}

TEST(StaticPath, ABuckledColumnFollowsItsElastica) {
  const BeamBenchmark b = static_beam(column(32));
  const StaticPath p =
      follow_path(*b.system, b.start, {}, {.kind = PathKind::arc_length, .to = 1.063 * pi * pi / 4, .branch = 1});
  ASSERT_TRUE(p.is_done()) << words(p);
  EXPECT_EQ(p.negative_directions, 0) << words(p);
  // Timoshenko, table of the elastica: angle of the tip 40° at 1.063 of the critical load.
  const Vector3d t = lie::quaternion::rotate(b.beam->orientation(p.state, 32), Vector3d(0, 0, 1));
  EXPECT_NEAR(std::acos(t[0]) * 180 / pi, 40, 0.6) << words(p);
}

/// Two bars between (∓1, 0) and a point at (0, height), springs of stiffness 1 and rest length L, in a plane: von
/// Mises' truss. The load is −e2.
struct Truss {
  std::shared_ptr<const System> system;
  State start;
  double length;
};
Truss truss(double height) {
  mechanics::SystemBuilder builder;
  const auto point = parts::add_point_mass(builder, {.group = lie::GroupId::R2, .mass = 1, .position = {0, height, 0}});
  Truss t;
  t.length = std::hypot(1, height);
  for (const double x : {-1.0, 1.0})
    parts::add_spring(builder, {.stiffness = 1, .length = t.length}, {.point = {x, 0, 0}}, point.marker());
  parts::add_load(builder, "load", point.marker(), parts::LoadFrame::space, [](double) {
    return parts::LoadValue{.force = {0, -1, 0}};
  });
  t.start = builder.start();
  t.system = builder.build();
  mechanics::make_consistent(*t.system, t.start);
  return t;
}

/// P(y) = 2 (L/l − 1) y with l = √(1 + y²) is extreme at l³ = L.
TEST(StaticPath, BothLimitPointsOfATrussAreExact) {
  const Truss t = truss(0.3);
  const StaticPath p = follow_path(*t.system, t.start, {}, {.kind = PathKind::arc_length, .to = 0.02});
  ASSERT_TRUE(p.is_done()) << words(p);
  ASSERT_EQ(p.critical.size(), 2u) << words(p);
  const double exact = 2 * std::pow(std::pow(t.length, 2. / 3) - 1, 1.5);
  for (const int k : {0, 1}) {
    EXPECT_EQ(p.critical[k].kind, CriticalKind::limit_point);
    EXPECT_NEAR(p.critical[k].factor, k == 0 ? exact : -exact, 1e-10);
  }
  EXPECT_EQ(p.negative_directions, 0);
  EXPECT_LT(p.state.q[1], -0.3);
}

TEST(StaticPath, UnderAGivenLoadATrussSnapsThrough) {
  const Truss t = truss(0.3);
  const StaticPath p = follow_path(*t.system, t.start, {}, {.to = 0.02});
  ASSERT_TRUE(p.is_done()) << words(p);
  EXPECT_EQ(p.critical.size(), 1u) << words(p);
  ASSERT_EQ(p.remarks.size(), 1u) << words(p);
  EXPECT_LT(p.state.q[1], -0.3);
  EXPECT_EQ(p.factor, 0.02);
}

TEST(StaticPath, WithoutAFallbackALimitPointEndsThePath) {
  const Truss t = truss(0.3);
  const StaticPath p = follow_path(*t.system, t.start, {}, {.to = 0.02, .relax = false});
  EXPECT_EQ(p.outcome, PathOutcome::stopped);
  EXPECT_NE(p.message.find("limit point"), std::string::npos) << words(p);
}

/// A steep truss gives way to the side: L y² = l³, before the limit point.
TEST(StaticPath, TheBifurcationOfASteepTrussIsExact) {
  const Truss t = truss(3);
  const StaticPath p = follow_path(*t.system, t.start, {}, {.kind = PathKind::arc_length, .to = 1});
  ASSERT_EQ(p.critical.size(), 1u) << words(p);
  double low = std::numbers::sqrt2, high = 3;  // y
  for (int k = 0; k < 100; ++k) {
    const double y = 0.5 * (low + high), l = std::hypot(1, y);
    (t.length * y * y < l * l * l ? high : low) = y;
  }
  EXPECT_EQ(p.critical[0].kind, CriticalKind::bifurcation) << words(p);
  EXPECT_NEAR(p.critical[0].factor, 2 * (t.length / std::hypot(1, low) - 1) * low, 1e-8) << words(p);
  EXPECT_GT(std::abs(p.critical[0].mode[0]), 100 * std::abs(p.critical[0].mode[1]));
}

TEST(StaticPath, AtABifurcationThePathMayLeaveToEitherSide) {
  for (const int branch : {1, -1}) {
    const Truss t = truss(3);
    double first_x = 0;
    const auto see = [&](const PathPoint& p) {
      if (std::abs(p.x.q[0]) > 1e-3 && first_x == 0) first_x = p.x.q[0];
      return first_x == 0;
    };
    const StaticPath p =
        follow_path(*t.system, t.start, {}, {.kind = PathKind::arc_length, .to = 1, .branch = branch}, see);
    EXPECT_EQ(p.outcome, PathOutcome::interrupted) << words(p);
    EXPECT_GT(first_x * branch, 0) << words(p);
  }
}

/// Both ends clamped, loaded in the middle; the rise is 1.3 times the thickness of a rectangular section.
TEST(StaticPath, AShallowArchSnapsThroughAlongTheArcLength) {
  std::vector<double> upper, lower;
  for (const int segments : {16, 32, 64}) {
    const BeamBenchmark b = static_beam({.segments = segments,
                                         .EI2 = 1e3,
                                         .GA = 1e4,
                                         .EA = 2e4,
                                         .GJ = 1e3,
                                         .curvature = 0.5,
                                         .force = {-std::sin(0.25), std::cos(0.25), 0},
                                         .loaded_node = segments / 2,
                                         .second_joint = parts::JointType::fixed});
    const StaticPath p = follow_path(*b.system, b.start, {}, {.kind = PathKind::arc_length, .to = 40});
    ASSERT_TRUE(p.is_done()) << words(p);
    ASSERT_EQ(p.critical.size(), 2u) << words(p);
    for (const CriticalPoint& c : p.critical) EXPECT_EQ(c.kind, CriticalKind::limit_point) << words(p);
    upper.push_back(p.critical[0].factor), lower.push_back(p.critical[1].factor);
  }
  EXPECT_GT(upper[2], lower[2]);
  EXPECT_NEAR((upper[0] - upper[1]) / (upper[1] - upper[2]), 4, 0.3);
  EXPECT_NEAR((lower[0] - lower[1]) / (lower[1] - lower[2]), 4, 0.6);
}

/// DaDeppo and Schmidt 1975: clamped and hinged circular arch of 215°, crown load 8.97 EI/R².
TEST(StaticPath, ADeepArchReachesItsLimitLoadAndThreeTimesIt) {
  const double angle = 215 * pi / 180, radius = 100, half = 0.5 * angle;
  const BeamBenchmark b = static_beam({.segments = 40,
                                       .length = angle * radius,
                                       .EI = 1e6,
                                       .EI2 = 1e9,
                                       .GA = 1e8,
                                       .EA = 1e8,
                                       .GJ = 1e9,
                                       .curvature = 1 / radius,
                                       .force = {-std::sin(half), std::cos(half), 0},
                                       .loaded_node = 20,
                                       .second_joint = parts::JointType::revolute});
  const StaticPath p = follow_path(*b.system, b.start, {}, {.kind = PathKind::arc_length, .to = 2700});
  ASSERT_TRUE(p.is_done()) << words(p);
  ASSERT_FALSE(p.critical.empty()) << words(p);
  EXPECT_EQ(p.critical[0].kind, CriticalKind::limit_point);
  EXPECT_NEAR(p.critical[0].factor, 897, 5) << words(p);
}

TEST(StaticPath, ThePathReportsItsPointsInOrder) {
  const BeamBenchmark b = static_beam({.segments = 4, .moment = {0, 0, 2}});
  double last = -1;
  int points = 0;
  const StaticPath p = follow_path(*b.system, b.start, {}, {}, [&](const PathPoint& x) {
    EXPECT_GT(x.factor, last);
    last = x.factor;
    return ++points > 0;
  });
  ASSERT_TRUE(p.is_done()) << words(p);
  EXPECT_EQ(last, 1);
  EXPECT_EQ(points, p.steps + 1);
}

}  // namespace
}  // namespace filum::analysis
