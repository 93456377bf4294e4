/// Block elimination along a chain. Theory: docs/theory/solver.md, sec. 3.
#include "block_shapes.hpp"
#include "chain_kernels.hpp"
#include "small_inverse.hpp"
#include "symmetric_inertia.hpp"

#include <filum/linalg/block_tridiagonal.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>

namespace filum::linalg {
namespace {

/// Blocks of up to this size are kept as inverses, larger ones as LU.
constexpr int inverted = 6;
/// Up to this size they are inverted by cofactors, if that is safe.
constexpr int by_cofactors = 3;
/// Columns of five rows are read that far beyond: the last of a chain must not reach what another thread writes.
constexpr int beyond = padded(5) - 5;

}  // namespace

BlockTridiagonal::BlockTridiagonal(std::vector<int> sizes, const std::vector<int>& beginnings)
    : sizes_(std::move(sizes)), chains_(blocks(), beginnings), found_(static_cast<std::size_t>(chains_.count())) {
  int row = 0, at = 0;
  for (int k = 0; k < blocks(); ++k) {
    const int n = sizes_[k], next = chains_.has_next(k) ? sizes_[k + 1] : 0;
    offsets_.push_back({row, at, at + n * n, at + n * n + n * next});
    at += n * n + 2 * n * next;
    if (next == 0) at += beyond;
    block_of_.insert(block_of_.end(), static_cast<std::size_t>(n), k);
    row += n;
  }
  values_.assign(at, 0.0);
  pivots_.assign(row, 0);
}

int BlockTridiagonal::position(int row, int column) const {
  const int i = block_of_[row], j = block_of_[column];
  assert(std::abs(i - j) <= 1 && "entry outside the pattern");
  const int start = i == j ? offsets_[i].diagonal : i > j ? offsets_[j].lower : offsets_[i].upper;
  return start + (row - offsets_[i].row) + (column - offsets_[j].row) * sizes_[i];
}

namespace {

double largest_diagonal(const double* D, int n) {
  double largest = 0;
  for (int i = 0; i < n; ++i) largest = std::max(largest, std::abs(D[i + i * n]));
  return largest;
}

/// Calls f(Size<n>): the common sizes are known to the compiler.
template <class F>
auto with_size(int n, F&& f) {
  switch (n) {
    case 1: return f(Size<1>{});
    case 2: return f(Size<2>{});
    case 3: return f(Size<3>{});
    case 4: return f(Size<4>{});
    case 5: return f(Size<5>{});
    case 6: return f(Size<6>{});
    default: return f(AnySize{});
  }
}

/// D := D⁻¹. Returns the ratio of the pivots, 0 when singular or not finite.
template <int n>
double invert_by_columns(double* D) {
  constexpr int rows = padded(n);
  double columns[rows * n] = {};
  for (int j = 0; j < n; ++j) std::copy(D + j * n, D + (j + 1) * n, columns + j * rows);
  const ChainPivots pivots = invert_chain_block<n>(columns, n, [](int) { return 1.0; });
  for (int j = 0; j < n; ++j) std::copy(columns + j * rows, columns + j * rows + n, D + j * n);
  return pivots.smallest / std::max(pivots.largest, pivots.smallest);
}

/// Prepares the block D of n rows for solve_block.
template <int fixed>
double factorize_block(double* D, int n, int* pivot) {
  if constexpr (fixed > 0 && fixed <= by_cofactors)
    return invert_small<fixed>(D, D);
  else if constexpr (fixed > 0 && fixed <= inverted)
    return invert_by_columns<fixed>(D);
  else
    return small_lu(D, fixed > 0 ? fixed : n, pivot);
}

/// x := D⁻¹ x.
template <int fixed>
void solve_block(const double* D, int n, const int* pivot, double* x) {
  if constexpr (fixed > by_cofactors && fixed <= inverted) {
    multiply_chain_block<fixed, fixed>(D, x, fixed);
  } else if constexpr (fixed > 0 && fixed <= by_cofactors) {
    using Vector = Eigen::Matrix<double, fixed, 1>;
    const Vector copy = Eigen::Map<const Vector>(x);
    Eigen::Map<Vector>(x).noalias() = Eigen::Map<const Eigen::Matrix<double, fixed, fixed>>(D).lazyProduct(copy);
  } else {
    small_lu_solve(D, fixed > 0 ? fixed : n, pivot, x);
  }
}

/// x := D⁻ᵀ x.
void solve_block_transpose(const double* D, int n, const int* pivot, double* x) {
  if (n > inverted) return small_lu_solve_transpose(D, n, pivot, x);
  double copy[inverted];
  std::copy(x, x + n, copy);
  for (int j = 0; j < n; ++j) {
    x[j] = 0;
    for (int i = 0; i < n; ++i) x[j] += D[i + j * n] * copy[i];
  }
}

/// y −= Aᵀ x, A being m × n.
void subtract_transpose_product(const double* A, const double* x, double* y, int m, int n) {
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) y[j] -= A[i + j * m] * x[i];
}

/// y −= A x, A being m × n.
template <int fixed>
void subtract_product(const double* A, const double* x, double* y, int m, int n) {
  if constexpr (fixed > by_cofactors) {
    chain_product<fixed, -1, fixed>(A, x, y, fixed, fixed);
  } else if constexpr (fixed > 0) {
    Eigen::Map<Eigen::Matrix<double, fixed, 1>>(y).noalias() -=
        Eigen::Map<const Eigen::Matrix<double, fixed, fixed>>(A).lazyProduct(
            Eigen::Map<const Eigen::Matrix<double, fixed, 1>>(x));
  } else {
    for (int l = 0; l < n; ++l)
      for (int i = 0; i < m; ++i) y[i] -= A[i + l * m] * x[l];
  }
}

}  // namespace

