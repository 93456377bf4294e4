/// KLU behind a small interface. Theory: docs/theory/solver.md, sec. 4.
#include <filum/linalg/sparse_lu.hpp>

#include <klu.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace filum::linalg {

struct SparseLu::Data {
  int size = 0;
  std::vector<int> column_start, row_index;
  std::vector<double> values;
  klu_common common{};
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;

  ~Data() {
    if (numeric) klu_free_numeric(&numeric, &common);
    if (symbolic) klu_free_symbolic(&symbolic, &common);
  }

  bool factor_anew() {
    if (numeric) klu_free_numeric(&numeric, &common);
    numeric = klu_factor(column_start.data(), row_index.data(), values.data(), symbolic, &common);
    return numeric != nullptr && common.status == KLU_OK;
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
std::vector<double>& SparseLu::values() { return data_->values; }

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
  const bool kept = klu_refactor(d.column_start.data(), d.row_index.data(), d.values.data(), d.symbolic, d.numeric, &d.common) != 0 &&
                    d.common.status == KLU_OK;
  // The old pivot order is kept unless some pivot has become small against its column.
  constexpr double smallest_growth = 1e-8;
  if (kept && klu_rgrowth(d.column_start.data(), d.row_index.data(), d.values.data(), d.symbolic, d.numeric, &d.common) != 0 &&
      d.common.rgrowth > smallest_growth)
    return true;
  return d.factor_anew();
}

double SparseLu::rcond() const {
  Data& d = *data_;
  if (d.numeric == nullptr) return 0;
  klu_rcond(d.symbolic, d.numeric, &d.common);
  return d.common.rcond;
}

void SparseLu::solve(double* x) const { klu_solve(data_->symbolic, data_->numeric, data_->size, 1, x, &data_->common); }

}  // namespace filum::linalg
