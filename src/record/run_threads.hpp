/// How many threads share the loops of a run, and the team they are. Theory: docs/theory/performance.md, "Threads".
#pragma once

#include <filum/linalg/team.hpp>
#include <filum/mechanics/system.hpp>

#include <algorithm>
#include <optional>

namespace filum::record {

class RunThreads {
 public:
  /// As many as are wanted; 0: what the size of the system is worth, and the process may use.
  RunThreads(int wanted, const mechanics::System& system)
      : count_(wanted > 0 ? wanted : std::clamp(system.size_v() / velocities_per_thread, 1, linalg::Team::cores())) {
    if (count_ > 1) team_.emplace(count_);
  }
  int count() const { return count_; }
  linalg::Team* team() { return team_ ? &*team_ : nullptr; }

 private:
  /// A thread with fewer than these saves less than it costs.
  static constexpr int velocities_per_thread = 4000;

  int count_;
  std::optional<linalg::Team> team_;
};

}  // namespace filum::record
