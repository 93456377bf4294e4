/// Stops a run before a closed loop of constraints becomes singular. Theory: docs/theory/integrators.md, sec. 3.
#pragma once

#include <filum/mechanics/constraint_rank.hpp>

#include <algorithm>
#include <memory>

namespace filum::integrate {

/// (I.1) A mechanism passes through singular positions between two steps: the distance of a constraint to the span of the
/// others falls linearly to zero and rises again. It is stopped when the distance is low and zero lies within the next step.
class SingularityWatch {
 public:
  SingularityWatch(const mechanics::System& system, const mechanics::State& x) : system_(system), phi_(system.size_rows()) {
    if (!mechanics::has_constraint_loops(system)) return;
    rank_ = std::make_unique<mechanics::ConstraintRank>(system);
    last_ = highest_ = rank_->analyse(x.t, x.q).smallest_distance;
  }

  /// The row that becomes dependent within the next step, −1 when none does. To be called after every step.
  int reached(const mechanics::State& x) {
    if (!rank_) return -1;
    const mechanics::RedundancyReport now = rank_->analyse(x.t, x.q);
    if (!now.dependent_rows.empty()) return now.dependent_rows.front();
    const double distance = now.smallest_distance, fall = last_ - distance;
    last_ = distance;
    highest_ = std::max(highest_, distance);
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

 private:
  static constexpr double low = 0.2;     ///< of the largest distance so far: coarse steps far from trouble are let pass
  static constexpr double margin = 1.1;  ///< a zero that just misses the next step counts

  const mechanics::System& system_;
  mechanics::VectorXd phi_;
  std::unique_ptr<mechanics::ConstraintRank> rank_;
  double last_ = 1, highest_ = 1;
};

}  // namespace filum::integrate
