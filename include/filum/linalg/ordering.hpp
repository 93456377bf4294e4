/// Orders the vertices of a graph so that neighbours are close: reverse Cuthill-McKee. Theory: docs/theory/solver.md,
/// sec. 4.
#pragma once

#include <vector>

namespace filum::linalg {

using Graph = std::vector<std::vector<int>>;  ///< neighbours of each vertex

/// A permutation `order`: order[k] is the vertex in place k. Deterministic; components follow one another.
std::vector<int> reverse_cuthill_mckee(const Graph& graph);

/// Whether the graph is a set of paths when its vertices are put in this order: only neighbours in the order are
/// joined.
bool is_path(const Graph& graph, const std::vector<int>& order);

}  // namespace filum::linalg
