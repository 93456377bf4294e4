/// Stops a run before a closed loop of constraints becomes singular. Theory: docs/theory/integrators.md, sec. 3.
#pragma once

#include <filum/integrate/run.hpp>
#include <filum/mechanics/constraint_rank.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace filum::integrate {

/// (I.1) A mechanism passes through singular configurations between two steps: the distance of a constraint to the span
/// of the others falls linearly to zero and rises again. It is stopped when the distance is low and zero lies within
/// the next step. Far from that, only every few steps are looked at. Does not allocate after construction.
class SingularityWatch {
 public:
  SingularityWatch(const System& system, const RowSelection& rows)
      : system_(system), rows_(rows), phi_(VectorXd::Zero(system.size_rows())) {
    if (mechanics::has_constraint_loops(system)) rank_.emplace(system, rows);
  }

  /// What is remembered at the start of a run.
  WatchMemory start(const State& x) {
    if (!rank_) return {};
    const double distance = rank_->closest(x.t, x.q).distance;
    return {.distance = distance, .highest = distance, .time = x.t};
  }

  struct Finding {
    StepTrouble trouble = StepTrouble::none;
    int row = -1;
  };
  /// To be called after every step.
  Finding look(const State& x, WatchMemory& memory) {
    if (!rank_ || --memory.wait > 0) return {};
    if (const int row = lost(x); row >= 0) return {StepTrouble::redundancy_lost, row};
    if (const int row = reached(x, memory); row >= 0) return {StepTrouble::singular_position, row};
    return {};
  }

 private:
  static constexpr double low = 0.2;     ///< of the largest distance so far: coarse steps far from trouble are let pass
  static constexpr double margin = 1.1;  ///< a zero that just misses the next step counts
  static constexpr int longest_wait = 16;

  /// The row that becomes dependent within the next step, −1 when none does.
  int reached(const State& x, WatchMemory& memory) {
    const mechanics::ClosestRow now = rank_->closest(x.t, x.q);
    if (now.is_dependent) return now.row;
    const double fall = (memory.distance - now.distance) / memory.planned;
    memory.distance = now.distance;
    memory.highest = std::max(memory.highest, now.distance);
    // Distances are sines of angles between rows: no faster than bodies turn, up to a factor.
    const double turn = largest_spin(x) * (x.t - memory.time) / memory.planned;
    memory.time = x.t;
    memory.planned = static_cast<int>(
        std::clamp(now.distance / (2 * std::max(turn, 4 * std::abs(fall)) + 1e-300), 1.0, double(longest_wait)));
    memory.wait = memory.planned;
    return now.distance < low * memory.highest && now.distance <= margin * fall ? now.row : -1;
  }

  /// (I.2) The row left out that is violated although all others hold, −1 when none is.
  int lost(const State& x) {
    if (rows_.is_all()) return -1;
    phi_.setZero();
    system_.constraint(x.t, x.q, phi_);
    int worst = -1;
    double off = 0;
    for (const int row : rows_.inactive())
      if (!(std::abs(phi_[row]) <= off)) off = std::abs(phi_[row]), worst = row;
    rows_.clear_inactive(phi_);
    return off > 1e-5 + 1e3 * phi_.lpNorm<Eigen::Infinity>() ? worst : -1;
  }

  double largest_spin(const State& x) const {
    const auto& space = system_.space();
    double largest = 0;
    for (int i = 0; i < space.nodes(); ++i)
      if (space.group(i) > lie::GroupId::R3) largest = std::max(largest, x.v.segment<3>(space.v_offset(i)).norm());
    return largest;
  }

  const System& system_;
  const RowSelection rows_;
  VectorXd phi_;
  std::optional<mechanics::ConstraintRank> rank_;  ///< only where there are closed loops
};

}  // namespace filum::integrate
