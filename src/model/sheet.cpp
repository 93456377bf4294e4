/// Stiffness and inertia of sheets and laminates. Theory: docs/theory/shell.md, (SH.20) and (SH.22).
#include <filum/model/model_error.hpp>
#include <filum/model/sheet.hpp>

#include <cmath>

namespace filum::model {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;

void require_positive(double value, const std::string& option) {
  if (!(value > 0) || !std::isfinite(value)) throw OptionError(option, "expected a positive number");
}

void check(const DrillingStiffness& d) {
  if (d.couple_modulus) require_positive(*d.couple_modulus, "couple_modulus");
  if (d.couple_modulus_bending) require_positive(*d.couple_modulus_bending, "couple_modulus_bending");
  if (d.drilling) require_positive(*d.drilling, "drilling");
}

SheetProperties homogeneous(const Matrix12d& C, double thickness, double rho) {
  return {.stiffness = C,
          .thickness = thickness,
          .mass = rho * thickness,
          .mass_offset = 0,
          .turning_inertia = rho * thickness * thickness * thickness / 12};
}

SheetProperties properties(const IsotropicSheet& s) {
  require_positive(s.thickness, "thickness"), require_positive(s.rho, "rho"), require_positive(s.E, "E");
  require_positive(s.shear_correction, "shear_correction");
  if (!(s.nu > -1 && s.nu <= 0.5)) throw OptionError("nu", "expected a number above -1 and at most 0.5");
  check(s.drilling);
  parts::IsotropicSheet sheet{.E = s.E, .nu = s.nu, .thickness = s.thickness, .shear_correction = s.shear_correction};
  const double G = sheet.shear_modulus();
  sheet.couple_modulus = s.drilling.couple_modulus.value_or(G);
  sheet.couple_modulus_bending = s.drilling.couple_modulus_bending.value_or(G);
  sheet.drilling = s.drilling.drilling.value_or(0.01 * (1 - s.nu) * sheet.bending_stiffness());
  return homogeneous(parts::stiffness_of(sheet), s.thickness, s.rho);
}

/// Plane stress in the axes of the surface, for (ε11, ε22, ε12 + ε21).
Matrix3d plane_stress(const Layer& l) {
  const double nu21 = l.nu12 * l.E2 / l.E1, f = 1 / (1 - l.nu12 * nu21);
  const double Q11 = l.E1 * f, Q22 = l.E2 * f, Q12 = l.nu12 * l.E2 * f, Q66 = l.G12;
  const double c = std::cos(l.angle), s = std::sin(l.angle), cc = c * c, ss = s * s, cs = c * s;
  const double q11 = Q11 * cc * cc + 2 * (Q12 + 2 * Q66) * ss * cc + Q22 * ss * ss,
               q22 = Q11 * ss * ss + 2 * (Q12 + 2 * Q66) * ss * cc + Q22 * cc * cc,
               q12 = (Q11 + Q22 - 4 * Q66) * ss * cc + Q12 * (ss * ss + cc * cc),
               q66 = (Q11 + Q22 - 2 * Q12 - 2 * Q66) * ss * cc + Q66 * (ss * ss + cc * cc),
               q16 = (Q11 - Q12 - 2 * Q66) * cs * cc + (Q12 - Q22 + 2 * Q66) * cs * ss,
               q26 = (Q11 - Q12 - 2 * Q66) * cs * ss + (Q12 - Q22 + 2 * Q66) * cs * cc;
  Matrix3d Q;
  Q << q11, q12, q16, q12, q22, q26, q16, q26, q66;
  return Q;
}

Matrix2d transverse_shear(const Layer& l) {
  const double c = std::cos(l.angle), s = std::sin(l.angle), off = (l.G13 - l.G23) * c * s;
  Matrix2d G;
  G << l.G13 * c * c + l.G23 * s * s, off, off, l.G13 * s * s + l.G23 * c * c;
  return G;
}

void check(const Layer& l, std::size_t k) {
  const std::string path = "layers." + std::to_string(k) + ".";
  for (const auto& [value, key] :
       {std::pair(l.thickness, "thickness"), std::pair(l.E1, "E1"), std::pair(l.E2, "E2"), std::pair(l.G12, "G12"),
        std::pair(l.G13, "G13"), std::pair(l.G23, "G23"), std::pair(l.rho, "rho")})
    require_positive(value, path + key);
  if (!(l.nu12 * l.nu12 * l.E2 < l.E1)) throw OptionError(path + "nu12", "expected nu12^2 below E1/E2");
}

/// Rows: the strains that plate theory knows, membrane and bending, and transverse shear; then the antisymmetric shares
/// and the curvatures of the drilling rotation. Columns: the twelve strains of a shell.
Matrix12d plate_strains() {
  Matrix12d L = Matrix12d::Zero();
  L(0, 3) = 1;                    // ε11
  L(1, 6 + 4) = 1;                // ε22
  L(2, 4) = L(2, 6 + 3) = 1;      // ε21 + ε12
  L(3, 1) = 1;                    // κ11
  L(4, 6 + 0) = -1;               // κ22
  L(5, 0) = -1, L(5, 6 + 1) = 1;  // κ21 + κ12
  L(6, 5) = L(7, 6 + 5) = 1;      // Γ3
  L(8, 4) = 1, L(8, 6 + 3) = -1;
  L(9, 0) = -1, L(9, 6 + 1) = -1;
  L(10, 2) = L(11, 6 + 2) = 1;
  return L;
}

// (SH.22)
SheetProperties properties(const Laminate& laminate) {
  if (laminate.layers.empty()) throw OptionError("layers", "expected at least one layer");
  require_positive(laminate.shear_correction, "shear_correction");
  check(laminate.drilling);
  SheetProperties p;
  for (std::size_t k = 0; k < laminate.layers.size(); ++k) {
    check(laminate.layers[k], k);
    p.thickness += laminate.layers[k].thickness;
  }
  Matrix12d P = Matrix12d::Zero();
  double z = -0.5 * p.thickness, first_moment = 0, shear = 0, twist = 0, cube = 0;
  for (const Layer& l : laminate.layers) {
    const double a = z, b = z + l.thickness, z0 = b - a, z1 = (b * b - a * a) / 2, z2 = (b * b * b - a * a * a) / 3;
    const Matrix3d Q = plane_stress(l);
    P.block<3, 3>(0, 0) += z0 * Q;
    P.block<3, 3>(0, 3) += z1 * Q;
    P.block<3, 3>(3, 0) += z1 * Q;
    P.block<3, 3>(3, 3) += z2 * Q;
    P.block<2, 2>(6, 6) += laminate.shear_correction * z0 * transverse_shear(l);
    shear += z0 * l.G12, twist += z2 * l.G12, cube += z2;
    p.mass += z0 * l.rho, first_moment += z1 * l.rho, p.turning_inertia += z2 * l.rho;
    z = b;
  }
  const DrillingStiffness& d = laminate.drilling;
  P(8, 8) = d.couple_modulus ? *d.couple_modulus * p.thickness : shear;
  P(9, 9) = d.couple_modulus_bending ? *d.couple_modulus_bending * cube : twist;
  P(10, 10) = P(11, 11) = d.drilling.value_or(0.02 * twist);
  p.mass_offset = std::abs(first_moment) > 1e-14 * p.mass * p.thickness ? first_moment / p.mass : 0;
  const Matrix12d L = plate_strains();
  const Matrix12d C = L.transpose() * P * L;
  p.stiffness = 0.5 * (C + C.transpose());
  return p;
}

SheetProperties properties(const SheetMatrix& m) {
  require_positive(m.thickness, "thickness"), require_positive(m.rho, "rho");
  if (!m.stiffness.allFinite() || !m.stiffness.isApprox(m.stiffness.transpose(), 1e-10))
    throw OptionError("stiffness", "expected a symmetric matrix of 12 rows and columns");
  if (const std::string missing = parts::missing_stiffness(m.stiffness); !missing.empty())
    throw OptionError("stiffness", "the stiffness is not positive definite: " + missing);
  return homogeneous(m.stiffness, m.thickness, m.rho);
}

}  // namespace

SheetProperties properties_of(const SheetMaterial& material) {
  return std::visit([](const auto& m) { return properties(m); }, material);
}

}  // namespace filum::model
