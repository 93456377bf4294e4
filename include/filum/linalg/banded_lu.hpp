/// LU with row pivoting of a banded matrix (LAPACK dgbtrf). Theory: docs/theory/solver.md, sec. 4.
#pragma once

#include <vector>

namespace filum::linalg {

class BandedLu {
 public:
  /// `below` sub- and `above` superdiagonals.
  BandedLu(int size, int below, int above);

  int size() const { return size_; }
  /// Position of entry (row, column) in values(); only entries inside the band.
  int position(int row, int column) const { return below_ + above_ + row - column + column * stride_; }
  /// All entries must be written again before each factorisation; those never written stay zero.
  std::vector<double>& values() { return values_; }

  /// False when a pivot is exactly zero or an entry is not finite.
  bool factorize();
  /// Ratio of the smallest to the largest pivot.
  double rcond() const { return rcond_; }
  /// x := A⁻¹ x.
  void solve(double* x) const;

 private:
  int size_, below_, above_, stride_;
  std::vector<double> values_, factors_;
  std::vector<int> pivots_;
  double rcond_ = 0;
};

}  // namespace filum::linalg
