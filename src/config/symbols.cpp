/// [parameters] and [functions]: names that formulas know. User document: docs/guide/scenarios.md, "Numbers".
#include <filum/config/reader.hpp>

#include <algorithm>
#include <cmath>

namespace filum::config {
namespace {

/// Entries that are still to be read, by name.
using Pending = std::map<std::string, const Node*>;

Pending entries(const Table& table, const std::string& path, ReadingContext& context) {
  Pending pending;
  for (const Table::Entry& entry : table.entries()) {
    std::string objection = objection_to_symbol(entry.key);
    if (objection.empty() && context.symbols.parameters.contains(entry.key))
      objection = "a parameter has this name already";
    if (objection.empty())
      pending.emplace(entry.key, &entry.value);
    else
      context.problems.push_back({entry.place, path + "." + entry.key, objection});
  }
  return pending;
}

/// Reads entries that may use each other, each after those it needs. `read` gives the name of the entry that must come
/// first, or nothing when it is done; `give_up` makes a name known that has none.
template <class Read, class GiveUp>
void read_in_order(Pending pending, const std::string& path, ReadingContext& context, const Read& read,
                   const GiveUp& give_up) {
  Words open;  // each waits for the next
  while (!pending.empty()) {
    if (open.empty()) open.push_back(pending.begin()->first);
    const std::string name = open.back();
    const Node& node = *pending.at(name);
    const std::string needed = read(name, node, pending);
    const auto circle = std::find(open.begin(), open.end(), needed);
    if (!needed.empty() && circle == open.end()) {
      open.push_back(needed);
      continue;
    }
    const std::size_t first = needed.empty() ? open.size() - 1 : static_cast<std::size_t>(circle - open.begin());
    for (; open.size() > first; open.pop_back()) {
      if (!needed.empty()) {
        context.complain(*pending.at(open.back()), path + "." + open.back(), "its formula leads back to itself");
        give_up(open.back());
      }
      pending.erase(open.back());
    }
  }
}

/// The entry that a formula must wait for, or nothing.
std::string awaited(const FormulaError& error, const Pending& pending) {
  return pending.contains(error.unknown) ? error.unknown : std::string();
}

void read_parameters(Reader& reader, const Node& node) {
  const Table* table = node.as<Table>();
  if (!table) return reader.expected(node, "parameters", "a table");
  ReadingContext& context = reader.context();
  std::map<std::string, double>& known = context.symbols.parameters;
  const auto read = [&](const std::string& name, const Node& value, const Pending& pending) {
    const std::string path = "parameters." + name;
    double number = 1;  // known from now on even if it is wrong: one mistake, one message
    try {
      if (const auto* text = value.as<std::string>()) {
        const double found = Formula(*text, {}, context.symbols)();
        if (reader.in_range(value, path, found, {})) number = found;
      } else {
        read_value(reader, value, number, path, {});
      }
    } catch (const FormulaError& error) {
      if (std::string needed = awaited(error, pending); !needed.empty()) return needed;
      reader.complain_in_formula(value, path, error, {});
    }
    known[name] = number;
    return std::string();
  };
  read_in_order(entries(*table, "parameters", context), "parameters", context, read,
                [&](const std::string& name) { known[name] = 1; });
}

Function function_of_points(Reader& reader, const Node& node, const std::string& path) {
  std::vector<std::array<double, 2>> list;
  const std::size_t before = reader.problems();
  reader.read_table(node, path, [&](Reader& inside) { inside("points", list, required); });
  std::vector<Function::Point> points;
  for (const auto& [t, value] : list) points.emplace_back(t, value);
  try {
    if (reader.problems() == before) return Function(std::move(points));
  } catch (const std::invalid_argument& error) {
    reader.complain(node, path + ".points", error.what());
  }
  return Function({{0, 0}});
}

void read_functions(Reader& reader, const Node& node) {
  const Table* table = node.as<Table>();
  if (!table) return reader.expected(node, "functions", "a table");
  ReadingContext& context = reader.context();
  std::map<std::string, Function>& known = context.symbols.functions;
  const Variables of{"t"};
  const auto read = [&](const std::string& name, const Node& value, const Pending& pending) {
    const std::string path = "functions." + name;
    Function function({{0, 0}});
    if (const auto* text = value.as<std::string>()) {
      try {
        function = Function(Formula(*text, of, context.symbols));
      } catch (const FormulaError& error) {
        if (std::string needed = awaited(error, pending); !needed.empty()) return needed;
        reader.complain_in_formula(value, path, error, of);
      }
    } else if (value.is_table()) {
      function = function_of_points(reader, value, path);
    } else if (value.is_number()) {
      function = Function({{0, value.number()}});
    } else {
      reader.expected(value, path, "a formula of t, or { points = [[t, value], ...] }");
    }
    known.insert_or_assign(name, function);
    return std::string();
  };
  read_in_order(entries(*table, "functions", context), "functions", context, read, [&](const std::string& name) {
    known.insert_or_assign(name, Function({{0, 0}}));
  });
}

}  // namespace

void Reader::symbols(Symbols& symbols) {
  known_.insert(known_.end(), {"parameters", "functions"});
  if (const Node* node = find("parameters", false)) read_parameters(*this, *node);
  if (const Node* node = find("functions", false)) read_functions(*this, *node);
  symbols = context_.symbols;
}

}  // namespace filum::config
