/// The scenarios that are part of the program. User document: docs/guide/first-run.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace filum::scenario {

struct BuiltinScenario {
  std::string_view name;
  std::string_view text;  ///< the file
  std::string title() const;
};

/// The title in the text of a scenario or study, empty when it has none.
std::string title_of(std::string_view text);

/// All of them, by name.
const std::vector<BuiltinScenario>& builtin_scenarios();
/// The one with this name, or nothing.
const BuiltinScenario* find_builtin(std::string_view name);

}  // namespace filum::scenario
