/// Orders of elimination on blocks, and supernodes. Theory: docs/theory/solver.md, sec. 5.
#include <filum/linalg/front_tree.hpp>

#include <algorithm>
#include <numeric>

namespace filum::linalg {
namespace {

// (L.8) Room is what a node has left for rows that hold it. Rows on a single node have no choice and come first.
std::vector<int> hosts(const std::vector<int>& sizes, const Graph& graph, int hosted) {
  std::vector<int> host(sizes.size()), room = sizes;
  std::iota(host.begin(), host.end(), 0);
  const auto settle = [&](int k) {
    int best = -1;
    for (const int i : graph[k])
      if (i < hosted && (best < 0 || room[i] > room[best] || (room[i] == room[best] && i < best))) best = i;
    if (best >= 0) host[k] = best, room[best] -= sizes[k];
  };
  for (const bool alone : {true, false})
    for (int k = hosted; k < static_cast<int>(sizes.size()); ++k)
      if ((graph[k].size() == 1) == alone) settle(k);
  return host;
}

}  // namespace

BlockGroups group_hosted_blocks(const std::vector<int>& sizes, const Graph& graph, int hosted) {
  const std::vector<int> host = hosts(sizes, graph, hosted);
  BlockGroups v;
  std::vector<int> vertex(sizes.size(), -1);
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    if (vertex[host[k]] < 0) {  // a host comes before its guests
      vertex[host[k]] = static_cast<int>(v.blocks.size());
      v.blocks.emplace_back(), v.weight.push_back(0);
    }
    vertex[k] = vertex[host[k]];
    v.blocks[vertex[k]].push_back(static_cast<int>(k));
    v.weight[vertex[k]] += sizes[k];
  }
  v.graph.resize(v.blocks.size());
  for (std::size_t k = 0; k < sizes.size(); ++k)
    for (const int j : graph[k])
      if (vertex[j] != vertex[k]) v.graph[vertex[k]].push_back(vertex[j]);
  for (auto& neighbours : v.graph) {
    std::sort(neighbours.begin(), neighbours.end());
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
  }
  return v;
}

namespace {

/// Vertices that are eliminated together. A group is called by its last vertex.
class Groups {
 public:
  Groups(const BlockGroups& v, const std::vector<int>& order) : v_(v), order_(order) {
    const std::size_t n = order.size();
    members_.resize(n), children_.resize(n), border_.resize(n), own_.resize(n), outside_.resize(n), zeros_.resize(n);
    eliminate();
  }

  /// Multiplications of a factorisation that leaves no pivot to a parent, (L.11).
  double operations() const {
    double sum = 0;
    for (std::size_t k = 0; k < own_.size(); ++k) {
      if (members_[k].empty()) continue;  // merged into its parent
      const double n = own_[k] + outside_[k], m = outside_[k];
      sum += (n * (n + 1) * (2 * n + 1) - m * (m + 1) * (2 * m + 1)) / 6;
    }
    return sum;
  }

  FrontTree tree(const std::vector<int>& sizes) const {
    FrontTree t;
    std::vector<int> first_unknown(sizes.size() + 1, 0);
    std::partial_sum(sizes.begin(), sizes.end(), first_unknown.begin() + 1);
    t.place.resize(std::size_t(first_unknown.back()));
    std::vector<int> first_place(order_.size());  // of a vertex by step
    number(t, sizes, first_unknown, first_place);
    connect(t, first_place);
    return t;
  }

 private:
  // Everything is in terms of steps: step k eliminates vertex order[k].
  void eliminate() {
    const int n = static_cast<int>(order_.size());
    std::vector<int> step(order_.size()), mark(order_.size(), -1);
    for (int k = 0; k < n; ++k) step[order_[k]] = k;
    for (int k = 0; k < n; ++k) {
      std::vector<int>& border = border_[k];
      mark[k] = k;
      const auto add = [&](int j) {
        if (j > k && mark[j] != k) mark[j] = k, border.push_back(j);
      };
      for (const int neighbour : v_.graph[order_[k]]) add(step[neighbour]);
      for (const int c : children_[k])
        for (const int j : border_[c]) add(j);
      std::sort(border.begin(), border.end());
      own_[k] = v_.weight[order_[k]];
      for (const int j : border) outside_[k] += v_.weight[order_[j]];
      members_[k] = {k};
      merge_children(k);
      if (border.empty())
        roots_.push_back(k);
      else
        children_[border.front()].push_back(k);
    }
  }

  // A few zeros among the numbers cost less than many small fronts.
  bool is_worth_merging(double own, double size, double zeros) const {
    const double share = zeros / (own * (2 * size - own));
    return share <= (own <= 16 ? 0.5 : own <= 40 ? 0.15 : 0.05);
  }

