/// What is wrong with the options of a method, checked in one place, beside the options.
#pragma once

#include <filum/integrate/step_control.hpp>
#include <filum/linalg/newton.hpp>

#include <optional>
#include <stdexcept>
#include <string>

namespace filum::integrate {

/// An option that is out of range or contradicts another one.
struct OptionProblem {
  std::string option;  ///< its member, such as "newton.atol"
  std::string text;    ///< "must be ..., got ..."
  std::string message() const { return option + " " + text; }
};

std::optional<OptionProblem> objection(const linalg::NewtonOptions& options);
std::optional<OptionProblem> objection(const StepControlOptions& options);
std::optional<OptionProblem> objection_to_tolerance(double position_tolerance);

/// Throws std::invalid_argument when there is an objection to the options.
template <class Options>
const Options& checked(const Options& options) {
  if (const auto problem = objection(options)) throw std::invalid_argument(problem->message());
  return options;
}

}  // namespace filum::integrate
