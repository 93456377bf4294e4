/// Stiffness of sheets, and what it lacks. Theory: docs/theory/shell.md, sec. 5.
#include <filum/linalg/dense_decompositions.hpp>
#include <filum/parts/shell.hpp>

#include <cmath>
#include <stdexcept>

namespace filum::parts {

// (SH.20)
Matrix12d stiffness_of(const IsotropicSheet& s) {
  const auto positive = [](double x, const char* what) {
    if (!(x > 0) || !std::isfinite(x)) throw std::invalid_argument(std::string(what) + " must be positive");
  };
  positive(s.E, "E"), positive(s.thickness, "thickness"), positive(s.shear_correction, "shear_correction");
  if (!(s.nu > -1 && s.nu < 1)) throw std::invalid_argument("nu must lie between -1 and 1");
  positive(s.couple_modulus, "couple_modulus"), positive(s.couple_modulus_bending, "couple_modulus_bending");
  positive(s.drilling, "drilling");
  const double t = s.thickness, I = t * t * t / 12, G = s.shear_modulus(), D = s.bending_stiffness();
  const double A = s.E * t / (1 - s.nu * s.nu), mc = s.couple_modulus, mb = s.couple_modulus_bending;
  Vector12d diagonal;
  diagonal << I * (G + mb), D, s.drilling, A, t * (G + mc), s.shear_correction * G * t,  //
      D, I * (G + mb), s.drilling, t * (G + mc), A, s.shear_correction * G * t;
  Matrix12d C = diagonal.asDiagonal();
  const auto couple = [&](int row, int column, double value) { C(row, column) = C(column, row) = value; };
  couple(0, 6 + 1, -I * (G - mb));
  couple(1, 6 + 0, -s.nu * D);
  couple(3, 6 + 4, s.nu * A);
  couple(4, 6 + 3, t * (G - mc));
  return C;
}

// (SH.21) Scaled to a unit diagonal, so that thin sheets, whose bending is soft, are judged as thick ones are.
std::string missing_stiffness(const Matrix12d& C) {
  static constexpr std::array<const char*, 6> strains{"K1", "K2", "K3", "Gamma1", "Gamma2", "Gamma3"};
  const auto words = [](Eigen::Index k) {
    const std::string what = std::string(strains[static_cast<std::size_t>(k % 6)]) + " of w" + (k < 6 ? "1" : "2");
    if (k % 6 == 2)
      return what +
             ", the curvature of the drilling rotation: without it neighbouring nodes can turn about the normal "
             "against each other (give `drilling`)";
    return what;
  };
  for (Eigen::Index k = 0; k < 12; ++k)
    if (!(C(k, k) > 0)) return "there is no stiffness against " + words(k);
  const Vector12d scale = C.diagonal().cwiseSqrt().cwiseInverse();
  const Matrix12d S = scale.asDiagonal() * C * scale.asDiagonal();
  const auto [values, vectors] = linalg::symmetric_eigen(S);
  if (values[0] > 1e-12) return {};
  Eigen::Index first = 0;
  vectors.col(0).cwiseAbs().maxCoeff(&first);
  std::string all;
  for (Eigen::Index k = 0; k < 12; ++k)
    if (std::abs(vectors(k, 0)) > 0.1 * std::abs(vectors(first, 0))) all += (all.empty() ? "" : " and ") + words(k);
  const bool drills = std::abs(vectors(4, 0)) > 0.1 && std::abs(vectors(9, 0)) > 0.1;
  return (values[0] < -1e-12 ? "it is negative for a combination of " : "there is none for a combination of ") + all +
         (drills ? ": a rotation of the nodes about the normal (give `couple_modulus`)" : "");
}

}  // namespace filum::parts
