/// Elimination along a band. Theory: docs/theory/solver.md, sec. 4.
#include <filum/linalg/banded_lu.hpp>
#include <filum/linalg/small_lu.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace filum::linalg {

BandedLu::BandedLu(int size, int below, int above)
    : size_(size),
      below_(below),
      above_(above),
      width_(2 * below + above + 1),
      values_(std::size_t(size) * width_),
      factors_(std::size_t(size) * below),
      scale_(size),
      pivots_(size) {}

void BandedLu::scale_rows() {
  for (int i = 0; i < size_; ++i) {
    const double* row = values_.data() + std::size_t(i) * width_;
    double largest = 0;
    for (int c = 0; c <= below_ + above_; ++c) largest = std::max(largest, std::abs(row[c]));
    scale_[i] = largest > 0 ? 1 / largest : 0;
  }
}

/// (L.6) The row whose entry in column k is largest compared with what the row had at the beginning.
int BandedLu::choose_pivot(int k, int last) const {
  int best = k;
  double size = -1;
  for (int i = k; i <= last; ++i)
    if (const double s = std::abs(values_[position(i, k)]) * scale_[i]; s > size) size = s, best = i;
  return best;
}

bool BandedLu::factorize() {
  reach_ = -1;
  scale_rows();
  rcond_ = 1;
  suspect_ = size_ > 0 ? 0 : -1;
  for (int k = 0; k < size_; ++k) {
    const int last = std::min(k + below_, size_ - 1), length = std::min(below_ + above_, size_ - 1 - k);
    const int p = choose_pivot(k, last);
    pivots_[k] = p;
    double* pivot_row = values_.data() + position(k, k);
    if (p != k) {
      std::swap_ranges(pivot_row, pivot_row + length + 1, values_.data() + position(p, k));
      std::swap(scale_[k], scale_[p]);
    }
    const double pivot = pivot_row[0], relative = std::abs(pivot) * scale_[k];
    if (!(relative > 0) || !std::isfinite(pivot)) {
      rcond_ = 0;
      suspect_ = k;
      return false;
    }
    if (relative < rcond_) rcond_ = relative, suspect_ = k;
    const double inverse = 1 / pivot;
    double* factor = factors_.data() + std::size_t(k) * below_;
    for (int i = k + 1; i <= last; ++i) {
      double* __restrict row = values_.data() + position(i, k);
      const double* __restrict source = pivot_row;
      const double f = row[0] * inverse;
      factor[i - k - 1] = f;
      if (f == 0) continue;  // multipliers have no entries among themselves: many rows have nothing to eliminate
      for (int c = 1; c <= length; ++c) row[c] -= f * source[c];
    }
    pivot_row[0] = inverse;
  }
  return true;
}

void BandedLu::solve(double* x) const {
  for (int k = 0; k < size_; ++k) {
    std::swap(x[k], x[pivots_[k]]);
    const double* __restrict factor = factors_.data() + std::size_t(k) * below_;
    const int count = std::min(below_, size_ - 1 - k);
    const double xk = x[k];
    double* __restrict rest = x + k + 1;
    for (int i = 0; i < count; ++i) rest[i] -= factor[i] * xk;
  }
  for (int k = size_ - 1; k >= 0; --k) {
    const double* row = values_.data() + position(k, k);
    const int length = std::min(below_ + above_, size_ - 1 - k);
    // Four sums, because one alone would wait for each addition.
    double sum[4] = {0, 0, 0, 0};
    int c = 1;
    for (; c + 3 <= length; c += 4)
      for (int l = 0; l < 4; ++l) sum[l] += row[c + l] * x[k + c + l];
    for (; c <= length; ++c) sum[0] += row[c] * x[k + c];
    x[k] = (x[k] - ((sum[0] + sum[1]) + (sum[2] + sum[3]))) * row[0];
  }
}

