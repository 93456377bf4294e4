/// Reverse Cuthill-McKee, minimum degree by AMD, nested dissection by METIS. Theory: docs/theory/solver.md, sec. 4
/// and 5.
#include <filum/linalg/ordering.hpp>

#include <amd.h>
#include <metis.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <type_traits>

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

/// Neighbours of all vertices in one list, as both libraries want them.
struct Neighbours {
  std::vector<int> start{0}, index;

  explicit Neighbours(const Graph& graph) {
    for (const auto& neighbours : graph) {
      index.insert(index.end(), neighbours.begin(), neighbours.end());
      start.push_back(static_cast<int>(index.size()));
    }
    index.push_back(0);  // an address, though there may be no neighbours
  }
};

[[noreturn]] void no_order() { throw std::runtime_error("ordering of a sparse matrix failed: not enough memory"); }

}  // namespace

std::vector<int> minimum_degree(const Graph& graph) {
  const Neighbours n(graph);
  std::vector<int> order(graph.size());
  if (graph.empty()) return order;
  if (amd_order(static_cast<int>(graph.size()), n.start.data(), n.index.data(), order.data(), nullptr, nullptr) <
      AMD_OK)
    no_order();
  return order;
}

std::vector<int> nested_dissection(const Graph& graph, const std::vector<int>& weight) {
  static_assert(std::is_same_v<idx_t, int>);
  Neighbours n(graph);
  std::vector<int> order(graph.size()), place(graph.size()), w = weight;
  if (graph.empty()) return order;
  int size = static_cast<int>(graph.size());
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;   // bits of results depend on it
  static std::mutex one_at_a_time;  // METIS draws from the random numbers of the process, from this seed on
  const std::lock_guard lock(one_at_a_time);
  if (METIS_NodeND(&size, n.start.data(), n.index.data(), w.data(), options, order.data(), place.data()) != METIS_OK)
    no_order();
  return order;
}

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
