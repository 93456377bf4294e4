/// What is said when a run stops. Theory: docs/theory/integrators.md, sec. 2.
#include <filum/integrate/run.hpp>

#include <sstream>

namespace filum::integrate {

std::string describe(const System& system, const StepReport& report) {
  const int suspect = report.newton.factor.suspect_row;
  const std::string row = suspect >= 0 ? system.row_name(suspect) : "";
  std::ostringstream text;
  switch (report.trouble) {
    case StepTrouble::newton:
      text << "Newton's method "
           << (report.newton.outcome == linalg::NewtonOutcome::diverged ? "diverged" : "did not converge") << " in "
           << report.newton.iterations << (report.newton.iterations == 1 ? " iteration" : " iterations");
      break;
    case StepTrouble::singular_matrix:
      text << "the matrix is singular: the constraints are linearly dependent in this configuration";
      break;
    case StepTrouble::not_finite: text << "a force, a constraint or the solution is not finite"; break;
    case StepTrouble::error_too_large:
      text << "the step has become too small for the tolerance (error " << report.error << ", 1 is allowed)";
      break;
    case StepTrouble::singular_position:
      text << "the mechanism reaches a singular configuration within the next step: there the equation '" << row
           << "' depends on the others, and the motion may branch";
      break;
    case StepTrouble::redundancy_lost:
      text << "the equation '" << row
           << "', which depended on others at the start and was left out, no longer holds: the start was a singular "
              "configuration";
      break;
    case StepTrouble::none: break;
  }
  return text.str();
}

std::string describe(const System& system, const Stop& stop) {
  std::ostringstream text;
  text.precision(9);
  text << stop.method << " stopped at t = " << stop.state.t << " with step " << stop.step << ": "
       << describe(system, stop.report);
  for (const std::string& said : stop.diagnoses) text << "; " << said;
  return text.str();
}

}  // namespace filum::integrate
