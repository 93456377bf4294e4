/// From a document to structs: types, ranges, formulas, unknown keys; mistakes are collected. User document:
/// docs/guide/error-messages.md.
#pragma once

#include <filum/config/document.hpp>
#include <filum/config/schema.hpp>

#include <Eigen/Core>

#include <array>
#include <functional>
#include <optional>
#include <type_traits>

namespace filum::config {

/// What one reading shares: the names known so far and the mistakes found so far.
struct ReadingContext {
  Symbols symbols = {};
  Places places = {};
  std::vector<Problem> problems = {};
  Variables variables = {"t", "s"};  ///< that some value of this kind of file may depend on
  Words leading = {};                ///< keys of settings that decide about others and come first
  bool has_parameters = false;       ///< whether this kind of file may define names for formulas

  void complain(const Node& node, const std::string& key, const std::string& message);
};

/// Reads the keys of one table; `fields` calls it for every key it knows.
///
/// A type of your own is read by `fields(archive, x)`, by `words_of` if it is an enumeration, or by a function beside
/// it,
///   void read_value(Reader&, const Node&, T&, const std::string& path, const Rule&),
/// which notes mistakes with expected() or complain() and then leaves the value as it was.
class Reader {
 public:
  Reader(ReadingContext& context, const Table& table, const Place& place, std::string path)
      : context_(context), table_(table), place_(place), path_(std::move(path)) {}

  template <class T>
  void operator()(const char* key, T& value, const Rule& rule = {}) {
    known_.push_back(key);
    const Node* node = find(key, rule);
    const std::size_t before = problems();
    if (node) read_value(*this, *node, value, key_path(key), rule);
    if (rule.decides && (!node || problems() != before)) is_undecided_ = true;
  }
  /// Whether the table has the key.
  bool has(const char* key) const { return table_.find(key) != nullptr; }
  /// [parameters] and [functions]; formulas read from here on know them.
  void symbols(Symbols& symbols);
  /// Whether a key that decides which others there are is missing or wrong.
  bool is_undecided() const { return is_undecided_; }
  /// Keys that would be known if that had been decided one way or another.
  void allow(const Words& keys);
  /// Complains about keys that nobody asked for.
  void finish();

  // For read_value.
  ReadingContext& context() { return context_; }
  /// How many mistakes there are so far.
  std::size_t problems() const { return context_.problems.size(); }
  void complain(const Node& node, const std::string& path, const std::string& message) {
    context_.complain(node, path, message);
  }
  /// "expected WHAT, found ...".
  void expected(const Node& node, const std::string& path, const std::string& what);
  static constexpr std::size_t any_length = static_cast<std::size_t>(-1);
  /// The list, if it is one of n entries; otherwise nothing, and a complaint, which says what the entries are.
  const List* list(const Node& node, const std::string& path, std::size_t n = any_length,
                   const char* entries = "entries");
  /// The number of the word among these, or −1 and a complaint.
  int word(const Node& node, const std::string& path, const Words& words);
  /// Whether a number is what the rule asks for; otherwise complains.
  bool in_range(const Node& node, const std::string& path, double value, const Rule& rule);
  /// Reads a table by calling `read` with a reader for it.
  void read_table(const Node& node, const std::string& path, const std::function<void(Reader&)>& read);
  /// Calls `read` for every table of a list: "beam.NAME", or "beam.0" without a name.
  void read_objects(const Node& node, const std::string& path,
                    const std::function<void(const Node&, const std::string&)>& read);
  /// A function of a program; nothing when the node is none, or a complaint has been made.
  std::optional<BoundCallable> callable(const Node& node, const std::string& path, const Rule& rule);
  void complain_in_formula(const Node& node, const std::string& path, const FormulaError& error, const Variables& of);

 private:
  std::string key_path(std::string_view key) const {
    return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
  }
  const Node* find(const char* key, const Rule& rule);

