/// From scenarios to systems: shapes, sections, velocities, groups, and messages of what cannot be built.
/// User document: docs/guide/scenarios.md.
#include "scenario/built.hpp"
#include "scenario/texts.hpp"

#include <filum/lie/quaternion.hpp>
#include <filum/model/drive.hpp>
#include <filum/model/section.hpp>
#include <filum/scenario/builtin.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace filum::scenario {
namespace {

using Eigen::Vector3d;
using Eigen::Vector4d;
using mechanics::State;
using std::numbers::pi;
using test::Built;
using test::cantilever;
using test::parse;
using test::pendulum;
using test::replaced;
using testing::HasSubstr;

std::string refusal(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    const Built built(parse(text, overrides));
    return {};
  } catch (const config::InputError& error) {
    return error.what();
  }
}

/// A beam without forces along a curve.
std::string curved(const std::string& curve, const std::string& length, const std::string& more = "") {
  return "schema = 1\n[time]\nend = 1\nstep = 0.1\n[[beam]]\nname = \"wire\"\nmodel = \"cosserat\"\n" + more +
         "curve = " + curve + "\nlength = \"" + length +
         "\"\nsegments = 32\nmass_per_length = 1\ninertia_per_length = [1, 1, 1]\n"
         "stiffness = { bending = [1, 1], torsion = 1, shear = [1, 1], axial = 1 }\n";
}

TEST(BeamShape, FramesOfACurveFollowItWithoutTwist) {
  // A helix of radius 3 and rise 4: curvature 3/25, its own torsion 4/25 must not appear.
  const Built m(parse(curved(R"x(["3*cos(s/5)", "3*sin(s/5)", "4*s/5"])x", "10*pi")));
  const parts::Beam& b = *m.beams[0];
  for (int i = 0; i < b.nodes(); ++i) {
    const double s = b.arc_length(i);
    const Eigen::Matrix3d R = lie::quaternion::to_matrix(b.orientation(m.start, i));
    EXPECT_LT((R.col(2) - Vector3d(-0.6 * std::sin(s / 5), 0.6 * std::cos(s / 5), 0.8)).norm(), 1e-10);
  }
  for (int k = 0; k < b.segments(); ++k) {
    const parts::Vector6d w = b.strain(m.start.q, k);
    EXPECT_NEAR(w.head<2>().norm(), 3.0 / 25, 1e-3);
    EXPECT_NEAR(w[2], 0, 3e-4);  // of second order in the length of a segment; the helix's own is 0.16
  }
}

TEST(BeamShape, ADirectorTurnsTheFirstSection) {
  const Built m(parse(curved(R"x(["s", 0, 0])x", "2", "director = [5, 0, 2]\n")));
  const Eigen::Matrix3d R = lie::quaternion::to_matrix(m.beams[0]->orientation(m.start, 7));
  EXPECT_LT((R.col(0) - Vector3d(0, 0, 1)).norm(), 1e-12);
}

TEST(BeamShape, ACurveMustBeGivenByItsArcLength) {
  EXPECT_THAT(refusal(curved(R"x(["2*s", 0, 0])x", "2")),
              HasSubstr("beam.wire: `curve` must be given by its arc length"));
}

TEST(BeamShape, TheRestShapeIsIntegratedSegmentBySegment) {
  std::string text = cantilever;
  text = replaced(text, "from = [0, 0, 0]\nto = [\"L\", 0, 0]\n",
                  "initial = \"rest\"\nfrom = [1, 2, 3]\nlength = \"L\"\nrest_curvature = [0, \"pi/L\", 0]\n");
  const Built m(parse(text));
  // Half a circle of radius L/π in the plane of e1 and e3, exactly, since the curvature is constant.
  EXPECT_LT((m.beams[0]->position(m.start, 4) - Vector3d(1 + 2 * 2 / pi, 2, 3)).norm(), 1e-13);
  EXPECT_LT(std::abs(m.beams[0]->elastic_energy(m.start.q, 2)), 1e-20);
}

TEST(BeamShape, AStraightRestShapeMakesACurveWantToStraighten) {
  const Built m(parse(curved(R"x(["sin(s)", "1 - cos(s)", 0])x", "2", "rest = \"straight\"\n")));
  double energy = 0;
  for (int k = 0; k < 32; ++k) energy += m.beams[0]->elastic_energy(m.start.q, k);
  EXPECT_NEAR(energy, 0.5 * 1 * 2, 1e-3);  // ½ ∫ κ² ds with κ = 1 over a length of 2
}