/// f(Size<n>, k, is_last) for all blocks of a chain; n is known to the compiler where it is common. is_last: the next
/// block, if any, has another size.
template <class F>
void BlockTridiagonal::for_each_block(const Chain& chain, F&& f) const {
  for (int first = chain.first, end = first; first < chain.end; first = end) {
    for (end = first + 1; end < chain.end && sizes_[end] == sizes_[first];) ++end;
    with_size(sizes_[first], [&](auto size) {
      for (int k = first; k < end; ++k) f(size, k, k + 1 == end);
    });
  }
}

// (L.3) Uₖ ← Dₖ⁻¹ Uₖ, Dₖ₊₁ ← Dₖ₊₁ − Lₖ Uₖ. What elimination leaves of a diagonal tells how far the rows of that block
// depend on those before it.
BlockTridiagonal::Found BlockTridiagonal::factor(const Chain& chain) {
  double left = 1;
  Found found{.suspect = chain.first};
  for_each_block(chain, [&]<int fixed>(Size<fixed>, int k, bool is_last) {
    if (!found.is_regular) return;
    const double ratio = left * factorize_block<fixed>(values_.data() + offsets_[k].diagonal, sizes_[k],
                                                       pivots_.data() + offsets_[k].row);
    if (!(ratio >= found.worst)) found.worst = ratio, found.suspect = k;
    found.is_regular = ratio > 0;
    if (!found.is_regular || k + 1 == chain.end) return;
    if constexpr (fixed == Eigen::Dynamic)
      left = eliminate<fixed>(k);
    else
      left = is_last ? eliminate<Eigen::Dynamic>(k) : eliminate<fixed>(k);
  });
  return found;
}

bool BlockTridiagonal::factorize() {
  chains_.for_each([this](int k, const Chain& chain) { found_[k] = factor(chain); });
  double worst = 1;
  suspect_ = blocks() > 0 ? 0 : -1;
  for (const Found& found : found_) {
    if (!(found.worst >= worst)) worst = found.worst, suspect_ = found.suspect;
    if (found.is_regular) continue;
    worst = 0;
    break;
  }
  rcond_ = std::isfinite(worst) ? worst : 0;
  return rcond_ > 0;
}

