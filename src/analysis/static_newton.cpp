/// Newton with a line search, and pseudo-transient continuation. Theory: docs/theory/statics.md, sec. 3 and 4.
#include "static_newton.hpp"

#include <algorithm>
#include <cmath>

namespace filum::analysis {
namespace {

/// Largest increment of one iteration: a radian, or the size of the model. Linear predictions mean nothing beyond it.
constexpr double longest = 1;
constexpr double shortest = 1e-3;  ///< of a step that is shortened
constexpr double poor = 0.5;       ///< contraction that is none any more

StaticIncrement increment(const System& s) { return {VectorXd(s.size_v()), VectorXd::Zero(s.size_rows())}; }

}  // namespace

StaticNewton::StaticNewton(StaticEquations& equations, double tolerance, int max_iterations)
    : e_(equations),
      tolerance_(tolerance),
      max_iterations_(max_iterations),
      trial_{equations.system().make_state()},
      d_(increment(equations.system())),
      next_(increment(equations.system())),
      r_(equations.system().size_v()),
      phi_(VectorXd::Zero(equations.system().size_rows())),
      left_(equations.system().size_v()),
      predicted_(equations.system().size_v()) {}

// (EQ.6) Natural monotonicity: the increment that would follow with the same matrix must be shorter.
double StaticNewton::search(const StaticPoint& p, double norm, double& next) {
  const double first = std::min(1.0, longest / norm);
  for (double step = first; step > shortest * first; step *= 0.5) {
    e_.advance(p, step, d_, trial_);
    if (!e_.residual(trial_, r_, phi_)) continue;
    e_.solve(r_, phi_, next_);
    next = e_.largest(next_.q);
    if (next <= (1 - step / 4) * norm || (norm <= newton_noise && std::isfinite(next))) return step;
  }
  return 0;
}

StaticNewtonReport StaticNewton::solve(StaticPoint& p, double worst) {
  StaticNewtonReport report;
  if (!e_.residual(p, r_, phi_)) return report.outcome = StaticNewtonOutcome::not_finite, report;
  while (report.iterations < max_iterations_) {
    if (!e_.factorize(p).ok) return report.outcome = StaticNewtonOutcome::singular, report;
    e_.solve(r_, phi_, d_);
    const double norm = e_.largest(d_.q);
    if (!std::isfinite(norm)) return report.outcome = StaticNewtonOutcome::singular, report;
    double next = 0;
    const double step = norm > tolerance_ ? search(p, norm, next) : 1;
    history.push_back({p.factor, norm, step});
    ++report.iterations;
    if (step == 0) return report.outcome = StaticNewtonOutcome::diverged, report;
    if (norm <= tolerance_) e_.advance(p, 1, d_, trial_);
    take_trial(p);
    if (report.iterations == 1) report.contraction = step == 1 ? next / norm : 1;
    if (step == 1 && next <= tolerance_) {
      if (next > 0) e_.advance(p, 1, next_, trial_), take_trial(p);
      return report.outcome = StaticNewtonOutcome::converged, report;
    }
    if (norm <= newton_noise && next > poor * norm) return report.outcome = StaticNewtonOutcome::converged, report;
    if (report.contraction > worst) return report.outcome = StaticNewtonOutcome::diverged, report;
  }
  return report;
}

void StaticNewton::take_trial(StaticPoint& p) {
  std::swap(p.x.q, trial_.x.q);
  std::swap(p.x.lambda, trial_.x.lambda);
}

// (EQ.7) (K + σW) δ + Cᵀδλ = r: a step 1/σ of the linearly implicit Euler method for W q̇ = r.
StaticNewtonReport StaticNewton::relax(StaticPoint& p) {
  constexpr double first = 0.1, longest_step = 0.5;  // radians, or sizes of the model
  constexpr int most = 400;
  StaticNewtonReport total;
  double force = e_.balance(p, left_);
  double sigma = std::max(force / first, 1e-300);
  for (int k = 0; k < most; ++k, ++total.iterations) {
    if (!e_.residual(p, r_, phi_)) return total.outcome = StaticNewtonOutcome::not_finite, total;
    double misfit = 2;
    if (e_.factorize(p, sigma).ok) {
      e_.solve(r_, phi_, d_);
      const double norm = e_.largest(d_.q), work = d_.q.dot(r_);
      if (std::isfinite(norm) && norm <= longest_step && (work > 0 || phi_.lpNorm<Eigen::Infinity>() > 0)) {
        e_.advance(p, 1, d_, trial_);
        const double now = e_.balance(trial_, left_);
        // What a linear problem would have left is σWδ.
        predicted_ = left_ - sigma * d_.q;
        misfit = std::isfinite(now) ? e_.length(predicted_) / std::max(force, 1e-300) : 2;
        if (misfit <= 1) {
          take_trial(p);
          sigma *= std::clamp(now / force, 0.1, 1.0) * (misfit < 0.25 ? 0.3 : 1);
          force = now;
          if (norm < 0.05 || misfit < 0.05) {
            StaticPoint close = p;
            const StaticNewtonReport report = solve(close, nearby_contraction);
            total.iterations += report.iterations;
            if (report.converged()) return p = close, total.outcome = StaticNewtonOutcome::converged, total;
          }
          continue;
        }
      }
    }
    sigma *= 4;
  }
  return total;
}

}  // namespace filum::analysis