  ReadingContext& context_;
  const Table& table_;
  Place place_;
  std::string path_;
  Words known_;
  bool is_undecided_ = false;
};

// Values. A mistake is noted and leaves the default.
void read_value(Reader&, const Node&, bool&, const std::string& path, const Rule&);
void read_value(Reader&, const Node&, int&, const std::string& path, const Rule&);
void read_value(Reader&, const Node&, double&, const std::string& path, const Rule&);
void read_value(Reader&, const Node&, Number&, const std::string& path, const Rule&);
void read_value(Reader&, const Node&, std::string&, const std::string& path, const Rule&);
void read_value(Reader&, const Node&, ValueText&, const std::string& path, const Rule&);
void read_value(Reader&, const Node&, Settings&, const std::string& path, const Rule&);

/// "path[i]".
std::string element_path(const std::string& path, std::size_t i);

template <class T>
void read_value(Reader& reader, const Node& node, std::optional<T>& value, const std::string& path, const Rule& rule) {
  read_value(reader, node, value.emplace(), path, rule);
}

template <class T, std::size_t n>
void read_value(Reader& reader, const Node& node, std::array<T, n>& value, const std::string& path, const Rule& rule) {
  if constexpr (std::is_same_v<T, Number>) {
    if (node.callable()) {
      if (const auto f = reader.callable(node, path, rule))
        for (std::size_t i = 0; i < n; ++i) value[i] = Number(CallableEntry{*f, i, n});
      return;
    }
  }
  constexpr bool of_numbers = std::is_arithmetic_v<T> || std::is_same_v<T, Number>;
  if (const List* list = reader.list(node, path, n, of_numbers ? "numbers" : "entries"))
    for (std::size_t i = 0; i < n; ++i) read_value(reader, (*list)[i], value[i], element_path(path, i), rule);
}

template <class T>
void read_value(Reader& reader, const Node& node, std::vector<T>& value, const std::string& path, const Rule& rule) {
  if constexpr (Struct<T, Reader>) {
    reader.read_objects(node, path, [&](const Node& table, const std::string& element) {
      read_value(reader, table, value.emplace_back(), element, rule);
    });
  } else if (const List* list = reader.list(node, path)) {
    value.resize(list->size());
    for (std::size_t i = 0; i < value.size(); ++i)
      read_value(reader, (*list)[i], value[i], element_path(path, i), rule);
  }
}

/// Vectors are lists, matrices are lists of rows.
template <int rows, int columns>
void read_value(Reader& reader, const Node& node, Eigen::Matrix<double, rows, columns>& value, const std::string& path,
                const Rule& rule) {
  const List* list = reader.list(node, path, rows, columns == 1 ? "numbers" : "rows");
  for (int i = 0; list && i < rows; ++i) {
    const Node& row = (*list)[static_cast<std::size_t>(i)];
    const std::string row_path = element_path(path, static_cast<std::size_t>(i));
    if constexpr (columns == 1) {
      read_value(reader, row, value[i], row_path, rule);
    } else {
      Eigen::Matrix<double, columns, 1> numbers = value.row(i).transpose();
      read_value(reader, row, numbers, row_path, rule);
      value.row(i) = numbers.transpose();
    }
  }
}

template <class T>
requires std::is_enum_v<T>
void read_value(Reader& reader, const Node& node, T& value, const std::string& path, const Rule&) {
  if (const int choice = reader.word(node, path, words_of<T>()); choice >= 0) value = static_cast<T>(choice);
}

/// A choice by other means than an enumeration says its words by `const Words& words_for(const T&)`.
template <class T>
concept HasWords = requires(const T& x) {
  { words_for(x) } -> std::convertible_to<const Words&>;
};

/// Notes which keys there are when the key that decides about the others says the word of this number.
class KeyNames {
 public:
  explicit KeyNames(std::size_t choice) : choice_(choice) {}

  template <class T>
  void operator()(const char* key, T& value, const Rule& rule = {}) {
    keys_.emplace_back(key);
    if (!rule.decides) return;
    if constexpr (std::is_enum_v<T>) decide(key, value, words_of<T>());
    if constexpr (HasWords<T>) decide(key, value, words_for(value));
  }
  const Words& keys() const { return keys_; }
  std::size_t choices() const { return choices_; }

 private:
  template <class T>
  void decide(const char* key, T& value, const Words& words) {
    choices_ = words.size();
    ReadingContext context;
    const Table nothing;
    Reader reader(context, nothing, {}, "");
    read_value(reader, Node(words[choice_], nullptr, 0, 0), value, key, {});
  }

  std::size_t choice_, choices_ = 0;
  Words keys_;
};

template <class T>
requires Struct<T, Reader>
void read_value(Reader& reader, const Node& node, T& value, const std::string& path, const Rule&) {
  reader.read_table(node, path, [&](Reader& inside) {
    fields(inside, value);
    // The keys of every choice: what is in none of them is unknown for certain.
    for (std::size_t k = 0, choices = inside.is_undecided() ? 1 : 0; k < choices; ++k) {
      KeyNames names(k);
      T any = value;
      fields(names, any);
      inside.allow(names.keys());
      choices = names.choices();
    }
  });
}

/// Reads a whole document, after the overrides were applied to it. The caller adds its own checks and throws.
template <class T>
void read_document(const Node& root, T& value, ReadingContext& context) {
  context.places.set("", {root.place().source, 1, 1});
  Reader reader(context, *root.as<Table>(), root.place(), "");
  fields(reader, value);
  reader.finish();
}

}  // namespace filum::config