TEST(BeamShape, PlacesThatSomethingNeedsBecomeNodes) {
  const Built m(parse(cantilever + "[[sensor]]\nname = \"a\"\non = \"rod@0.7\"\nquantity = "
                                   "\"position\"\n[[load]]\non = \"rod@L/2\"\nforce = [0, 0, 1]\n"));
  EXPECT_EQ(m.beams[0]->nodes(), 6);  // 0.7 is new, L/2 is there
  EXPECT_DOUBLE_EQ(m.beams[0]->arc_length(2), 0.7);
  EXPECT_THAT(m.model.remarks().at(0), HasSubstr("a node was added at s = 0.7"));
}

TEST(Section, HasTheTextbookValues) {
  const model::SectionProperties c = model::properties_of(
      {.shape = model::SectionShape::circle, .radius = 0.1, .material = {.E = 2, .nu = 0.25, .rho = 3}});
  EXPECT_NEAR(c.bending_and_torsion[0], 2 * pi * 1e-4 / 4, 1e-15);
  EXPECT_NEAR(c.bending_and_torsion[2], 0.8 * pi * 1e-4 / 2, 1e-15);
  EXPECT_NEAR(c.mass, 3 * pi * 0.01, 1e-15);
  EXPECT_NEAR(c.inertia[2], c.inertia[0] + c.inertia[1], 1e-18);
  const model::SectionProperties square = model::properties_of(
      {.shape = model::SectionShape::rectangle, .width = 1, .height = 1, .material = {.E = 1, .nu = -0.5, .rho = 1}});
  EXPECT_NEAR(square.bending_and_torsion[2], 0.1405770149551555,
              1e-14);  // G = 1; Saint-Venant's constant of the square
  const model::SectionProperties strip = model::properties_of({.shape = model::SectionShape::rectangle,
                                                               .width = 0.02,
                                                               .height = 1,
                                                               .material = {.E = 1, .nu = -0.5, .rho = 1}});
  EXPECT_NEAR(strip.bending_and_torsion[2], 8e-6 / 3 * (1 - 0.63 * 0.02), 1e-9);
  EXPECT_NEAR(strip.bending_and_torsion[0] / strip.bending_and_torsion[1], 2500, 1e-9);  // stiff about the first axis
  const model::SectionProperties thin = model::properties_of({.shape = model::SectionShape::ring,
                                                              .radius = 1,
                                                              .inner_radius = 1e-9,
                                                              .material = {.E = 1, .nu = 0.3, .rho = 1}});
  const model::SectionProperties solid = model::properties_of(
      {.shape = model::SectionShape::circle, .radius = 1, .material = {.E = 1, .nu = 0.3, .rho = 1}});
  EXPECT_NEAR((thin.shear_and_axial - solid.shear_and_axial).norm(), 0, 1e-12);
}

TEST(ConsistentVelocities, ComeFromTheJointsAndLeaveTheGivenOnesAlone) {
  const Built m(parse_scenario(find_builtin("heavy-top-fast")->text, "top"));
  EXPECT_EQ(m.measure("top", "angular_velocity", m.start)[1], 150);
  EXPECT_EQ(m.measure("top", "angular_velocity", m.start)[2], -4.61538);
  EXPECT_LT((m.measure("top", "velocity", m.start) - Vector3d(4.61538, 0, 0)).norm(), 1e-14);
}

TEST(ConsistentVelocities, MoveAWholeLinkage) {
  const Built m(parse_scenario(find_builtin("crank-rocker")->text, "crank-rocker"));
  EXPECT_DOUBLE_EQ(m.measure("crank", "angular_velocity", m.start)[2], -3);
  EXPECT_LT(m.model.consistency().velocity_off, 1e-12);
  // The pin B moves with 3 along x; the coupler and the rocker follow so that C is common: closed form.
  EXPECT_NEAR(m.measure("rocker", "angular_velocity", m.start)[2], -1.5, 1e-12);
  EXPECT_NEAR(m.measure("coupler", "angular_velocity", m.start)[2], 0, 1e-12);
}

TEST(ConsistentVelocities, AreRefusedWhereTheyContradictTheJoints) {
  EXPECT_THAT(refusal(pendulum, {"body.bar.velocity=[0,1,0]"}),
              HasSubstr("the initial velocities violate a constraint"));
}

