/// The tree of a TOML file. User document: docs/guide/scenarios.md.
#include <filum/config/document.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <utility>

namespace filum::config {
namespace {

template <class Entries>
auto place_of(Entries& entries, std::string_view key) {
  return std::lower_bound(entries.begin(), entries.end(), key,
                          [](const Table::Entry& e, std::string_view k) { return e.key.compare(k) < 0; });
}

std::string float_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char digits[40];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  const std::string text(digits, end);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

}  // namespace

// Here, where an entry is complete.
Table::Table() = default;
Table::~Table() = default;
Table::Table(const Table&) = default;
Table::Table(Table&&) noexcept = default;
Table& Table::operator=(const Table&) = default;
Table& Table::operator=(Table&&) noexcept = default;

std::size_t Table::size() const { return entries_.size(); }

const Table::Entry* Table::find(std::string_view key) const {
  const auto at = place_of(entries_, key);
  return at != entries_.end() && at->key == key ? &*at : nullptr;
}
Table::Entry* Table::find(std::string_view key) {
  const auto at = place_of(entries_, key);
  return at != entries_.end() && at->key == key ? &*at : nullptr;
}

Node& Table::set(std::string_view key, Node value, const Place& place) {
  const auto at = place_of(entries_, key);
  if (at == entries_.end() || at->key != key)
    return entries_.insert(at, Entry{std::string(key), place, std::move(value)})->value;
  at->place = place;
  at->value = std::move(value);
  return at->value;
}

double Node::number() const {
  if (const auto* integer = as<std::int64_t>()) return static_cast<double>(*integer);
  const auto* number = as<double>();
  return number ? *number : 0;
}

void Node::set_place(const std::shared_ptr<const std::string>& source, int line, int column) {
  source_ = source;
  line_ = line;
  column_ = column;
  if (List* list = as<List>())
    for (Node& node : *list) node.set_place(source, line, column);
  if (Table* table = as<Table>())
    for (const Table::Entry& entry : table->entries()) {
      Table::Entry& own = *table->find(entry.key);
      own.place = place();
      own.value.set_place(source, line, column);
    }
}

std::string Node::described() const {
  if (is_table()) return "a table";
  if (const List* list = as<List>()) return "a list of " + std::to_string(list->size());
  if (as<Date>()) return "a date or time";
  if (callable()) return "the function " + callable()->name;
  std::ostringstream text;
  if (const auto* x = as<std::string>())
    text << "'" << *x << "'";
  else if (const auto* truth = as<bool>())
    text << (*truth ? "true" : "false");
  else if (const auto* integer = as<std::int64_t>())
    text << *integer;
  else
    text << number();
  return shortened(text.str());
}

std::string Node::toml() const {
  std::string text, separator;
  if (const List* list = as<List>()) {
    for (const Node& node : *list) text += std::exchange(separator, ", ") + node.toml();
    return "[" + text + "]";
  }
  if (const Table* table = as<Table>()) {
    for (const Table::Entry& e : table->entries())
      text += std::exchange(separator, ", ") + toml_key(e.key) + " = " + e.value.toml();
    return "{ " + text + " }";
  }
  if (const auto* x = as<std::string>()) return toml_text(*x);
  if (const auto* truth = as<bool>()) return *truth ? "true" : "false";
  if (const auto* integer = as<std::int64_t>()) return std::to_string(*integer);
  if (callable()) return toml_text("the function " + callable()->name);
  return as<Date>() ? toml_text("a date or time") : float_text(number());
}

std::string toml_text(std::string_view value) {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (static_cast<unsigned char>(c) < 32 || c == 127) {
      text += "\\u00";
      text += digits[c >> 4];
      text += digits[c & 15];
    } else {
      text += c;
    }
  }
  return text + "\"";
}

std::string toml_key(std::string_view key) {
  const auto is_bare = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !key.empty() && std::all_of(key.begin(), key.end(), is_bare) ? std::string(key) : toml_text(key);
}

}  // namespace filum::config
