/// Orders of the vertices of a graph: neighbours close to each other, or little fill in an elimination. Theory:
/// docs/theory/solver.md, sec. 4 and 5.
#pragma once

#include <vector>

namespace filum::linalg {

using Graph = std::vector<std::vector<int>>;  ///< neighbours of each vertex

/// A permutation `order`: order[k] is the vertex in place k. Deterministic; components follow one another.
std::vector<int> reverse_cuthill_mckee(const Graph& graph);

/// Little fill: minimum degree (AMD). Neighbours are listed once each.
std::vector<int> minimum_degree(const Graph& graph);

/// Little fill: small separators come last, again and again (METIS). `weight` is positive. Deterministic.
std::vector<int> nested_dissection(const Graph& graph, const std::vector<int>& weight);

/// Whether the graph is a set of paths when its vertices are put in this order: only neighbours in the order are
/// joined.
bool is_path(const Graph& graph, const std::vector<int>& order);

}  // namespace filum::linalg
