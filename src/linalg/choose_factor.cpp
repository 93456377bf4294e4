/// The one place that chooses between factorisations. Theory: docs/theory/solver.md, sec. 5.
#include <filum/linalg/banded_lu.hpp>
#include <filum/linalg/block_tridiagonal.hpp>
#include <filum/linalg/chain_lu.hpp>
#include <filum/linalg/choose_factor.hpp>
#include <filum/linalg/dense_lu.hpp>
#include <filum/linalg/frontal_lu.hpp>

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace filum::linalg {
namespace {

// solver.md, sec. 5, has the measurements.
/// Up to this many unknowns a dense factorisation costs little more than a sparse one, and chooses new pivots every
/// time.
constexpr int dense_limit = 64;
/// Square nets are faster as bands up to a bandwidth of 33, full bands always; a dense matrix is beaten well below half
/// its width.
constexpr int widest_band = 40;
constexpr int dense_share = 3;
/// Fewer blocks than this are a small dense matrix.
constexpr int shortest_chain = 4;

std::vector<int> places(const std::vector<int>& order, const std::vector<int>& sizes) {
  std::vector<int> first(sizes.size() + 1, 0),
      place(static_cast<std::size_t>(std::accumulate(sizes.begin(), sizes.end(), 0)));
  std::partial_sum(sizes.begin(), sizes.end(), first.begin() + 1);
  int next = 0;
  for (const int block : order)
    for (int i = 0; i < sizes[block]; ++i) place[first[block] + i] = next++;
  return place;
}

/// Blocks of neighbours are full.
int bandwidth(const FactorTask& task, const std::vector<int>& order) {
  std::vector<int> first(order.size());
  int next = 0, band = 0;
  for (const int block : order) first[block] = next, next += task.sizes[block];
  for (std::size_t i = 0; i < order.size(); ++i) {
    band = std::max(band, task.sizes[i] - 1);
    for (const int j : task.graph[i]) band = std::max(band, first[i] + task.sizes[i] - 1 - first[j]);
  }
  return band;
}

PlacedFactor make_sparse(const FactorTask& task) {
  FrontTree tree = make_front_tree(task.sizes, task.graph, task.hosted);
  std::vector<int> place = tree.place;
  std::vector<std::pair<int, int>> entries;
  task.for_each_entry([&](int row, int column) { entries.emplace_back(place[row], place[column]); });
  return {std::make_unique<FrontalLu>(std::move(tree), entries), std::move(place), false};
}

/// Where a new path begins in an order that makes the graph a row of paths.
std::vector<int> beginnings(const Graph& graph, const std::vector<int>& order) {
  std::vector<int> all;
  for (std::size_t k = 1; k < order.size(); ++k) {
    const std::vector<int>& neighbours = graph[order[k]];
    if (std::find(neighbours.begin(), neighbours.end(), order[k - 1]) == neighbours.end())
      all.push_back(static_cast<int>(k));
  }
  return all;
}

std::unique_ptr<Factor> make_block_tridiagonal(const FactorTask& task, const std::vector<int>& order) {
  std::vector<int> sizes;
  for (const int block : order) sizes.push_back(task.sizes[block]);
  return std::make_unique<BlockTridiagonal>(std::move(sizes), beginnings(task.graph, order));
}

/// Nothing when nodes with the rows they host are no paths.
PlacedFactor make_chain(const FactorTask& task) {
  const BlockGroups groups = group_hosted_blocks(task.sizes, task.graph, task.hosted);
  const std::vector<int> order = reverse_cuthill_mckee(groups.graph);
  if (static_cast<int>(order.size()) < shortest_chain || !is_path(groups.graph, order)) return {};
  std::vector<int> sizes, blocks;
  for (const int group : order) {
    if (groups.weight[group] > ChainLu::largest_block) return {};
    sizes.push_back(groups.weight[group]);
    blocks.insert(blocks.end(), groups.blocks[group].begin(), groups.blocks[group].end());
  }
  return {std::make_unique<ChainLu>(sizes, beginnings(groups.graph, order)), places(blocks, task.sizes), false};
}

}  // namespace

PlacedFactor choose_factor(const FactorTask& task) {
  std::vector<int> natural(task.sizes.size());
  std::iota(natural.begin(), natural.end(), 0);
  const int size = std::accumulate(task.sizes.begin(), task.sizes.end(), 0);
  const bool pivots_inside = task.structure == Structure::separable;
  if (pivots_inside && is_path(task.graph, natural))
    return {make_block_tridiagonal(task, natural), places(natural, task.sizes)};

  if (!pivots_inside)
    if (PlacedFactor chain = make_chain(task); chain.factor) return chain;

  const std::vector<int> close = reverse_cuthill_mckee(task.graph);
  std::vector<int> place = places(close, task.sizes);
  if (pivots_inside) {
    if (is_path(task.graph, close)) return {make_block_tridiagonal(task, close), std::move(place), false};
  } else if (const int band = bandwidth(task, close); dense_share * band < size && band <= widest_band) {
    return {std::make_unique<BandedLu>(size, band, band), std::move(place), false};
  }
  if (size <= dense_limit) return {std::make_unique<DenseLu>(size), places(natural, task.sizes)};
  return make_sparse(task);
}

}  // namespace filum::linalg
