/// Functions of time that must not jump. User document: docs/guide/scenarios.md, "Drives".
#pragma once

#include <filum/model/value.hpp>

#include <optional>
#include <string>

namespace filum::model {

/// Where a function of time cannot be followed: it jumps, or is not a number. `same` is a difference that does not
/// count, such as a whole turn; 0: there is none.
struct Break {
  double t = 0, before = 0, after = 0;
};
std::optional<Break> find_break(const OfTime& f, double from, double to, double same = 0);

/// Throws OptionError at `option` when f has a break between two times.
void require_continuous(const OfTime& f, const std::string& option, double from, double to, double same = 0);

}  // namespace filum::model
