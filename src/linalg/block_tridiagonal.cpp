/// Block elimination along a chain. Theory: docs/theory/solver.md, sec. 3.
#include <filum/linalg/block_tridiagonal.hpp>

#include <algorithm>
#include <cmath>

#include "small_inverse.hpp"

namespace filum::linalg {

BlockTridiagonal::BlockTridiagonal(std::vector<int> sizes) : sizes_(std::move(sizes)) {
  int row = 0, at = 0;
  uniform_ = sizes_.empty() ? 0 : sizes_[0];
  for (std::size_t k = 0; k < sizes_.size(); ++k) {
    const int n = sizes_[k], next = k + 1 < sizes_.size() ? sizes_[k + 1] : 0;
    offsets_.push_back({row, at, at + n * n, at + n * n + n * next});
    at += n * n + 2 * n * next;
    row += n;
    if (n != uniform_) uniform_ = 0;
  }
  values_.assign(at, 0.0);
  pivots_.assign(row, 0);
}

namespace {

double largest_diagonal(const double* D, int n) {
  double largest = 0;
  for (int i = 0; i < n; ++i) largest = std::max(largest, std::abs(D[i + i * n]));
  return largest;
}

}  // namespace

/// Prepares block k for solve_block: D becomes its inverse when it is small, its LU otherwise.
template <int fixed>
double BlockTridiagonal::factorize_block(int k) {
  double* D = values_.data() + offsets_[k].diagonal;
  if constexpr (fixed > 0 && fixed <= 3) return invert_small<fixed>(D, D);
  return small_lu(D, fixed > 0 ? fixed : sizes_[k], pivots_.data() + offsets_[k].row);
}

/// x := Dₖ⁻¹ x.
template <int fixed>
void BlockTridiagonal::solve_block(int k, double* x) const {
  const double* D = values_.data() + offsets_[k].diagonal;
  if constexpr (fixed > 0 && fixed <= 3) {
    using Vector = Eigen::Matrix<double, fixed, 1>;
    const Vector copy = Eigen::Map<const Vector>(x);
    Eigen::Map<Vector>(x).noalias() = Eigen::Map<const Eigen::Matrix<double, fixed, fixed>>(D).lazyProduct(copy);
  } else {
    small_lu_solve(D, fixed > 0 ? fixed : sizes_[k], pivots_.data() + offsets_[k].row, x);
  }
}

// (L.3) Uₖ ← Dₖ⁻¹ Uₖ, Dₖ₊₁ ← Dₖ₊₁ − Lₖ Uₖ. With fixed > 0 every size is known to the compiler. What elimination leaves of a
// diagonal tells how far the rows of that block depend on those before it.
template <int fixed>
double BlockTridiagonal::factorize_sized() {
  double worst = HUGE_VAL, left = 1;
  for (int k = 0; k < blocks(); ++k) {
    const int n = fixed > 0 ? fixed : sizes_[k];
    const double ratio = left * factorize_block<fixed>(k);
    if (!(ratio >= worst)) worst = ratio, suspect_ = k;
    if (!(ratio > 0)) return std::isnan(ratio) ? ratio : 0;
    if (k + 1 == blocks()) break;
    const int m = fixed > 0 ? fixed : sizes_[k + 1];
    double* U = values_.data() + offsets_[k].upper;
    const double* L = values_.data() + offsets_[k].lower;
    double* next = values_.data() + offsets_[k + 1].diagonal;
    const double before = largest_diagonal(next, m);
    for (int j = 0; j < m; ++j) {
      solve_block<fixed>(k, U + j * n);
      for (int l = 0; l < n; ++l)
        for (int i = 0; i < m; ++i) next[i + j * m] -= L[i + l * m] * U[l + j * n];
    }
    left = std::min(1.0, largest_diagonal(next, m) / before);
  }
  return blocks() == 0 ? 1 : std::min(worst, 1.0);
}

template <int fixed>
void BlockTridiagonal::solve_sized(double* x) const {
  for (int k = 0; k < blocks(); ++k) {
    const int n = fixed > 0 ? fixed : sizes_[k];
    double* xk = x + offsets_[k].row;
    solve_block<fixed>(k, xk);
    if (k + 1 == blocks()) break;
    const int m = fixed > 0 ? fixed : sizes_[k + 1];
    const double* L = values_.data() + offsets_[k].lower;
    for (int l = 0; l < n; ++l)
      for (int i = 0; i < m; ++i) xk[n + i] -= L[i + l * m] * xk[l];
  }
  for (int k = blocks() - 2; k >= 0; --k) {
    const int n = fixed > 0 ? fixed : sizes_[k], m = fixed > 0 ? fixed : sizes_[k + 1];
    double* xk = x + offsets_[k].row;
    const double* U = values_.data() + offsets_[k].upper;
    for (int j = 0; j < m; ++j)
      for (int i = 0; i < n; ++i) xk[i] -= U[i + j * n] * xk[n + j];
  }
}

double BlockTridiagonal::factorize() {
  suspect_ = -1;
  switch (uniform_) {
    case 1: return factorize_sized<1>();
    case 2: return factorize_sized<2>();
    case 3: return factorize_sized<3>();
    case 6: return factorize_sized<6>();
    default: return factorize_sized<0>();
  }
}

void BlockTridiagonal::solve(double* x) const {
  switch (uniform_) {
    case 1: return solve_sized<1>(x);
    case 2: return solve_sized<2>(x);
    case 3: return solve_sized<3>(x);
    case 6: return solve_sized<6>(x);
    default: return solve_sized<0>(x);
  }
}

}  // namespace filum::linalg
