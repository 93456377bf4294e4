/// --set KEY=VALUE: changes to a scenario before it is read. User document: docs/guide/scenarios.md, "Overrides".
#include "toml_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

namespace filum::scenario {
namespace {

std::vector<std::string> split(const std::string& key) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  for (std::size_t dot; (dot = key.find('.', begin)) != std::string::npos; begin = dot + 1)
    words.push_back(key.substr(begin, dot - begin));
  words.push_back(key.substr(begin));
  return words;
}

/// A TOML value if it is one, otherwise a text: formulas and names need no quotes on the command line.
toml::table parsed_value(const std::string& value) {
  try {
    toml::table table = toml::parse("x = " + value);
    if (table.size() == 1 && table.contains("x")) return table;
  } catch (const toml::parse_error&) {
  }
  toml::table table;
  table.insert_or_assign("x", value);
  return table;
}

void mark(const toml::node& node, const std::string& origin, ReadingContext& context) {
  context.overridden[&node] = origin;
  if (const auto* array = node.as_array())
    for (const toml::node& element : *array) mark(element, origin, context);
  if (const auto* table = node.as_table())
    for (auto&& [key, element] : *table) mark(element, origin, context);
}

/// The element of a list with this number or name.
toml::node* element(toml::array& array, const std::string& word, std::vector<std::string>& names) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), index);
  if (error == std::errc() && end == word.data() + word.size()) return index < array.size() ? &array[index] : nullptr;
  for (toml::node& node : array)
    if (toml::table* table = node.as_table()) {
      const auto name = (*table)["name"].value<std::string>();
      if (name && *name == word) return &node;
      if (name) names.push_back(*name);
    }
  return nullptr;
}

/// In one line, as TOML.
std::string toml_text(const toml::node& node) {
  std::string text, separator;
  if (const toml::array* array = node.as_array()) {
    for (const toml::node& element : *array) text += std::exchange(separator, ", ") + toml_text(element);
    return "[" + text + "]";
  }
  if (const toml::table* table = node.as_table()) {
    for (auto&& [key, element] : *table)
      text += std::exchange(separator, ", ") + std::string(key.str()) + " = " + toml_text(element);
    return "{ " + text + " }";
  }
  if (const auto* number = node.as_floating_point(); number && std::isfinite(number->get())) {
    char digits[40];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number->get());
    text.assign(digits, end);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
  }
  std::ostringstream out;
  node.visit([&](const auto& value) { out << toml::toml_formatter(value, toml::format_flags::none); });
  return out.str();
}

std::string value_text(const toml::node& node) {
  const auto* text = node.as_string();
  return text ? text->get() : toml_text(node);
}

/// { time.step = 1 } and { "time.step" = 1 } mean the same; a table behind a key with dots is a value.
void collect(const toml::table& table, const std::string& path, Settings& settings) {
  for (auto&& [key, value] : table) {
    const std::string name(key.str()), whole = path.empty() ? name : path + "." + name;
    const toml::table* inner = value.as_table();
    if (inner && name.find('.') == std::string::npos && !inner->empty())
      collect(*inner, whole, settings);
    else
      settings.push_back({whole, value_text(value)});
  }
}

}  // namespace

void TomlReader::read(const toml::node& node, ValueText& value, const std::string& path, const Rule&) {
  value.text = value_text(node);
  if (value.text.empty()) expected(node, path, "a value");
}

void TomlReader::read(const toml::node& node, Settings& settings, const std::string& path, const Rule&) {
  const toml::table* table = node.as_table();
  if (!table) return expected(node, path, "a table such as { \"time.step\" = \"2^-9\" }");
  settings.clear();
  collect(*table, "", settings);
  // A table has no order, but the method decides which other keys there are.
  std::stable_partition(settings.begin(), settings.end(), [](const Setting& s) { return s.key == "integrator.method"; });
}

double number_of(const std::string& text) {
  try {
    return Formula(text, {}, {})(0);
  } catch (const FormulaError&) {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

void apply_override(toml::table& root, const std::string& assignment, ReadingContext& context) {
  const std::string origin = "--set " + assignment;
  const auto complain = [&](const std::string& key, const std::string& message) {
    const Place place{origin, 0, 0};
    context.problems.push_back({place, key, message});
  };
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == assignment.size())
    return complain("", "expected KEY=VALUE, such as time.step=2^-9");
  const std::vector<std::string> words = split(assignment.substr(0, equals));
  toml::table parsed = parsed_value(assignment.substr(equals + 1));
  const toml::node& value = *parsed.get("x");

  toml::node* at = &root;
  std::string path;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool last = i + 1 == words.size();
    path += (path.empty() ? "" : ".") + words[i];
    if (words[i].empty()) return complain(path, "a part of the key is empty");
    if (toml::table* table = at->as_table()) {
      if (last) {
        table->insert_or_assign(words[i], value);
        return mark(*table->get(words[i]), origin, context);
      }
      toml::node* next = table->get(words[i]);
      if (!next) {  // a table the file left out, such as [newton]
        table->insert_or_assign(words[i], toml::table{});
        next = table->get(words[i]);
        context.overridden[next] = origin;
      }
      at = next;
    } else if (toml::array* array = at->as_array()) {
      std::vector<std::string> names;
      toml::node* next = element(*array, words[i], names);
      if (!next)
        return complain(path, "there is no such entry among " + std::to_string(array->size()) +
                                  (names.empty() ? "" : ": expected a number or " + alternatives(names)) +
                                  suggestion(words[i], names));
      if (last) {
        const auto place = array->begin() + (std::find_if(array->begin(), array->end(),
                                                          [&](const toml::node& n) { return &n == next; }) -
                                             array->begin());
        array->replace(place, value);
        return mark(*place, origin, context);
      }
      at = next;
    } else {
      return complain(path, "this key leads into a single value");
    }
  }
}

}  // namespace filum::scenario