TEST(Groups, TheSameTopInSevenFormulations) {
  const Vector3d x_half(-0.702468297056586, -0.0211651847019233, -0.711400257651734);  // at t = 0.5, known to 1e-12
  for (const char* group : {"SO3", "S3", "SO3xR3", "S3xR3", "SE3", "S3sdR3", "UDQ"}) {
    const Built m(parse_scenario(find_builtin("heavy-top-fast")->text, "top",
                                 {"body.top.group=" + std::string(group), "time.end=0.5",
                                  "integrator={method=\"half-explicit-rk\"}", "time.step=2^-12"}));
    EXPECT_EQ(m.system.size_rows(), group[std::string(group).size() - 1] == '3' && std::string(group).size() < 4 &&
                                            group != std::string("SE3")
                                        ? 0
                                        : 3)
        << group;
    EXPECT_LT((m.position("top", m.run()) - x_half).norm(), 1e-7) << group;
  }
}

TEST(Groups, APivotIsForRotationsOnly) {
  EXPECT_THAT(test::complaints(pendulum, {"body.bar.pivot=[0,0,0]"}),
              HasSubstr("a pivot is for the groups SO3 and S3"));
  EXPECT_THAT(test::complaints(pendulum, {"body.bar.group=SO3"}), HasSubstr("give `pivot`, or a spherical joint"));
}

TEST(Groups, AutomaticChoicesAreMadeAndExplained) {
  const Built hinged(parse(pendulum, {"body.bar.group=auto"}));
  EXPECT_TRUE(lie::is_rigid_motion(hinged.system.space().group(0)));
  EXPECT_THAT(hinged.model.remarks().at(0), HasSubstr("body bar: group "));
  const std::string free = replaced(pendulum, pendulum.substr(pendulum.find("[[joint]]")), "");
  EXPECT_EQ(Built(parse(free, {"body.bar.group=auto", "body.bar.pivot=[0,0,0]"})).system.space().group(0),
            lie::GroupId::S3);
  EXPECT_THAT(test::complaints(cantilever, {"beam.rod.group=SO3"}), HasSubstr("a beam moves through space"));
  const Built clamped(parse(cantilever, {"beam.rod.group=auto"}));
  EXPECT_EQ(clamped.system.space().group(0), lie::GroupId::S3sdR3);
  EXPECT_THAT(clamped.model.remarks().at(0), HasSubstr("beam rod: group S3sdR3, because joints lead to the ground"));
  const std::string flying = replaced(cantilever, cantilever.substr(cantilever.find("[[joint]]")), "");
  EXPECT_EQ(Built(parse(flying, {"beam.rod.group=auto"})).system.space().group(0), lie::GroupId::S3xR3);
  const std::string weight =
      "[[body]]\nname = \"weight\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [2, 0, 0]\n"
      "[[joint]]\ntype = \"spherical\"\nconnects = [\"rod:end\", \"weight\"]\n";
  const auto group_of_rod = [](const std::string& text) {
    const Built m(parse(text, {"beam.rod.group=auto"}));
    return m.beams.at(0)->group();
  };
  EXPECT_EQ(group_of_rod(flying + weight), lie::GroupId::S3xR3);
  const std::string wall = "[[support]]\non = \"weight\"\nhold = [\"x\"]\n";
  EXPECT_EQ(group_of_rod(flying + weight + wall), lie::GroupId::S3sdR3) << "held over others";
}

TEST(BuildModel, ReportsImpossibleObjectsTogetherAndInPlace) {
  std::string text = replaced(pendulum, "inertia = [0.001, 0.0834, 0.0834]", "inertia = [1, 1, 9]");
  text += "[[body]]\nname = \"b\"\nmass = 1\ninertia = [[1, 2, 0], [0, 1, 0], [0, 0, 1]]\n";
  const std::string found = refusal(text);
  EXPECT_THAT(found, HasSubstr("test.toml:9:1: body.bar: "));
  EXPECT_THAT(found, HasSubstr("body.b: "));
}

TEST(BuildModel, LoadsActOnBodiesPointsAndWholeBeams) {
  const std::string load =
      "[[load]]\non = \"rod\"\nforce = [0, 0, \"s*t\"]\n[[load]]\non = \"rod:end\"\nframe = \"body\"\nmoment = [7, 0, "
      "0]\n";
  const Built m(parse(replaced(cantilever, "gravity = [0, 0, -9.81]\n", "") + load));
  mechanics::VectorXd f(m.system.size_v());
  m.system.forces(3, m.start.q, m.start.v, f);
  double total = 0;
  for (int i = 0; i < 5; ++i) {  // every node's share, turned into space
    const Eigen::Matrix3d R = lie::quaternion::to_matrix(m.beams[0]->orientation(m.start, i));
    total += (R * f.segment<3>(6 * i + 3))[2];
  }
  EXPECT_NEAR(total, 3 * 0.5 * 2 * 2, 1e-12);  // ∫ s t ds over the length 2 at t = 3
  EXPECT_NEAR(f[24], 7, 1e-9);
}

