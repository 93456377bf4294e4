/// Looking up built-in scenarios; their texts are compiled in. User document: docs/guide/first-run.md.
#include <filum/scenario/builtin.hpp>

#include <algorithm>

namespace filum::scenario {

std::string BuiltinScenario::title() const { return title_of(text); }

std::string title_of(std::string_view text) {
  constexpr std::string_view key = "\ntitle = \"";
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return {};
  const std::size_t begin = at + key.size();
  return std::string(text.substr(begin, text.find('"', begin) - begin));
}

const BuiltinScenario* find_builtin(std::string_view name) {
  const auto& all = builtin_scenarios();
  const auto found = std::find_if(all.begin(), all.end(), [&](const BuiltinScenario& b) { return b.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace filum::scenario
