/// In which order parts are evaluated, and which at the same time. Theory: docs/theory/performance.md, "Threads".
#pragma once

#include "ledger.hpp"

#include <filum/linalg/team.hpp>
#include <filum/mechanics/system.hpp>

#include <vector>

namespace filum::mechanics {

/// Stages follow one another; the tasks of a stage have no node in common, and a task evaluates its parts one after the
/// other. So every node is given its share by the same parts in the order in which they were added, whoever evaluates
/// them. Parts that call functions of a user, and those that are long enough to share their own loops, are a stage of
/// one task.
class System::Schedule {
 public:
  /// The next part announces what is in the ledger: of forces, or of constraints. `writes_rows`: it writes rows that
  /// nobody else does, and may run beside parts on the same nodes.
  void add(const Declaration::Ledger& ledger, bool forces, bool writes_rows);
  void finish();

  /// f(k) for the parts in the order of `add`, counted from 0.
  template <class F>
  void for_each(F&& f) const {
    for (const Range& stage : stages_)
      linalg::for_each_task(stage.end - stage.first, [&](int task) {
        const Range& parts = tasks_[static_cast<std::size_t>(stage.first + task)];
        for (int k = parts.first; k < parts.end; ++k) f(order_[static_cast<std::size_t>(k)]);
      });
  }

 private:
  struct Range {
    int first, end;
  };
  struct Item {
    int cost;
    bool is_shared;  ///< by its own loops, or not to be shared at all
    std::vector<int> nodes;
    int stage = 0,
        joined = 0;  ///< an item of the stage that comes before it and is evaluated by the same task, or itself
  };
  /// The first item of those that are connected by common nodes.
  int group(int item);
  void choose_stages();
  void add_stage(int stage);

  std::vector<Item> items_;  ///< until `finish`
  std::vector<int> order_;
  std::vector<Range> stages_, tasks_;  ///< of tasks_; of order_
};

/// Of the lists of parts.
struct System::Schedules {
  Schedule holonomic, constraints, rates, forces, constraint_forces;
};

}  // namespace filum::mechanics
