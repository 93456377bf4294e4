/// [parameters] and [functions]: names that formulas know. User document: docs/guide/scenarios.md, "Numbers".
#include "code.hpp"

#include <filum/config/reader.hpp>

#include <algorithm>

namespace filum::config {
namespace {

/// Entries still to be read, by name.
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

/// Reads entries that may use each other, each once and after those it uses. `read` makes a name known; `give_up` does
/// so for names whose formulas depend on themselves.
template <class Read, class GiveUp>
class OrderedReading {
 public:
  OrderedReading(const Pending& pending, std::string path, ReadingContext& context, const Read& read,
                 const GiveUp& give_up)
      : pending_(pending), path_(std::move(path)), context_(context), read_(read), give_up_(give_up) {}

  void run() {
    for (const auto& [name, node] : pending_) {
      if (!places_.contains(name)) open(name);
      while (!open_.empty()) advance();
    }
  }

 private:
  struct Entry {
    std::string name;
    Words uses;  ///< names in its formula
    std::size_t next = 0;
  };
  static constexpr std::size_t done = static_cast<std::size_t>(-1);

  void open(const std::string& name) {
    const auto* text = pending_.at(name)->template as<std::string>();
    places_[name] = open_.size();
    open_.push_back({name, text ? names_in(*text) : Words{}});
  }
  void advance() {
    Entry& entry = open_.back();
    if (entry.next == entry.uses.size()) {
      read_(entry.name, *pending_.at(entry.name));
      return close();
    }
    const std::string& used = entry.uses[entry.next++];
    if (!pending_.contains(used)) return;
    const auto place = places_.find(used);
    if (place == places_.end()) return open(std::string(used));
    if (place->second == done) return;
    for (const std::size_t first = place->second; open_.size() > first; close()) {
      const std::string& name = open_.back().name;
      context_.complain(*pending_.at(name), path_ + "." + name, "its formula depends on itself");
      give_up_(name);
    }
  }
  void close() {
    places_[open_.back().name] = done;
    open_.pop_back();
  }

  const Pending& pending_;
  std::string path_;
  ReadingContext& context_;
  const Read& read_;
  const GiveUp& give_up_;
  std::vector<Entry> open_;                    ///< each waits for the next
  std::map<std::string, std::size_t> places_;  ///< in open_
};

void read_parameters(Reader& reader, const Node& node) {
  const Table* table = node.as<Table>();
  if (!table) return reader.expected(node, "parameters", "a table");
  ReadingContext& context = reader.context();
  std::map<std::string, double>& known = context.symbols.parameters;
  const auto read = [&](const std::string& name, const Node& value) {
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
      reader.complain_in_formula(value, path, error, {});
    }
    known[name] = number;
  };
  const auto give_up = [&](const std::string& name) { known[name] = 1; };
  OrderedReading(entries(*table, "parameters", context), "parameters", context, read, give_up).run();
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
  const auto read = [&](const std::string& name, const Node& value) {
    const std::string path = "functions." + name;
    Function function({{0, 0}});
    if (const auto* text = value.as<std::string>()) {
      try {
        function = Function(Formula(*text, of, context.symbols));
      } catch (const FormulaError& error) {
        reader.complain_in_formula(value, path, error, of);
      }
    } else if (value.is_table()) {
      function = function_of_points(reader, value, path);
    } else if (value.is_number()) {
      if (reader.in_range(value, path, value.number(), {})) function = Function({{0, value.number()}});
    } else {
      reader.expected(value, path, "a formula of t, or { points = [[t, value], ...] }");
    }
    known.insert_or_assign(name, function);
  };
  const auto give_up = [&](const std::string& name) { known.insert_or_assign(name, Function({{0, 0}})); };
  OrderedReading(entries(*table, "functions", context), "functions", context, read, give_up).run();
}

}  // namespace

void Reader::symbols(Symbols& symbols) {
  known_.insert(known_.end(), {"parameters", "functions"});
  context_.has_parameters = true;
  if (const Node* node = find("parameters", {})) read_parameters(*this, *node);
  if (const Node* node = find("functions", {})) read_functions(*this, *node);
  symbols = context_.symbols;
}

}  // namespace filum::config
