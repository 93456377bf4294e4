/// Products and inverses of small matrices that are stored by columns: one column at a time in whole registers.
/// Theory: docs/theory/solver.md, sec. 3 and 4.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

namespace filum::linalg {

/// No matrix here has more rows.
inline constexpr int most_rows = 24;
/// Rows of a column that is filled up to whole registers.
constexpr int padded(int rows) { return (rows + 3) / 4 * 4; }
static_assert(padded(most_rows) == most_rows);

// Kernels of m × n matrices; a fixed size stands for both. Sums run over the inner index in ascending order.

/// y += sign A x; y overlaps nothing. Columns of A begin `padded(m)` numbers after each other, or `stride` if that is
/// positive: then padded(stride) numbers from the beginning of the last column on must be readable, whatever they are.
template <int fixed, int sign, int stride = 0>
inline void chain_product(const double* A, const double* x, double* y, int m, int n) {
  constexpr int room = fixed > 0 ? padded(fixed) : most_rows;
  const int rows = fixed > 0 ? padded(fixed) : padded(m), columns = fixed > 0 ? fixed : n, end = fixed > 0 ? fixed : m;
  const int step = stride > 0 ? stride : rows;
  double sum[room] = {};
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i) sum[i] += A[i + j * step] * x[j];
  for (int i = 0; i < end; ++i) y[i] += sign * sum[i];
}

/// y −= Aᵀ x, A with padded columns.
inline void subtract_chain_transpose(const double* A, const double* x, double* y, int m, int n) {
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) y[j] -= A[i + j * padded(m)] * x[i];
}

/// x := A x.
template <int fixed, int stride = 0>
inline void multiply_chain_block(const double* A, double* x, int n) {
  double copy[fixed > 0 ? fixed : most_rows];
  const int size = fixed > 0 ? fixed : n;
  std::copy(x, x + size, copy);
  std::fill(x, x + size, 0.0);
  chain_product<fixed, 1, stride>(A, copy, x, n, n);
}

/// Of an inversion, each times the scale of its row, and the row of the smallest one. `smallest` is 0 when the matrix
/// is singular or not finite.
struct ChainPivots {
  double smallest, largest;
  int row;
};

/// A := A⁻¹ by Gauss and Jordan, columns padded; rows are exchanged by size times `scale(row)`.
template <int fixed, class Scale>
ChainPivots invert_chain_block(double* A, int size, Scale&& scale) {
  const int n = fixed > 0 ? fixed : size, rows = fixed > 0 ? padded(fixed) : padded(size);
  int row[most_rows], exchanged[most_rows];
  for (int i = 0; i < n; ++i) row[i] = i;
  ChainPivots pivots{HUGE_VAL, 0, 0};
  for (int k = 0; k < n; ++k) {
    double* pivot_column = A + k * rows;
    int p = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(pivot_column[i]) * scale(row[i]) > std::abs(pivot_column[p]) * scale(row[p])) p = i;
    exchanged[k] = p;
    if (p != k) {
      for (int j = 0; j < n; ++j) std::swap(A[k + j * rows], A[p + j * rows]);
      std::swap(row[k], row[p]);
    }
    const double relative = std::abs(pivot_column[k]) * scale(row[k]);
    if (!(relative > 0 && std::isfinite(relative))) return {0, pivots.largest, row[k]};
    if (relative < pivots.smallest) pivots.smallest = relative, pivots.row = row[k];
    if (relative > pivots.largest) pivots.largest = relative;
    const double inverse = 1 / pivot_column[k];
    double f[fixed > 0 ? padded(fixed) : most_rows];
    for (int i = 0; i < rows; ++i) f[i] = pivot_column[i], pivot_column[i] = 0;
    f[k] = 0, pivot_column[k] = 1;
    for (int j = 0; j < n; ++j) {
      double* column = A + j * rows;
      const double r = column[k] * inverse;
      for (int i = 0; i < rows; ++i) column[i] -= f[i] * r;
      column[k] = r;
    }
  }
  for (int k = n - 1; k >= 0; --k)
    if (exchanged[k] != k) std::swap_ranges(A + k * rows, A + k * rows + n, A + exchanged[k] * rows);
  return pivots;
}

}  // namespace filum::linalg
