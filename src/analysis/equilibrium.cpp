/// The search for one equilibrium: load steps, Newton, a damped motion as a last resort. Theory:
/// docs/theory/statics.md.
#include "free_motions.hpp"
#include "stability.hpp"
#include "static_newton.hpp"

#include <filum/analysis/equilibrium.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace filum::analysis {
namespace {

class Search {
 public:
  Search(const System& system, const State& start, const RowSelection& rows, const EquilibriumOptions& options)
      : options_(options),
        equations_(system, rows, start, options.regularize),
        newton_(equations_, options.tolerance, options.max_iterations),
        start_{start, options.load_factor} {
    start_.x.v.setZero(system.size_v());
    start_.x.a.setZero(system.size_v());
    start_.x.lambda.setZero(system.size_rows());
  }

  Equilibrium run() {
    StaticPoint p = start_;
    out_.outcome = EquilibriumOutcome::found;
    out_.held_motions = rolling_motions(equations_, p);
    equations_.set_anchors(anchors_against(equations_, out_.held_motions));
    if (!search(p)) {
      equations_.set_anchors({});  // what drives a motion that nothing resists is named
      p = start_;
      const bool is_finite = std::isfinite(equations_.balance(p, left_));
      out_.outcome = is_finite ? EquilibriumOutcome::not_found : EquilibriumOutcome::not_finite;
    } else {
      hold_rolling(p);
    }
    if (out_.outcome != EquilibriumOutcome::not_finite) out_.free_motions = free_motions(equations_, p);
    if (out_.free_motions.cols() > 0 && out_.held_motions.cols() > 0) {  // what is free anyway rolls freely, too
      equations_.set_anchors({});
      out_.held_motions.resize(Eigen::NoChange, 0);
      out_.free_motions = free_motions(equations_, p);
    }
    contradiction_ = equations_.contradiction(p);
    if (out_.is_found() && !contradiction_.empty()) out_.outcome = EquilibriumOutcome::not_found;
    if (out_.free_motions.cols() > 0) out_.outcome = EquilibriumOutcome::free_motion;
    if (!out_.is_found()) explain();
    out_.history = std::move(newton_.history);
    out_.state = std::move(p.x);
    out_.load_factor = p.factor;
    return std::move(out_);
  }

 private:
  /// (EQ.19) Where the start was no equilibrium, rolling shows at the end.
  void hold_rolling(const StaticPoint& p) {
    if (out_.held_motions.cols() > 0) return;
    out_.held_motions = rolling_among(equations_.system(), equations_.weights(), free_motions(equations_, p));
    equations_.set_anchors(anchors_against(equations_, out_.held_motions));
  }

  /// Newton does not mind whether an equilibrium is stable; a model that is let go does.
  bool search(StaticPoint& p) {
    const bool is_near = at_once(p, nearby_contraction);
    if (options_.nearby || (is_near && is_stable(p))) return is_near;
    if (options_.load_steps && equations_.system().has_loads() && by_load_steps(p)) return true;
    const bool found = at_once(p, 1);
    return (found && is_stable(p)) || (options_.relax && relaxed(p)) || found;
  }

  StaticNewtonReport solve(StaticPoint& p, double worst) {
    const StaticNewtonReport report = newton_.solve(p, worst);
    out_.iterations += report.iterations;
    return report;
  }

  bool at_once(StaticPoint& p, double worst) {
    p = start_;
    equations_.balance(p, left_);
    return solve(p, worst).converged();
  }

  bool is_stable(const StaticPoint& p) {
    if (!equations_.factorize(p).ok) return false;
    if (count_negative(equations_).negative == 0) return true;
    if (out_.held_motions.cols() > 0) return false;
    hold_rolling(p);  // it counts by the sign of a rounding error
    return out_.held_motions.cols() > 0 && equations_.factorize(p).ok && count_negative(equations_).negative == 0;
  }

  bool relaxed(StaticPoint& p) {
    StaticPoint end = start_;
    const StaticNewtonReport report = newton_.relax(end);
    out_.iterations += report.iterations;
    if (!report.converged() || !is_stable(end)) return false;
    p = std::move(end);
    out_.outcome = EquilibriumOutcome::relaxed;
    out_.message =
        "Newton's iteration from the given shape led to no stable equilibrium; a strongly damped motion led to this "
        "one";
    return true;
  }

  /// (EQ.5) From no load on, along tangents and their change, in steps that grow and shrink.
  bool by_load_steps(StaticPoint& p) {
    p = start_;
    p.factor = 0;
    equations_.balance(p, left_);
    if (!solve(p, 1).converged()) return false;
    VectorXd r(equations_.system().size_v()), phi = VectorXd::Zero(equations_.system().size_rows());
    StaticIncrement tangent{r, phi}, before{r, phi}, ahead{r, phi};
    StaticPoint trial = p;
    double step = options_.load_factor, last = 0;
    while (p.factor != options_.load_factor) {
      if (!equations_.factorize(p).ok) return false;
      equations_.by_factor(p, r, phi);
      equations_.solve(r, phi, tangent);
      const double speed = equations_.largest(tangent.q);
      if (!std::isfinite(speed)) return false;
      step = std::copysign(std::min(std::abs(step), longest / std::max(speed, 1e-300)), options_.load_factor);
      const double left = options_.load_factor - p.factor;
      if (std::abs(step) > 0.999 * std::abs(left)) step = left;
      if (std::abs(step) < smallest * std::abs(options_.load_factor)) return false;
      const double bend = last == 0 ? 0 : 0.5 * step / last;
      ahead.q = tangent.q + bend * (tangent.q - before.q);
      ahead.lambda = tangent.lambda + bend * (tangent.lambda - before.lambda);
      equations_.advance(p, step, ahead, trial);
      trial.factor = step == left ? options_.load_factor : p.factor + step;
      const StaticNewtonReport report = solve(trial, path_contraction);
      ++out_.load_steps;
      if (report.converged()) p = trial, before = tangent, last = step;
      step *= report.converged() ? growth(report) : 0.3;
    }
    return true;
  }

  void explain() {
    std::ostringstream text;
    text.precision(6);
    switch (out_.outcome) {
      case EquilibriumOutcome::free_motion:
        text << "something can move without resistance (" << out_.free_motions.cols()
             << (out_.free_motions.cols() == 1 ? " free motion" : " free motions")
             << "): hold it with a joint or a spring, or softly with regularize";
        break;
      case EquilibriumOutcome::not_finite:
        text << "forces or constraints are not finite on the way to equilibrium";
        break;
      default:
        if (!contradiction_.empty()) {
          text << contradiction_ << ". Try: remove one of the drives or joints that prescribe the same motion";
          break;
        }
        text << "no equilibrium was found: neither Newton's iteration nor a strongly damped motion came to rest. Try: "
                "smaller loads, another initial shape, or check whether something drives the model forever";
    }
    out_.message = text.str();
  }

  static constexpr double longest = 1;      ///< predicted motion of a load step: radians, or sizes of the model
  static constexpr double smallest = 1e-6;  ///< load step, of the whole

  const EquilibriumOptions& options_;
  StaticEquations equations_;
  StaticNewton newton_;
  StaticPoint start_;
  Equilibrium out_;
  std::string contradiction_;
  VectorXd left_ = VectorXd(equations_.system().size_v());
};

}  // namespace

Equilibrium find_equilibrium(const System& system, const State& start, const RowSelection& rows,
                             const EquilibriumOptions& options) {
  return Search(system, start, rows, options).run();
}

}  // namespace filum::analysis
