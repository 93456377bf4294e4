/// Materials of shells: isotropic sheets, laminates, matrices, and the stiffness and inertia per area that follow.
/// User document: docs/guide/scenarios.md, "Shells". Theory: docs/theory/shell.md, sec. 5.
#pragma once

#include <filum/parts/shell.hpp>

#include <optional>
#include <variant>
#include <vector>

namespace filum::model {

using parts::Matrix12d;

/// What plates do not have and micropolar ones need; without a value: G, G and 1 % of the twisting stiffness.
struct DrillingStiffness {
  std::optional<double> couple_modulus = {};          ///< μc
  std::optional<double> couple_modulus_bending = {};  ///< μb
  std::optional<double> drilling = {};                ///< cd
};

struct IsotropicSheet {
  double thickness = 0, rho = 0, E = 0, nu = 0;
  double shear_correction = 5.0 / 6;
  DrillingStiffness drilling = {};
};

/// Axes 1 and 2 of the material lie in the layer; the first is turned by `angle` from the first axis of the surface.
struct Layer {
  double thickness = 0, angle = 0;
  double E1 = 0, E2 = 0, nu12 = 0, G12 = 0, G13 = 0, G23 = 0, rho = 0;
};
/// From the lower side up; the surface of the shell is in the middle of all layers.
struct Laminate {
  std::vector<Layer> layers = {};
  double shear_correction = 5.0 / 6;
  DrillingStiffness drilling = {};
};

/// Any C, and the inertia of a homogeneous sheet.
struct SheetMatrix {
  Matrix12d stiffness = Matrix12d::Zero();
  double thickness = 0, rho = 0;
};

using SheetMaterial = std::variant<IsotropicSheet, Laminate, SheetMatrix>;

struct SheetProperties {
  Matrix12d stiffness = Matrix12d::Zero();
  double thickness = 0;
  double mass = 0;             ///< per area
  double mass_offset = 0;      ///< from the surface, along its normal
  double turning_inertia = 0;  ///< ∫ρz²
};
/// Throws OptionError, naming the option, for a sheet that cannot exist.
SheetProperties properties_of(const SheetMaterial& material);

}  // namespace filum::model
