/// Solving with the factors of fronts. Theory: docs/theory/solver.md, sec. 5.
#include "front_kernels.hpp"

#include <filum/linalg/frontal_lu.hpp>
#include <filum/linalg/reduce.hpp>

#include <algorithm>

namespace filum::linalg {
namespace {

/// How many rows of a front a thread takes at a time in solves.
constexpr int rows_of_chunk = 64;

}  // namespace

// Branches add to the unknowns of the trunk in places of their own, which are then summed in the order of branches.
// Within a branch fronts one after the other, and in each of them column by column: the factors of a front are in the
// cache then.
template <class Forward, class Back>
void FrontalLu::sweep(double* X, int count, std::size_t stride, const std::vector<double>& scale_in,
                      const std::vector<double>& scale_out, const Forward& forward, const Back& back) const {
  const std::size_t n = row_scale_.size();
  const auto visit = [&](int k, const auto& f) {
    for (int c = 0; c < count; ++c)
      f(factored_[k], branches_[branch_of_[k]], work_.data() + c * work_size_,
        pivot_values_.data() + c * n + factored_[k].first_pivot);
  };
  const auto for_each_own_place = [&](int k, const auto& f) {
    const Front& front = tree_.fronts[k];
    for (int c = 0; c < count; ++c)
      for (int i = front.first; i < front.first + front.own; ++i)
        f(work_[c * work_size_ + std::size_t(i)], X[c * stride + std::size_t(i)], i);
  };
  const auto take = [&](int k) { for_each_own_place(k, [&](double& w, double x, int i) { w = x * scale_in[i]; }); };
  const auto give = [&](int k) { for_each_own_place(k, [&](double w, double& x, int i) { x = w * scale_out[i]; }); };
  const auto for_each_outer = [&](const Branch& b, const auto& f) {
    for (int c = 0; c < count; ++c) {
      double* w = work_.data() + c * work_size_;
      for (std::size_t i = 0; i < b.outer.size(); ++i) f(w[b.outer_at + i], w[b.outer[i]]);
    }
  };
  const auto for_each_of_trunk = [&](const auto& f) {
    for (int k = 0; k < branches_.back().end; ++k)
      if (branch_of_[k] == trunk()) f(k);
  };

  for_each_task(trunk(), [&](int number) {
    const Branch& b = branches_[number];
    for (int k = b.first; k < b.end; ++k) take(k);
    for_each_outer(b, [](double& mine, double) { mine = 0; });
    for (int k = b.first; k < b.end; ++k) visit(k, forward);
  });
  for_each_of_trunk(take);
  for (int b = 0; b < trunk(); ++b) for_each_outer(branches_[b], [](double mine, double& sum) { sum += mine; });
  for_each_of_trunk([&](int k) { visit(k, forward); });
  for (int k = branches_.back().end - 1; k >= 0; --k)
    if (branch_of_[k] == trunk()) visit(k, back);
  for_each_of_trunk(give);
  for_each_task(trunk(), [&](int number) {
    const Branch& b = branches_[number];
    for_each_outer(b, [](double& mine, double found) { mine = found; });
    for (int k = b.end - 1; k >= b.first; --k) visit(k, back);
    for (int k = b.first; k < b.end; ++k) give(k);
  });
}

void FrontalLu::solve_group(double* X, int count, std::size_t stride) const {
  const auto forward = [](const Factored& f, const Branch& b, double* x, double* z) {
    const int *rows = b.names.data() + f.names, size = f.size, pivots = f.pivots, below = size - pivots;
    const double* L = b.factors.data() + f.values;
    double* t = b.local.data();
    for (int i = 0; i < size; ++i) t[i] = x[rows[i]];
    for (int k = 0; k < pivots; ++k) {
      const double *l = L + std::size_t(k) * size, tk = t[k];
      for (int i = k + 1; i < pivots; ++i) t[i] -= l[i] * tk;
    }
    front::for_each_chunk_if_large(double(below) * pivots, below, rows_of_chunk, [&](int first, int end) {
      for (int k = 0; k < pivots; ++k) {
        const double *l = L + std::size_t(k) * size + pivots, tk = t[k];
        for (int i = first; i < end; ++i) t[pivots + i] -= l[i] * tk;
      }
    });
    std::copy(t, t + pivots, z);
    for (int i = pivots; i < size; ++i) x[rows[i]] = t[i];
  };
  const auto back = [](const Factored& f, const Branch& b, double* x, double* z) {
    const int *columns = b.names.data() + f.names + f.size, size = f.size, pivots = f.pivots;
    const double *L = b.factors.data() + f.values, *U = L + std::size_t(size) * pivots;
    front::for_each_chunk_if_large(double(size - pivots) * pivots, pivots, rows_of_chunk, [&](int first, int end) {
      for (int j = pivots; j < size; ++j) {
        const double *u = U + std::size_t(j - pivots) * pivots, xj = x[columns[j]];
        for (int i = first; i < end; ++i) z[i] -= u[i] * xj;
      }
    });
    for (int k = pivots - 1; k >= 0; --k) {
      const double* u = L + std::size_t(k) * size;
      z[k] /= u[k];
      for (int i = 0; i < k; ++i) z[i] -= u[i] * z[k];
      x[columns[k]] = z[k];
    }
  };
  sweep(X, count, stride, row_scale_, column_scale_, forward, back);
}

void FrontalLu::solve(double* x) const { solve_group(x, 1, 0); }

void FrontalLu::solve_columns(double* X, int count) {
  constexpr int group = 8;
  const std::size_t n = row_scale_.size();
  const auto columns = std::size_t(std::clamp(count, 1, group));
  pivot_values_.resize(n * columns);
  if (work_.size() < work_size_ * columns) work_.resize(work_size_ * columns);
  for (int first = 0; first < count; first += group)
    solve_group(X + std::size_t(first) * n, std::min(group, count - first), n);
}

// Uᵀ from the first front to the last, Lᵀ back.
void FrontalLu::solve_transpose(double* x) const {
  using Vector = Eigen::Map<const Eigen::VectorXd>;
  const auto forward = [](const Factored& f, const Branch& b, double* w, double* z) {
    const int *columns = b.names.data() + f.names + f.size, size = f.size, pivots = f.pivots;
    const double *L = b.factors.data() + f.values, *U = L + std::size_t(size) * pivots;
    for (int k = 0; k < pivots; ++k) {
      const double* u = L + std::size_t(k) * size;
      z[k] = (w[columns[k]] - dot(Vector(u, k), Vector(z, k))) / u[k];
    }
    for (int j = pivots; j < size; ++j)
      w[columns[j]] -= dot(Vector(U + std::size_t(j - pivots) * pivots, pivots), Vector(z, pivots));
  };
  const auto back = [](const Factored& f, const Branch& b, double* w, double* z) {
    const int *rows = b.names.data() + f.names, size = f.size, pivots = f.pivots;
    const double* L = b.factors.data() + f.values;
    double* t = b.local.data();
    for (int i = pivots; i < size; ++i) t[i] = w[rows[i]];
    for (int k = pivots - 1; k >= 0; --k) {
      const int below = size - k - 1;
      t[k] = z[k] - dot(Vector(L + std::size_t(k) * size + k + 1, below), Vector(t + k + 1, below));
      w[rows[k]] = t[k];
    }
  };
  sweep(x, 1, 0, column_scale_, row_scale_, forward, back);
}

}  // namespace filum::linalg
