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

/// A branch costs at least so many multiplications, some 50 µs, and at most this share of all or a little more than
/// that: enough branches for many threads, and little left for the trunk.
constexpr double least_branch = 1e5;
constexpr double branches_of_tree = 32;

/// Room in every branch for so many pivots that children leave to a parent.
constexpr std::size_t spare = 16;

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
  factored_.resize(tree_.fronts.size());
  find_branches();
  for (Branch& branch : branches_) reserve(branch);
  work_.resize(work_size_);
}

// (L.12) Neighbouring subtrees that cost at most a share of all, together at least half of it.
void FrontalLu::find_branches() {
  const int fronts = static_cast<int>(tree_.fronts.size());
  std::vector<double> cost(tree_.fronts.size(), 0.0);  // of subtrees, in multiplications
  double total = 0;
  for (int k = 0; k < fronts; ++k) {
    const Front& f = tree_.fronts[k];
    const double own = f.own, border = f.border, mine = own * (own * (own / 3 + border) + border * border);
    cost[k] += mine, total += mine;
    if (f.parent >= 0) cost[f.parent] += cost[k];
  }
  const double limit = std::max(least_branch, total / branches_of_tree);
  branch_of_.assign(tree_.fronts.size(), -1);
  std::vector<int> begins(tree_.fronts.size(), 0);  // first front of a subtree
  for (int k = 0; k < fronts; ++k) begins[k] = k;
  for (int k = 0; k < fronts; ++k)
    if (const int parent = tree_.fronts[k].parent; parent >= 0) begins[parent] = std::min(begins[parent], begins[k]);
  double of_branch = limit;
  for (int k = 0; k < fronts && total >= 4 * least_branch; ++k) {
    const int parent = tree_.fronts[k].parent;
    if (cost[k] > limit || (parent >= 0 && cost[parent] <= limit)) continue;
    const bool is_neighbour = !branches_.empty() && branches_.back().end == begins[k];
    if (!is_neighbour || of_branch + cost[k] > limit) branches_.push_back({begins[k], k + 1}), of_branch = 0;
    branches_.back().end = k + 1;
    of_branch += cost[k];
  }
  if (branches_.size() == 1) branches_.clear();
  for (const Branch& branch : branches_)
    std::fill(branch_of_.begin() + branch.first, branch_of_.begin() + branch.end, number_of(branch));
  branches_.push_back({0, fronts});
  for (int& branch : branch_of_)
    if (branch < 0) branch = trunk();
  name_borders();
}

void FrontalLu::name_borders() {
  border_names_ = tree_.borders;
  work_size_ = tree_.place.size();
  for (int b = 0; b < trunk(); ++b) {
    Branch& branch = branches_[b];
    const Front& last = tree_.fronts[branch.end - 1];
    const int end = last.first + last.own;
    for (int k = branch.first; k < branch.end; ++k)
      for (const int place : tree_.border(tree_.fronts[k]))
        if (place >= end) branch.outer.push_back(place);
    std::sort(branch.outer.begin(), branch.outer.end());
    branch.outer.erase(std::unique(branch.outer.begin(), branch.outer.end()), branch.outer.end());
    branch.outer_at = work_size_;
    for (int k = branch.first; k < branch.end; ++k) {
      const Front& f = tree_.fronts[k];
      for (int i = f.first_border; i < f.first_border + f.border; ++i)
        if (const int place = tree_.borders[i]; place >= end)
          border_names_[i] = static_cast<int>(
              work_size_ + (std::lower_bound(branch.outer.begin(), branch.outer.end(), place) - branch.outer.begin()));
    }
    work_size_ += branch.outer.size();
  }
}

