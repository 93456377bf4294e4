/// The symmetric eigenvalue problem (K − ω²M) ζ + Cᵀ y = 0, C ζ = 0. Theory: docs/theory/modes.md, sec. 3.
#pragma once

#include "shifted_factor.hpp"

namespace filum::analysis {

/// ω² by its modulus, and shapes with ζᵢᵀMζⱼ = δᵢⱼ.
struct SymmetricModes {
  VectorXd lambda;
  Eigen::MatrixXd zeta;
  double noise = 0;  ///< of ω² = 0, by the solution; that by K comes on top
};

/// The `count` smallest |ω²| of motions M-orthogonal to the columns of `without`: all of them are computed. The
/// symmetric part of K counts. Throws NoModes.
SymmetricModes dense_symmetric_modes(const Linearization& lin, const Eigen::MatrixXd& without, int count);

/// The same by Lanczos iterations with the inverse of K − σM.
SymmetricModes sparse_symmetric_modes(const Linearization& lin, const Eigen::MatrixXd& without, int count,
                                      ShiftedFactor& factor);

/// K := (K + Kᵀ) / 2.
void make_symmetric(NodeMatrix& K);

/// (MO.17) What rounding errors in K alone make of ω² = 0.
class SquareNoise {
 public:
  explicit SquareNoise(const NodeMatrix& K);
  /// Of a shape with ζᵀMζ = 1.
  double of(const Eigen::Ref<const VectorXd>& zeta) const { return rows_.dot(zeta.cwiseAbs2()); }

 private:
  VectorXd rows_;  ///< sums of |K|, times a few ε
};

}  // namespace filum::analysis
