/// Elimination block by block along a chain. Theory: docs/theory/solver.md, sec. 4.
#include "block_shapes.hpp"
#include "chain_kernels.hpp"

#include <filum/linalg/chain_lu.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace filum::linalg {
namespace {

/// (L.21) Measured: 1e-15 on beams, 1e-11 on chains of thin rods with revolute joints.
constexpr double largest_backward_error = 1e-10;

static_assert(ChainLu::largest_block <= most_rows);

/// Up to this many unknowns the memory of a band that may never be needed does not matter: less than 3 MB.
constexpr int cheap_band = 4096;

/// Calls f(Size<n>) where n is common: a rigid motion alone, with 2, 3, 5 or 6 rows; in pairs, (L.7), with 0, 2 or 3.
template <class F>
auto with_chain_size(int n, F&& f) {
  switch (n) {
    case 6: return f(Size<6>{});
    case 8: return f(Size<8>{});
    case 9: return f(Size<9>{});
    case 11: return f(Size<11>{});
    case 12: return f(Size<12>{});
    case 16: return f(Size<16>{});
    case 18: return f(Size<18>{});
    default: return f(AnySize{});
  }
}

}  // namespace

ChainLu::ChainLu(const std::vector<int>& sizes, const std::vector<int>& beginnings)
    : chains_(static_cast<int>(sizes.size()), beginnings), found_(static_cast<std::size_t>(chains_.count())) {
  int row = 0, at = 0, factor_at = 0;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const int n = sizes[k], next = chains_.has_next(static_cast<int>(k)) ? sizes[k + 1] : 0;
    assert(n <= largest_block);
    const int diagonal = padded(n) * n, lower = padded(next) * n, upper = padded(n) * next;
    blocks_.push_back({row, n, at, at + diagonal, at + diagonal + lower, factor_at, factor_at + diagonal});
    at += diagonal + lower + upper;
    factor_at += diagonal + upper;
    block_of_.insert(block_of_.end(), static_cast<std::size_t>(n), static_cast<int>(k));
    row += n;
    bandwidth_ = std::max(bandwidth_, n + next - 1);
  }
  values_.assign(static_cast<std::size_t>(at), 0.0);
  factors_.assign(static_cast<std::size_t>(factor_at), 0.0);
  for (std::vector<double>* x : {&scale_, &x_, &residual_}) x->assign(static_cast<std::size_t>(row), 0.0);
  if (size() <= cheap_band) band_ = std::make_unique<BandedLu>(size(), bandwidth_, bandwidth_);
}

int ChainLu::position(int row, int column) const {
  const int i = block_of_[row], j = block_of_[column];
  assert(std::abs(i - j) <= 1 && "entry outside the pattern");
  const int start = i == j ? blocks_[i].diagonal : i > j ? blocks_[j].lower : blocks_[i].upper;
  return start + (row - blocks_[i].row) + (column - blocks_[j].row) * padded(blocks_[i].size);
}

int ChainLu::common_size(int k) const {
  const int n = blocks_[k].size;
  return next_size(k) == n ? n : 0;
}

/// False when some value is not finite.
bool ChainLu::scale_rows(const Chain& chain) {
  const int first_row = blocks_[chain.first].row, end_row = blocks_[chain.end - 1].row + blocks_[chain.end - 1].size;
  std::fill(scale_.begin() + first_row, scale_.begin() + end_row, 0.0);
  double sum = 0;
  const auto add = [&](int row, int rows, int columns, int at) {
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i) {
        const double value = std::abs(values_[at + i + j * padded(rows)]);
        scale_[row + i] = std::max(scale_[row + i], value);
        sum += 0 * value;
      }
  };
  for (int k = chain.first; k < chain.end; ++k) {
    const Block& b = blocks_[k];
    add(b.row, b.size, b.size, b.diagonal);
    add(b.row, b.size, next_size(k), b.upper);
    add(b.row + b.size, next_size(k), b.size, b.lower);
  }
  for (int i = first_row; i < end_row; ++i) scale_[i] = scale_[i] > 0 ? 1 / scale_[i] : 0;
  return sum == 0;
}

