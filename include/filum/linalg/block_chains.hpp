/// Blocks in a row, cut into chains that nothing connects with each other: threads share them. Theory:
/// docs/theory/performance.md, "Threads".
#pragma once

#include <filum/linalg/team.hpp>

#include <vector>

namespace filum::linalg {

class BlockChains {
 public:
  struct Chain {
    int first, end;
  };

  /// `beginnings`: blocks that are not connected with the one before them, ascending; the first of all need not be
  /// named.
  BlockChains(int blocks, const std::vector<int>& beginnings) {
    constexpr int least_task = 64;  // blocks, some microseconds
    auto next = beginnings.begin();
    for (int k = 0; k < blocks; ++k) {
      const bool is_named = next != beginnings.end() && *next == k;
      if (is_named) ++next;
      if (k == 0 || is_named) {
        if (k == 0 || k - chains_[tasks_.back()].first >= least_task) tasks_.push_back(count());
        chains_.push_back({k, k});
      }
      chains_.back().end = k + 1;
      connected_.push_back(k > 0 && !is_named);
    }
    tasks_.push_back(count());
  }

  int count() const { return static_cast<int>(chains_.size()); }
  const Chain& operator[](int chain) const { return chains_[chain]; }
  /// Blocks k and k + 1 are in one chain.
  bool has_next(int k) const { return k + 1 < static_cast<int>(connected_.size()) && connected_[k + 1]; }

  /// f(number, chain) for all chains, shared with the team in use.
  template <class F>
  void for_each(F&& f) const {
    for_each_task(static_cast<int>(tasks_.size()) - 1, [&](int task) {
      for (int k = tasks_[task]; k < tasks_[task + 1]; ++k) f(k, chains_[k]);
    });
  }

 private:
  std::vector<Chain> chains_;
  std::vector<int> tasks_;  ///< the first chain of each, and an end
  std::vector<bool> connected_;
};

}  // namespace filum::linalg
