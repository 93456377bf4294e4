/// Scenario files to models and back. User document: docs/guide/scenarios.md.
#pragma once

#include <filum/config/document.hpp>
#include <filum/scenario/scenario.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace filum::scenario {

/// What a scenario is read for: only a run needs [time] and a step; a draft will get more objects.
enum class Purpose { run, analysis, draft };

/// Reads and checks a scenario. `source` is what messages call the text. Throws config::InputError with all mistakes
/// found.
Scenario parse_scenario(std::string_view text, const std::string& source,
                        const std::vector<config::Override>& overrides = {}, Purpose purpose = Purpose::run);

/// A file, or the name of a built-in scenario. Throws config::InputError.
Scenario read_scenario(const std::string& file_or_name, const std::vector<config::Override>& overrides = {},
                       Purpose purpose = Purpose::run);

/// The tree of a file, or of a built-in scenario, for programs that go on with it. Throws config::InputError.
config::Node scenario_tree(const std::string& file_or_name);
/// KEY=VALUE. Throws config::InputError.
void change_tree(config::Node& tree, const config::Override& assignment);
/// As parse_scenario.
Scenario read_tree(const config::Node& tree, Purpose purpose = Purpose::run);

/// Whether a file can say everything that the model has: nothing is a function of a program.
bool can_be_written(const Scenario& scenario);
/// The scenario as a file with every default filled in: read again, it gives the same numbers. Throws
/// config::InputError when the model has something that no file can say, such as a C++ function.
std::string to_toml(const Scenario& scenario);

}  // namespace filum::scenario
