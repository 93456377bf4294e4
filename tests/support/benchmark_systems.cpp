/// Builders of the benchmark systems. Theory: docs/theory/benchmarks.md.
#include "support/benchmark_systems.hpp"

#include <filum/lie/quaternion.hpp>
#include <filum/mechanics/consistent_start.hpp>
#include <filum/parts/distance_joint.hpp>
#include <filum/parts/gravity.hpp>
#include <filum/parts/rolling_disk.hpp>
#include <filum/parts/spherical_joint.hpp>
#include <filum/parts/spring.hpp>
#include <filum/parts/viscous_damping.hpp>

#include <cmath>
#include <numbers>

namespace filum::test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::Vector4d;
using std::numbers::pi;

const Vector3d origin = Vector3d::Zero();
const Vector3d weight(0, 0, -9.81);

Matrix3d diagonal(double a, double b, double c) { return Vector3d(a, b, c).asDiagonal(); }

/// A body that turns about the origin: held by the group, or by a joint.
parts::RigidBody add_top(SystemBuilder& builder, parts::RigidBodyOptions options,
                         parts::JointRows rows = parts::JointRows::space) {
  const Matrix3d R = lie::quaternion::to_matrix(options.orientation);
  options.velocity = (R * options.angular_velocity).cross(options.position);
  if (lie::is_rotation(options.group)) options.pivot = origin;
  const parts::RigidBody body = parts::add_rigid_body(builder, options);
  parts::add_spherical_joint(builder, "pivot", body.at_space(origin), {.point = origin}, rows);
  return body;
}

Benchmark finished(SystemBuilder& builder, const parts::RigidBody& body) {
  auto system = builder.build();
  State start = builder.start();
  make_consistent(*system, start);
  return {.system = std::move(system), .start = std::move(start), .body = body};
}

parts::RigidBodyOptions top_options(TopSpeed speed, GroupId group) {
  const Vector3d spin = speed == TopSpeed::fast ? Vector3d(0, 150, -4.61538) : Vector3d(0, 1.5, -0.0461538);
  return {.name = "top",
          .group = group,
          .mass = 15,
          .inertia = diagonal(0.234375, 0.46875, 0.234375),
          .position = Vector3d(0, 1, 0),
          .angular_velocity = spin};
}

}  // namespace

double Benchmark::energy(const State& x) const {
  return system->kinetic_energy(x.q, x.v) + system->potential_energy(x.t, x.q);
}

Benchmark heavy_top(TopSpeed speed, GroupId group, parts::JointRows rows) {
  SystemBuilder builder;
  const parts::RigidBody body = add_top(builder, top_options(speed, group), rows);
  parts::add_gravity(builder, weight, {body});
  return finished(builder, body);
}

Benchmark damped_top(GroupId group) {
  SystemBuilder builder;
  const parts::RigidBody body = add_top(builder, top_options(TopSpeed::slow, group));
  parts::add_gravity(builder, weight, {body});
  parts::add_viscous_damping(builder, {.name = "air", .rotational = 0.5 * Matrix3d::Identity(), .translational = 1},
                             body.center_of_mass());
  return finished(builder, body);
}

Benchmark free_box(BoxMotion motion, BoxFrame frame, GroupId group) {
  const bool off = frame == BoxFrame::off_center_of_mass, translates = motion == BoxMotion::rotation_and_translation;
  const Vector3d c = off ? Vector3d(0.4, 0, 0) : origin;
  const Vector3d spin = translates && !off ? Vector3d(0, 0, 2 * pi) : Vector3d(10 * pi, 2 * pi, 0);
  SystemBuilder builder;
  const parts::RigidBody body =
      parts::add_rigid_body(builder, {.name = "box",
                                      .group = group,
                                      .mass = 86.4,
                                      .inertia = diagonal(1.224, 4.68, 5.76),
                                      .center_of_mass = c,
                                      .angular_velocity = spin,
                                      .velocity = c.cross(spin) + (translates ? Vector3d(10, 0, 0) : origin)});
  return finished(builder, body);
}

Benchmark spring_top(GroupId group) {
  SystemBuilder builder;
  const parts::RigidBody body = add_top(builder, {.name = "top",
                                                  .group = group,
                                                  .mass = 21.6,
                                                  .inertia = diagonal(0.36, 0.306, 0.09),
                                                  .position = Vector3d(0.5, 0, 0),
                                                  .angular_velocity = Vector3d(0, 0, 0.5)});
  parts::add_gravity(builder, weight, {body});
  parts::add_spring(builder, {.name = "suspension", .stiffness = 1e4}, {.point = Vector3d(1, 0, 0.5)},
                    body.center_of_mass());
  return finished(builder, body);
}

Benchmark mathematical_pendulum(double x0) {
  const double g = 9.81, y0 = -std::sqrt(1 - x0 * x0), speed = std::sqrt(1 - 2 * g * (1 + y0));
  SystemBuilder builder;
  const parts::PointMass mass = parts::add_point_mass(builder, {.name = "bob",
                                                                .group = GroupId::R2,
                                                                .position = Vector3d(x0, y0, 0),
                                                                .velocity = Vector3d(-speed * y0, speed * x0, 0)});
  parts::add_gravity(builder, {0, -g, 0})->add(mass.marker(), mass.mass());
  parts::add_distance_joint(builder, "rod", mass.marker(), {.point = origin}, 1);
  auto system = builder.build();
  State start = builder.start();
  make_consistent(*system, start);
  return {.system = std::move(system), .start = std::move(start), .mass_point = mass};
}

Benchmark rolling_disk(GroupId group) {
  const Vector4d p(0, 0, 0.6087614290087207, 0.7933533402912352);
  SystemBuilder builder;
  const parts::RigidBody body =
      parts::add_rigid_body(builder, {.name = "disk",
                                      .group = group,
                                      .mass = 15,
                                      .inertia = diagonal(3.75, 3.75, 7.5),
                                      .position = Vector3d(0, 0, 0.9659258262890683),
                                      .orientation = p,
                                      .angular_velocity = Vector3d(0, 15, 5),
                                      .velocity = lie::quaternion::rotate(p, Vector3d(-5, 0, 0))});
  parts::add_gravity(builder, weight, {body});
  parts::add_rolling_disk(builder, "disk", body, 1);
  return finished(builder, body);
}

}  // namespace filum::test