// What a matrix needs that leaves no pivot to parents, and a little more.
void FrontalLu::reserve(Branch& branch) {
  std::size_t factors = 0, names = 0, largest = 0, stack = 0, stack_peak = 0, stack_names = 0;
  std::vector<std::pair<int, std::size_t>> below;  // parent and size
  for (int k = branch.first; k < branch.end; ++k) {
    if (branch_of_[k] != number_of(branch)) continue;
    const Front& f = tree_.fronts[k];
    const auto size = std::size_t(f.size()), own = std::size_t(f.own), border = std::size_t(f.border);
    factors += own * (size + border);
    names += 2 * size;
    largest = std::max(largest, size);
    for (; !below.empty() && below.back().first == k; below.pop_back()) stack -= below.back().second;
    below.emplace_back(f.parent, border * border);
    stack += border * border;
    stack_peak = std::max(stack_peak, stack);
    stack_names += own;
  }
  largest += spare;
  make_room(branch.factors, factors + 2 * spare * largest);
  make_room(branch.names, names + 2 * spare * 8);
  make_room(branch.stack, stack_peak + 2 * spare * largest);
  make_room(branch.stack_names, std::min<std::size_t>(stack_names, 256));
  make_room(branch.front, largest * front::leading_dimension(static_cast<int>(largest)));
  make_room(branch.local, largest);
  branch.contributions.reserve(static_cast<std::size_t>(branch.end - branch.first));
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
      const auto border = tree_.border(front);
      const auto place = [&](int local) {
        return local < front.own ? front.first + local : border[static_cast<std::size_t>(local - front.own)];
      };
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
  rcond_ = 0, suspect_ = -1, delayed_ = 0;
  if (!equilibrate()) return false;
  for_each_task(trunk(), [this](int b) { eliminate_all(branches_[b]); });
  eliminate_all(branches_.back());
  return sum_up();
}

/// The trunk takes over what finished branches leave where their parents expect it.
void FrontalLu::eliminate_all(Branch& branch) {
  branch.used = branch.used_names = branch.stack_used = branch.stack_names_used = 0;
  branch.delayed = 0;
  branch.contributions.clear();
  branch.is_stuck = false;
  for (int k = branch.first; k < branch.end && !branch.is_stuck; ++k) {
    if (branch_of_[k] == number_of(branch)) {
      branch.is_stuck = !eliminate(k, branch);
      continue;
    }
    const Branch& other = branches_[branch_of_[k]];
    branch.contributions.insert(branch.contributions.end(), other.contributions.begin(), other.contributions.end());
    branch.is_stuck = other.is_stuck;
    k = other.end - 1;
  }
}

/// In the order of fronts, as if they had been eliminated one by one up to the first that is stuck.
bool FrontalLu::sum_up() {
  double smallest = HUGE_VAL, largest = 0;
  int found = 0;
  for (Factored& f : factored_) {
    if (f.pivots > 0 && !(f.smallest >= smallest)) smallest = f.smallest, suspect_ = f.suspect;
    largest = std::max(largest, f.largest);
    if (f.is_stuck) {
      suspect_ = f.suspect;
      return false;
    }
    f.first_pivot = found;
    found += f.pivots;
  }
  rcond_ = size() == 0 ? 1 : smallest / largest;
  if (!std::isfinite(rcond_)) rcond_ = 0;
  for (const Branch& branch : branches_) delayed_ += branch.delayed;
  return rcond_ > 0;
}

bool FrontalLu::eliminate(int k, Branch& branch) {
  const Front& f = tree_.fronts[k];
  int left = 0;
  for (auto c = branch.contributions.end() - f.children; c != branch.contributions.end(); ++c) left += c->left;
  const int size = f.size() + left, summed = f.own + left;
  assemble(f, k, left, branch);
  int* rows = branch.names.data() + branch.used_names;
  front::PartialLu lu(branch.front.data(), size, summed, rows, rows + size);
  const int pivots = lu.run(threshold);
  Factored& found = factored_[k];
  found = {.size = size,
           .pivots = pivots,
           .first_pivot = 0,
           .names = branch.used_names,
           .values = branch.used,
           .smallest = lu.smallest(),
           .largest = lu.largest(),
           .suspect = lu.suspect(),
           .is_stuck = f.border == 0 && pivots < summed};
  if (found.is_stuck) {
    found.suspect = rows[pivots];
    return false;
  }
  keep(f, k, size, pivots, branch);
  return true;
}

