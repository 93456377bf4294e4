/// Ranges of the options that several methods share.
#include "option_text.hpp"

#include <filum/integrate/option_problem.hpp>

namespace filum::integrate {

std::optional<OptionProblem> objection(const linalg::NewtonOptions& o) {
  if (!(o.atol > 0)) return OptionProblem{"newton.atol", "must be positive, got " + text_of(o.atol)};
  if (!(o.rtol >= 0)) return OptionProblem{"newton.rtol", "must not be negative, got " + text_of(o.rtol)};
  if (o.max_iterations < 1)
    return OptionProblem{"newton.max_iterations", "must be at least 1, got " + text_of(o.max_iterations)};
  return std::nullopt;
}

std::optional<OptionProblem> objection_to_tolerance(double position_tolerance) {
  if (position_tolerance > 0) return std::nullopt;
  return OptionProblem{"position_tolerance", "must be positive, got " + text_of(position_tolerance)};
}

std::optional<OptionProblem> objection(const StepControlOptions& o) {
  if (!(o.atol > 0)) return OptionProblem{"control.atol", "must be positive, got " + text_of(o.atol)};
  if (!(o.rtol >= 0)) return OptionProblem{"control.rtol", "must not be negative, got " + text_of(o.rtol)};
  if (!(o.length > 0)) return OptionProblem{"control.length", "must be positive, got " + text_of(o.length)};
  if (!(0 < o.safety && o.safety < 1))
    return OptionProblem{"control.safety", "must be between 0 and 1, got " + text_of(o.safety)};
  if (!(0 < o.min_factor && o.min_factor < 1))
    return OptionProblem{"control.min_factor", "must be between 0 and 1, got " + text_of(o.min_factor)};
  if (!(o.max_factor > 1)) return OptionProblem{"control.max_factor", "must be above 1, got " + text_of(o.max_factor)};
  if (!(o.max_step > 0)) return OptionProblem{"control.max_step", "must be positive, got " + text_of(o.max_step)};
  return std::nullopt;
}

}  // namespace filum::integrate