/// The same for a row of `width` numbers in place of each number.
template <int width>
void BandedLu::solve_rows(double* x) const {
  using Row = std::array<double, width>;
  const auto subtract = [](double* to, double f, const Row& from) {
    for (int l = 0; l < width; ++l) to[l] -= f * from[l];
  };
  const auto row_of = [&](int k) {
    Row row;
    std::copy_n(x + std::size_t(k) * width, width, row.begin());
    return row;
  };
  for (int k = 0; k < size_; ++k) {
    double* xk = x + std::size_t(k) * width;
    if (pivots_[k] != k) std::swap_ranges(xk, xk + width, x + std::size_t(pivots_[k]) * width);
    const double* factor = factors_.data() + std::size_t(k) * below_;
    const int count = std::min(below_, size_ - 1 - k);
    const Row from = row_of(k);
    for (int i = 0; i < count; ++i) subtract(xk + (i + 1) * width, factor[i], from);
  }
  for (int k = size_ - 1; k >= 0; --k) {
    const double* row = values_.data() + position(k, k);
    // Four sums, because one alone would wait for each addition; what was computed last comes last.
    Row sum[4] = {row_of(k), {}, {}, {}};
    int c = std::min(reach_, size_ - 1 - k);
    for (; c >= 4; c -= 4)
      for (int l = 0; l < 4; ++l) subtract(sum[3 - l].data(), row[c - l], row_of(k + c - l));
    for (; c >= 1; --c) subtract(sum[0].data(), row[c], row_of(k + c));
    for (int l = 0; l < width; ++l)
      x[std::size_t(k) * width + l] = ((sum[3][l] + sum[2][l]) + (sum[1][l] + sum[0][l])) * row[0];
  }
}

template <int width>
int BandedLu::solve_group(double* X, int count) {
  int done = 0;
  for (; done + width <= count; done += width) {
    double* first = X + std::size_t(done) * size_;
    for (int l = 0; l < width; ++l)
      for (int i = 0; i < size_; ++i) rows_[std::size_t(i) * width + l] = first[std::size_t(l) * size_ + i];
    solve_rows<width>(rows_.data());
    for (int l = 0; l < width; ++l)
      for (int i = 0; i < size_; ++i) first[std::size_t(l) * size_ + i] = rows_[std::size_t(i) * width + l];
  }
  return done;
}

void BandedLu::find_reach() {
  if (reach_ >= 0) return;
  reach_ = 0;
  for (int k = 0; k < size_; ++k) {
    const double* row = values_.data() + position(k, k);
    int c = std::min(below_ + above_, size_ - 1 - k);
    while (c > reach_ && row[c] == 0) --c;
    reach_ = std::max(reach_, c);
  }
}

void BandedLu::solve_columns(double* X, int count) {
  find_reach();
  if (const std::size_t needed = std::size_t(size_) * (count < 4 ? 2 : 4); rows_.size() < needed) rows_.resize(needed);
  int done = solve_group<4>(X, count);
  done += solve_group<2>(X + std::size_t(done) * size_, count - done);
  Factor::solve_columns(X + std::size_t(done) * size_, count - done);
}

void BandedLu::solve_transpose(double* x) const {
  for (int k = 0; k < size_; ++k) {
    const double* __restrict row = values_.data() + position(k, k);
    const int length = std::min(below_ + above_, size_ - 1 - k);
    const double xk = x[k] *= row[0];
    double* __restrict rest = x + k;
    for (int c = 1; c <= length; ++c) rest[c] -= row[c] * xk;
  }
  for (int k = size_ - 1; k >= 0; --k) {
    const double* factor = factors_.data() + std::size_t(k) * below_;
    const int count = std::min(below_, size_ - 1 - k);
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += factor[i] * x[k + 1 + i];
    x[k] -= sum;
    std::swap(x[k], x[pivots_[k]]);
  }
}

int BandedLu::suspect() const { return suspect_ < 0 ? -1 : original_row(pivots_.data(), suspect_); }

}  // namespace filum::linalg
