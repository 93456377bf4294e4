/// Builders of large systems. Theory: docs/theory/performance.md, "Threads".
#include "support/large_systems.hpp"

#include <filum/parts/gravity.hpp>
#include <filum/parts/joint.hpp>
#include <filum/parts/shell.hpp>

namespace filum::test {
namespace {

using parts::Vector3d;

void finish(LargeSystem& s) {
  s.system = s.builder.build();
  s.start = s.system->make_state();
  s.start.q = s.builder.start().q, s.start.v = s.builder.start().v;
  s.rows = mechanics::make_consistent(*s.system, s.start).rows;
}

}  // namespace

LargeSystem yarns(int count, int segments, const parts::StrainMask& held) {
  LargeSystem s;
  const auto gravity = parts::add_gravity(s.builder, -9.81 * Vector3d::UnitZ());
  for (int k = 0; k < count; ++k) {
    parts::BeamOptions o;
    o.name = "yarn " + std::to_string(k);
    const Vector3d root(0, 0.1 * k, 0);
    parts::set_straight(o, root, root + Vector3d::UnitX(), segments);
    o.held = held;
    o.stiffness = {parts::diagonal_stiffness(Vector3d::Constant(20 + k), Vector3d::Constant(1e4))};
    o.mass_per_length = {1};
    o.inertia_per_length = {Vector3d(2e-3, 2e-3, 4e-3).asDiagonal()};
    const auto beam = parts::add_beam(s.builder, o);
    parts::add_joint(s.builder, {.name = "clamp " + std::to_string(k),
                                 .type = parts::JointType::fixed,
                                 .first = {.point = root},
                                 .second = beam->at(0)});
    parts::add_weight(*gravity, *beam);
  }
  finish(s);
  return s;
}

LargeSystem soft_sheet(int cells) {
  LargeSystem s;
  const int n = cells + 1;
  const double spacing = 0.1, size = spacing * cells;
  parts::ShellOptions o;
  o.nodes = {n, n};
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const double x = spacing * i, y = spacing * j;
      o.positions.emplace_back(x, y, 0);
      o.orientations.emplace_back(1, 0, 0, 0);
      o.angular_velocities.emplace_back(0.3, -0.6 * x, 0.4);
      o.velocities.emplace_back(0.1 * y, -0.2 * x, 0.5 * x * y / size - 0.3);
    }
  parts::IsotropicSheet material{.E = 40, .nu = 0.3, .thickness = 0.2};
  material.couple_modulus = material.couple_modulus_bending = material.shear_modulus();
  material.drilling = 0.01 * material.bending_stiffness();
  o.stiffness = {parts::stiffness_of(material)};
  o.mass_per_area = 1;
  o.turning_inertia = 0.2 * 0.2 / 12;
  parts::add_shell(s.builder, o);
  finish(s);
  return s;
}

}  // namespace filum::test
