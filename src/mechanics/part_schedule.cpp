/// Choosing stages and tasks. Theory: docs/theory/performance.md, "Threads".
#include "part_schedule.hpp"

#include <algorithm>

namespace filum::mechanics {
namespace {

// Costs are counted in nodes that are announced: a segment has two, and takes some 50 ns.
/// A part from here on shares its own loops.
constexpr int long_part = 1024;
/// A task takes at least so much, some microseconds.
constexpr int least_task = 96;

}  // namespace

void System::Schedule::add(const Declaration::Ledger& ledger, bool forces, bool writes_rows) {
  Item item{.cost = 0, .is_shared = false, .nodes = {}};
  for (const auto& e : ledger.entries()) {
    if (e.is_force != forces) continue;
    item.cost += e.node_count;
    if (writes_rows) continue;
    const auto nodes = ledger.nodes(e);
    item.nodes.insert(item.nodes.end(), nodes.begin(), nodes.end());
  }
  std::sort(item.nodes.begin(), item.nodes.end());
  item.nodes.erase(std::unique(item.nodes.begin(), item.nodes.end()), item.nodes.end());
  item.is_shared = item.cost >= long_part || !ledger.part().is_self_contained();
  items_.push_back(std::move(item));
}

int System::Schedule::group(int item) {
  int& joined = items_[item].joined;
  if (joined != item) joined = group(joined);
  return joined;
}

// Even stages have tasks, odd ones are for parts by themselves: every part goes to the first one of its kind that does
// not come before another part on its nodes.
void System::Schedule::choose_stages() {
  std::vector<int> last;  // item on a node
  for (int k = 0; k < static_cast<int>(items_.size()); ++k) {
    Item& item = items_[k];
    if (!item.nodes.empty() && item.nodes.back() >= static_cast<int>(last.size()))
      last.resize(item.nodes.back() + 1, -1);
    int stage = -1;
    for (const int node : item.nodes)
      if (last[node] >= 0) stage = std::max(stage, items_[last[node]].stage);
    if (stage < 0 || stage % 2 != int(item.is_shared)) ++stage;
    if (stage % 2 != int(item.is_shared)) ++stage;
    item.stage = stage, item.joined = k;
    for (const int node : item.nodes) {
      if (last[node] >= 0 && items_[last[node]].stage == stage) {
        const int one = group(last[node]), other = group(k);
        items_[std::max(one, other)].joined = std::min(one, other);
      }
      last[node] = k;
    }
  }
}

void System::Schedule::add_stage(int stage) {
  std::vector<int> members;
  int cost = 0;
  for (int k = 0; k < static_cast<int>(items_.size()); ++k)
    if (items_[k].stage == stage) members.push_back(k), cost += items_[k].cost;
  if (members.empty()) return;
  const int first_task = static_cast<int>(tasks_.size());
  const bool is_divided = stage % 2 == 0 && cost >= 2 * least_task;
  if (is_divided) std::stable_sort(members.begin(), members.end(), [&](int a, int b) { return group(a) < group(b); });
  int of_task = 0;
  for (std::size_t k = 0; k < members.size(); ++k) {
    const bool is_new_group = k > 0 && group(members[k]) != group(members[k - 1]);
    const int at = static_cast<int>(order_.size());
    if (k == 0 || (is_divided && is_new_group && of_task >= least_task)) tasks_.push_back({at, at}), of_task = 0;
    order_.push_back(members[k]);
    tasks_.back().end = at + 1;
    of_task += items_[members[k]].cost;
  }
  stages_.push_back({first_task, static_cast<int>(tasks_.size())});
}

void System::Schedule::finish() {
  choose_stages();
  int stages = 0;
  for (const Item& item : items_) stages = std::max(stages, item.stage + 1);
  for (int stage = 0; stage < stages; ++stage) add_stage(stage);
  items_.clear();
  items_.shrink_to_fit();
}

}  // namespace filum::mechanics
