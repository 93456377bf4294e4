/// Damped and gyroscopic systems and mechanisms against closed forms. Theory: docs/theory/modes.md, sec. 2 and 5.
#include <filum/analysis/modes.hpp>
#include <filum/analysis/rigid_motions.hpp>
#include <filum/lie/quaternion.hpp>
#include <filum/mechanics/consistent_start.hpp>
#include <filum/parts/gravity.hpp>
#include <filum/parts/joint.hpp>
#include <filum/parts/spring.hpp>
#include <filum/parts/viscous_damping.hpp>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace filum::analysis {
namespace {

using Eigen::Vector3d;
using Eigen::Vector4d;
using lie::GroupId;
using parts::JointType;

constexpr GroupId rigid_motion_groups[] = {GroupId::SO3xR3, GroupId::S3xR3, GroupId::SE3, GroupId::S3sdR3,
                                           GroupId::UDQ};

struct Made {
  mechanics::SystemBuilder builder = {};
  std::shared_ptr<const System> system = nullptr;
  State start = {};
  RowSelection rows = {};

  void finish() {
    system = builder.build();
    start = builder.start();
    rows = mechanics::make_consistent(*system, start, {.repair_velocity_fully = true}).rows;
  }
  Linearization linearization(std::optional<Axes> axes = {}) const {
    return linearize_about(*system, start, rows, axes);
  }
};

Vector4d turn(const Vector3d& axis, double angle) {
  Vector4d p;
  p << std::cos(angle / 2), std::sin(angle / 2) * axis;
  return p;
}

/// m = 1 at a spring k = 4 with a damper, along e1 about a distant point.
Modes damped_mass(double damping, int dense_limit) {
  Made m;
  const auto body = parts::add_rigid_body(m.builder, {.mass = 1, .inertia = Eigen::Matrix3d::Identity()});
  parts::add_joint(m.builder,
                   {.type = JointType::prismatic, .first = {}, .second = body.at(Vector3d::Zero()), .axis = {1, 0, 0}});
  parts::add_spring(m.builder, {.stiffness = 4, .damping = damping, .length = 1}, body.at(Vector3d::Zero()),
                    {.point = {1, 0, 0}});
  m.finish();
  return find_modes(m.linearization(), {.dense_limit = dense_limit});
}

TEST(DampedModes, OneMassShowsFrequencyAndDamping) {
  const Modes found = damped_mass(0.8, 240);
  ASSERT_EQ(found.modes.size(), 1u);
  EXPECT_FALSE(found.is_undamped);
  EXPECT_NEAR(found.modes[0].omega(), 2, 1e-12);
  EXPECT_NEAR(found.modes[0].damping(), 0.2, 1e-12);
  EXPECT_NEAR(found.modes[0].frequency(), 2 * std::sqrt(1 - 0.04) / (2 * std::numbers::pi), 1e-12);
  EXPECT_EQ(found.modes[0].kind, ModeKind::vibration);
}

TEST(DampedModes, StrongDampingGivesTwoDecays) {
  const Modes found = damped_mass(10, 240);  // s² + 10 s + 4 = 0
  ASSERT_EQ(found.modes.size(), 2u);
  EXPECT_NEAR(found.modes[0].s.real(), -5 + std::sqrt(21.0), 1e-12);
  EXPECT_NEAR(found.modes[1].s.real(), -5 - std::sqrt(21.0), 1e-12);
  EXPECT_EQ(found.modes[0].damping(), 1);
}

/// Symmetric, centre of mass at l = 0.5 above the fixed point, spinning upright.
struct Top {
  double mass = 2, length = 0.5, across = 0.3, along = 0.2, gravity = 10;
  double about_pivot() const { return across + mass * length * length; }
  double weight() const { return mass * gravity * length; }
  /// C²Ω² = 4 A m g l.
  double critical() const { return std::sqrt(4 * about_pivot() * weight()) / along; }

