/// [parameters] and [functions]: names that formulas know. User document: docs/guide/scenarios.md, "Numbers".
#include "toml_reader.hpp"

#include <cmath>

namespace filum::scenario {
namespace {

/// What is left to be read, by name.
using Pending = std::vector<std::pair<std::string, const toml::node*>>;

Pending entries(const toml::table& table, const std::string& path, ReadingContext& context, const Symbols& known) {
  Pending pending;
  for (auto&& [key, node] : table) {
    const std::string name(key.str());
    std::string objection = objection_to_symbol(name);
    if (objection.empty() && known.parameters.contains(name)) objection = "a parameter has this name already";
    if (objection.empty())
      pending.emplace_back(name, &node);
    else
      context.problems.push_back({context.place(key.source()), path + "." + name, objection});
  }
  return pending;
}

/// Reads entries that may use each other: `read_one` says whether it must wait for another pending name.
template <class ReadOne>
void read_in_order(Pending pending, const std::string& path, ReadingContext& context, const ReadOne& read_one) {
  while (!pending.empty()) {
    Pending waiting;
    for (const auto& entry : pending)
      if (read_one(entry.first, *entry.second, pending)) waiting.push_back(entry);
    if (waiting.size() == pending.size()) {
      for (const auto& [name, node] : waiting)
        context.complain(*node, path + "." + name, "its formula leads back to itself, or to another one that does");
      return;
    }
    pending.swap(waiting);
  }
}

bool contains(const Pending& pending, const std::string& name) {
  return std::any_of(pending.begin(), pending.end(), [&](const auto& entry) { return entry.first == name; });
}

}  // namespace

void TomlReader::symbols(Symbols& symbols) {
  known_.insert(known_.end(), {"parameters", "functions"});
  if (const toml::node* node = find("parameters", false)) read_parameters(*node, symbols);
  context_.symbols.parameters = symbols.parameters;
  if (const toml::node* node = find("functions", false)) read_functions(*node, symbols);
  context_.symbols = symbols;
}

void TomlReader::read_parameters(const toml::node& node, Symbols& symbols) {
  const toml::table* table = node.as_table();
  if (!table) return expected(node, "parameters", "a table");
  read_in_order(entries(*table, "parameters", context_, {}), "parameters", context_,
                [&](const std::string& name, const toml::node& value, const Pending& pending) {
                  const std::string path = "parameters." + name;
                  double number = 0;
                  if (const auto* text = value.as_string()) {
                    try {
                      number = Formula(text->get(), {}, symbols)(0);
                    } catch (const FormulaError& error) {
                      if (contains(pending, error.unknown)) return true;
                      context_.symbols.parameters = symbols.parameters;
                      context_.complain_in_formula(value, path, error, {});
                      symbols.parameters[name] = 1;  // known from now on: one mistake, one message
                      return false;
                    }
                    in_range(value, number, path, {});
                  } else {
                    read(value, number, path, {});
                  }
                  symbols.parameters[name] = std::isfinite(number) ? number : 1;
                  return false;
                });
}

void TomlReader::read_functions(const toml::node& node, Symbols& symbols) {
  const toml::table* table = node.as_table();
  if (!table) return expected(node, "functions", "a table");
  const Variables of{.t = true};
  read_in_order(
      entries(*table, "functions", context_, symbols), "functions", context_,
      [&](const std::string& name, const toml::node& value, const Pending& pending) {
        const std::string path = "functions." + name;
        auto& function = symbols.functions[name];
        function = std::make_shared<TimeFunction>(std::vector<TimeFunction::Point>{{0, 0}});
        if (const auto* text = value.as_string()) {
          try {
            Symbols known = symbols;
            known.functions.erase(name);
            function = std::make_shared<TimeFunction>(Formula(text->get(), of, known));
          } catch (const FormulaError& error) {
            if (!contains(pending, error.unknown)) {
              context_.symbols = symbols;
              context_.complain_in_formula(value, path, error, of);
              return false;
            }
            symbols.functions.erase(name);
            return true;
          }
        } else if (const toml::table* points = value.as_table()) {
          std::vector<std::array<double, 2>> list;
          TomlReader reader(context_, *points, path);
          reader("points", list, required);
          reader.finish();
          try {
            std::vector<TimeFunction::Point> pairs;
            for (const auto& p : list) pairs.emplace_back(p[0], p[1]);
            if (!pairs.empty() || points->contains("points"))
              function = std::make_shared<TimeFunction>(std::move(pairs));
          } catch (const std::invalid_argument& error) {
            context_.complain(value, path + ".points", error.what());
          }
        } else if (value.is_number()) {
          function = std::make_shared<TimeFunction>(std::vector<TimeFunction::Point>{{0, *value.value<double>()}});
        } else {
          expected(value, path, "a formula of t, or { points = [[t, value], ...] }");
        }
        return false;
      });
}

}  // namespace filum::scenario
