/// What can be checked before anything is built: names, references, combinations of keys. User document:
/// docs/guide/error-messages.md.
#pragma once

#include <filum/scenario/scenario.hpp>

namespace filum::scenario {

/// What a reference means.
struct Target {
  enum class Kind { ground, body, beam, beam_point };
  Kind kind = Kind::ground;
  int index = -1;  ///< of the body or beam
  double s = 0;    ///< arc length, of a point of a beam
};

/// Resolves "ground", "NAME", "BEAM:start", "BEAM:end" and "BEAM@ARC_LENGTH"; an empty message means success.
Target resolve(const Scenario& scenario, const Reference& reference, std::string& objection);

/// Arc length of the last node, if the beam says enough.
std::optional<double> length_of(const Beam& beam);

/// Everything that is wrong with the scenario as a whole.
std::vector<Problem> find_problems(const Scenario& scenario);

/// Fills in defaults that depend on other values: output interval, options of the method, names of loads and springs.
void fill_defaults(Scenario& scenario);

}  // namespace filum::scenario