  void merge_children(int k) {
    std::vector<int> children = std::move(children_[k]), left;
    std::stable_sort(children.begin(), children.end(), [&](int a, int b) { return outside_[a] > outside_[b]; });
    for (const int c : children) {
      const double missing = own_[k] + outside_[k] - outside_[c], zeros = zeros_[k] + zeros_[c] + 2 * missing * own_[c];
      const double own = own_[k] + own_[c];
      if (!is_worth_merging(own, own + outside_[k], zeros)) {
        left.push_back(c);
        continue;
      }
      own_[k] += own_[c], zeros_[k] = zeros;
      members_[k].insert(members_[k].end(), members_[c].begin(), members_[c].end());
      left.insert(left.end(), children_[c].begin(), children_[c].end());
      members_[c] = {}, children_[c] = {}, border_[c] = {};
    }
    std::sort(members_[k].begin(), members_[k].end());
    children_[k] = std::move(left);
  }

  // Children with much to keep while their siblings are at work come last; postorder without recursion.
  void number(FrontTree& t, const std::vector<int>& sizes, const std::vector<int>& first_unknown,
              std::vector<int>& first_place) const {
    struct Visit {
      int group;
      std::size_t next;
    };
    int place = 0;
    const auto finish = [&](int group) {
      Front f{.first = place,
              .own = own_[group],
              .first_border = 0,
              .border = outside_[group],
              .parent = group,
              .children = static_cast<int>(children_[group].size()),
              .first_run = 0,
              .runs = 0};
      for (const int member : members_[group]) {
        first_place[member] = place;
        for (const int block : v_.blocks[order_[member]])
          for (int i = 0; i < sizes[block]; ++i) t.place[first_unknown[block] + i] = place++;
      }
      t.front_of.resize(std::size_t(place), static_cast<int>(t.fronts.size()));
      t.fronts.push_back(f);
    };
    std::vector<Visit> path;
    for (const int root : roots_) {
      path.push_back({root, 0});
      while (!path.empty()) {
        Visit& at = path.back();
        if (at.next < children_[at.group].size()) {
          const int child = children_[at.group][at.next++];
          path.push_back({child, 0});
        } else {
          finish(at.group);
          path.pop_back();
        }
      }
    }
  }

  void connect(FrontTree& t, const std::vector<int>& first_place) const {
    for (Front& f : t.fronts) {
      const int group = f.parent;
      f.first_border = static_cast<int>(t.borders.size());
      for (const int j : border_[group])
        for (int i = 0; i < v_.weight[order_[j]]; ++i) t.borders.push_back(first_place[j] + i);
      std::sort(t.borders.begin() + f.first_border, t.borders.end());
      f.parent = f.border == 0 ? -1 : t.front_of[t.borders[f.first_border]];
    }
    for (Front& f : t.fronts) {
      f.first_run = static_cast<int>(t.runs.size());
      if (f.parent < 0) continue;
      const Front& parent = t.fronts[f.parent];
      int before = -2;
      for (int i = 0; i < f.border; ++i) {
        const int to = t.local(parent, t.borders[f.first_border + i]);
        if (to == before + 1 && to != parent.own)
          ++t.runs.back().length;
        else
          t.runs.push_back({i, to, 1});
        before = to;
      }
      f.runs = static_cast<int>(t.runs.size()) - f.first_run;
    }
  }

  const BlockGroups& v_;
  const std::vector<int>& order_;
  std::vector<std::vector<int>> members_, children_, border_;
  std::vector<int> own_, outside_;  ///< unknowns of the group, and of its border
  std::vector<double> zeros_;       ///< entries that are stored though they are zero
  std::vector<int> roots_;
};

/// (L.11) Below this METIS finds nothing better, or saves less than it takes: nets of 10 × 10 beams have 5e6, of 30 ×
/// 30 2.6e8 (1.4e8 dissected), sheets of 32 × 32 nodes 1.1e8 (1.3e8 dissected).
constexpr double worth_dissecting = 1e8;

}  // namespace

int FrontTree::local(const Front& f, int at) const {
  if (at < f.first + f.own) return at - f.first;
  const auto all = border(f);
  return f.own + static_cast<int>(std::lower_bound(all.begin(), all.end(), at) - all.begin());
}

FrontTree make_front_tree(const std::vector<int>& sizes, const Graph& graph, int hosted) {
  const BlockGroups vertices = group_hosted_blocks(sizes, graph, hosted);
  const std::vector<int> by_degree = minimum_degree(vertices.graph);
  const Groups first(vertices, by_degree);
  if (first.operations() < worth_dissecting) return first.tree(sizes);
  const std::vector<int> by_dissection = nested_dissection(vertices.graph, vertices.weight);
  const Groups second(vertices, by_dissection);
  return (second.operations() < first.operations() ? second : first).tree(sizes);
}

}  // namespace filum::linalg
