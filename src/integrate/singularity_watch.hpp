/// Stops a run before a closed loop of constraints becomes singular. Theory: docs/theory/integrators.md, sec. 3.
#pragma once

#include <filum/mechanics/constraint_rank.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

namespace filum::integrate {

/// (I.1) A mechanism passes through singular positions between two steps: the distance of a constraint to the span of the
/// others falls linearly to zero and rises again. It is stopped when the distance is low and zero lies within the next step.
/// Far from that, only every few steps are looked at.
class SingularityWatch {
 public:
  SingularityWatch(const mechanics::System& system, const mechanics::State& x)
      : system_(system), has_loops_(mechanics::has_constraint_loops(system)), phi_(system.size_rows()) {
    if (!has_loops_) return;
    rank_ = std::make_unique<mechanics::ConstraintRank>(system);
    last_ = highest_ = rank_->analyse(x.t, x.q).smallest_distance;
    last_time_ = x.t;
  }

  enum class Finding { nothing, singular, lost };
  struct Report {
    Finding finding = Finding::nothing;
    int row = -1;
  };

  /// To be called after every step.
  Report look(const mechanics::State& x) {
    if (!has_loops_ || --wait_ > 0) return {};
    if (const int row = lost(x); row >= 0) return {Finding::lost, row};
    if (const int row = reached(x); row >= 0) return {Finding::singular, row};
    return {};
  }

 private:
  static constexpr double low = 0.2;     ///< of the largest distance so far: coarse steps far from trouble are let pass
  static constexpr double margin = 1.1;  ///< a zero that just misses the next step counts
  static constexpr int longest_wait = 16;

  /// The row that becomes dependent within the next step, −1 when none does.
  int reached(const mechanics::State& x) {
    const mechanics::RedundancyReport now = rank_->analyse(x.t, x.q);
    if (!now.dependent_rows.empty()) return now.dependent_rows.front();
    const double distance = now.smallest_distance, fall = (last_ - distance) / planned_;
    last_ = distance;
    highest_ = std::max(highest_, distance);
    // Distances are sines of angles between rows: no faster than bodies turn, up to a factor.
    const double turn = largest_spin(x) * (x.t - last_time_) / planned_;
    last_time_ = x.t;
    planned_ = static_cast<int>(std::clamp(distance / (2 * std::max(turn, 4 * std::abs(fall)) + 1e-300), 1.0, double(longest_wait)));
    wait_ = planned_;
    return distance < low * highest_ && distance <= margin * fall ? now.closest_row : -1;
  }

  /// (I.2) The dropped row that is violated although all others hold, −1 when none is.
  int lost(const mechanics::State& x) {
    if (system_.inactive_rows().empty()) return -1;
    Eigen::Index worst;
    const double off = system_.inactive_residual(x.t, x.q).cwiseAbs().maxCoeff(&worst);
    phi_.setZero();
    system_.constraint(x.t, x.q, phi_);
    return off > 1e-5 + 1e3 * phi_.cwiseAbs().maxCoeff() ? system_.inactive_rows()[static_cast<std::size_t>(worst)] : -1;
  }

  double largest_spin(const mechanics::State& x) const {
    const auto& space = system_.space();
    double largest = 0;
    for (int i = 0; i < space.nodes(); ++i)
      if (space.group(i) > lie::GroupId::R3) largest = std::max(largest, x.v.segment<3>(space.v_offset(i)).norm());
    return largest;
  }

  const mechanics::System& system_;
  bool has_loops_;
  mechanics::VectorXd phi_;
  std::unique_ptr<mechanics::ConstraintRank> rank_;
  double last_ = 1, highest_ = 1, last_time_ = 0;
  int wait_ = 1, planned_ = 1;  ///< steps until the next look, and how many that were
};

}  // namespace filum::integrate
