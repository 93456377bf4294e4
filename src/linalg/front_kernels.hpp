/// Dense kernels of a front: products in tiles, and LU that may leave pivots to others. Sums run over the inner index
/// in ascending order, one by one, whatever the width of the machine. Theory: docs/theory/solver.md, sec. 5 and 6.
#pragma once

#include <filum/linalg/team.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace filum::linalg::front {

/// Rows of a tile. A column of a front has this many zeros behind its last row, so that every tile is complete.
constexpr int tile_rows = 8;
/// Numbers in a register. Loads and stores need no alignment.
#if defined(__AVX512F__)
constexpr int packet_size = 8;
#elif defined(__AVX__)
constexpr int packet_size = 4;
#else
constexpr int packet_size = 2;
#endif
constexpr int packets = tile_rows / packet_size;
constexpr int tile_columns = packet_size;
using Packet __attribute__((vector_size(8 * packet_size), aligned(8), may_alias)) = double;

inline int leading_dimension(int rows) { return rows + tile_rows; }

/// f(first, end) for all of 0 … count − 1, in chunks of `size` shared with the team in use where the work, in
/// multiplications, is worth it: some 10 µs.
template <class F>
void for_each_chunk_if_large(double work, int count, int size, F&& f) {
  constexpr double large = 5e4;
  if (work < large) return f(0, count);
  for_each_chunk(count, size, f);
}

/// C −= A B for 8 rows and `columns` columns. A is 8 × depth, B depth × columns.
template <int columns>
inline void subtract_tile(const double* A, int lda, const double* B, int ldb, int depth, double* C, int ldc) {
  Packet sum[columns][packets] = {};
  for (int k = 0; k < depth; ++k) {
    Packet a[packets];
    for (int p = 0; p < packets; ++p)
      a[p] = *reinterpret_cast<const Packet*>(A + k * std::ptrdiff_t(lda) + p * packet_size);
    for (int j = 0; j < columns; ++j)
      for (int p = 0; p < packets; ++p) sum[j][p] += a[p] * B[k + j * std::ptrdiff_t(ldb)];
  }
  for (int j = 0; j < columns; ++j)
    for (int p = 0; p < packets; ++p)
      *reinterpret_cast<Packet*>(C + j * std::ptrdiff_t(ldc) + p * packet_size) -= sum[j][p];
}

template <int columns>
inline void subtract_strip(const double* A, int lda, const double* B, int ldb, int depth, double* C, int ldc,
                           int rows) {
  for (int i = 0; i < rows; i += tile_rows) subtract_tile<columns>(A + i, lda, B, ldb, depth, C + i, ldc);
}

/// C −= A B, all column-major; up to 7 rows behind the last one of A and C are read and written.
inline void subtract_product(const double* A, int lda, const double* B, int ldb, int depth, double* C, int ldc,
                             int rows, int columns) {
  int j = 0;
  const auto strips = [&]<int n>(std::integral_constant<int, n>) {
    for (; j + n <= columns; j += n)
      subtract_strip<n>(A, lda, B + j * std::ptrdiff_t(ldb), ldb, depth, C + j * std::ptrdiff_t(ldc), ldc, rows);
  };
  strips(std::integral_constant<int, tile_columns>{});
  if constexpr (tile_columns > 4) strips(std::integral_constant<int, 4>{});
  if constexpr (tile_columns > 2) strips(std::integral_constant<int, 2>{});
  strips(std::integral_constant<int, 1>{});
}

/// LU of the first columns of a front, as far as its pivots are good.
class PartialLu {
 public:
  /// A is size × size; pivots are among the first `summed` rows and columns, whose names are exchanged with them.
  PartialLu(double* A, int size, int summed, int* row_names, int* column_names)
      : A_(A), ld_(leading_dimension(size)), n_(size), summed_(summed), rows_(row_names), columns_(column_names) {}

  /// Returns how many pivots were found; they stand first. A pivot is at least `threshold` times every number below it.
  int run(double threshold) {
    int last = summed_;  // columns from here on were refused
    bool progress = false;
    for (;;) {
      if (end_ == last) {
        if (last == summed_ || !progress) break;
        finish_panel(end_);
        last = summed_, progress = false;
      }
      if (end_ - begin_ == panel) finish_panel(end_);
      update_column(end_);
      if (const int row = find_pivot(threshold); row >= 0) {
        eliminate(row);
        progress = true;
      } else {
        finish_panel(end_ + 1);
        swap_columns(end_, --last);
      }
    }
    finish_panel(end_);
    return end_;
  }

  double smallest() const { return smallest_; }
  double largest() const { return largest_; }
  /// Name of the row of the smallest pivot.
  int suspect() const { return suspect_; }

