/// The order of elimination of a sparse matrix, and the tree of dense fronts that follows from it.
/// Theory: docs/theory/solver.md, sec. 5.
#pragma once

#include <filum/linalg/ordering.hpp>

#include <span>
#include <vector>

namespace filum::linalg {

/// Some unknowns that are eliminated together, in a dense matrix with their neighbours still to come, the border.
struct Front {
  int first, own;            ///< places first … first + own − 1
  int first_border, border;  ///< into FrontTree::borders
  int parent;                ///< −1: none
  int children;              ///< the fronts just before this one, each after its own subtree
  int first_run, runs;       ///< into FrontTree::runs: where the border stands in the parent
  int size() const { return own + border; }
};

/// Places that follow one another in the border of a front and in its parent: unknowns of the parent come first, its
/// border after them.
struct FrontRun {
  int from, to, length;
};

/// The unknowns in their order of elimination, unknown i in place[i]; fronts, children before parents.
struct FrontTree {
  std::vector<int> place;
  std::vector<Front> fronts;
  std::vector<int> borders;  ///< places, ascending in each front
  std::vector<FrontRun> runs;
  std::vector<int> front_of;  ///< by place

  std::span<const int> border(const Front& f) const { return {borders.data() + f.first_border, std::size_t(f.border)}; }
  /// Where a place stands in a front that it belongs to.
  int local(const Front& f, int at) const;
};

/// Blocks of unknowns that are eliminated together.
struct BlockGroups {
  std::vector<std::vector<int>> blocks;
  std::vector<int> weight;  ///< unknowns
  Graph graph;              ///< neighbours ascending, once each
};

/// (L.8) Every block from `hosted` on with one of its neighbours.
BlockGroups group_hosted_blocks(const std::vector<int>& sizes, const Graph& graph, int hosted);

/// Unknowns come in blocks of the given sizes, block after block; the graph has those that share entries. Blocks from
/// `hosted` on have a zero diagonal: each is eliminated together with one of its neighbours.
FrontTree make_front_tree(const std::vector<int>& sizes, const Graph& graph, int hosted);

}  // namespace filum::linalg