template <int fixed>
double BlockTridiagonal::eliminate(int k) {
  const int n = fixed > 0 ? fixed : sizes_[k], m = fixed > 0 ? fixed : sizes_[k + 1];
  const double* D = values_.data() + offsets_[k].diagonal;
  const int* pivot = pivots_.data() + offsets_[k].row;
  double* U = values_.data() + offsets_[k].upper;
  const double* L = values_.data() + offsets_[k].lower;
  double* next = values_.data() + offsets_[k + 1].diagonal;
  const double before = largest_diagonal(next, m);
  const auto solve_columns = [&]<int size>(Size<size>) {
    for (int j = 0; j < m; ++j) solve_block<size>(D, n, pivot, U + j * n);
  };
  if constexpr (fixed > 0)
    solve_columns(Size<fixed>{});
  else
    with_size(n, solve_columns);
  for (int j = 0; j < m; ++j) subtract_product<fixed>(L, U + j * n, next + j * m, m, n);
  return std::min(1.0, largest_diagonal(next, m) / before);
}

void BlockTridiagonal::solve(const Chain& chain, double* x) const {
  for_each_block(chain, [&]<int fixed>(Size<fixed>, int k, bool is_last) {
    const int n = fixed > 0 ? fixed : sizes_[k];
    const Offsets& at = offsets_[k];
    double* xk = x + at.row;
    solve_block<fixed>(values_.data() + at.diagonal, n, pivots_.data() + at.row, xk);
    if (k + 1 == chain.end) return;
    const double* L = values_.data() + at.lower;
    if (is_last)
      subtract_product<Eigen::Dynamic>(L, xk, xk + n, sizes_[k + 1], n);
    else
      subtract_product<fixed>(L, xk, xk + n, n, n);
  });
  for (int end = chain.end, first = end; end > chain.first; end = first) {
    for (first = end - 1; first > chain.first && sizes_[first - 1] == sizes_[end - 1];) --first;
    if (end < chain.end) subtract_upper<Eigen::Dynamic>(end - 1, x);
    with_size(sizes_[first], [&]<int fixed>(Size<fixed>) {
      for (int k = end - 2; k >= first; --k) subtract_upper<fixed>(k, x);
    });
  }
}

void BlockTridiagonal::solve(double* x) const {
  chains_.for_each([&](int, const Chain& chain) { solve(chain, x); });
}

/// xₖ −= Uₖ xₖ₊₁.
template <int fixed>
void BlockTridiagonal::subtract_upper(int k, double* x) const {
  const int n = fixed > 0 ? fixed : sizes_[k];
  double* xk = x + offsets_[k].row;
  subtract_product<fixed>(values_.data() + offsets_[k].upper, xk + n, xk, n, fixed > 0 ? fixed : sizes_[k + 1]);
}

// Aᵀ = (1 + Uᵀ)(Dᵀ + Lᵀ)
void BlockTridiagonal::solve_transpose(double* x) const {
  const auto part = [&](int k) { return x + offsets_[k].row; };
  for (int number = 0; number < chains_.count(); ++number) {
    const Chain& chain = chains_[number];
    for (int k = chain.first; k + 1 < chain.end; ++k)
      subtract_transpose_product(values_.data() + offsets_[k].upper, part(k), part(k + 1), sizes_[k], sizes_[k + 1]);
    for (int k = chain.end - 1; k >= chain.first; --k) {
      if (k + 1 < chain.end)
        subtract_transpose_product(values_.data() + offsets_[k].lower, part(k + 1), part(k), sizes_[k + 1], sizes_[k]);
      solve_block_transpose(values_.data() + offsets_[k].diagonal, sizes_[k], pivots_.data() + offsets_[k].row,
                            part(k));
    }
  }
}

std::optional<Inertia> BlockTridiagonal::inertia() const {
  if (!(rcond_ > 0)) return std::nullopt;
  Inertia sum;
  for (int k = 0; k < blocks(); ++k) {
    const int n = sizes_[k];
    const double* D = values_.data() + offsets_[k].diagonal;
    const Inertia block =
        n <= inverted
            ? inertia_of_symmetric(Eigen::Map<const Eigen::MatrixXd>(D, n, n))  // the inverse has the same signs
            : inertia_of_symmetric(small_lu_product(D, n, pivots_.data() + offsets_[k].row));
    sum.positive += block.positive, sum.negative += block.negative, sum.zero += block.zero;
  }
  return sum;
}

}  // namespace filum::linalg
