/// Newton's method for static equilibrium, and the damped motion that leads to where it converges.
/// Theory: docs/theory/statics.md, sec. 3 and 4.
#pragma once

#include "static_equations.hpp"

#include <filum/analysis/equilibrium.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace filum::analysis {

/// (EQ.6) Largest contraction of a first iteration that is trusted to lead to the equilibrium next to a shape, and on a
/// path with its good predictions; what steps of a path aim at.
inline constexpr double nearby_contraction = 0.5, path_contraction = 0.9, wanted_contraction = 0.25;

/// Increments below this that no longer shrink are rounding errors: stiff, finely divided beams have a condition number
/// of 1e8 and more.
inline constexpr double newton_noise = 1e-6;

enum class StaticNewtonOutcome { converged, too_slow, diverged, singular, not_finite };

struct StaticNewtonReport {
  StaticNewtonOutcome outcome = StaticNewtonOutcome::too_slow;
  int iterations = 0;
  double contraction = 0;  ///< of the first iteration: (EQ.6)
  bool converged() const { return outcome == StaticNewtonOutcome::converged; }
};

/// Of the next step of a path. Predictions have errors of third order, and contraction is as good as they are.
inline double growth(const StaticNewtonReport& report) {
  return std::clamp(std::cbrt(wanted_contraction / std::max(report.contraction, 1e-3)), 0.5, 2.5);
}

/// Iterations at a given factor and time.
class StaticNewton {
 public:
  StaticNewton(StaticEquations& equations, double tolerance, int max_iterations);

  /// Improves p in place; on failure p is where it stopped. A first iteration that contracts by less than `worst` is
  /// the end, because what it converges to might lie elsewhere; 1: any way will do.
  StaticNewtonReport solve(StaticPoint& p, double worst);
  /// (EQ.7) A strongly damped motion from p, until Newton converges.
  StaticNewtonReport relax(StaticPoint& p);

  std::vector<EquilibriumIteration> history;

 private:
  /// Tries to move p by d; fills trial_ and the increment that would follow with the same matrix. Returns the share of
  /// d that is worth taking, 0 when none is.
  double search(const StaticPoint& p, double norm, double& next);

  void take_trial(StaticPoint& p);

  StaticEquations& e_;
  double tolerance_;
  int max_iterations_;
  StaticPoint trial_;
  StaticIncrement d_, next_;
  VectorXd r_, phi_, left_, predicted_;
};

}  // namespace filum::analysis
