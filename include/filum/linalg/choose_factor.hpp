/// Which factorisation suits a matrix: by size, pattern and structure. Theory: docs/theory/solver.md, sec. 5.
#pragma once

#include <filum/linalg/block_matrix.hpp>
#include <filum/linalg/factor.hpp>
#include <filum/linalg/ordering.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace filum::linalg {

/// A matrix whose unknowns come in blocks, numbered block after block.
struct FactorTask {
  std::vector<int> sizes;  ///< of the blocks
  Graph graph;             ///< blocks that share entries
  int hosted;              ///< blocks from here on are rows of constraints: their diagonal is zero
  /// separable: a Schur complement of block diagonal H, near a positive definite matrix, where pivots are found inside
  /// the diagonal blocks; coupled: rows have to be exchanged across blocks.
  Structure structure;
  /// Calls its argument with (row, column) of every entry of the pattern.
  std::function<void(const std::function<void(int, int)>&)> for_each_entry;
};

/// A factorisation and the order in which it has the unknowns: unknown i stands in place[i].
struct PlacedFactor {
  std::unique_ptr<Factor> factor;
  std::vector<int> place;
  bool is_natural = true;  ///< place[i] = i

  int position(int row, int column) const { return factor->position(place[row], place[column]); }
};

PlacedFactor choose_factor(const FactorTask& task);

}  // namespace filum::linalg