TEST(PrescribedMotion, HasTheAngularVelocityOfItsOrientation) {
  // Differences of the orientation itself against what is reported.
  const config::Symbols none;
  const auto f = [&](const char* text) { return model::OfTime(config::Number(config::Formula(text, {"t"}, none))); };
  const std::array<model::OfTime, 3> position{f("t^2"), 0, 1}, rotation{f("sin(t)"), f("0.3*t"), f("t^2/2")};
  const Vector4d start = Vector4d(1, 2, 3, 4).normalized();
  const double t = 0.7, h = 1e-3;
  const auto m = [&](double x) { return model::prescribed_motion(position, rotation, start, x); };
  const auto rate = [&](auto&& g) {
    return ((8 * (g(t + h) - g(t - h)) - (g(t + 2 * h) - g(t - 2 * h))) / (12 * h)).eval();
  };
  const Vector4d p = m(t).orientation, p_dot = rate([&](double x) { return Vector4d(m(x).orientation); });
  const Vector4d twice = 2 * lie::quaternion::product(lie::quaternion::conjugate(p), p_dot);
  EXPECT_LT((twice.tail<3>() - m(t).angular_velocity).norm(), 1e-9);
  EXPECT_LT((rate([&](double x) { return Vector3d(m(x).angular_velocity); }) - m(t).angular_acceleration).norm(), 1e-7);
  EXPECT_NEAR(m(t).acceleration[0], 2, 1e-9);
}

TEST(PrescribedMotion, TurnsAsOftenAsItLikes) {
  // About one axis the motion is known; T⁻¹ would have a pole after every turn.
  const auto f = [](const char* text) { return model::OfTime(config::Number(config::Formula(text, {"t"}, {}))); };
  const std::array<model::OfTime, 3> rotation{0, 0, f("2*pi*t^2")};
  for (const double t : {0.0, 0.3, 1.0, std::sqrt(2.0), 1.7}) {
    const parts::FrameMotion m = model::prescribed_motion({0, 0, 0}, rotation, Vector4d(1, 0, 0, 0), t);
    EXPECT_LT((m.angular_velocity - Vector3d(0, 0, 4 * std::numbers::pi * t)).norm(), 1e-13) << t;
    EXPECT_LT((m.angular_acceleration - Vector3d(0, 0, 4 * std::numbers::pi)).norm(), 1e-13) << t;
  }
}

TEST(PrescribedMotion, HasExactAccelerations) {
  const auto f = [](const char* text) { return model::OfTime(config::Number(config::Formula(text, {"t"}, {}))); };
  const std::array<model::OfTime, 3> rotation{f("sin(t)"), f("0.3*t - 5"), f("t^2/2 + 7")};
  const double t = 0.7, h = 0.02;
  const auto spin = [&](double x) {
    return Vector3d(model::prescribed_motion({0, 0, 0}, rotation, Vector4d(1, 0, 0, 0), x).angular_velocity);
  };
  // Central differences of order 8.
  const double c[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  Vector3d expected = Vector3d::Zero();
  for (int k = 1; k <= 4; ++k) expected += c[k - 1] / h * (spin(t + k * h) - spin(t - k * h));
  const Vector3d found = model::prescribed_motion({0, 0, 0}, rotation, Vector4d(1, 0, 0, 0), t).angular_acceleration;
  EXPECT_LT((found - expected).norm(), 1e-12 * expected.norm());
}

TEST(DescribeModel, NamesSizesStartAndHints) {
  Scenario s = parse(cantilever);
  const std::string text = describe(s);
  EXPECT_THAT(text, HasSubstr("beam rod: kirchhoff, 4 segments, length 2, group S3sdR3, 8 constraints"));
  EXPECT_THAT(text, HasSubstr("5 nodes, 30 velocities, 14 constraints: 16 degrees of freedom"));
  EXPECT_THAT(text, HasSubstr("half-explicit-rk and munthe-kaas-rk need steps below about"));
}

TEST(DescribeModel, KnowsTheFrequencyOfASpring) {
  const std::string text =
      "schema = 1\n[time]\nend = 1\nstep = 0.1\n[[body]]\nname = \"b\"\nmass = 2\ninertia = [1, 1, 1]\n"
      "[[spring]]\nconnects = [\"ground\", \"b\"]\npoints = [[0, 0, 0], [0, 0, 0]]\nstiffness = 50\n";
  Scenario s = parse(text);
  EXPECT_THAT(describe(s), testing::ContainsRegex("fastest vibration: (5|4.99|5.00)[0-9]* rad per time"));
}

}  // namespace
}  // namespace filum::scenario
