/// LU with row pivoting of matrices of a few rows, in place and without overhead. Theory: docs/theory/solver.md,
/// sec. 2.
#pragma once

#include <cmath>
#include <utility>

namespace filum::linalg {

/// Factors the column-major n × n matrix a. Returns the ratio of the smallest to the largest pivot, 0 when singular,
/// NaN when the matrix is not finite.
inline double small_lu(double* a, int n, int* pivot) {
  double smallest = HUGE_VAL, largest = 0;
  for (int k = 0; k < n; ++k) {
    double* ck = a + k * n;
    int p = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(ck[i]) > std::abs(ck[p])) p = i;
    pivot[k] = p;
    const double size = std::abs(ck[p]);
    if (!(size > 0)) return size == 0 ? 0.0 : size;
    smallest = size < smallest ? size : smallest;
    largest = size > largest ? size : largest;
    if (p != k)
      for (int j = 0; j < n; ++j) std::swap(a[k + j * n], a[p + j * n]);
    const double inverse = 1 / ck[k];
    for (int i = k + 1; i < n; ++i) ck[i] *= inverse;
    for (int j = k + 1; j < n; ++j) {
      double* cj = a + j * n;
      const double u = cj[k];
      for (int i = k + 1; i < n; ++i) cj[i] -= ck[i] * u;
    }
  }
  return n == 0 ? 1.0 : smallest / largest;
}

/// x := A⁻¹ x with the factors of small_lu.
inline void small_lu_solve(const double* a, int n, const int* pivot, double* x) {
  for (int k = 0; k < n; ++k) std::swap(x[k], x[pivot[k]]);
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i) x[i] -= a[i + k * n] * x[k];
  for (int k = n - 1; k >= 0; --k) {
    x[k] /= a[k + k * n];
    for (int i = 0; i < k; ++i) x[i] -= a[i + k * n] * x[k];
  }
}

/// x := A⁻ᵀ x with the factors of small_lu.
inline void small_lu_solve_transpose(const double* a, int n, const int* pivot, double* x) {
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < k; ++i) x[k] -= a[i + k * n] * x[i];
    x[k] /= a[k + k * n];
  }
  for (int k = n - 1; k >= 0; --k)
    for (int i = k + 1; i < n; ++i) x[k] -= a[i + k * n] * x[i];
  for (int k = n - 1; k >= 0; --k) std::swap(x[k], x[pivot[k]]);
}

/// The row of A that became row `at` after row exchanges.
inline int original_row(const int* pivot, int at) {
  for (int k = at; k >= 0; --k) at = at == k ? pivot[k] : at == pivot[k] ? k : at;
  return at;
}

}  // namespace filum::linalg
