/// Conditions that end a run. User document: docs/guide/scenarios.md, "Stops".
#pragma once

#include <filum/model/object.hpp>
#include <filum/model/value.hpp>

#include <functional>
#include <string>

namespace filum::model {

/// Ends a run where the condition becomes true: a formula of t and of numbers of sensors ("tip.z < 0 && t > 1"), or a
/// callable.
struct Stop {
  std::string name = {};
  std::string when = {};
  config::Symbols symbols = {};  ///< parameters and functions that the formula knows
  std::function<bool(const State& x)> condition = {};
};

std::unique_ptr<Object> make_object(const Stop& options);

}  // namespace filum::model
