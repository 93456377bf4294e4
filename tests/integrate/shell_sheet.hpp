/// A soft sheet of a few cells that spins, stretches and bends, for tests in time.
#pragma once

#include <filum/mechanics/consistent_start.hpp>
#include <filum/parts/joint.hpp>
#include <filum/parts/shell.hpp>

#include <memory>

namespace filum::test {

using mechanics::State;
using mechanics::System;
using parts::Vector3d;

struct Sheet {
  mechanics::SystemBuilder builder;
  std::shared_ptr<const parts::Shell> shell;
  std::shared_ptr<const System> system;
  State start;
  double energy(const State& x) const { return system->kinetic_energy(x.q, x.v) + system->potential_energy(x.t, x.q); }
};

/// Two by three cells of a soft sheet that spins, stretches and bends; clamped: along s1 = 0.
inline Sheet sheet(bool clamped) {
  Sheet s;
  parts::ShellOptions o;
  o.nodes = {3, 4};
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 3; ++i) {
      o.positions.emplace_back(0.5 * i, 0.4 * j, 0);
      o.orientations.emplace_back(1, 0, 0, 0);
      const double share = clamped ? 0.5 * i : 1;  // nothing moves at the clamp
      o.angular_velocities.push_back(share * Vector3d(0.3, -0.6 * i, 0.4));
      o.velocities.push_back(share * Vector3d(0.1 * j, -0.2 * i, 0.5 * i * j - 0.3));
    }
  parts::IsotropicSheet material{.E = 40, .nu = 0.3, .thickness = 0.2};
  material.couple_modulus = material.couple_modulus_bending = material.shear_modulus();
  material.drilling = 0.01 * material.bending_stiffness();
  o.stiffness = {parts::stiffness_of(material)};
  o.mass_per_area = 1;
  o.turning_inertia = 0.2 * 0.2 / 12;
  s.shell = parts::add_shell(s.builder, o);
  if (clamped)
    for (int j = 0; j < 4; ++j)
      parts::add_joint(s.builder, {.type = parts::JointType::fixed,
                                   .first = {.point = {0, 0.4 * j, 0}},
                                   .second = s.shell->at(s.shell->node(0, j))});
  s.system = s.builder.build();
  s.start = s.system->make_state();
  s.start.q = s.builder.start().q, s.start.v = s.builder.start().v;
  mechanics::make_consistent(*s.system, s.start);
  return s;
}

}  // namespace filum::test
