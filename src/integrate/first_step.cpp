/// The first step of an adaptive method. Theory: docs/theory/step_control.md, (SC.6).
#include <filum/integrate/first_step.hpp>
#include <filum/mechanics/acceleration_solver.hpp>

#include <algorithm>
#include <cmath>

namespace filum::integrate {
namespace {

double weighted(const VectorXd& w, const VectorXd& v, const StepControl& control) {
  ErrorNorm norm = control.norm();
  norm.add(w, v, v);
  return norm.value();
}

/// h with h d₁ (h d₂/d₁)ᵖ = error; h² d₂ = error where d₁ vanishes.
double step_of(double error, double d1, double d2, int p) {
  if (!(d1 > 0)) return std::sqrt(error / d2);
  return std::pow(error / d1 * std::pow(d1 / d2, p), 1.0 / (p + 1));
}

}  // namespace

double first_step(const System& system, const RowSelection& rows, const State& x, const StepControl& control,
                  double span) {
  const double fallback = 1e-6 * span, largest = 0.1 * span, careful = 0.1;
  mechanics::AccelerationSolver index_1(system, rows);
  VectorXd a = x.v, a_ahead = x.v, q = x.q, v = x.v, lambda = VectorXd::Zero(system.size_rows());
  if (!index_1.solve(x.t, x.q, x.v, a, lambda).ok) return fallback;
  const double d0 = weighted(x.v, x.v, control), d1 = weighted(a, x.v, control);
  const double trial = std::clamp(d0 > 0 && d1 > 0 ? 0.01 * d0 / d1 : fallback, 1e-3 * fallback, 0.1 * largest);
  v = x.v + 0.5 * trial * a;
  system.space().advance(x.q, trial, v, q);
  v = x.v + trial * a;
  if (!index_1.solve(x.t + trial, q, v, a_ahead, lambda).ok) return fallback;
  a_ahead = (a_ahead - a) / trial;
  const double d2 = weighted(a_ahead, x.v, control);
  if (!std::isfinite(d2)) return fallback;
  const double most = std::min({largest, 100 * std::max(trial, fallback), control.options().max_step});
  return d2 > 0 ? std::min(most, step_of(careful * control.share(), d1, d2, control.order())) : most;
}

}  // namespace filum::integrate
