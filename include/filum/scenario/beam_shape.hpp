/// From what a scenario says about a beam to its nodes and stiffnesses. User document: docs/guide/scenarios.md,
/// "Beams".
#pragma once

#include <filum/parts/beam.hpp>
#include <filum/scenario/scenario.hpp>

namespace filum::scenario {

/// Arc lengths of the nodes, with `extra` places that joints, loads and sensors need; `inserted` are those that were
/// new.
std::vector<double> beam_grid(const Beam& beam, const std::vector<double>& extra, std::vector<double>& inserted);

/// Everything of the beam but its group. Throws std::invalid_argument.
parts::BeamOptions beam_options(const Beam& beam, const std::vector<double>& grid);

/// Stiffness and inertia per length that follow from the material and the shape of the section.
struct SectionProperties {
  double mass = 0;
  Vector3d inertia = Vector3d::Zero(), bending_and_torsion = Vector3d::Zero(), shear_and_axial = Vector3d::Zero();
};
SectionProperties properties_of(const Section& section);

}  // namespace filum::scenario
