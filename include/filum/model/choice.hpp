/// Chooses a method that suits a model. Theory: docs/theory/choice.md.
#pragma once

#include <filum/integrate/method.hpp>
#include <filum/model/built_model.hpp>

#include <string>
#include <vector>

namespace filum::model {

struct ChoiceOptions {
  double end = 1;          ///< of the run; it starts at the time of the state
  double step = 0;         ///< the first one; 0: the program chooses
  double accuracy = 1e-3;  ///< wanted error relative to the size of the model
};

/// How large and how fast a model is, as far as a state tells.
struct Scales {
  double length = 1;  ///< diagonal of the box around all nodes; of a single node its distance to the origin
  double time = 1;    ///< (CH.1) of the motion, not of vibrations
};
Scales scales_of(const BuiltModel& model, const State& x, double duration);

/// Methods in the order in which they are tried: the next one takes over when steps are limited by stability instead of
/// accuracy. All of them choose their steps.
struct Choice {
  std::vector<integrate::MethodOptions> methods;
  double step = 0;  ///< the first one
  double accuracy = 0;
  std::string reason;  ///< in one line
};

/// Throws std::invalid_argument when no adaptive method can handle the model.
Choice choose_method(const BuiltModel& model, const State& x, const ChoiceOptions& options);

/// (CH.4) Whether steps of this size are about as long as stability allows at x.
bool is_limited_by_stability(const BuiltModel& model, const State& x, const integrate::MethodOptions& method,
                             double step);

}  // namespace filum::model
