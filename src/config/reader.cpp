/// From a document to structs: values of every type. User document: docs/guide/error-messages.md.
#include <filum/config/reader.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace filum::config {
namespace {

/// Mistakes beyond these are only counted.
constexpr std::size_t most_spelled_out = 1000;

std::string number_text(double value) {
  std::ostringstream text;
  text.precision(12);
  text << value;
  return text.str();
}

/// An override of an entry of a list answers for the list.
const Node* overridden(const Node& node) {
  if (node.place().is_override()) return &node;
  if (const List* list = node.as<List>())
    for (const Node& element : *list)
      if (!element.is_table())
        if (const Node* found = overridden(element)) return found;
  return nullptr;
}

/// { time.step = 1 } and { "time.step" = 1 } mean the same; a table behind a key with dots is a value.
void collect(const Table& table, const std::string& path, Settings& settings) {
  for (const Table::Entry& entry : table.entries()) {
    const std::string whole = path.empty() ? entry.key : path + "." + entry.key;
    const Table* inner = entry.value.as<Table>();
    if (inner && entry.key.find('.') == std::string::npos && inner->size() > 0)
      collect(*inner, whole, settings);
    else
      settings.push_back({whole, entry.value.is_text() ? *entry.value.as<std::string>() : entry.value.toml()});
  }
}

}  // namespace

void ReadingContext::complain(const Node& node, const std::string& key, const std::string& message) {
  problems.push_back({node.place(), key, message});
}

std::string element_path(const std::string& path, std::size_t i) { return path + "[" + std::to_string(i) + "]"; }

const Node* Reader::find(const char* key, const Rule& rule) {
  if (const Table::Entry* entry = table_.find(key)) {
    const Node* cause = overridden(entry->value);
    context_.places.set(key_path(key), cause ? cause->place() : entry->place);
    return &entry->value;
  }
  if (rule.required)
    context_.problems.push_back(
        {place_, key_path(key), "this key is missing" + std::string(*rule.advice ? "; try: " : "") + rule.advice});
  return nullptr;
}

void Reader::allow(const Words& keys) {
  for (const std::string& key : keys)
    if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.push_back(key);
}

void Reader::finish() {
  for (const Table::Entry& entry : table_.entries()) {
    if (std::find(known_.begin(), known_.end(), entry.key) != known_.end()) continue;
    std::string message = "unknown key";
    const bool is_spelled_out = problems() < most_spelled_out;
    if (is_spelled_out) {
      const std::string hint = suggestion(entry.key, known_);
      message += hint.empty() ? "; expected " + alternatives(known_) : hint;
    }
    context_.problems.push_back({entry.place, key_path(entry.key), message});
  }
}

void Reader::expected(const Node& node, const std::string& path, const std::string& what) {
  complain(node, path, "expected " + what + ", found " + node.described());
}

const List* Reader::list(const Node& node, const std::string& path, std::size_t n, const char* entries) {
  const List* list = node.as<List>();
  if (list && (n == any_length || list->size() == n)) return list;
  expected(node, path, n == any_length ? "a list" : "a list of " + std::to_string(n) + " " + entries);
  return nullptr;
}

int Reader::word(const Node& node, const std::string& path, const Words& words) {
  const auto* text = node.as<std::string>();
  if (text) {
    const auto found = std::find(words.begin(), words.end(), *text);
    if (found != words.end()) return static_cast<int>(found - words.begin());
  }
  expected(node, path, alternatives(words));
  if (text) context_.problems.back().message += suggestion(*text, words);
  return -1;
}

bool Reader::in_range(const Node& node, const std::string& path, double value, const Rule& rule) {
  const bool finite = std::isfinite(value) || (rule.may_be_infinite && !std::isnan(value));
  const char* wanted = !finite                                            ? "a finite number"
                       : rule.sign == Sign::positive && !(value > 0)      ? "a positive number"
                       : rule.sign == Sign::not_negative && !(value >= 0) ? "a non-negative number"
                                                                          : nullptr;
  if (!wanted) return true;
  complain(node, path,
           "expected " + std::string(wanted) + ", found " + (node.is_text() ? node.described() + " = " : "") +
               number_text(value));
  return false;
}

void Reader::read_table(const Node& node, const std::string& path, const std::function<void(Reader&)>& read) {
  const Table* table = node.as<Table>();
  if (!table) return expected(node, path, "a table");
  Reader inside(context_, *table, node.place(), path);
  read(inside);
  inside.finish();
}

