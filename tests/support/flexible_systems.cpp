/// Builders of systems with beams. Theory: docs/theory/multibody_benchmarks.md.
#include "support/multibody_systems.hpp"

#include <filum/parts/body_load.hpp>
#include <filum/parts/gravity.hpp>

#include <cmath>
#include <numbers>

namespace filum::test {
namespace {

/// A straight beam of moderate stiffness.
int add_beam(Multibody& m, const std::string& name, const Vector3d& from, const Vector3d& to, int segments,
             const parts::StrainMask& held = parts::kirchhoff, double stiffness = 20) {
  parts::BeamOptions o;
  o.name = name;
  parts::set_straight(o, from, to, segments);
  o.held = held;
  o.stiffness = {parts::diagonal_stiffness(Vector3d::Constant(stiffness), Vector3d::Constant(1e4))};
  o.mass_per_length = {1};
  o.inertia_per_length = {Vector3d(2e-3, 2e-3, 4e-3).asDiagonal()};
  m.beams.push_back(parts::add_beam(m.builder, o));
  return static_cast<int>(m.beams.size()) - 1;
}

}  // namespace

void Multibody::add_gravity(const Vector3d& field) {
  const auto gravity = parts::add_gravity(builder, field);
  for (const auto& body : bodies) gravity->add(body);
  for (const auto& beam : beams) parts::add_weight(*gravity, *beam);
}

Multibody flexible_pendulum(int segments, double stiffness) {
  Multibody m;
  const int beam = add_beam(m, "rod", Vector3d::Zero(), Vector3d::UnitX(), segments, parts::kirchhoff, stiffness);
  m.join("pivot", JointType::revolute, parts::Marker{}, m.beam_node(beam, 0), Vector3d::UnitZ());
  m.add_gravity(-9.81 * Vector3d::UnitY());
  m.finish();
  return m;
}

Multibody beam_with_tip_body(int segments) {
  Multibody m;
  m.add({.name = "tip",
         .group = GroupId::S3xR3,
         .mass = 0.5,
         .inertia = 0.01 * Eigen::Matrix3d::Identity(),
         .position = {1.1, 0, 0}});
  const int beam = add_beam(m, "arm", Vector3d::Zero(), Vector3d::UnitX(), segments);
  m.join("clamp", JointType::fixed, parts::Marker{}, m.beam_node(beam, 0));
  m.join("mount", JointType::fixed, m.beam_node(beam, segments), m.marker(0, Vector3d::UnitX()));
  m.add_gravity(-9.81 * Vector3d::UnitY());
  m.finish();
  return m;
}

Multibody beam_frame(int segments) {
  Multibody m;
  m.add({.name = "girder",
         .group = GroupId::SE3,
         .mass = 2,
         .inertia = Vector3d(0.01, 0.2, 0.2).asDiagonal(),
         .position = {0.5, 1, 0}});
  const int left = add_beam(m, "left", Vector3d::Zero(), Vector3d::UnitY(), segments),
            right = add_beam(m, "right", Vector3d::UnitX(), Vector3d::UnitX() + Vector3d::UnitY(), segments);
  m.join("left foot", JointType::fixed, parts::Marker{}, m.beam_node(left, 0));
  m.join("right foot", JointType::fixed, parts::Marker{.point = Vector3d::UnitX()}, m.beam_node(right, 0));
  m.join("left top", JointType::fixed, m.beam_node(left, segments), m.marker(0, Vector3d::UnitY()));
  m.join("right top", JointType::fixed, m.beam_node(right, segments),
         m.marker(0, Vector3d::UnitX() + Vector3d::UnitY()));
  parts::add_load(m.builder, "wind", m.bodies[0].center_of_mass(), parts::LoadFrame::space, [](double t) {
    return parts::LoadValue{Vector3d(20 * std::sin(5 * t), 0, 10 * t), Vector3d::Zero()};
  });
  m.finish();
  return m;
}

Multibody beam_net(int cells, int segments) {
  Multibody m;
  struct End {
    int beam, node;
  };
  const int points = cells + 1;
  std::vector<std::vector<End>> at(static_cast<std::size_t>(points * points));
  const auto point = [&](int i, int j) { return static_cast<std::size_t>(i * points + j); };
  const auto place = [](int i, int j) { return Vector3d(i, j, 0); };
  const auto span = [&](int i, int j, int k, int l) {
    const int beam = add_beam(m, "beam" + std::to_string(m.beams.size()), place(i, j), place(k, l), segments);
    at[point(i, j)].push_back({beam, 0});
    at[point(k, l)].push_back({beam, segments});
  };
  for (int i = 0; i < points; ++i)
    for (int j = 0; j < points; ++j) {
      if (i < cells) span(i, j, i + 1, j);
      if (j < cells) span(i, j, i, j + 1);
    }
  for (int i = 0; i < points; ++i)
    for (int j = 0; j < points; ++j) {
      const std::vector<End>& ends = at[point(i, j)];
      const auto name = "knot " + std::to_string(i) + " " + std::to_string(j);
      for (std::size_t k = 1; k < ends.size(); ++k)
        m.join(name, JointType::spherical, m.beam_node(ends[0].beam, ends[0].node),
               m.beam_node(ends[k].beam, ends[k].node));
      if ((i == 0 || i == cells) && (j == 0 || j == cells))
        m.join(name + " support", JointType::spherical, parts::Marker{.point = place(i, j)},
               m.beam_node(ends[0].beam, ends[0].node));
    }
  m.add_gravity(-9.81 * Vector3d::UnitZ());
  m.finish();
  return m;
}

Multibody elastic_slider_crank(int segments) {
  const double speed = 2 * std::numbers::pi;
  Multibody m;
  m.add(rod("crank", GroupId::SE3, {0, 0}, {0.2, 0}, 0.5, speed));
  m.add({.name = "slider",
         .group = GroupId::S3xR3,
         .mass = 0.4,
         .inertia = 1e-3 * Eigen::Matrix3d::Identity(),
         .position = {0.7, 0, 0}});
  const int beam = add_beam(m, "rod", {0.2, 0, 0}, {0.7, 0, 0}, segments, parts::kirchhoff, 5);
  m.join("bearing", JointType::revolute, Multibody::ground, 0, Vector3d::Zero());
  m.join("crank pin", JointType::revolute, m.marker(0, {0.2, 0, 0}), m.beam_node(beam, 0));
  m.join("piston pin", JointType::revolute, m.beam_node(beam, segments), m.marker(1, {0.7, 0, 0}));
  m.join("guide", JointType::prismatic, Multibody::ground, 1, {0.7, 0, 0}, Vector3d::UnitX());
  parts::drive_angle(m.builder, m.joints[0], [speed](double t) { return parts::DriveValue{speed * t, speed, 0}; });
  m.finish();
  return m;
}

}  // namespace filum::test
