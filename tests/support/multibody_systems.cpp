/// Builders of rigid multibody systems. Theory: docs/theory/multibody_benchmarks.md.
#include "support/multibody_systems.hpp"

#include <filum/lie/quaternion.hpp>
#include <filum/parts/body_load.hpp>
#include <filum/parts/gravity.hpp>
#include <filum/parts/spring.hpp>

#include <cmath>
#include <numbers>

namespace filum::test {
namespace {

using Eigen::Matrix3d;
using mechanics::VectorXd;
using std::numbers::pi;

const Vector3d e1 = Vector3d::UnitX(), e2 = Vector3d::UnitY(), e3 = Vector3d::UnitZ();

Vector3d spatial(const Vector2d& x) { return {x[0], x[1], 0}; }
Vector2d across(const Vector2d& x) { return {-x[1], x[0]}; }
Vector2d direction(double angle) { return {std::cos(angle), std::sin(angle)}; }

std::string numbered(std::string name, int k) { return name.append(std::to_string(k)); }

Matrix3d box_inertia(double mass, double a, double b, double c) {
  return mass / 12 * Vector3d(b * b + c * c, a * a + c * c, a * a + b * b).asDiagonal();
}

}  // namespace

int Multibody::add(const parts::RigidBodyOptions& options) {
  bodies.push_back(parts::add_rigid_body(builder, options));
  return static_cast<int>(bodies.size()) - 1;
}

parts::Marker Multibody::marker(int body, const Vector3d& at) const {
  return body == ground ? parts::Marker{.point = at} : bodies[body].at_space(at);
}

int Multibody::join(const std::string& name, JointType type, const parts::Marker& first, const parts::Marker& second,
                    const Vector3d& axis, const Vector3d& axis2) {
  joints.push_back(parts::add_joint(
      builder, {.name = name, .type = type, .first = first, .second = second, .axis = axis, .axis2 = axis2}));
  return static_cast<int>(joints.size()) - 1;
}

int Multibody::join(const std::string& name, JointType type, int first, int second, const Vector3d& at,
                    const Vector3d& axis, const Vector3d& axis2) {
  return join(name, type, marker(first, at), marker(second, at), axis, axis2);
}

void Multibody::finish(bool exact) {
  system = builder.build();
  start = builder.start();
  report = mechanics::make_consistent(*system, start, {.repair_velocity_fully = !exact});
}

double Multibody::residual(const State& x, const std::string& part) const {
  VectorXd phi = VectorXd::Zero(system->size_rows());
  system->constraint(x.t, x.q, phi);
  double worst = 0;
  for (int r = 0; r < system->size_lambda(); ++r)
    if (part.empty() || system->row_name(r).find(part) != std::string::npos) worst = std::max(worst, std::abs(phi[r]));
  return worst;
}

Vector4d turn_z(double angle) { return {std::cos(angle / 2), 0, 0, std::sin(angle / 2)}; }

parts::RigidBodyOptions rod(const std::string& name, GroupId group, const Vector2d& from, const Vector2d& to,
                            double mass, double spin, const Vector2d& velocity) {
  const Vector2d way = to - from;
  const double length = way.norm(), inertia = mass * length * length / 12;
  return {.name = name,
          .group = group,
          .mass = mass,
          .inertia = Vector3d(0.01 * inertia, inertia, inertia).asDiagonal(),
          .position = spatial(0.5 * (from + to)),
          .orientation = turn_z(std::atan2(way[1], way[0])),
          .angular_velocity = spin * e3,
          .velocity = spatial(velocity + 0.5 * spin * across(way))};
}

Multibody spherical_double_pendulum(GroupId group) {
  const double a = 0.2, mass = 2.7;
  const Vector3d spin1(10, 0, 0), spin2(10 * pi, 10 * pi, 20 * pi);
  Multibody m;
  m.add({.name = "upper",
         .group = group,
         .mass = mass,
         .inertia = box_inertia(mass, a, 0.1, 0.05),
         .position = a / 2 * e1,
         .angular_velocity = spin1,
         .velocity = spin1.cross(a / 2 * e1)});
  m.add({.name = "lower",
         .group = group,
         .mass = mass,
         .inertia = box_inertia(mass, a, 0.1, 0.05),
         .position = 1.5 * a * e1,
         .angular_velocity = spin2,
         .velocity = spin1.cross(a * e1) + spin2.cross(a / 2 * e1)});
  m.join("1", JointType::spherical, Multibody::ground, 0, Vector3d::Zero());
  m.join("2", JointType::spherical, 0, 1, a * e1);
  m.add_gravity(-9.81 * e3);
  m.finish(true);
  return m;
}

Vector2d FourBar::crank_pin(double angle) const { return crank * direction(angle); }

Vector2d FourBar::rocker_pin(double angle) const {
  const Vector2d B = crank_pin(angle), D(base, 0), way = D - B;
  const double s = way.norm(), along = (coupler * coupler - rocker * rocker + s * s) / (2 * s);
  return B + along / s * way + std::sqrt(coupler * coupler - along * along) / s * across(way);
}

Multibody planar_four_bar(GroupId group) {
  const FourBar bar;
  const double angle = pi / 2, speed = 10 * pi;
  const Vector2d B = bar.crank_pin(angle), C = bar.rocker_pin(angle), D(bar.base, 0);
  // v_B + ω₂ × (C − B) = ω₃ × (C − D)
  const Vector2d v_B = speed * across(B);
  Eigen::Matrix2d A;
  A << across(C - D), -across(C - B);
  const Vector2d spins = A.inverse() * v_B;
  Multibody m;
  m.add(rod("crank", group, {0, 0}, B, 0.4, speed));
  m.add(rod("coupler", group, B, C, 1, spins[1], v_B));
  m.add(rod("rocker", group, D, C, 0.8, spins[0]));
  m.join("A", JointType::revolute, Multibody::ground, 0, Vector3d::Zero());
  m.join("B", JointType::revolute, 0, 1, spatial(B));
  m.join("C", JointType::revolute, 1, 2, spatial(C));
  m.join("D", JointType::revolute, Multibody::ground, 2, spatial(D));
  m.finish(true);
  return m;
}

Multibody rp_chain(GroupId group) {
  const Vector3d spin(0, 0, 20 * pi), at1(0.15, 0, 0), at2(0.25, 0, 0.05);
  Multibody m;
  m.add({.name = "ring",
         .group = group,
         .mass = 6.82825,
         .inertia = Vector3d(0.0507567, 0.0507567, 0.0986682).asDiagonal(),
         .position = at1,
         .angular_velocity = spin,
         .velocity = spin.cross(at1)});
  m.add({.name = "slider",
         .group = group,
         .mass = 0.864,
         .inertia = Vector3d(0.0002304, 0.0029952, 0.0029952).asDiagonal(),
         .position = at2,
         .angular_velocity = spin,
         .velocity = spin.cross(at2) + e3});
  m.join("R", JointType::revolute, Multibody::ground, 0, Vector3d::Zero(), e3);
  m.join("P", JointType::prismatic, 0, 1, at2, e3);
  parts::add_joint_spring(
      m.builder, {.name = "coil", .coordinate = parts::JointCoordinate::displacement, .stiffness = 1e4}, m.joints[1]);
  m.add_gravity(-9.81 * e3);
  m.finish(true);
  return m;
}

Multibody cardan_transmission(GroupId group) {
  const Vector3d spin1(0, pi, 0), spin2(pi, pi, 0), hook(0, 0.1, 0), arm(0, 0, 0.3);
  Multibody m;
  m.add({.name = "input",
         .group = group,
         .mass = 2,
         .inertia = Vector3d(0.03, 0.01, 0.025).asDiagonal(),
         .angular_velocity = spin1});
  m.add({.name = "shaft",
         .group = group,
         .mass = 1.5,
         .inertia = Vector3d(0.04, 0.045, 0.008).asDiagonal(),
         .position = hook + arm,
         .angular_velocity = spin2,
         .velocity = spin2.cross(arm)});
  m.join("bearing", JointType::revolute, Multibody::ground, 0, Vector3d::Zero(), e2);
  m.join("hook", JointType::universal, 0, 1, hook, e1, e3);
  m.finish(true);
  return m;
}

// Half of the length and I = m l²: (I + m l²) / (m l) = 1.
Multibody rigid_pendulum(GroupId group) {
  Multibody m;
  m.add({.name = "rod",
         .group = group,
         .mass = 2,
         .inertia = Vector3d(0.3, 0.4, 0.5).asDiagonal(),
         .position = {-0.5, 0, 0}});
  m.join("pin", JointType::revolute, Multibody::ground, 0, Vector3d::Zero(), e3);
  m.add_gravity(-9.81 * e2);
  m.finish(true);
  return m;
}

Multibody slider_crank(GroupId group, bool driven) {
  const double r = 0.2, l = 0.5, speed = driven ? 2 * pi : 0, angle = driven ? 0 : pi / 3;
  const Vector2d pin = r * direction(angle), piston(pin[0] + std::sqrt(l * l - pin[1] * pin[1]), 0);
  Multibody m;
  m.add(rod("crank", group, {0, 0}, pin, 0.5, speed));
  m.add(rod("rod", group, pin, piston, 0.7));
  m.add({.name = "slider",
         .group = group,
         .mass = 0.4,
         .inertia = 1e-3 * Matrix3d::Identity(),
         .position = spatial(piston)});
  m.join("bearing", JointType::revolute, Multibody::ground, 0, Vector3d::Zero());
  m.join("crank pin", JointType::revolute, 0, 1, spatial(pin));
  m.join("piston pin", JointType::revolute, 1, 2, spatial(piston));
  m.join("guide", JointType::prismatic, Multibody::ground, 2, spatial(piston), e1);
  if (driven)
    parts::drive_angle(m.builder, m.joints[0], [speed](double t) { return parts::DriveValue{speed * t, speed, 0}; });
  m.add_gravity(-9.81 * e2);
  m.finish();
  return m;
}

namespace {

/// Dimensions of the squeezing mechanism.
struct Squeezer {
  static constexpr double d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, rr = 0.007, ra = 0.00092, sa = 0.01874,
                          sb = 0.01043, sc = 0.018, sd = 0.02, ta = 0.02308, tb = 0.00916, u = 0.04, ua = 0.01228,
                          ub = 0.00449, zf = 0.02, zt = 0.04, fa = 0.01421;
  static constexpr std::array<double, 7> mass{0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498};
  static constexpr std::array<double, 7> inertia{2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5};
  const Vector2d A{-0.06934, -0.00227}, B{-0.03635, 0.03273}, C{0.014, 0.072};
};

}  // namespace

Eigen::Matrix<double, 7, 1> andrews_start() {
  Eigen::Matrix<double, 7, 1> x;
  x << -0.0617138900142764, 0, 0.455279819163070, 0.222668390165886, 0.487364979543843, -0.222668390165886,
      1.23054744454982;
  return x;
}

Multibody andrews_squeezer(GroupId group) {
  using S = Squeezer;
  const Squeezer s;
  const auto x = andrews_start();
  const double beta = x[0], theta = x[1], gamma = x[2], phi = x[3], delta = x[4], omega = x[5], epsilon = x[6];
  // Unit vectors as the loop equations have them; a body is turned by its angle, its frame is at its centre of mass.
  const Vector2d b = direction(beta), bt = direction(beta + theta), g(std::sin(gamma), -std::cos(gamma)),
                 dl = direction(delta), pd(std::sin(phi + delta), -std::cos(phi + delta)),
                 oe = direction(omega + epsilon), ep(std::sin(epsilon), -std::cos(epsilon));
  const Vector2d F = S::rr * b, P = F - S::d * bt, E = s.A + S::zt * dl, H = s.A + S::u * ep;
  const std::array<Vector2d, 7> center{S::ra * b,
                                       F - S::da * bt,
                                       s.B + S::sa * g + S::sb * across(g),
                                       E + (S::e - S::ea) * pd,
                                       s.A + S::ta * dl + S::tb * across(dl),
                                       H + (S::zf - S::fa) * oe,
                                       s.A + S::ua * ep - S::ub * across(ep)};
  const std::array<double, 7> angle{beta, beta + theta, gamma, phi + delta, delta, omega + epsilon, epsilon};
  Multibody m;
  for (std::size_t k = 0; k < 7; ++k)
    m.add({.name = numbered("K", static_cast<int>(k) + 1),
           .group = group,
           .mass = S::mass[k],
           .inertia = Vector3d(0.6 * S::inertia[k], 0.6 * S::inertia[k], S::inertia[k]).asDiagonal(),
           .position = spatial(center[k]),
           .orientation = turn_z(angle[k])});
  const auto pin = [&](const std::string& name, int first, int second, const Vector2d& at) {
    m.join(name, JointType::revolute, first, second, spatial(at));
  };
  pin("O", Multibody::ground, 0, {0, 0});
  pin("F", 0, 1, F);
  pin("P23", 1, 2, P);
  pin("B", Multibody::ground, 2, s.B);
  pin("P34", 2, 3, P);
  pin("E", 3, 4, E);
  pin("A5", Multibody::ground, 4, s.A);
  pin("P36", 2, 5, P);
  pin("H", 5, 6, H);
  pin("A7", Multibody::ground, 6, s.A);
  const Vector2d D = s.B + S::sc * g + S::sd * across(g);
  parts::add_spring(m.builder, {.name = "spring", .stiffness = 4530, .length = 0.07785}, {.point = spatial(s.C)},
                    m.marker(2, spatial(D)));
  parts::add_load(m.builder, "motor", m.bodies[0].center_of_mass(), parts::LoadFrame::space, [](double) {
    return parts::LoadValue{Vector3d::Zero(), Vector3d(0, 0, 0.033)};
  });
  m.finish();
  return m;
}

Eigen::Matrix<double, 7, 1> andrews_angles(const Multibody& m, const State& x,
                                           const Eigen::Matrix<double, 7, 1>& near) {
  Eigen::Matrix<double, 7, 1> absolute, reference, out;
  reference << near[0], near[0] + near[1], near[2], near[3] + near[4], near[4], near[5] + near[6], near[6];
  for (int k = 0; k < 7; ++k) {
    const Matrix3d R = m.bodies[static_cast<std::size_t>(k)].rotation(x);
    absolute[k] = parts::unwound(std::atan2(R(1, 0), R(0, 0)), reference[k]);
  }
  out << absolute[0], absolute[1] - absolute[0], absolute[2], absolute[3] - absolute[4], absolute[4],
      absolute[5] - absolute[6], absolute[6];
  return out;
}

Multibody bricard(GroupId group) {
  const std::array<Vector3d, 6> corner{Vector3d(0, 0, 0),  Vector3d(1, 0, 0),  Vector3d(1, -1, 0),
                                       Vector3d(0, -1, 0), Vector3d(0, -1, 1), Vector3d(0, 0, 1)};
  const std::array<Vector3d, 6> axis{e2, e3, e1, e3, e1, e2};
  Multibody m;
  for (std::size_t k = 0; k < 5; ++k) {
    const Vector3d way = corner[k + 1] - corner[k];
    const Matrix3d inertia = (Matrix3d::Identity() - 0.99 * way * way.transpose()) / 12;
    m.add({.name = numbered("rod", static_cast<int>(k) + 1),
           .group = group,
           .mass = 1,
           .inertia = inertia,
           .position = 0.5 * (corner[k] + corner[k + 1])});
  }
  for (int k = 0; k < 6; ++k)
    m.join(numbered("P", k), JointType::revolute, k - 1, k < 5 ? k : Multibody::ground,
           corner[static_cast<std::size_t>(k)], axis[static_cast<std::size_t>(k)]);
  m.add_gravity(-9.81 * e2);
  m.finish();
  return m;
}

Multibody parallelogram(GroupId group) {
  const double angle = pi / 3, speed = 3;
  const Vector2d B = direction(angle), C = B + Vector2d(2, 0), v = speed * across(B);
  Multibody m;
  m.add(rod("left", group, {0, 0}, B, 1, speed));
  m.add(rod("top", group, B, C, 2, 0, v));
  m.add(rod("right", group, {2, 0}, C, 1, speed));
  m.join("A", JointType::revolute, Multibody::ground, 0, Vector3d::Zero());
  m.join("B", JointType::revolute, 0, 1, spatial(B));
  m.join("C", JointType::revolute, 1, 2, spatial(C));
  m.join("D", JointType::revolute, Multibody::ground, 2, {2, 0, 0});
  m.finish(true);
  return m;
}

Multibody rod_chain(int n, JointType type, GroupId group) {
  Multibody m;
  for (int k = 0; k < n; ++k) m.add(rod(numbered("rod", k), group, {k, 0}, {k + 1, 0}, 1));
  for (int k = 0; k < n; ++k) m.join(numbered("hinge", k), type, k - 1, k, {static_cast<double>(k), 0, 0}, {0, 0, 1});
  m.add_gravity(-9.81 * e2);
  m.finish();
  return m;
}

Multibody rod_tree(int levels, GroupId group) {
  Multibody m;
  std::vector<Vector2d> ends;
  const int count = (1 << levels) - 1;
  for (int k = 0; k < count; ++k) {
    const Vector2d from = k == 0 ? Vector2d(0, 0) : ends[static_cast<std::size_t>((k - 1) / 2)];
    const Vector2d to = from + direction(0.3 * k);
    ends.push_back(to);
    m.add(rod(numbered("rod", k), group, from, to, 1));
  }
  for (int k = 0; k < count; ++k) {
    const int parent = k == 0 ? Multibody::ground : (k - 1) / 2;
    m.join(numbered("hinge", k), JointType::revolute, parent, k,
           k == 0 ? Vector3d(0, 0, 0) : spatial(ends[static_cast<std::size_t>(parent)]));
  }
  m.add_gravity(-9.81 * e2);
  m.finish();
  return m;
}

}  // namespace filum::test