void Reader::read_objects(const Node& node, const std::string& path,
                          const std::function<void(const Node&, const std::string&)>& read) {
  constexpr std::size_t longest_name = 100;
  const List* list = node.as<List>();
  if (!list) return expected(node, path, "[[" + path + "]], a list of tables");
  for (std::size_t i = 0; i < list->size(); ++i) {
    const Node& object = (*list)[i];
    std::string element = path + "." + std::to_string(i);
    const Table* table = object.as<Table>();
    if (!table) {
      expected(object, element, "a table");
      continue;
    }
    const Table::Entry* entry = table->find("name");
    const auto* name = entry ? entry->value.as<std::string>() : nullptr;
    if (name && !name->empty() && name->size() < longest_name) element = path + "." + *name;
    context_.places.set(element, object.place());
    if (name && name->empty()) expected(entry->value, element + ".name", "a name");
    read(object, element);
  }
}

std::optional<BoundCallable> Reader::callable(const Node& node, const std::string& path, const Rule& rule) {
  if (!node.callable()) return {};
  if (rule.of.empty()) {
    expected(node, path, "a number or a formula: this value cannot vary");
    return {};
  }
  try {
    return BoundCallable(node.callable(), rule.of, rule.vectors);
  } catch (const std::invalid_argument& error) {
    complain(node, path, error.what());
    return {};
  }
}

void Reader::complain_in_formula(const Node& node, const std::string& path, const FormulaError& error,
                                 const Variables& of) {
  Place where = node.place();
  if (where.line > 0) where.column += 1 + error.position;  // behind the opening quote
  std::string message = "in the formula " + node.described() + ": " + error.what();
  const Variables& all = context_.variables;
  if (!error.unknown.empty()) {
    const std::string hint = suggestion(error.unknown, context_.symbols.words(of));
    message += std::find(all.begin(), all.end(), error.unknown) != all.end()
                   ? ", because this value cannot depend on it"
               : hint.empty() && context_.has_parameters ? "; try: define it in [parameters]"
                                                         : hint;
  }
  context_.problems.push_back({where, path, message});
}

void read_value(Reader& reader, const Node& node, bool& value, const std::string& path, const Rule&) {
  if (const bool* found = node.as<bool>())
    value = *found;
  else
    reader.expected(node, path, "true or false");
}

void read_value(Reader& reader, const Node& node, double& value, const std::string& path, const Rule& rule) {
  double found = node.number();
  if (const auto* text = node.as<std::string>()) {
    try {
      found = Formula(*text, {}, reader.context().symbols)();
    } catch (const FormulaError& error) {
      return reader.complain_in_formula(node, path, error, {});
    }
  } else if (!node.is_number()) {
    return reader.expected(node, path, "a number or a formula");
  }
  if (reader.in_range(node, path, found, rule)) value = found;
}

void read_value(Reader& reader, const Node& node, int& value, const std::string& path, const Rule& rule) {
  double number = 0;
  const std::size_t before = reader.problems();
  read_value(reader, node, number, path, Rule{.sign = rule.sign});
  if (reader.problems() != before) return;
  if (number != std::floor(number) || std::abs(number) > 1e9)
    return reader.expected(node, path, "a whole number below 1e9");
  value = static_cast<int>(number);
}

void read_value(Reader& reader, const Node& node, Number& value, const std::string& path, const Rule& rule) {
  if (node.callable()) {
    if (const auto f = reader.callable(node, path, rule)) value = Number(CallableEntry{*f, 0, 1});
    return;
  }
  const auto* text = node.as<std::string>();
  if (!text) {
    double number = 0;
    read_value(reader, node, number, path, rule);
    value = number;
    return;
  }
  try {
    Formula formula(*text, rule.of, reader.context().symbols);
    if (!formula.is_constant())
      value = Number(std::move(formula));
    else if (const double number = formula(); reader.in_range(node, path, number, rule))
      value = number;
  } catch (const FormulaError& error) {
    reader.complain_in_formula(node, path, error, rule.of);
  }
}

void read_value(Reader& reader, const Node& node, std::string& value, const std::string& path, const Rule&) {
  if (const auto* text = node.as<std::string>())
    value = *text;
  else
    reader.expected(node, path, "text in quotes");
}

void read_value(Reader& reader, const Node& node, ValueText& value, const std::string& path, const Rule&) {
  value.text = node.is_text() ? *node.as<std::string>() : node.toml();
  if (value.text.empty()) reader.expected(node, path, "a value");
}

void read_value(Reader& reader, const Node& node, Settings& settings, const std::string& path, const Rule&) {
  const Table* table = node.as<Table>();
  if (!table) return reader.expected(node, path, "a table such as { \"time.step\" = \"2^-9\" }");
  settings.clear();
  collect(*table, "", settings);
  const Words& leading = reader.context().leading;
  std::stable_partition(settings.begin(), settings.end(), [&](const Setting& s) {
    return std::find(leading.begin(), leading.end(), s.key) != leading.end();
  });
}

}  // namespace filum::config
