/// Materials and cross-sections, and the stiffness and inertia per length that follow. User document:
/// docs/guide/scenarios.md, "Sections".
#pragma once

#include <Eigen/Core>

#include <optional>

namespace filum::model {

using Eigen::Vector3d;

/// Linear elastic and isotropic.
struct Material {
  double E = 0;    ///< Young's modulus
  double nu = 0;   ///< Poisson's ratio, above −1 and not above 0.5
  double rho = 0;  ///< density
  double shear_modulus() const { return E / (2 * (1 + nu)); }
};

/// Usual values in SI units.
inline constexpr Material steel{.E = 2.1e11, .nu = 0.3, .rho = 7850};
inline constexpr Material aluminium{.E = 7e10, .nu = 0.33, .rho = 2700};
inline constexpr Material nylon{.E = 2.5e9, .nu = 0.39, .rho = 1140};
inline constexpr Material rubber{.E = 1e7, .nu = 0.49, .rho = 1100};

enum class SectionShape { circle, rectangle, ring };

struct Section {
  SectionShape shape = SectionShape::circle;
  double radius = 0;        ///< circle, ring: outer
  double inner_radius = 0;  ///< ring
  double width = 0;         ///< rectangle, along the first axis of the section
  double height = 0;        ///< rectangle, along the second
  Material material = {};
  std::optional<double> shear_correction = {};  ///< default: Cowper's value for the shape
};

struct CircleOptions {
  double radius = 0;
  Material material = {};
};
struct RingOptions {
  double radius = 0, inner_radius = 0;
  Material material = {};
};
struct RectangleOptions {
  double width = 0, height = 0;
  Material material = {};
};
Section circle(const CircleOptions& options);
Section ring(const RingOptions& options);
Section rectangle(const RectangleOptions& options);

struct SectionProperties {
  double mass = 0;                      ///< per length
  Vector3d inertia = Vector3d::Zero();  ///< per length, about the two axes of the section and the tangent
  Vector3d bending_and_torsion = Vector3d::Zero();
  Vector3d shear_and_axial = Vector3d::Zero();
};
/// Throws OptionError, naming the option, for a section that cannot exist.
SectionProperties properties_of(const Section& section);

}  // namespace filum::model
