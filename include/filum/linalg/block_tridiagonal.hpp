/// LU of a block tridiagonal matrix with small dense blocks of varying size. Theory: docs/theory/solver.md, sec. 3.
#pragma once

#include <filum/linalg/small_lu.hpp>

#include <cassert>
#include <vector>

namespace filum::linalg {

/// Pivots inside the diagonal blocks only: made for Schur complements C M⁻¹ Cᵀ, which are positive definite up to a
/// small perturbation. Blocks are column-major.
class BlockTridiagonal {
 public:
  explicit BlockTridiagonal(std::vector<int> sizes);

  int blocks() const { return static_cast<int>(sizes_.size()); }
  /// Start of block (k, k), (k + 1, k) or (k, k + 1) in values().
  int diagonal(int k) const { return offsets_[k].diagonal; }
  int lower(int k) const { return offsets_[k].lower; }
  int upper(int k) const { return offsets_[k].upper; }
  std::vector<double>& values() { return values_; }

  /// Factors in place. Returns a measure of condition in (0, 1] that does not depend on the scaling of rows, 0 when
  /// singular, NaN when not finite.
  double factorize();
  /// Block that came closest to being singular.
  int suspect_block() const { return suspect_; }
  /// x := A⁻¹ x.
  void solve(double* x) const;

 private:
  struct Offsets {
    int row, diagonal, lower, upper;
  };
  int size_of_pair(int k) const;
  /// Eliminates block k from the next one; returns which share of its diagonal is left.
  double eliminate(int k);

  std::vector<int> sizes_;
  std::vector<Offsets> offsets_;
  std::vector<double> values_;
  std::vector<int> pivots_;
  int suspect_ = -1;
};

}  // namespace filum::linalg
