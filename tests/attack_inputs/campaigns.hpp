/// Attacks on everything that reads what people write. Each attempt is made from a draw and judged by what must hold.
#pragma once

#include "mutate.hpp"

#include <functional>
#include <string>
#include <vector>

namespace filum::attack {

struct Attempt {
  std::string input;         ///< to be kept when it fails
  bool is_accepted = false;  ///< otherwise it was refused, which is fine
  std::string failure = {};  ///< what does not hold; empty: all is well
};

struct Campaign {
  std::string name, about;
  /// Writes the input first, then tries it: whoever dies has left what it died of. `number` counts from 0.
  std::function<void(std::size_t number, Draw& draw, Attempt& attempt, const std::function<void()>& written)> attempt;
  std::size_t size = 0;  ///< how many attempts there are; 0: any number
};

Campaign scenario_campaign();
Campaign study_campaign();
Campaign formula_campaign();
Campaign combination_campaign();

/// What is wrong with a message: no place, too long, a hint that repeats what was typed. Empty: nothing.
std::string objection_to_message(const std::string& message, bool needs_place);

}  // namespace filum::attack
