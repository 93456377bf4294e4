/// The quadratic eigenvalue problem (s²M + sD + K) ζ + Cᵀ y = 0, C ζ = 0. Theory: docs/theory/modes.md, sec. 5.
#pragma once

#include "shifted_factor.hpp"

namespace filum::analysis {

/// Eigenvalues with Im s ≥ 0 by modulus, without the zeros, and their shapes.
struct QuadraticModes {
  std::vector<std::complex<double>> s;
  Eigen::MatrixXcd zeta;
  double noise = 0;           ///< of s
  Eigen::MatrixXd free = {};  ///< orthonormal: motions with K ζ = 0
};

/// All of them. `known` are free motions, M-orthonormal. Throws NoModes.
QuadraticModes dense_quadratic_modes(const Linearization& lin, const Eigen::MatrixXd& known);

/// The `count` slowest by Arnoldi iterations with the inverse of s²M + sD + K at a small real s.
QuadraticModes sparse_quadratic_modes(const Linearization& lin, const Eigen::MatrixXd& free, int count,
                                      ShiftedFactor& factor);

}  // namespace filum::analysis
