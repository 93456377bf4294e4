/// Patches of shells joined along edges and lines: folds, T-joints, boxes; stiffening rods; joints of all types along
/// edges, at corners and at nodes. Theory: docs/theory/shell.md, sec. 4.
#include <filum/analysis/equilibrium.hpp>
#include <filum/analysis/modes.hpp>
#include <filum/model/beam.hpp>
#include <filum/model/body.hpp>
#include <filum/model/joint.hpp>
#include <filum/model/load.hpp>
#include <filum/model/model.hpp>
#include <filum/model/shell.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace filum::model {
namespace {

constexpr double far_end = Place::end, along = Place::all;
constexpr int moment = 1, membrane = 3, shear = 5;  ///< of the section across s1, among the twelve resultants

/// A flat patch with one edge across y, of width 1.
Shell patch(const Vector3d& corner, const Vector3d& edge, std::array<int, 2> segments) {
  return {.shape = Parallelogram{corner, {edge, Vector3d(0, 1, 0)}},
          .segments = segments,
          .material = IsotropicSheet{.thickness = 0.1, .rho = 1, .E = 1.2e6, .nu = 0}};
}

State at_rest(const BuiltModel& built) {
  const analysis::Equilibrium e = analysis::find_equilibrium(built.system(), built.start(), built.rows());
  EXPECT_TRUE(e.is_found()) << e.message;
  return e.state;
}

/// A clamped base and a web that leaves its end at 60°, lifted at the tip by P: resultants follow from statics alone,
/// the deflection from the energy of both parts.
TEST(ShellJoined, AFoldPassesForcesAndMomentsOn) {
  const double L = 4, l = 3, c = 0.5, s = std::sqrt(0.75), P = 1e-5;
  Model m;
  const Handle base = m.add(patch({0, 0, 0}, {L, 0, 0}, {8, 2}));
  const Handle web = m.add(patch({L, 0, 0}, {l * c, 0, l * s}, {6, 2}));
  m.add(Joint{.first = ground, .second = base.at(0, along)});
  m.add(Joint{.first = base.at(far_end, along), .second = web.at(0, along)});
  m.add(Load{.on = web.at(far_end, along), .force = {0, 0, P}});
  const BuiltModel& built = m.build();
  const State x = at_rest(built);
  const auto in_base = built.measure(base.at(2, 0.5), "stress", x), in_web = built.measure(web.at(1, 0.5), "stress", x);
  EXPECT_NEAR(in_base[moment], -P * (L + l * c - 2), 2e-5 * P);
  EXPECT_NEAR(in_base[shear], P, 2e-5 * P);
  EXPECT_NEAR(in_base[membrane], 0, 2e-5 * P);
  EXPECT_NEAR(in_web[moment], -P * c * (l - 1), 2e-5 * P);
  EXPECT_NEAR(in_web[shear], P * c, 2e-5 * P);
  EXPECT_NEAR(in_web[membrane], P * s, 2e-5 * P);
  const double EI = 100, arm = L + l * c;
  const double w = P / EI * ((std::pow(arm, 3) - std::pow(l * c, 3)) / 3 + c * c * std::pow(l, 3) / 3);
  const Point tip = web.at(far_end, 0);
  EXPECT_NEAR((built.position(tip, x) - built.position(tip, built.start()))[2] / w, 1, 3e-3);
}

/// A web on the middle of a base, pulled along it by F: the base beyond the joint is free of stress when its end is
/// free; held at both ends, its moment jumps by what the web brings and its membrane force by F.
TEST(ShellJoined, ATJointSharesTheMomentOfTheWeb) {
  for (const bool both : {false, true}) {
    const double l = 1.5, F = 1e-5;
    Model m;
    const Handle base = m.add(patch({0, 0, 0}, {4, 0, 0}, {8, 2}));
    const Handle web = m.add(patch({2, 0, 0}, {0, 0, l}, {3, 2}));
    m.add(Joint{.first = ground, .second = base.at(0, along)});
    if (both) m.add(Joint{.first = ground, .second = base.at(far_end, along)});
    m.add(Joint{.first = base.at(2, along), .second = web.at(0, along)});
    m.add(Load{.on = web.at(far_end, along), .force = {F, 0, 0}});
    const BuiltModel& built = m.build();
    const State x = at_rest(built);
    const auto left = built.measure(base.at(1, 0.5), "stress", x), right = built.measure(base.at(3, 0.5), "stress", x);
    if (!both) {
      EXPECT_NEAR(left[moment], F * l, 2e-5 * F);
      EXPECT_LT(right.norm(), 2e-5 * F);
    }
    EXPECT_NEAR(left[membrane] - right[membrane], F, 2e-5 * F);
    EXPECT_NEAR(left[shear] - right[shear], 0, 2e-5 * F);
    EXPECT_NEAR(left[moment] + left[shear] - (right[moment] - right[shear]), F * l, 2e-5 * F);
  }
}

/// Six squares joined along twelve edges. Where three edges meet one of the joints repeats the other two.
TEST(ShellJoined, AClosedBoxHasSixFreeMotions) {
  const Vector3d o(0, 0, 0), ex(1, 0, 0), ey(0, 1, 0), ez(0, 0, 1);
  Model m;
  const auto face = [&](const Vector3d& corner, const Vector3d& a, const Vector3d& b) {
    return m.add(Shell{.shape = Parallelogram{corner, {a, b}},
                       .segments = {2, 2},
                       .material = IsotropicSheet{.thickness = 0.05, .rho = 1, .E = 1e5, .nu = 0.3}});
  };
  const Handle z0 = face(o, ex, ey), z1 = face(ez, ex, ey), y0 = face(o, ex, ez), y1 = face(ey, ex, ez),
               x0 = face(o, ey, ez), x1 = face(ex, ey, ez);
  const auto seam = [&](const Point& a, const Point& b) { m.add(Joint{.first = a, .second = b}); };
  for (const auto& [lid, z] : {std::pair(z0, 0.0), std::pair(z1, far_end)}) {
    seam(lid.at(0, along), x0.at(along, z)), seam(lid.at(far_end, along), x1.at(along, z));
    seam(lid.at(along, 0), y0.at(along, z)), seam(lid.at(along, far_end), y1.at(along, z));
  }
  for (const auto& [wall, y] : {std::pair(y0, 0.0), std::pair(y1, far_end)})
    seam(wall.at(0, along), x0.at(y, along)), seam(wall.at(far_end, along), x1.at(y, along));
  const BuiltModel& built = m.build();
  const analysis::Modes modes = analysis::find_modes(
      analysis::linearize_about(built.system(), built.start(), built.rows()), {.count = 7, .undamped = true});
  EXPECT_EQ(modes.rigid, 6);
  EXPECT_GT(modes.modes.back().omega(), 1);
}

/// A rod along the middle line or along both edges of a strip, glued node by node: bending stiffnesses add up.
TEST(ShellJoined, RodsStiffenEdgesAndGridLines) {
  const double L = 10, P = 1e-5, EI_strip = 100, E_rod = 3e8, r = 0.03, EI_rod = E_rod * M_PI / 4 * std::pow(r, 4);
  for (const std::vector<double>& at : {std::vector<double>{0.5}, {0.0, 1.0}}) {
    Model m;
    const Handle strip = m.add(patch({0, 0, 0}, {L, 0, 0}, {16, 2}));
    m.add(Joint{.first = ground, .second = strip.at(0, along)});
    for (const double y : at) {
      const Handle rod = m.add(Beam{
          .shape = Line{{0, y, 0}, {L, y, 0}},
          .segments = 16,
          .held = parts::cosserat,
          .section = Section{.shape = SectionShape::circle, .radius = r, .material = {.E = E_rod, .nu = 0, .rho = 1}}});
      m.add(Joint{.first = rod.at(Place::all), .second = strip.at(along, y)});
    }
    m.add(Load{.on = strip.at(far_end, along), .force = {0, 0, P}});
    const BuiltModel& built = m.build();
    const State x = at_rest(built);
    const double EI = EI_strip + static_cast<double>(at.size()) * EI_rod;
    EXPECT_GT(EI, 2 * EI_strip);
    for (const double y : {0.0, 0.5})
      EXPECT_NEAR(built.position(strip.at(far_end, y), x)[2] / (P * L * L * L / (3 * EI)), 1, 5e-3) << y;
  }
}

/// How many motions without strain a joint leaves to a square sheet: to the ground along an edge, at a corner, at a
/// node; to a body that is free itself and to the end of a free beam six more than the joint takes.
TEST(ShellJoined, JointsOfAllTypesLeaveWhatTheyAllow) {
  struct Case {
    JointType type;
    int at_a_point, along_an_edge;
  };
  for (const Case& c : {Case{JointType::fixed, 0, 0}, Case{JointType::spherical, 3, 1}, Case{JointType::revolute, 1, 1},
                        Case{JointType::prismatic, 1, 1}, Case{JointType::cylindrical, 2, 2},
                        Case{JointType::universal, 2, 1}, Case{JointType::planar, 3, 3}}) {
    const auto free_motions = [&](const auto& join) {
      Model m;
      const Handle s = m.add(patch({0, 0, 0}, {1, 0, 0}, {2, 2}));
      Joint joint{.type = c.type};
      join(m, s, joint);
      joint.axis = Vector3d(0, 1, 0);
      if (c.type == JointType::universal) joint.axis2 = Vector3d(0, 0, 1);
      m.add(joint);
      const BuiltModel& built = m.build();
      return analysis::find_modes(analysis::linearize_about(built.system(), built.start(), built.rows()),
                                  {.count = 12, .undamped = true})
          .rigid;
    };
    const auto type = static_cast<int>(c.type);
    EXPECT_EQ(free_motions([](Model&, const Handle& s, Joint& j) { j.first = ground, j.second = s.at(0, along); }),
              c.along_an_edge)
        << type;
    EXPECT_EQ(free_motions([](Model&, const Handle& s, Joint& j) { j.first = ground, j.second = s.at(0, far_end); }),
              c.at_a_point)
        << type;
    EXPECT_EQ(free_motions([](Model& m, const Handle& s, Joint& j) {
                j.first = m.add(Body{.mass = 1, .inertia = Matrix3d(Matrix3d::Identity()), .position = {-1, 0.5, 0}});
                j.second = s.at(0, along);
              }),
              6 + c.along_an_edge)
        << type;
    EXPECT_EQ(free_motions([](Model& m, const Handle& s, Joint& j) {
                const Handle rod = m.add(Beam{
                    .shape = Line{{-1, 0.5, 0}, {0.5, 0.5, 0}},
                    .segments = 2,
                    .held = parts::cosserat,
                    .section = Section{
                        .shape = SectionShape::circle, .radius = 0.1, .material = {.E = 1e6, .nu = 0.3, .rho = 1}}});
                j.first = rod.end(), j.second = s.at(0.5, 0.5);
              }),
              6 + c.at_a_point)
        << type;
  }
}

}  // namespace
}  // namespace filum::model
