/// Sparse LU of a matrix whose pattern never changes (SuiteSparse KLU): analysed once, refactored often.
/// Theory: docs/theory/solver.md, sec. 4.
#pragma once

#include <Eigen/Core>

#include <memory>
#include <utility>
#include <vector>

namespace filum::linalg {

class SparseLu {
 public:
  /// `entries` are the (row, column) positions that may be non-zero, in any order, repetitions allowed.
  SparseLu(int size, const std::vector<std::pair<int, int>>& entries);
  ~SparseLu();
  SparseLu(SparseLu&&) noexcept;
  SparseLu& operator=(SparseLu&&) noexcept;

  int size() const;
  /// Position of entry (row, column) in values().
  int position(int row, int column) const;
  std::vector<double>& values();

  /// Factors the current values; false when the matrix is singular or not finite. Keeps the pivot order of the first
  /// factorisation as long as that is stable, and chooses a new one otherwise.
  bool factorize();
  /// An estimate of the reciprocal condition number of the last factorisation (ratio of pivots).
  double rcond() const;
  /// x := A⁻¹ x.
  void solve(double* x) const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace filum::linalg
