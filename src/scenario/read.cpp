/// Reading a scenario: overrides, keys, checks, defaults. User document: docs/guide/scenarios.md.
#include "check_scenario.hpp"
#include "toml_reader.hpp"

#include <filum/scenario/builtin.hpp>
#include <filum/scenario/read.hpp>

#include <fstream>
#include <sstream>

namespace filum::scenario {
namespace {

/// In the order of the file, overrides last; of several messages about one place the first, which is the cause.
void tidy(std::vector<Problem>& problems) {
  const auto rank = [](const Problem& p) {
    return std::pair(p.place.line == 0 ? 1 << 30 : p.place.line, p.place.column);
  };
  std::stable_sort(problems.begin(), problems.end(),
                   [&](const Problem& a, const Problem& b) { return rank(a) < rank(b); });
}

/// Keys that already have a message need no second one about what follows from it.
void add_unless_known(std::vector<Problem>& problems, std::vector<Problem> more) {
  for (Problem& p : more) {
    const auto concerns = [&](const Problem& known) {
      return known.key == p.key || known.key.starts_with(p.key + ".") || known.key.starts_with(p.key + "[") ||
             p.key.starts_with(known.key + ".") || p.key.starts_with(known.key + "[");
    };
    if (std::none_of(problems.begin(), problems.end(),
                     [&](const Problem& known) { return !known.key.empty() && !p.key.empty() && concerns(known); }))
      problems.push_back(std::move(p));
  }
}

}  // namespace

Scenario parse_scenario(std::string_view text, const std::string& source, const std::vector<Override>& overrides) {
  ReadingContext context{.source = source, .symbols = {}, .places = {}, .problems = {}, .overridden = {}};
  toml::table root;
  try {
    root = toml::parse(text, source);
  } catch (const toml::parse_error& error) {
    const Place at = context.place(error.source());
    refuse_input(source, "not valid TOML: " + std::string(error.description()), at.line, at.column);
  }
  context.places.set("", {source, 1, 1});
  for (const Override& assignment : overrides) apply_override(root, assignment, context);

  Scenario scenario;
  TomlReader reader(context, root, "");
  fields(reader, scenario);
  reader.finish();
  scenario.places = std::move(context.places);
  add_unless_known(context.problems, find_problems(scenario));
  if (!context.problems.empty()) {
    tidy(context.problems);
    throw ScenarioError(std::move(context.problems));
  }
  fill_defaults(scenario);
  return scenario;
}

std::optional<std::string> input_text(const std::string& name) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(name, error)) return {};
  std::ifstream file(name, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) refuse_input(name, "the file cannot be read");
  return text.str();
}

Scenario read_scenario(const std::string& file_or_name, const std::vector<Override>& overrides) {
  std::error_code error;
  if (const auto text = input_text(file_or_name)) return parse_scenario(*text, file_or_name, overrides);
  if (const BuiltinScenario* builtin = find_builtin(file_or_name))
    return parse_scenario(builtin->text, "scenarios/" + file_or_name + ".toml", overrides);
  if (std::filesystem::is_directory(file_or_name, error))
    refuse_input(file_or_name, "expected a scenario file, found a folder");
  Words names;
  for (const BuiltinScenario& b : builtin_scenarios()) names.emplace_back(b.name);
  refuse_input(file_or_name, "there is no such file, and no built-in scenario of this name" +
                                 (suggestion(file_or_name, names).empty() ? ";" : suggestion(file_or_name, names)) +
                                 " `filum list` shows the built-in ones");
}

}  // namespace filum::scenario
