/// Reverse Cuthill-McKee. Theory: docs/theory/solver.md, sec. 4.
#include <filum/linalg/ordering.hpp>

#include <algorithm>
#include <cstdlib>

namespace filum::linalg {
namespace {

/// Vertices in the order of a breadth-first search from `root`, neighbours by ascending degree.
std::vector<int> search(const Graph& graph, int root, std::vector<int>& mark, int stamp) {
  std::vector<int> order{root}, next;
  mark[root] = stamp;
  for (std::size_t k = 0; k < order.size(); ++k) {
    next.clear();
    for (const int j : graph[order[k]])
      if (mark[j] != stamp) mark[j] = stamp, next.push_back(j);
    std::stable_sort(next.begin(), next.end(), [&](int a, int b) { return graph[a].size() < graph[b].size(); });
    order.insert(order.end(), next.begin(), next.end());
  }
  return order;
}

}  // namespace

std::vector<int> reverse_cuthill_mckee(const Graph& graph) {
  const int n = static_cast<int>(graph.size());
  std::vector<int> order, mark(n, -1), done(n, 0);
  int stamp = 0;
  for (int i = 0; i < n; ++i) {
    if (done[i]) continue;
    // The last vertex of a search is far from its root; from there a second one is nearly as deep as can be.
    int root = search(graph, i, mark, stamp++).back();
    root = search(graph, root, mark, stamp++).back();
    const std::vector<int> component = search(graph, root, mark, stamp++);
    for (const int v : component) done[v] = 1;
    order.insert(order.end(), component.rbegin(), component.rend());
  }
  return order;
}

bool is_path(const Graph& graph, const std::vector<int>& order) {
  std::vector<int> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<int>(k);
  for (std::size_t i = 0; i < graph.size(); ++i)
    for (const int j : graph[i])
      if (std::abs(place[i] - place[j]) > 1) return false;
  return true;
}

}  // namespace filum::linalg
