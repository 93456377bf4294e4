/// Which blocks of a saddle-point matrix [H Gᵀ; C 0] can be non-zero. Theory: docs/theory/solver.md, sec. 1.
#pragma once

#include <span>
#include <utility>
#include <vector>

namespace filum::linalg {

/// Some rows of C (and G) that touch the same few nodes. Its values are stored one node after the other,
/// each a rows × dim(node) block, column-major.
struct RowBlock {
  int first_row;
  int rows;
  int first_ref;  ///< into BlockPattern::refs
  int node_count;
  int value_offset;
  int dim = 0;  ///< of its nodes, 0 when the dimensions differ
};

/// A node of a row block, and where the values of that block of C start.
struct NodeRef {
  int node;
  int value_offset;
};

/// Seen from a node: row block `block` touches it, with the values at `value_offset`.
struct Incidence {
  int block;
  int value_offset;
};

/// Consecutive row blocks of one shape: `rows` rows each, on `node_count` nodes of dimension `dim` (0 when the
/// dimensions differ). Loops over a run know their sizes at compile time.
struct RowRun {
  int first_block, count;
  int rows, node_count, dim;
};

/// Unknowns come in nodes of small dimension, multipliers in row blocks. The pattern is built once, before any
/// values, and tells every solver what it may exploit. Blocks are numbered in the order of their creation; a solver
/// may be asked to use only the first few of them.
class BlockPattern {
 public:
  explicit BlockPattern(std::vector<int> node_dims);

  /// Allows the blocks (i, j) and (j, i) of H. The diagonal is always allowed.
  void couple(int i, int j);
  /// Adds `rows` rows that touch `nodes` (each at most once) and returns the number of the new block.
  int add_rows(int rows, std::span<const int> nodes);
  /// Sorts and numbers everything; nothing may be added afterwards.
  void finish();

  int nodes() const { return static_cast<int>(dims_.size()); }
  int dim(int node) const { return dims_[node]; }
  int offset(int node) const { return offsets_[node]; }
  int size() const { return offsets_.back(); }

  int row_blocks() const { return static_cast<int>(blocks_.size()); }
  const RowBlock& row_block(int k) const { return blocks_[k]; }
  std::span<const NodeRef> refs(const RowBlock& b) const {
    return {refs_.data() + b.first_ref, std::size_t(b.node_count)};
  }
  /// Rows of the first `blocks` row blocks.
  int rows(int blocks) const { return blocks == 0 ? 0 : blocks_[blocks - 1].first_row + blocks_[blocks - 1].rows; }
  int rows() const { return rows(row_blocks()); }
  int row_values() const { return row_values_; }
  std::span<const RowRun> row_runs() const { return runs_; }
  std::span<const Incidence> incidence(int node) const {
    return {incidence_.data() + incidence_start_[node],
            std::size_t(incidence_start_[node + 1] - incidence_start_[node])};
  }

  /// The row block that a row belongs to.
  int block_of_row(int row) const;

  /// Neighbours j > i of node i that H may couple, ascending.
  std::span<const int> upper_neighbours(int i) const {
    return {neighbours_.data() + neighbour_start_[i], std::size_t(neighbour_start_[i + 1] - neighbour_start_[i])};
  }
  int couplings() const { return static_cast<int>(neighbours_.size()); }
  /// Where the values of block (i, j) of H start in a NodeMatrix; the block must be allowed.
  int block_offset(int i, int j) const;
  int node_values() const { return node_values_; }
  /// The diagonal blocks come first: so many values.
  int diagonal_values() const { return diagonal_values_; }

 private:
  RowRun shape_of(int block) const;

  std::vector<int> dims_, offsets_;
  std::vector<RowBlock> blocks_;
  std::vector<NodeRef> refs_;
  std::vector<RowRun> runs_;
  std::vector<std::pair<int, int>> pending_;
  std::vector<int> neighbours_, neighbour_start_, upper_offset_, diagonal_offset_;
  std::vector<Incidence> incidence_;
  std::vector<int> incidence_start_;
  int row_values_ = 0, node_values_ = 0, diagonal_values_ = 0;
};

}  // namespace filum::linalg
