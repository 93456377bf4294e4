/// Messages of runs that stopped. User document: docs/guide/error-messages.md.
#include "failure.hpp"

#include <filum/analysis/fastest_rates.hpp>
#include <filum/linalg/reduce.hpp>
#include <filum/mechanics/acceleration_solver.hpp>

#include <cmath>
#include <sstream>

namespace filum::record {
namespace {

using integrate::StepTrouble;
using mechanics::State;
using mechanics::System;

/// The unknowns of every Newton solve are velocities or increments first, then multipliers, row after row.
std::string unknown_name(const model::BuiltModel& model, int unknown) {
  const System& system = model.system();
  if (unknown < system.size_v()) return model.velocity_name(unknown);
  const int rows = system.size_rows();
  return rows == 0 ? "" : "force of " + system.row_name((unknown - system.size_v()) % rows);
}

/// Change of all forces within the step while nothing moves, relative to their size.
double jump_of_forces(const System& system, const State& x, double h) {
  mechanics::VectorXd now(system.size_v()), half(system.size_v()), then(system.size_v());
  system.forces(x.t, x.q, x.v, now);
  system.forces(x.t + h / 2, x.q, x.v, half);
  system.forces(x.t + h, x.q, x.v, then);
  if (!then.allFinite() || !half.allFinite()) return 0;
  return linalg::norm(then - now) / (1e-12 + std::max(linalg::norm(now), linalg::norm(half)));
}

class Advice {
 public:
  Advice(const model::BuiltModel& model, const integrate::MethodOptions& method, const SimulateOptions& options,
         const State& x, const integrate::IntegrationStopped& failure)
      : model_(model), method_(method), options_(options), x_(x), failure_(failure) {}

  std::vector<std::string> lines() {
    const StepTrouble trouble = failure_.report.trouble;
    broken_formulas();
    if (!lines_.empty()) return std::move(lines_);
    if (trouble == StepTrouble::singular_position) return {"another geometry, or an earlier end of the run"};
    if (trouble == StepTrouble::redundancy_lost) return {"a start from another configuration of the mechanism"};
    jump();
    if (!stability()) numerical(trouble);
    return std::move(lines_);
  }

 private:
  void add(const std::string& line) { lines_.push_back(line); }

  /// No step helps where a formula has no value.
  void broken_formulas() {
    for (const auto& object : model_.objects())
      if (const std::string broken = object->broken_formula(x_.t, x_.t + failure_.step); !broken.empty())
        add("correct " + std::string(object->kind()) + " " + object->name() + ": " + broken);
  }

  void jump() {
    const double jump = jump_of_forces(model_.system(), x_, failure_.step);
    if (!(jump > 0.5) || !std::isfinite(jump) || !(x_.t > options_.start)) return;
    std::ostringstream text;
    text.precision(3);
    text << "the forces change by a factor of " << jump
         << " within this step: a load jumps here; let a step end at the jump, or make it gradual";
    add(text.str());
  }

  bool stability() {
    const auto limit_at = [&](const State& x) {
      return analysis::largest_stable_step(method_, analysis::fastest_rates(model_.system(), x, model_.rows()));
    };
    // After a motion has exploded, its rates say nothing about the steps that were needed before.
    const double at_start = limit_at(model_.start()), here = limit_at(x_);
    const bool exploded = !(here > 1e-3 * std::min(at_start, options_.end - options_.start));
    const double limit = exploded ? at_start : here;
    if (!(failure_.step > 0.8 * limit) && !(options_.step > 0.8 * limit)) return false;
    std::ostringstream step;
    step << integrate::name(method_) << " treats the forces explicitly and needs steps below about " << limit
         << (exploded ? " at the start" : " here")
         << ": a smaller time.step, or an implicit method such as generalized-alpha";
    add(step.str());
    return true;
  }

  void numerical(StepTrouble trouble) {
    if (trouble == StepTrouble::singular_matrix)
      return add(
          "a start that is not a singular configuration, such as a stretched linkage or a dead centre; `filum check` "
          "names dependent constraints");
    if (x_.t == options_.start && integrate::is_implicit(method_))
      add("`filum check`: the very first step failed, and it shows whether the start is consistent");
    if (integrate::uses_simplified_matrix(method_))
      add("integrator.matrix = \"exact\": stiffness and damping belong in the matrix");
    const bool has_vanished = failure_.step < 1e-12 * std::max(1.0, std::abs(x_.t));
    if (trouble == StepTrouble::error_too_large || has_vanished)
      return add(
          "an earlier end of the run, or a bound on what grows there; a larger time.accuracy, or "
          "integrator.atol and rtol, where they are near rounding errors");
    std::ostringstream smaller;
    smaller << "a smaller step, such as --set time.step=" << options_.step / 4;
    add(smaller.str());
  }

  const model::BuiltModel& model_;
  const integrate::MethodOptions& method_;
  const SimulateOptions& options_;
  const State& x_;
  const integrate::IntegrationStopped& failure_;
  std::vector<std::string> lines_;
};

/// Where the motion changes fastest relative to its size: usually what an adaptive method fails at.
void add_fastest_change(std::ostringstream& text, const model::BuiltModel& model, State x) {
  const System& system = model.system();
  mechanics::AccelerationSolver solver(system, model.rows());
  if (!solver.solve(x).ok || !x.a.allFinite() || x.a.size() == 0) return;
  const double scale = 1e-3 * x.v.lpNorm<Eigen::Infinity>() + 1e-300;
  Eigen::Index worst = 0;
  (x.a.array().abs() / (x.v.array().abs() + scale)).maxCoeff(&worst);
  text.precision(3);
  text << "\n  there " << model.velocity_name(static_cast<int>(worst)) << " is " << x.v[worst] << " and changes by "
       << x.a[worst] << " per time";
}

/// The history of Newton's method.
void add_details(std::ostringstream& text, const model::BuiltModel& model, const integrate::StepReport& report) {
  const auto& newton = report.newton;
  if (report.trouble == StepTrouble::singular_position || report.trouble == StepTrouble::redundancy_lost) return;
  if (newton.iterations > 0) {
    text.precision(3);
    text << "\n  Newton increments, 1 is the tolerance:";
    for (int k = 0; k < std::min(newton.iterations, linalg::NewtonReport::remembered); ++k)
      text << ' ' << newton.norms[static_cast<std::size_t>(k)];
  }
  if (newton.worst_unknown >= 0) text << "\n  worst: " << unknown_name(model, newton.worst_unknown);
  if (newton.factor.rcond > 0 && report.trouble != StepTrouble::singular_matrix)
    text << "\n  matrix: reciprocal condition " << newton.factor.rcond
         << (newton.factor.rcond < 1e-13 ? ", nearly singular" : "");
  if (newton.factor.suspect_row >= 0)
    text << "\n  smallest pivot: " << model.system().row_name(newton.factor.suspect_row);
}

}  // namespace

std::string describe_failure(const model::BuiltModel& model, const integrate::MethodOptions& method,
                             const SimulateOptions& options, const State& x,
                             const integrate::IntegrationStopped& failure) {
  std::ostringstream text;
  text.precision(9);
  text << integrate::name(method) << " stopped at t = " << x.t << " with step " << failure.step << ": "
       << integrate::describe(model.system(), failure.report);
  for (const std::string& line : Advice(model, method, options, x, failure).lines()) text << "\n  try: " << line;
  for (const std::string& diagnosis : failure.diagnoses) text << "\n  " << diagnosis;
  if (integrate::capabilities(method).adaptive) add_fastest_change(text, model, x);
  add_details(text, model, failure.report);
  return text.str();
}

}  // namespace filum::record