// (L.20) Dₖ⁻¹, Wₖ = Dₖ⁻¹ Uₖ, Dₖ₊₁ ← Dₖ₊₁ − Lₖ Wₖ
bool ChainLu::eliminate(const Chain& chain, Found& found) {
  found.rcond = 1, found.suspect = blocks_[chain.first].row;
  for (int k = chain.first; k < chain.end; ++k)
    std::copy_n(values_.data() + blocks_[k].diagonal, padded(blocks_[k].size) * blocks_[k].size,
                factors_.data() + blocks_[k].inverse);
  for (int k = chain.first; k < chain.end; ++k) {
    const Block& b = blocks_[k];
    const int n = b.size, m = next_size(k);
    double *D = factors_.data() + b.inverse, *W = factors_.data() + b.factor;
    const ChainPivots pivots = with_chain_size(n, [&]<int fixed>(Size<fixed>) {
      return invert_chain_block<fixed>(D, n, [scale = scale_.data() + b.row](int i) { return scale[i]; });
    });
    if (!(pivots.smallest > 0)) return false;
    if (pivots.smallest < found.rcond) found.rcond = pivots.smallest, found.suspect = b.row + pivots.row;
    if (m == 0) continue;
    const double *U = values_.data() + b.upper, *L = values_.data() + b.lower;
    double* next = factors_.data() + blocks_[k + 1].inverse;
    with_chain_size(common_size(k), [&]<int fixed>(Size<fixed>) {
      const int rows = padded(n), next_rows = padded(m);
      std::fill_n(W, rows * m, 0.0);
      for (int j = 0; j < m; ++j) {
        chain_product<fixed, 1>(D, U + j * rows, W + j * rows, n, n);
        chain_product<fixed, -1>(L, W + j * rows, next + j * next_rows, m, n);
      }
    });
  }
  return true;
}

// (L.21) |b − A x| against |A| |x| + |b|, row by row, for one right-hand side of the size of the rows.
bool ChainLu::is_accurate(const Chain& chain) {
  const int first = blocks_[chain.first].row, end = blocks_[chain.end - 1].row + blocks_[chain.end - 1].size;
  const auto right = [&](int i) {
    const double size = scale_[i] > 0 ? 1 / scale_[i] : 0;
    return (static_cast<std::uint32_t>(i) * 2654435761u) >> 31 ? size : -size;
  };
  for (int i = first; i < end; ++i) x_[i] = residual_[i] = right(i);
  solve_group(chain, x_.data(), 1, 0);
  // What stands in scale_ is no longer needed: the sizes of the terms of each row.
  for (int i = first; i < end; ++i) scale_[i] = std::abs(residual_[i]);
  const auto subtract = [&](int row, int column, int rows, int columns, int at) {
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i) {
        const double term = values_[at + i + j * padded(rows)] * x_[column + j];
        residual_[row + i] -= term;
        scale_[row + i] += std::abs(term);
      }
  };
  for (int k = chain.first; k < chain.end; ++k) {
    const Block& b = blocks_[k];
    subtract(b.row, b.row, b.size, b.size, b.diagonal);
    subtract(b.row, b.row + b.size, b.size, next_size(k), b.upper);
    subtract(b.row + b.size, b.row, next_size(k), b.size, b.lower);
  }
  bool accurate = true;
  for (int i = first; i < end; ++i) accurate &= std::abs(residual_[i]) <= largest_backward_error * scale_[i];
  return accurate;
}

bool ChainLu::factorize_band() {
  band_in_use_ = true;
  if (!band_) band_ = std::make_unique<BandedLu>(size(), bandwidth_, bandwidth_);
  band_->clear();
  const auto copy = [&](int row, int column, int rows, int columns, int at) {
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i)
        band_->values()[static_cast<std::size_t>(band_->position(row + i, column + j))] =
            values_[at + i + j * padded(rows)];
  };
  for (int k = 0; k < blocks(); ++k) {
    const Block& b = blocks_[k];
    copy(b.row, b.row, b.size, b.size, b.diagonal);
    copy(b.row, b.row + b.size, b.size, next_size(k), b.upper);
    copy(b.row + b.size, b.row, next_size(k), b.size, b.lower);
  }
  return band_->factorize();
}

