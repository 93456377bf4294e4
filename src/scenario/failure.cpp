/// Words for a run that has stopped. User document: docs/guide/error-messages.md.
#include "failure.hpp"

#include "frequency.hpp"

#include <filum/scenario/method.hpp>
#include <filum/scenario/words.hpp>

#include <cmath>
#include <sstream>

namespace filum::scenario {
namespace {

using integrate::StepTrouble;

/// The unknowns of every Newton solve are velocities or increments first, then multipliers, row after row.
std::string unknown_name(const Scenario& scenario, const Model& model, int unknown) {
  if (unknown < model.system->size_v()) return velocity_name(scenario, model, unknown);
  const int rows = model.system->size_rows();
  return rows == 0 ? "" : "force of " + model.system->row_name((unknown - model.system->size_v()) % rows);
}

/// Change of all forces within the step while nothing moves, relative to their size.
double jump_of_forces(const System& system, const State& x, double h) {
  mechanics::VectorXd now(system.size_v()), half(system.size_v()), then(system.size_v());
  system.forces(x.t, x.q, x.v, now);
  system.forces(x.t + h / 2, x.q, x.v, half);
  system.forces(x.t + h, x.q, x.v, then);
  if (!then.allFinite() || !half.allFinite()) return 0;
  return (then - now).norm() / (1e-12 + std::max(now.norm(), half.norm()));
}

/// A formula that is not a number is found by asking each load.
std::string broken_load(const Scenario& scenario, double t0, double t1) {
  for (const Load& l : scenario.loads)
    for (const Number3* vector : {&l.force, &l.moment})
      for (const Number& f : *vector)
        for (const double t : {t0, 0.5 * (t0 + t1), t1})
          if (!f.is_constant() && !f.formula()->uses_s() && !std::isfinite(f(t)))
            return "load " + l.name + ": the formula '" + f.formula()->text() +
                   "' is not a number at t = " + std::to_string(t);
  return {};
}

void advise(std::ostringstream& text, const Scenario& scenario, const Model& model, const State& x,
            const integrate::IntegrationStopped& failure) {
  const auto try_this = [&](const std::string& line) { text << "\n  try: " << line; };
  const StepTrouble trouble = failure.report.trouble;
  const bool implicit = is_implicit(scenario.integrator.method);
  if (const double jump = jump_of_forces(*model.system, x, failure.step); jump > 0.5 && x.t > scenario.time.start)
    try_this("the forces change by a factor of " + std::to_string(jump) +
             " within this step: a load jumps here; let a step end at the jump, or make it gradual");
  const double limit = largest_stable_step(scenario.integrator.method, fastest_rates(*model.system, x));
  if (failure.step > 0.8 * limit || scenario.time.step > 0.8 * limit) {
    std::ostringstream step;
    step << word_of(scenario.integrator.method) << " treats the forces explicitly and needs steps below about " << limit
         << " here: a smaller time.step, or an implicit method such as generalized-alpha";
    try_this(step.str());
    return;
  }
  if (trouble == StepTrouble::singular_matrix) {
    try_this(
        "a start that is not in a stretched or dead position; `filum check` names constraints that depend on each "
        "other");
    return;
  }
  if (x.t == scenario.time.start && implicit)
    try_this("the very first step failed: `filum check` shows whether the start is consistent and what its forces are");
  if (scenario.integrator.matrix == NewtonMatrixKind::simplified && implicit)
    try_this("integrator.matrix = \"exact\": stiffness and damping belong into the matrix");
  if (trouble == StepTrouble::error_too_large)
    try_this(
        "larger integrator.atol and rtol, or a look at what happens at this time: a tolerance near rounding errors "
        "cannot be met");
  std::ostringstream smaller;
  smaller << "a smaller step, such as --set time.step=" << scenario.time.step / 4;
  try_this(smaller.str());
}

}  // namespace

std::string describe_failure(const Scenario& scenario, const Model& model, const State& x,
                             const integrate::IntegrationStopped& failure) {
  const auto& report = failure.report;
  const auto& newton = report.newton;
  const std::string row = newton.factor.suspect_row >= 0 ? model.system->row_name(newton.factor.suspect_row) : "";
  std::ostringstream text;
  text.precision(9);
  text << word_of(scenario.integrator.method) << " stopped at t = " << x.t << " with step " << failure.step << ": ";
  switch (report.trouble) {
    case StepTrouble::newton:
      text << "Newton's method "
           << (newton.outcome == linalg::NewtonOutcome::diverged ? "diverged" : "did not converge") << " in "
           << newton.iterations << " iterations";
      break;
    case StepTrouble::singular_matrix:
      text << "the matrix is singular: constraints depend on each other in this position";
      break;
    case StepTrouble::not_finite: text << "a force, a constraint or the solution is not a number"; break;
    case StepTrouble::error_too_large:
      text << "the step has become too small for the tolerance (error " << report.error << ", 1 is allowed)";
      break;
    case StepTrouble::singular_position:
      return text.str() + "the mechanism comes to a singular position within the next step: there the equation '" +
             row + "' depends on the others, and the motion may branch" +
             "\n  try: another geometry, or an end of the run before this time";
    case StepTrouble::redundancy_lost:
      return text.str() + "the equation '" + row +
             "', which depended on others at the start and was left out, no longer holds: the start was a singular "
             "position" +
             "\n  try: a start from another position of the mechanism";
    case StepTrouble::none: break;
  }
  if (newton.iterations > 0) {
    text.precision(3);
    text << "\n  Newton increments, 1 is the tolerance:";
    for (int k = 0; k < std::min(newton.iterations, linalg::NewtonReport::remembered); ++k)
      text << ' ' << newton.norms[static_cast<std::size_t>(k)];
  }
  if (newton.worst_unknown >= 0) text << "\n  worst: " << unknown_name(scenario, model, newton.worst_unknown);
  if (newton.factor.rcond > 0)
    text << "\n  matrix: reciprocal condition " << newton.factor.rcond
         << (newton.factor.rcond < 1e-13 ? ", nearly singular" : ", healthy");
  if (newton.factor.suspect_row >= 0) text << "\n  smallest pivot: " << row;
  if (const std::string load = broken_load(scenario, x.t, x.t + failure.step); !load.empty()) text << "\n  " << load;
  advise(text, scenario, model, x, failure);
  return text.str();
}

}  // namespace filum::scenario
