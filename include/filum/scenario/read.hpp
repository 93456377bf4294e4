/// Scenario files to structs and back. User document: docs/guide/scenarios.md.
#pragma once

#include <filum/scenario/scenario.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace filum::scenario {

/// KEY=VALUE from the command line.
using Override = std::string;

/// Reads and checks a scenario. `source` is what messages call the text. Throws ScenarioError with all mistakes found.
Scenario parse_scenario(std::string_view text, const std::string& source, const std::vector<Override>& overrides = {});

/// A file, or the name of a built-in scenario. Throws ScenarioError.
Scenario read_scenario(const std::string& file_or_name, const std::vector<Override>& overrides = {});

/// The scenario as a file with every default filled in: read again, it gives the same numbers.
std::string to_toml(const Scenario& scenario);

}  // namespace filum::scenario