  Made build(GroupId group, double spin) const {
    Made m;
    const bool is_rotation = lie::is_rotation(group);
    parts::RigidBodyOptions o{.group = group,
                              .mass = mass,
                              .inertia = Vector3d(across, across, along).asDiagonal().toDenseMatrix(),
                              .position = Vector3d(0, 0, length),
                              .angular_velocity = Vector3d(0, 0, spin)};
    if (is_rotation) o.pivot = Vector3d::Zero();
    const auto body = parts::add_rigid_body(m.builder, o);
    if (!is_rotation)
      parts::add_joint(m.builder, {.type = JointType::spherical, .first = {}, .second = body.at({0, 0, -length})});
    parts::add_gravity(m.builder, {0, 0, -gravity}, {body});
    m.finish();
    return m;
  }
};

TEST(GyroscopicModes, SleepingTopPrecessesAndNutates) {
  const Top top;
  const double A = top.about_pivot(), spin = 1.3 * top.critical(), CO = top.along * spin;
  const double root = std::sqrt(CO * CO - 4 * A * top.weight());
  for (const GroupId group :
       {GroupId::SO3, GroupId::S3, GroupId::SO3xR3, GroupId::S3xR3, GroupId::SE3, GroupId::S3sdR3, GroupId::UDQ}) {
    SCOPED_TRACE(lie::name(group));
    const Made m = top.build(group, spin);
    const Linearization lin = m.linearization();
    EXPECT_EQ(lin.situation, Situation::steady_motion) << lin.unsteadiness;
    EXPECT_EQ(lin.axes, Axes::space);
    const Modes found = find_modes(lin);
    ASSERT_EQ(found.modes.size(), 3u);
    EXPECT_EQ(found.modes[0].name, "rotation about z");
    EXPECT_NEAR(found.modes[1].omega(), (CO - root) / (2 * A), 1e-8);
    EXPECT_NEAR(found.modes[2].omega(), (CO + root) / (2 * A), 1e-8);
    for (const Mode& mode : found.modes) EXPECT_NE(mode.kind, ModeKind::unstable);
    // An observer on the top sees frequencies that are lower by the spin.
    const Linearization on_top = m.linearization(Axes::body);
    EXPECT_EQ(on_top.situation, Situation::steady_motion) << on_top.unsteadiness;
    const Modes seen = find_modes(on_top);
    ASSERT_EQ(seen.modes.size(), 3u);
    std::vector<double> omegas{seen.modes[1].omega(), seen.modes[2].omega()};
    std::vector<double> expected{std::abs(spin - found.modes[1].omega()), std::abs(spin - found.modes[2].omega())};
    std::sort(expected.begin(), expected.end());
    EXPECT_NEAR(omegas[0], expected[0], 1e-7);
    EXPECT_NEAR(omegas[1], expected[1], 1e-7);
  }
}

TEST(GyroscopicModes, SlowTopFallsWithItsGrowthRate) {
  const Top top;
  const double A = top.about_pivot(), spin = 0.6 * top.critical(), CO = top.along * spin;
  for (const GroupId group : {GroupId::SO3, GroupId::S3xR3, GroupId::SE3}) {
    SCOPED_TRACE(lie::name(group));
    const Modes found = find_modes(top.build(group, spin).linearization());
    ASSERT_EQ(found.modes.size(), 3u);
    int unstable = 0;
    for (const Mode& mode : found.modes)
      if (mode.kind == ModeKind::unstable) {
        ++unstable;
        EXPECT_NEAR(mode.s.real(), std::sqrt(4 * A * top.weight() - CO * CO) / (2 * A), 1e-8);
        EXPECT_NEAR(mode.s.imag(), CO / (2 * A), 1e-8);
      }
    EXPECT_EQ(unstable, 1);
  }
}

/// A rod hinged to a shaft that a drive turns about the vertical: cos θ = m g l / ((J − J₃) Ω²) and
/// ω² = (J − J₃)/J Ω² sin²θ.
TEST(GyroscopicModes, RotatingPendulumSwingsAboutItsAngle) {
  const double spin = 6, g = 9.81, mass = 1.5, l = 0.4, across = 0.05, along = 0.01;
  const double J = across + mass * l * l, angle = std::acos(mass * g * l / ((J - along) * spin * spin));
  for (const GroupId group : rigid_motion_groups) {
    SCOPED_TRACE(lie::name(group));
    Made m;
    const auto shaft = parts::add_rigid_body(
        m.builder, {.group = group, .inertia = Eigen::Matrix3d::Identity(), .angular_velocity = Vector3d(0, 0, spin)});
    const Vector4d p = turn({0, 1, 0}, -angle);
    const Vector3d center = l * Vector3d(std::sin(angle), 0, -std::cos(angle));
    const auto rod =
        parts::add_rigid_body(m.builder, {.group = group,
                                          .mass = mass,
                                          .inertia = Vector3d(across, across, along).asDiagonal().toDenseMatrix(),
                                          .position = center,
                                          .orientation = p,
                                          .angular_velocity = lie::quaternion::rotate_inv(p, Vector3d(0, 0, spin)),
                                          .velocity = Vector3d(0, 0, spin).cross(center)});
    const auto bearing =
        parts::add_joint(m.builder, {.type = JointType::revolute, .first = {}, .second = shaft.at(Vector3d::Zero())});
    parts::drive_angle(m.builder, bearing, [=](double t) { return parts::DriveValue{spin * t, spin, 0}; });
    parts::add_joint(m.builder, {.type = JointType::revolute,
                                 .first = shaft.at(Vector3d::Zero()),
                                 .second = rod.at_space(Vector3d::Zero()),
                                 .axis = {0, 1, 0}});
    parts::add_gravity(m.builder, {0, 0, -g}, {rod});
    m.finish();
    const Linearization lin = m.linearization();
    EXPECT_EQ(lin.situation, Situation::steady_motion) << lin.unsteadiness;
    EXPECT_EQ(lin.axes, Axes::body);
    const Modes found = find_modes(lin);
    ASSERT_EQ(found.modes.size(), 1u);
    EXPECT_NEAR(found.modes[0].omega(), spin * std::sin(angle) * std::sqrt((J - along) / J), 1e-8);
    EXPECT_NEAR(found.modes[0].damping(), 0, 1e-10);
  }
}

// The same physical axes are used in all groups, so that even the matrices about an arbitrary motion are the same.
TEST(Linearization, AboutAMotionDoesNotDependOnTheGroup) {
  for (const Axes axes : {Axes::body, Axes::space}) {
    std::vector<Eigen::MatrixXd> first;
    for (const GroupId group : rigid_motion_groups) {
      SCOPED_TRACE(lie::name(group));
      Made m;
      const auto body =
          parts::add_rigid_body(m.builder, {.group = group,
                                            .mass = 1.5,
                                            .inertia = Vector3d(0.3, 0.4, 0.5).asDiagonal().toDenseMatrix(),
                                            .center_of_mass = Vector3d(0.1, -0.2, 0.3),
                                            .position = Vector3d(0.3, 0.2, -0.5),
                                            .orientation = turn(Vector3d(1, 2, 2) / 3, 0.7),
                                            .angular_velocity = Vector3d(1, -2, 0.5),
                                            .velocity = Vector3d(0.3, 0.7, -0.2)});
      parts::add_spring(m.builder, {.stiffness = 3, .damping = 0.4, .length = 0.2}, body.at({0.5, 0, 0.1}),
                        {.point = {1, 1, 1}});
      parts::add_viscous_damping(m.builder, {.rotational = Eigen::Matrix3d::Identity(), .translational = 0.4},
                                 body.center_of_mass());
      parts::add_gravity(m.builder, {0, 0, -9.81}, {body});
      m.finish();
      const Linearization lin = m.linearization(axes);
      EXPECT_EQ(lin.situation, Situation::instant);
      EXPECT_FALSE(lin.remark().empty());
      const std::vector<Eigen::MatrixXd> now{lin.M.to_dense(), lin.D.to_dense(), lin.K.to_dense()};
      if (first.empty()) first = now;
      for (std::size_t k = 0; k < 3; ++k)
        EXPECT_LT((now[k] - first[k]).cwiseAbs().maxCoeff(), 1e-11) << "matrix " << k << "\n"
                                                                    << now[k] << "\n\n"
                                                                    << first[k];
    }
  }
}

/// Two rods of length l hang from the ground and carry a third: revolute joints in space, three equations redundant.
TEST(Mechanisms, ParallelogramSwingsDespiteRedundantJoints) {
  const double g = 9.81, l = 0.8, link = 0.5, mass = 2;
  Made m;
  const auto rod_at = [&](double x) {
    return parts::add_rigid_body(m.builder,
                                 {.mass = link,
                                  .inertia = Vector3d(1, 1, 1e-2).asDiagonal().toDenseMatrix() * (link * l * l / 12),
                                  .position = Vector3d(x, 0, -l / 2)});
  };
  const auto left = rod_at(0), right = rod_at(1);
  const auto coupler = parts::add_rigid_body(
      m.builder, {.mass = mass, .inertia = Eigen::Matrix3d::Identity(), .position = Vector3d(0.5, 0, -l)});
  const auto hinge = [&](const parts::Marker& a, const parts::Marker& b) {
    parts::add_joint(m.builder, {.type = JointType::revolute, .first = a, .second = b, .axis = {0, 1, 0}});
  };
  hinge({}, left.at_space({0, 0, 0}));
  hinge({.point = {1, 0, 0}}, right.at_space({1, 0, 0}));
  hinge(left.at_space({0, 0, -l}), coupler.at_space({0, 0, -l}));
  hinge(right.at_space({1, 0, -l}), coupler.at_space({1, 0, -l}));
  parts::add_gravity(m.builder, {0, 0, -g}, {left, right, coupler});
  m.finish();
  EXPECT_EQ(m.rows.inactive().size(), 3u);
  const double square = g * (link * l + mass * l) / (2 * link * l * l / 3 + mass * l * l);
  for (const int limit : {240, 0}) {
    const Modes found = find_modes(m.linearization(), {.dense_limit = limit});
    ASSERT_EQ(found.modes.size(), 1u);
    EXPECT_NEAR(found.modes[0].omega(), std::sqrt(square), 1e-10);
  }
}

TEST(Mechanisms, AStateThatIsNoEquilibriumSaysSo) {
  Made m;
  const auto body = parts::add_rigid_body(
      m.builder, {.mass = 1, .inertia = Eigen::Matrix3d::Identity(), .position = Vector3d(1, 0, 0)});
  parts::add_joint(
      m.builder,
      {.type = JointType::revolute, .first = {}, .second = body.at_space(Vector3d::Zero()), .axis = {0, 1, 0}});
  parts::add_gravity(m.builder, {0, 0, -9.81}, {body});
  m.finish();
  const Modes found = find_modes(m.linearization());
  EXPECT_NE(found.remark.find("not an equilibrium"), std::string::npos);
  // g l / J cos θ with θ = 90 degrees.
  ASSERT_EQ(found.modes.size(), 1u);
  EXPECT_LT(found.modes[0].omega(), 1e-6);
}

TEST(RigidMotions, AHingedBodyIsFreeAboutItsAxis) {
  Made m;
  const auto body = parts::add_rigid_body(
      m.builder, {.mass = 1, .inertia = Eigen::Matrix3d::Identity(), .position = Vector3d(1, 0, 0)});
  parts::add_joint(m.builder, {.type = JointType::revolute,
                               .first = {.point = {0, 2, 0}},
                               .second = body.at_space({0, 2, 0}),
                               .axis = {0, 0.6, 0.8}});
  m.finish();
  const auto free = free_rigid_motions(m.linearization());
  ASSERT_EQ(free.size(), 1u);
  EXPECT_EQ(free[0].name.find("rotation about (0, 0.6, 0.8) through "), 0u) << free[0].name;
}

TEST(RigidMotions, TwoBodiesOnASpringHaveInternalFreeMotions) {
  Made m;
  const auto at = [&](double x) {
    return parts::add_rigid_body(m.builder,
                                 {.mass = 1, .inertia = Eigen::Matrix3d::Identity(), .position = Vector3d(x, 0, 0)});
  };
  const auto a = at(0), b = at(1);
  parts::add_spring(m.builder, {.stiffness = 8, .length = 1}, a.at(Vector3d::Zero()), b.at(Vector3d::Zero()));
  m.finish();
  for (const int limit : {240, 0}) {
    const Modes found = find_modes(m.linearization(), {.dense_limit = limit});
    ASSERT_EQ(found.modes.size(), 12u);
    EXPECT_EQ(found.rigid, 11);
    EXPECT_EQ(found.modes[6].name, "free motion 1");
    EXPECT_NEAR(found.modes[11].omega(), 4, 1e-10);
  }
}

}  // namespace
}  // namespace filum::analysis
