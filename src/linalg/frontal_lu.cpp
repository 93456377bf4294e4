/// Assembly and elimination of fronts. Theory: docs/theory/solver.md, sec. 5.
#include "front_kernels.hpp"

#include <filum/linalg/frontal_lu.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <tuple>

namespace filum::linalg {
namespace {

/// A pivot is at least this times all entries below it, (L.9).
constexpr double threshold = 0.1;

/// Grows a buffer only when it has to, and then by more than it has to.
template <class T>
void make_room(std::vector<T>& buffer, std::size_t size) {
  if (buffer.size() < size) buffer.resize(size + size / 4);
}

/// 2ᵏ with 2ᵏ x in [1, 2).
double scale_of(double x) { return x > 0 ? std::ldexp(1.0, -std::ilogb(x)) : 1.0; }

}  // namespace

FrontalLu::FrontalLu(FrontTree tree, const std::vector<std::pair<int, int>>& entries) : tree_(std::move(tree)) {
  const std::size_t n = tree_.place.size();
  struct Placed {
    int front;
    Entry at;
    auto operator<=>(const Placed& o) const {
      return std::tie(front, at.column, at.row) <=> std::tie(o.front, o.at.column, o.at.row);
    }
    bool operator==(const Placed&) const = default;
  };
  std::vector<Placed> all;
  all.reserve(entries.size());
  for (const auto& [row, column] : entries) {
    const int front = tree_.front_of[std::min(row, column)];
    const Front& f = tree_.fronts[front];
    all.push_back({front, {tree_.local(f, row), tree_.local(f, column)}});
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  first_entry_.assign(tree_.fronts.size() + 1, 0);
  for (const Placed& e : all) {
    entries_.push_back(e.at);
    ++first_entry_[e.front + 1];
  }
  for (std::size_t k = 0; k < tree_.fronts.size(); ++k) first_entry_[k + 1] += first_entry_[k];
  values_.assign(entries_.size(), 0.0);
  row_scale_.resize(n), column_scale_.resize(n), pivot_values_.resize(n);
  reserve();
}

// What a matrix needs that leaves no pivot to parents, and a little more.
void FrontalLu::reserve() {
  std::size_t factors = 0, names = 0, largest = 0, stack = 0, stack_peak = 0, stack_names = 0;
  std::vector<std::size_t> below;
  for (const Front& f : tree_.fronts) {
    const auto size = std::size_t(f.size()), own = std::size_t(f.own), border = std::size_t(f.border);
    factors += own * (size + border);
    names += 2 * size;
    largest = std::max(largest, size);
    for (int c = 0; c < f.children; ++c) stack -= below.back(), below.pop_back();
    below.push_back(border * border);
    stack += below.back();
    stack_peak = std::max(stack_peak, stack);
    stack_names += own;
  }
  make_room(factors_, factors);
  make_room(names_, names);
  make_room(stack_, stack_peak);
  make_room(stack_names_, std::min<std::size_t>(stack_names, 256));
  make_room(front_, largest * front::leading_dimension(static_cast<int>(largest)));
  make_room(local_, largest);
  factored_.resize(tree_.fronts.size());
  contributions_.reserve(tree_.fronts.size());
}

int FrontalLu::position(int row, int column) const {
  const int front = tree_.front_of[std::min(row, column)];
  const Front& f = tree_.fronts[front];
  const Entry e{tree_.local(f, row), tree_.local(f, column)};
  const auto by_column = [](const Entry& a, const Entry& b) {
    return std::tie(a.column, a.row) < std::tie(b.column, b.row);
  };
  const auto it = std::lower_bound(entries_.begin() + first_entry_[front], entries_.begin() + first_entry_[front + 1],
                                   e, by_column);
  assert(it != entries_.end() && *it == e && "entry outside the pattern");
  return static_cast<int>(it - entries_.begin());
}

// (L.10) Rows first, columns of what they have become after that. False when some value is not finite.
bool FrontalLu::equilibrate() {
  std::fill(row_scale_.begin(), row_scale_.end(), 0.0);
  std::fill(column_scale_.begin(), column_scale_.end(), 0.0);
  const auto for_each = [&](auto&& f) {
    for (std::size_t k = 0; k < tree_.fronts.size(); ++k) {
      const Front& front = tree_.fronts[k];
      const int* border = tree_.borders.data() + front.first_border - front.own;
      const auto place = [&](int local) { return local < front.own ? front.first + local : border[local]; };
      for (int e = first_entry_[k]; e < first_entry_[k + 1]; ++e)
        f(place(entries_[e].row), place(entries_[e].column), std::abs(values_[e]));
    }
  };
  double sum = 0;
  for_each([&](int row, int, double value) {
    row_scale_[row] = std::max(row_scale_[row], value);
    sum += 0 * value;
  });
  if (!(sum == 0)) return false;
  for (double& s : row_scale_) s = scale_of(s);
  for_each([&](int row, int column, double value) {
    column_scale_[column] = std::max(column_scale_[column], row_scale_[row] * value);
  });
  for (double& s : column_scale_) s = scale_of(s);
  return true;
}

bool FrontalLu::factorize() {
  used_ = used_names_ = stack_used_ = stack_names_used_ = 0;
  found_ = delayed_ = 0;
  contributions_.clear();
  smallest_ = HUGE_VAL, largest_ = rcond_ = 0, suspect_ = -1;
  if (!equilibrate()) return false;
  for (int k = 0; k < static_cast<int>(tree_.fronts.size()); ++k)
    if (!eliminate(k)) return false;
  rcond_ = size() == 0 ? 1 : smallest_ / largest_;
  if (!std::isfinite(rcond_)) rcond_ = 0;
  return rcond_ > 0;
}

int FrontalLu::left_by_children(const Front& f) const {
  int left = 0;
  for (auto c = contributions_.end() - f.children; c != contributions_.end(); ++c) left += c->left;
  return left;
}

bool FrontalLu::eliminate(int k) {
  const Front& f = tree_.fronts[k];
  const int left = left_by_children(f), size = f.size() + left, summed = f.own + left;
  assemble(f, k, left);
  int* rows = names_.data() + used_names_;
  front::PartialLu lu(front_.data(), size, summed, rows, rows + size);
  const int pivots = lu.run(threshold);
  if (pivots > 0 && !(lu.smallest() >= smallest_)) smallest_ = lu.smallest(), suspect_ = lu.suspect();
  largest_ = std::max(largest_, lu.largest());
  if (f.border == 0 && pivots < summed) {
    suspect_ = rows[pivots];
    return false;
  }
  keep(f, k, size, pivots);
  return true;
}

void FrontalLu::assemble(const Front& f, int k, int left) {
  const int size = f.size() + left, ld = front::leading_dimension(size);
  make_room(front_, std::size_t(ld) * size);
  make_room(local_, std::size_t(size));
  make_room(names_, used_names_ + 2 * std::size_t(size));
  std::fill_n(front_.data(), std::size_t(ld) * size, 0.0);
  int *rows = names_.data() + used_names_, *columns = rows + size;
  for (int i = 0; i < f.own; ++i) rows[i] = columns[i] = f.first + i;
  for (int i = 0; i < f.border; ++i)
    rows[f.own + left + i] = columns[f.own + left + i] = tree_.borders[f.first_border + i];

  const auto shifted = [&](int local) { return local < f.own ? local : local + left; };
  for (int e = first_entry_[k]; e < first_entry_[k + 1]; ++e) {
    const int row = shifted(entries_[e].row), column = shifted(entries_[e].column);
    front_[row + std::size_t(column) * ld] = row_scale_[rows[row]] * values_[e] * column_scale_[columns[column]];
  }
  int first_left = f.own;
  for (int c = 0; c < f.children; ++c) {
    const Contribution& child = contributions_.back();
    for (int i = 0; i < child.left; ++i) {
      rows[first_left + i] = stack_names_[child.names + i];
      columns[first_left + i] = stack_names_[child.names + child.left + i];
    }
    add_child(f, child, first_left, left);
    first_left += child.left;
    stack_used_ = child.values, stack_names_used_ = child.names;
    contributions_.pop_back();
  }
}

void FrontalLu::add_child(const Front& parent, const Contribution& c, int first_left, int left) {
  const Front& child = tree_.fronts[c.front];
  const int ld = front::leading_dimension(parent.size() + left), size = child.border + c.left;
  const FrontRun *begin = tree_.runs.data() + child.first_run, *end = begin + child.runs;
  const auto shifted = [&](int local) { return local < parent.own ? local : local + left; };
  const auto add_column = [&](int from, int to) {
    const double* source = stack_.data() + c.values + std::size_t(from) * size;
    double* target = front_.data() + std::size_t(to) * ld;
    for (int i = 0; i < c.left; ++i) target[first_left + i] += source[i];
    for (const FrontRun* run = begin; run != end; ++run) {
      const double* s = source + c.left + run->from;
      double* t = target + shifted(run->to);
      for (int i = 0; i < run->length; ++i) t[i] += s[i];
    }
  };
  for (int j = 0; j < c.left; ++j) add_column(j, first_left + j);
  for (const FrontRun* run = begin; run != end; ++run)
    for (int j = 0; j < run->length; ++j) add_column(c.left + run->from + j, shifted(run->to) + j);
}

// The factors go to their place, what is left onto the stack.
void FrontalLu::keep(const Front& f, int k, int size, int pivots) {
  const int ld = front::leading_dimension(size), rest = size - pivots, left = rest - f.border;
  make_room(factors_, used_ + std::size_t(pivots) * (size + rest));
  factored_[k] = {.size = size, .pivots = pivots, .first_pivot = found_, .names = used_names_, .values = used_};
  double* to = factors_.data() + used_;
  for (int j = 0; j < size; ++j) to = std::copy_n(front_.data() + std::size_t(j) * ld, j < pivots ? size : pivots, to);
  used_ += std::size_t(pivots) * (size + rest);
  found_ += pivots, delayed_ += left;
  if (f.border > 0) {
    make_room(stack_, stack_used_ + std::size_t(rest) * rest);
    make_room(stack_names_, stack_names_used_ + 2 * std::size_t(left));
    contributions_.push_back({.front = k, .left = left, .names = stack_names_used_, .values = stack_used_});
    const int *rows = names_.data() + used_names_ + pivots, *columns = rows + size;
    std::copy_n(rows, left, stack_names_.data() + stack_names_used_);
    std::copy_n(columns, left, stack_names_.data() + stack_names_used_ + left);
    double* out = stack_.data() + stack_used_;
    for (int j = pivots; j < size; ++j) out = std::copy_n(front_.data() + std::size_t(j) * ld + pivots, rest, out);
    stack_used_ += std::size_t(rest) * rest;
    stack_names_used_ += 2 * std::size_t(left);
  }
  used_names_ += 2 * std::size_t(size);
}

}  // namespace filum::linalg
