/// Solving with the factors of fronts. Theory: docs/theory/solver.md, sec. 5.
#include <filum/linalg/frontal_lu.hpp>
#include <filum/linalg/reduce.hpp>

#include <algorithm>

namespace filum::linalg {

// Fronts one after the other, and in each of them column by column: the factors of a front are in the cache then.
void FrontalLu::solve_group(double* X, int count, std::size_t stride) const {
  const std::size_t n = row_scale_.size();
  for (int c = 0; c < count; ++c)
    for (std::size_t i = 0; i < n; ++i) X[c * stride + i] *= row_scale_[i];
  double* t = local_.data();
  for (const Factored& f : factored_) {
    const int *rows = names_.data() + f.names, size = f.size, pivots = f.pivots;
    const double* L = factors_.data() + f.values;
    for (int c = 0; c < count; ++c) {
      double *x = X + c * stride, *z = pivot_values_.data() + c * n + f.first_pivot;
      for (int i = 0; i < size; ++i) t[i] = x[rows[i]];
      for (int k = 0; k < pivots; ++k) {
        const double *l = L + std::size_t(k) * size, tk = t[k];
        for (int i = k + 1; i < size; ++i) t[i] -= l[i] * tk;
      }
      std::copy(t, t + pivots, z);
      for (int i = pivots; i < size; ++i) x[rows[i]] = t[i];
    }
  }
  for (auto at = factored_.rbegin(); at != factored_.rend(); ++at) {
    const Factored& f = *at;
    const int *columns = names_.data() + f.names + f.size, size = f.size, pivots = f.pivots;
    const double *L = factors_.data() + f.values, *U = L + std::size_t(size) * pivots;
    for (int c = 0; c < count; ++c) {
      double *x = X + c * stride, *z = pivot_values_.data() + c * n + f.first_pivot;
      for (int j = pivots; j < size; ++j) {
        const double *u = U + std::size_t(j - pivots) * pivots, xj = x[columns[j]];
        for (int i = 0; i < pivots; ++i) z[i] -= u[i] * xj;
      }
      for (int k = pivots - 1; k >= 0; --k) {
        const double* u = L + std::size_t(k) * size;
        z[k] /= u[k];
        for (int i = 0; i < k; ++i) z[i] -= u[i] * z[k];
        x[columns[k]] = z[k];
      }
    }
  }
  for (int c = 0; c < count; ++c)
    for (std::size_t i = 0; i < n; ++i) X[c * stride + i] *= column_scale_[i];
}

void FrontalLu::solve(double* x) const { solve_group(x, 1, 0); }

void FrontalLu::solve_columns(double* X, int count) {
  constexpr int group = 8;
  const std::size_t n = row_scale_.size();
  pivot_values_.resize(n * std::size_t(std::clamp(count, 1, group)));
  for (int first = 0; first < count; first += group)
    solve_group(X + std::size_t(first) * n, std::min(group, count - first), n);
}

// Uᵀ from the first front to the last, Lᵀ back.
void FrontalLu::solve_transpose(double* x) const {
  const std::size_t n = row_scale_.size();
  for (std::size_t i = 0; i < n; ++i) x[i] *= column_scale_[i];
  using Vector = Eigen::Map<const Eigen::VectorXd>;
  double* t = local_.data();
  for (const Factored& f : factored_) {
    const int *columns = names_.data() + f.names + f.size, size = f.size, pivots = f.pivots;
    const double *L = factors_.data() + f.values, *U = L + std::size_t(size) * pivots;
    double* z = pivot_values_.data() + f.first_pivot;
    for (int k = 0; k < pivots; ++k) {
      const double* u = L + std::size_t(k) * size;
      z[k] = (x[columns[k]] - dot(Vector(u, k), Vector(z, k))) / u[k];
    }
    for (int j = pivots; j < size; ++j)
      x[columns[j]] -= dot(Vector(U + std::size_t(j - pivots) * pivots, pivots), Vector(z, pivots));
  }
  for (auto at = factored_.rbegin(); at != factored_.rend(); ++at) {
    const Factored& f = *at;
    const int *rows = names_.data() + f.names, size = f.size, pivots = f.pivots;
    const double *L = factors_.data() + f.values, *z = pivot_values_.data() + f.first_pivot;
    for (int i = pivots; i < size; ++i) t[i] = x[rows[i]];
    for (int k = pivots - 1; k >= 0; --k) {
      const int below = size - k - 1;
      t[k] = z[k] - dot(Vector(L + std::size_t(k) * size + k + 1, below), Vector(t + k + 1, below));
      x[rows[k]] = t[k];
    }
  }
  for (std::size_t i = 0; i < n; ++i) x[i] *= row_scale_[i];
}

}  // namespace filum::linalg
