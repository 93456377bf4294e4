/// Inverses of small blocks: by cofactors where that is safe, otherwise by LU. Theory: docs/theory/solver.md, sec. 2.
#pragma once

#include <filum/linalg/small_lu.hpp>

#include <Eigen/Core>
#include <Eigen/LU>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace filum::linalg {

/// (L.5) |det A| / (|a₁₁| ⋯ |aₙₙ|): 1 for a diagonal matrix whatever its scaling, 0 for a singular one.
template <int n>
double diagonal_dominance(const Eigen::Matrix<double, n, n>& A, double determinant) {
  double product = 1;
  for (int i = 0; i < n; ++i) product *= A(i, i);
  return std::abs(determinant / product);
}

/// Below this the cofactors may lose too many digits: the determinant has a relative error of about 1e-16 over this
/// ratio.
inline constexpr double acceptable_dominance = 1e-4;

/// Inverse by LU with row pivoting; returns the ratio of the pivots, 0 when singular, NaN when not finite.
template <int largest>
double invert_by_lu(const double* block, double* inverse, int n = largest) {
  assert(n <= largest);
  double lu[largest * largest];
  int pivot[largest];
  std::copy(block, block + n * n, lu);
  const double ratio = small_lu(lu, n, pivot);
  if (!(ratio > 0)) return ratio;
  for (int j = 0; j < n; ++j) {
    double* column = inverse + j * n;
    for (int i = 0; i < n; ++i) column[i] = i == j ? 1 : 0;
    small_lu_solve(lu, n, pivot, column);
  }
  return ratio;
}

/// n ≤ 3. `block` and `inverse` may be the same memory.
template <int n>
double invert_small(const double* block, double* inverse) {
  static_assert(n <= 3);
  const Eigen::Matrix<double, n, n> A = Eigen::Map<const Eigen::Matrix<double, n, n>>(block);
  const double determinant = A.determinant();
  const double ratio = diagonal_dominance<n>(A, determinant);
  if (ratio > acceptable_dominance && std::isfinite(ratio)) {
    Eigen::Map<Eigen::Matrix<double, n, n>> out(inverse);
    out = A.inverse();
    return std::min(ratio, 1.0);
  }
  return invert_by_lu<n>(A.data(), inverse);
}

/// A rigid body's block by its four 3 × 3 blocks, translations first: their block is near m I. Returns 0 when a block
/// is too badly conditioned for that, and writes nothing.
inline double invert_by_quarters(const double* block, double* inverse) {
  using Eigen::Matrix3d;
  const Eigen::Map<const Eigen::Matrix<double, 6, 6>> H(block);
  const Matrix3d D = H.bottomRightCorner<3, 3>(), C = H.bottomLeftCorner<3, 3>();
  const double ratio_D = diagonal_dominance<3>(D, D.determinant());
  if (!(ratio_D > acceptable_dominance)) return 0;
  const Matrix3d D_inv = D.inverse();
  const Matrix3d X = H.topRightCorner<3, 3>() * D_inv;
  const Matrix3d S = H.topLeftCorner<3, 3>() - X * C;
  const double ratio_S = diagonal_dominance<3>(S, S.determinant());
  if (!(ratio_S > acceptable_dominance)) return 0;
  const Matrix3d S_inv = S.inverse();
  const Matrix3d lower = -(D_inv * C) * S_inv;
  Eigen::Map<Eigen::Matrix<double, 6, 6>> out(inverse);
  out.topLeftCorner<3, 3>() = S_inv;
  out.topRightCorner<3, 3>().noalias() = -S_inv * X;
  out.bottomLeftCorner<3, 3>() = lower;
  out.bottomRightCorner<3, 3>() = D_inv - lower * X;
  return std::min({ratio_D, ratio_S, 1.0});
}

/// Nodes have no more unknowns than this.
inline constexpr int largest_dim = 16;

/// Inverse of a node's block; returns a measure of its condition, 0 when singular.
inline double invert_node(int dim, const double* block, double* inverse) {
  switch (dim) {
    case 1: return invert_small<1>(block, inverse);
    case 2: return invert_small<2>(block, inverse);
    case 3: return invert_small<3>(block, inverse);
    case 6: {
      const double ratio = invert_by_quarters(block, inverse);
      return ratio > 0 ? ratio : invert_by_lu<6>(block, inverse);
    }
    default: break;
  }
  return invert_by_lu<largest_dim>(block, inverse, dim);
}

}  // namespace filum::linalg
