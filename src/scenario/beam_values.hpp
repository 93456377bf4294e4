/// Values of beam tables with a syntax of their own. User document: docs/guide/scenarios.md, "Beams".
#pragma once

#include "table_values.hpp"

#include <filum/model/beam.hpp>

namespace filum::model {

/// The keys of a section stand beside those of its material.
template <class A>
void fields(A& a, Section& x) {
  a("shape", x.shape, config::required_decision);
  if (x.shape == SectionShape::rectangle) {
    a("width", x.width, config::required_positive);
    a("height", x.height, config::required_positive);
  } else {
    a("radius", x.radius, config::required_positive);
    if (x.shape == SectionShape::ring) a("inner_radius", x.inner_radius, config::required_positive);
  }
  a("E", x.material.E, config::required_positive);
  a("nu", x.material.nu, config::required);
  a("rho", x.material.rho, config::required_positive);
  a("shear_correction", x.shear_correction, config::positive);
}

}  // namespace filum::model

namespace filum::scenario {

/// "cosserat", "kirchhoff", "inextensible".
struct ModelWord {
  model::StrainMask mask = parts::kirchhoff;
  static std::optional<ModelWord> of(const model::StrainMask& mask);
};
/// ["shear1", "axial", ...].
struct HeldStrains {
  model::StrainMask mask = {};
};
/// Initial shape node by node, or the rest shape itself.
struct InitialShape {
  bool rest = false;
  std::vector<Vector3d> positions;
  std::vector<Vector4d> orientations;
};
/// { bending = [..], torsion = .., shear = [..], axial = .. }, or six rows of six numbers.
struct SixBySix {
  std::vector<Number> entries;
};
/// The same, or { time = τ }.
struct DampingTable {
  std::optional<double> time;
  SixBySix viscosity;
};

void read_value(config::Reader&, const config::Node&, ModelWord&, const std::string& path, const Rule&);
void read_value(config::Reader&, const config::Node&, HeldStrains&, const std::string& path, const Rule&);
void read_value(config::Reader&, const config::Node&, InitialShape&, const std::string& path, const Rule&);
void read_value(config::Reader&, const config::Node&, SixBySix&, const std::string& path, const Rule&);
void read_value(config::Reader&, const config::Node&, DampingTable&, const std::string& path, const Rule&);
std::string format_value(const config::Writer&, const ModelWord&);
std::string format_value(const config::Writer&, const HeldStrains&);
std::string format_value(const config::Writer&, const InitialShape&);
std::string format_value(const config::Writer&, const SixBySix&);
std::string format_value(const config::Writer&, const DampingTable&);

}  // namespace filum::scenario

namespace filum::config {

template <>
const Words& words_of<model::SectionShape>();
template <>
const Words& words_of<model::Rest>();

}  // namespace filum::config