void FrontalLu::assemble(const Front& f, int k, int left, Branch& b) {
  const int size = f.size() + left, ld = front::leading_dimension(size);
  make_room(b.front, std::size_t(ld) * size);
  make_room(b.local, std::size_t(size));
  make_room(b.names, b.used_names + 2 * std::size_t(size));
  std::fill_n(b.front.data(), std::size_t(ld) * size, 0.0);
  int *rows = b.names.data() + b.used_names, *columns = rows + size;
  for (int i = 0; i < f.own; ++i) rows[i] = columns[i] = f.first + i;
  for (int i = 0; i < f.border; ++i)
    rows[f.own + left + i] = columns[f.own + left + i] = tree_.borders[f.first_border + i];

  const auto shifted = [&](int local) { return local < f.own ? local : local + left; };
  for (int e = first_entry_[k]; e < first_entry_[k + 1]; ++e) {
    const int row = shifted(entries_[e].row), column = shifted(entries_[e].column);
    b.front[row + std::size_t(column) * ld] = row_scale_[rows[row]] * values_[e] * column_scale_[columns[column]];
  }
  int first_left = f.own;
  for (int c = 0; c < f.children; ++c) {
    const Contribution& child = b.contributions.back();
    const std::vector<int>& names = branches_[child.branch].stack_names;
    for (int i = 0; i < child.left; ++i) {
      rows[first_left + i] = names[child.names + i];
      columns[first_left + i] = names[child.names + child.left + i];
    }
    add_child(f, child, first_left, left, b);
    first_left += child.left;
    if (child.branch == number_of(b)) b.stack_used = child.values, b.stack_names_used = child.names;
    b.contributions.pop_back();
  }
}

void FrontalLu::add_child(const Front& parent, const Contribution& c, int first_left, int left, Branch& b) const {
  const Front& child = tree_.fronts[c.front];
  const int ld = front::leading_dimension(parent.size() + left), size = child.border + c.left;
  const FrontRun *begin = tree_.runs.data() + child.first_run, *end = begin + child.runs;
  const auto shifted = [&](int local) { return local < parent.own ? local : local + left; };
  const double* stack = branches_[c.branch].stack.data() + c.values;
  const auto add_column = [&](int from, int to) {
    const double* source = stack + std::size_t(from) * size;
    double* target = b.front.data() + std::size_t(to) * ld;
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
void FrontalLu::keep(const Front& f, int k, int size, int pivots, Branch& b) {
  const int ld = front::leading_dimension(size), rest = size - pivots, left = rest - f.border;
  make_room(b.factors, b.used + std::size_t(pivots) * (size + rest));
  double* to = b.factors.data() + b.used;
  for (int j = 0; j < size; ++j) to = std::copy_n(b.front.data() + std::size_t(j) * ld, j < pivots ? size : pivots, to);
  b.used += std::size_t(pivots) * (size + rest);
  b.delayed += left;
  int *rows = b.names.data() + b.used_names, *columns = rows + size;
  if (f.border > 0) {
    make_room(b.stack, b.stack_used + std::size_t(rest) * rest);
    make_room(b.stack_names, b.stack_names_used + 2 * std::size_t(left));
    b.contributions.push_back({k, left, number_of(b), b.stack_names_used, b.stack_used});
    std::copy_n(rows + pivots, left, b.stack_names.data() + b.stack_names_used);
    std::copy_n(columns + pivots, left, b.stack_names.data() + b.stack_names_used + left);
    double* out = b.stack.data() + b.stack_used;
    for (int j = pivots; j < size; ++j) out = std::copy_n(b.front.data() + std::size_t(j) * ld + pivots, rest, out);
    b.stack_used += std::size_t(rest) * rest;
    b.stack_names_used += 2 * std::size_t(left);
  }
  const int* border = border_names_.data() + f.first_border;
  std::copy_n(border, f.border, rows + size - f.border);
  std::copy_n(border, f.border, columns + size - f.border);
  b.used_names += 2 * std::size_t(size);
}

std::size_t FrontalLu::factor_values() const {
  std::size_t sum = 0;
  for (const Branch& branch : branches_) sum += branch.used;
  return sum;
}

}  // namespace filum::linalg
