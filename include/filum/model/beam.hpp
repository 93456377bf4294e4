/// Beams of a model: shape, grid, section or stiffness, rest. User document: docs/guide/scenarios.md, "Beams".
#pragma once

#include <filum/model/group_choice.hpp>
#include <filum/model/look.hpp>
#include <filum/model/object.hpp>
#include <filum/model/section.hpp>
#include <filum/model/shape.hpp>
#include <filum/parts/beam.hpp>

#include <optional>
#include <variant>
#include <vector>

namespace filum::model {

using parts::StrainMask;

/// Stiffness and inertia per length, in the axes of the section; the order of strains is K1 K2 K3 Γ1 Γ2 Γ3.
struct SectionValues {
  Along<double> mass_per_length = 0.0;
  Along<Matrix3d> inertia_per_length = Matrix3d(Matrix3d::Zero());  ///< about the mass centre of the section
  Along<Vector3d> mass_center = Vector3d(Vector3d::Zero());         ///< in the section
  Along<Matrix6d> stiffness = Matrix6d(Matrix6d::Zero());
};

/// V in g = C (w − w*) + 2 V ẇ: a matrix, or V = τ C / 2, with which a mode of frequency ω has the damping ratio τ ω
/// / 2.
struct Damping {
  std::optional<Along<Matrix6d>> viscosity = {};
  double time = 0;
};

/// Strains that the beam has where it is free of stress.
struct RestStrains {
  Along<Vector3d> curvature = Vector3d(Vector3d::Zero());
  Along<Vector3d> strain = Vector3d(0, 0, 1);
};
enum class Rest { as_drawn, straight };

struct Beam {
  std::string name = {};
  Shape shape = Line{};
  int segments = 0;                ///< of equal length; or
  std::vector<double> nodes = {};  ///< arc lengths of the nodes, from 0 on
  StrainMask held = parts::kirchhoff;
  GroupChoice group = {};
  std::variant<Section, SectionValues> section = Section{};
  Damping damping = {};
  std::variant<Rest, RestStrains> rest = Rest::as_drawn;
  Along<Vector3d> angular_velocity = Vector3d(Vector3d::Zero());  ///< initial, in the frame of each node
  Along<Vector3d> velocity = Vector3d(Vector3d::Zero());
  Look look = {};
};

std::unique_ptr<Object> make_object(const Beam& options);

/// The diagonal matrix of bending about both axes, torsion, shear along both axes, and extension.
Matrix6d diagonal_stiffness(double bending1, double bending2, double torsion, double shear1, double shear2,
                            double axial);

}  // namespace filum::model
