/// Building and numbering of the saddle-point pattern. Theory: docs/theory/solver.md, sec. 1.
#include <filum/linalg/block_pattern.hpp>

#include <algorithm>
#include <cassert>

namespace filum::linalg {

BlockPattern::BlockPattern(std::vector<int> node_dims) : dims_(std::move(node_dims)), offsets_{0} {
  for (const int d : dims_) offsets_.push_back(offsets_.back() + d);
}

void BlockPattern::couple(int i, int j) {
  if (i != j) pending_.emplace_back(std::min(i, j), std::max(i, j));
}

int BlockPattern::add_rows(int rows, std::span<const int> nodes) {
  RowBlock b{this->rows(), rows, static_cast<int>(refs_.size()), static_cast<int>(nodes.size()), row_values_};
  for (const int node : nodes) {
    refs_.push_back({node, row_values_});
    row_values_ += rows * dims_[node];
  }
  blocks_.push_back(b);
  return row_blocks() - 1;
}

void BlockPattern::finish() {
  std::sort(pending_.begin(), pending_.end());
  pending_.erase(std::unique(pending_.begin(), pending_.end()), pending_.end());
  const int n = nodes();

  for (int i = 0; i < n; ++i) {
    diagonal_offset_.push_back(node_values_);
    node_values_ += dims_[i] * dims_[i];
  }
  diagonal_values_ = node_values_;
  neighbour_start_.assign(n + 1, 0);
  for (const auto& [i, j] : pending_) {
    ++neighbour_start_[i + 1];
    neighbours_.push_back(j);
    upper_offset_.push_back(node_values_);
    node_values_ += 2 * dims_[i] * dims_[j];
  }
  for (int i = 0; i < n; ++i) neighbour_start_[i + 1] += neighbour_start_[i];
  pending_ = {};

  incidence_start_.assign(n + 1, 0);
  for (const NodeRef& r : refs_) ++incidence_start_[r.node + 1];
  for (int i = 0; i < n; ++i) incidence_start_[i + 1] += incidence_start_[i];
  incidence_.resize(refs_.size());
  std::vector<int> next(incidence_start_.begin(), incidence_start_.end() - 1);
  for (int k = 0; k < row_blocks(); ++k)
    for (const NodeRef& r : refs(blocks_[k])) incidence_[next[r.node]++] = {k, r.value_offset};

  for (int k = 0; k < row_blocks(); ++k) {
    const RowRun shape = shape_of(k);
    blocks_[k].dim = shape.dim;
    const bool same = !runs_.empty() && runs_.back().rows == shape.rows &&
                      runs_.back().node_count == shape.node_count && runs_.back().dim == shape.dim;
    if (same)
      ++runs_.back().count;
    else
      runs_.push_back(shape);
  }
}

RowRun BlockPattern::shape_of(int block) const {
  const RowBlock& b = blocks_[block];
  RowRun shape{block, 1, b.rows, b.node_count, b.node_count > 0 ? dims_[refs_[b.first_ref].node] : 0};
  for (const NodeRef& r : refs(b))
    if (dims_[r.node] != shape.dim) shape.dim = 0;
  return shape;
}

int BlockPattern::block_of_row(int row) const {
  const auto after =
      std::upper_bound(blocks_.begin(), blocks_.end(), row, [](int r, const RowBlock& b) { return r < b.first_row; });
  return static_cast<int>(after - blocks_.begin()) - 1;
}

int BlockPattern::block_offset(int i, int j) const {
  if (i == j) return diagonal_offset_[i];
  const int a = std::min(i, j), b = std::max(i, j);
  const auto range = upper_neighbours(a);
  const auto it = std::lower_bound(range.begin(), range.end(), b);
  assert(it != range.end() && *it == b && "this pair of nodes was not coupled");
  const int base = upper_offset_[neighbour_start_[a] + static_cast<int>(it - range.begin())];
  return i < j ? base : base + dims_[i] * dims_[j];
}

}  // namespace filum::linalg
