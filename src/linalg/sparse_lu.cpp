/// KLU behind a small interface. Theory: docs/theory/solver.md, sec. 4.
#include <filum/linalg/sparse_lu.hpp>

#include <klu.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>

namespace filum::linalg {

struct SparseLu::Data {
  int size = 0;
  std::vector<int> column_start, row_index;
  std::vector<double> values;
  std::vector<double> chosen_from;  ///< the values that the pivot order was chosen for; empty: there is none
  klu_common common{};
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
  int singular_column = -1;

  ~Data() {
    if (numeric) klu_free_numeric(&numeric, &common);
    if (symbolic) klu_free_symbolic(&symbolic, &common);
  }

  void forget() {
    if (numeric) klu_free_numeric(&numeric, &common);
    chosen_from.clear();
  }

  bool factor_anew() {
    forget();
    numeric = klu_factor(column_start.data(), row_index.data(), values.data(), symbolic, &common);
    const bool ok = numeric != nullptr && common.status == KLU_OK;
    singular_column = ok ? -1 : common.singular_col;
    if (ok)
      chosen_from = values;
    else
      forget();               // the pivots of a singular matrix are of no use to the next one
    return ok && refactor();  // so that all factors come about in the same way, whenever the order was chosen
  }

  bool refactor() {
    return klu_refactor(column_start.data(), row_index.data(), values.data(), symbolic, numeric, &common) != 0 &&
           common.status == KLU_OK;
  }
};

SparseLu::SparseLu(int size, const std::vector<std::pair<int, int>>& entries) : data_(std::make_unique<Data>()) {
  Data& d = *data_;
  d.size = size;
  std::vector<std::pair<int, int>> sorted;
  sorted.reserve(entries.size());
  for (const auto& [row, column] : entries) sorted.emplace_back(column, row);
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  d.column_start.assign(size + 1, 0);
  for (const auto& [column, row] : sorted) {
    ++d.column_start[column + 1];
    d.row_index.push_back(row);
  }
  for (int c = 0; c < size; ++c) d.column_start[c + 1] += d.column_start[c];
  d.values.assign(sorted.size(), 0.0);
  klu_defaults(&d.common);
  d.symbolic = klu_analyze(size, d.column_start.data(), d.row_index.data(), &d.common);
}

SparseLu::~SparseLu() = default;
SparseLu::SparseLu(SparseLu&&) noexcept = default;
SparseLu& SparseLu::operator=(SparseLu&&) noexcept = default;

int SparseLu::size() const { return data_->size; }
std::span<double> SparseLu::values() { return data_->values; }

int SparseLu::position(int row, int column) const {
  const auto begin = data_->row_index.begin() + data_->column_start[column];
  const auto end = data_->row_index.begin() + data_->column_start[column + 1];
  const auto it = std::lower_bound(begin, end, row);
  assert(it != end && *it == row && "entry outside the pattern");
  return static_cast<int>(it - data_->row_index.begin());
}

bool SparseLu::factorize() {
  Data& d = *data_;
  if (!std::all_of(d.values.begin(), d.values.end(), [](double x) { return std::isfinite(x); })) return false;
  if (d.symbolic == nullptr) return false;
  if (d.numeric == nullptr) return d.factor_anew();
  // The old pivot order is kept unless some pivot has become small against its column.
  constexpr double smallest_growth = 1e-8;
  if (d.refactor() &&
      klu_rgrowth(d.column_start.data(), d.row_index.data(), d.values.data(), d.symbolic, d.numeric, &d.common) != 0 &&
      d.common.rgrowth > smallest_growth)
    return true;
  return d.factor_anew();
}

double SparseLu::rcond() const {
  Data& d = *data_;
  if (d.numeric == nullptr) return 0;
  klu_rcond(d.symbolic, d.numeric, &d.common);
  return std::isfinite(d.common.rcond) ? d.common.rcond : 0;
}

void SparseLu::solve(double* x) const { klu_solve(data_->symbolic, data_->numeric, data_->size, 1, x, &data_->common); }

void SparseLu::solve_columns(double* X, int count) {
  klu_solve(data_->symbolic, data_->numeric, data_->size, count, X, &data_->common);
}

void SparseLu::solve_transpose(double* x) const {
  klu_tsolve(data_->symbolic, data_->numeric, data_->size, 1, x, &data_->common);
}

int SparseLu::suspect() const {
  const Data& d = *data_;
  if (d.numeric == nullptr) return d.singular_column < d.size ? d.singular_column : -1;  // structure is symmetric
  const auto* pivots = static_cast<const double*>(d.numeric->Udiag);
  int at = -1;
  for (int k = 0; k < d.size; ++k)
    if (at < 0 || !(std::abs(pivots[k]) >= std::abs(pivots[at]))) at = k;
  return at < 0 ? -1 : d.numeric->Pnum[at];
}

std::span<const double> SparseLu::pivots_chosen_from() const { return data_->chosen_from; }

void SparseLu::choose_pivots(std::span<const double> values) {
  Data& d = *data_;
  if (values.size() != d.values.size())
    throw std::invalid_argument("these pivots belong to a matrix with another pattern");
  std::copy(values.begin(), values.end(), d.values.begin());
  d.factor_anew();
}

void SparseLu::forget_pivots() { data_->forget(); }

}  // namespace filum::linalg