 private:
  static constexpr int panel = 32;

  double* column(int j) const { return A_ + j * std::ptrdiff_t(ld_); }

  /// Pivots of this panel have not reached the column yet.
  void update_column(int j) {
    double* x = column(j);
    for (int k = begin_; k < end_; ++k) {
      const double* l = column(k);
      for (int i = k + 1; i < end_; ++i) x[i] -= l[i] * x[k];
    }
    if (end_ > begin_)
      subtract_strip<1>(column(begin_) + end_, ld_, x + begin_, ld_, end_ - begin_, x + end_, ld_, n_ - end_);
  }

  /// −1: none is good enough.
  int find_pivot(double threshold) const {
    const double* x = column(end_);
    int row = end_;
    for (int i = end_ + 1; i < summed_; ++i)
      if (std::abs(x[i]) > std::abs(x[row])) row = i;
    double below = 0;
    for (int i = summed_; i < n_; ++i) below = std::max(below, std::abs(x[i]));
    return std::abs(x[row]) > 0 && std::abs(x[row]) >= threshold * below ? row : -1;
  }

  void eliminate(int row) {
    if (row != end_) {
      for (int j = 0; j < n_; ++j) std::swap(column(j)[row], column(j)[end_]);
      std::swap(rows_[row], rows_[end_]);
    }
    double* x = column(end_);
    const double size = std::abs(x[end_]), inverse = 1 / x[end_];
    if (!(size >= smallest_)) smallest_ = size, suspect_ = rows_[end_];
    largest_ = std::max(largest_, size);
    for (int i = end_ + 1; i < n_; ++i) x[i] *= inverse;
    ++end_;
  }

  /// Takes the pivots of the panel to all columns from `first` on.
  void finish_panel(int first) {
    const int depth = end_ - begin_, columns = n_ - first;
    if (depth > 0 && columns > 0)
      for_each_chunk_if_large(double(n_ - begin_) * depth * columns, columns, panel, [&](int from, int to) {
        solve_panel(first + from, first + to, depth);
        subtract_product(column(begin_) + end_, ld_, column(first + from) + begin_, ld_, depth,
                         column(first + from) + end_, ld_, n_ - end_, to - from);
      });
    begin_ = end_;
  }

  /// Rows of the upper factor in columns first … last − 1: the lower triangle of the panel, without its rows below,
  /// solved with.
  void solve_panel(int first, int last, int depth) {
    constexpr int group = 4;
    alignas(64) double L[panel * panel] = {};
    alignas(64) double X[group * panel];
    const int padded = (depth + tile_rows - 1) / tile_rows * tile_rows;
    for (int k = 0; k < depth; ++k)
      std::copy(column(begin_ + k) + begin_ + k + 1, column(begin_ + k) + end_, L + k * panel + k + 1);
    for (int j = first; j < last; j += group) {
      const int count = std::min(group, last - j);
      for (int c = 0; c < group; ++c) {
        double* x = X + c * panel;
        if (c < count) std::copy(column(j + c) + begin_, column(j + c) + end_, x);
        std::fill(x + (c < count ? depth : 0), x + padded, 0.0);
      }
      for (int k = 0; k < padded; k += tile_rows) {
        if (k > 0) subtract_tile<group>(L + k, panel, X, panel, k, X + k, panel);
        for (int c = 0; c < count; ++c) solve_tile(L + k * panel + k, X + c * panel + k);
      }
      for (int c = 0; c < count; ++c) std::copy(X + c * panel, X + c * panel + depth, column(j + c) + begin_);
    }
  }

  /// L has ones on its diagonal, and zeros there and above in memory.
  static void solve_tile(const double* L, double* x) {
    Packet y[packets];
    for (int p = 0; p < packets; ++p) y[p] = *reinterpret_cast<const Packet*>(x + p * packet_size);
    for (int k = 0; k < tile_rows - 1; ++k) {
      const double xk = y[k / packet_size][k % packet_size];
      for (int p = 0; p < packets; ++p) y[p] -= xk * *reinterpret_cast<const Packet*>(L + k * panel + p * packet_size);
    }
    for (int p = 0; p < packets; ++p) *reinterpret_cast<Packet*>(x + p * packet_size) = y[p];
  }

  void swap_columns(int a, int b) {
    if (a == b) return;
    std::swap_ranges(column(a), column(a) + n_, column(b));
    std::swap(columns_[a], columns_[b]);
  }

  double* A_;
  int ld_, n_, summed_;
  int *rows_, *columns_;
  int begin_ = 0, end_ = 0;  ///< pivots of the panel: those before have reached all columns
  double smallest_ = HUGE_VAL, largest_ = 0;
  int suspect_ = -1;
};

}  // namespace filum::linalg::front