// Rows are scaled as if all chains were one: their numbers do not depend on each other.
bool ChainLu::factorize_chains() {
  chains_.for_each([this](int k, const Chain& chain) {
    Found& found = found_[k];
    found = {};
    if (scale_rows(chain)) found.ok = eliminate(chain, found) && is_accurate(chain);
  });
  rcond_ = 1, suspect_ = size() > 0 ? 0 : -1;
  bool ok = true;
  for (const Found& found : found_) {
    ok = ok && found.ok;
    if (found.rcond < rcond_) rcond_ = found.rcond, suspect_ = found.suspect;
  }
  return ok;
}

bool ChainLu::factorize() {
  band_in_use_ = false;
  if (factorize_chains()) return true;
  for (const double value : values_)
    if (!std::isfinite(value)) {
      rcond_ = 0, suspect_ = -1;
      return false;
    }
  return factorize_band();
}

// Block by block, and in each of them column by column: its factors are in the cache then.
void ChainLu::solve_group(const Chain& chain, double* X, int count, std::size_t stride) const {
  for (int k = chain.first; k < chain.end; ++k) {
    const Block& b = blocks_[k];
    const int n = b.size, m = next_size(k), common = common_size(k);
    const double *D = factors_.data() + b.inverse, *L = values_.data() + b.lower;
    with_chain_size(n, [&]<int fixed>(Size<fixed>) {
      for (int c = 0; c < count; ++c) multiply_chain_block<fixed>(D, X + c * stride + b.row, n);
    });
    if (m == 0) continue;
    with_chain_size(common, [&]<int fixed>(Size<fixed>) {
      for (int c = 0; c < count; ++c) {
        double* x = X + c * stride + b.row;
        chain_product<fixed, -1>(L, x, x + n, m, n);
      }
    });
  }
  for (int k = chain.end - 2; k >= chain.first; --k) {
    const Block& b = blocks_[k];
    const int n = b.size, m = next_size(k);
    const double* W = factors_.data() + b.factor;
    with_chain_size(common_size(k), [&]<int fixed>(Size<fixed>) {
      for (int c = 0; c < count; ++c) {
        double* x = X + c * stride + b.row;
        chain_product<fixed, -1>(W, x + n, x, n, m);
      }
    });
  }
}

void ChainLu::solve_group(double* X, int count, std::size_t stride) const {
  chains_.for_each([&](int, const Chain& chain) { solve_group(chain, X, count, stride); });
}

void ChainLu::solve(double* x) const { band_in_use_ ? band_->solve(x) : solve_group(x, 1, 0); }

void ChainLu::solve_columns(double* X, int count) {
  if (band_in_use_) return band_->solve_columns(X, count);
  constexpr int group = 8;
  const auto n = static_cast<std::size_t>(size());
  for (int first = 0; first < count; first += group)
    solve_group(X + std::size_t(first) * n, std::min(group, count - first), n);
}

// Aᵀ = (1 + Wᵀ)(Dᵀ + Lᵀ)
void ChainLu::solve_transpose(double* x) const {
  if (band_in_use_) return band_->solve_transpose(x);
  const auto part = [&](int k) { return x + blocks_[k].row; };
  for (int k = 0; k + 1 < blocks(); ++k)
    if (next_size(k) > 0)
      subtract_chain_transpose(factors_.data() + blocks_[k].factor, part(k), part(k + 1), blocks_[k].size,
                               next_size(k));
  for (int k = blocks() - 1; k >= 0; --k) {
    const Block& b = blocks_[k];
    if (next_size(k) > 0)
      subtract_chain_transpose(values_.data() + b.lower, part(k + 1), part(k), next_size(k), b.size);
    double copy[largest_block] = {};
    subtract_chain_transpose(factors_.data() + b.inverse, part(k), copy, b.size, b.size);
    for (int i = 0; i < b.size; ++i) part(k)[i] = -copy[i];
  }
}

}  // namespace filum::linalg
