/// Scenario files to structs and back. User document: docs/guide/scenarios.md.
#pragma once

#include <filum/scenario/scenario.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace filum::scenario {

/// KEY=VALUE from the command line.
using Override = std::string;

/// The same in two parts, for files that contain changes to scenarios.
struct Setting {
  std::string key, value;
  Override text() const { return key + "=" + value; }
  bool operator==(const Setting&) const = default;
};
using Settings = std::vector<Setting>;

/// A value of any type, as it would stand on the command line.
struct ValueText {
  std::string text;
};

/// Reads and checks a scenario. `source` is what messages call the text. Throws ScenarioError with all mistakes found.
Scenario parse_scenario(std::string_view text, const std::string& source, const std::vector<Override>& overrides = {});

/// The text of a file, nothing if there is no such file. Throws ScenarioError when it cannot be read.
std::optional<std::string> input_text(const std::string& file);

/// A file, or the name of a built-in scenario. Throws ScenarioError.
Scenario read_scenario(const std::string& file_or_name, const std::vector<Override>& overrides = {});

/// A formula without variables, or NaN.
double number_of(const std::string& text);

/// The scenario as a file with every default filled in: read again, it gives the same numbers.
std::string to_toml(const Scenario& scenario);

}  // namespace filum::scenario
