/// From TOML to structs: types, ranges, formulas, unknown keys; mistakes are collected. User document:
/// docs/guide/error-messages.md.
#pragma once

#include "schema.hpp"

#include <filum/scenario/read.hpp>

#include <toml++/toml.h>
#include <unordered_map>

namespace filum::scenario {

/// What one reading shares: the source, the symbols known so far, and the mistakes found so far.
struct ReadingContext {
  std::string source;
  Symbols symbols;
  Places places;
  std::vector<Problem> problems;
  std::unordered_map<const toml::node*, std::string> overridden;  ///< values that came from --set

  Place place(const toml::source_region& region) const;
  Place place(const toml::node& node) const;
  void complain(const toml::node& node, const std::string& key, const std::string& message);
  void complain_in_formula(const toml::node& node, const std::string& key, const FormulaError& error, Variables of);
};

/// Reads the keys of one table; `fields` calls it for every key it knows.
class TomlReader {
 public:
  TomlReader(ReadingContext& context, const toml::table& table, std::string path)
      : context_(context), table_(table), path_(std::move(path)) {}

  template <class T>
  void operator()(const char* key, T& value, const Rule& rule = {}) {
    known_.push_back(key);
    const toml::node* node = find(key, rule.required);
    const std::size_t before = context_.problems.size();
    if (node) read(*node, value, key_path(key), rule);
    if (rule.decides && (!node || context_.problems.size() != before)) is_undecided_ = true;
  }
  void symbols(Symbols& symbols);
  /// Complains about keys that nobody asked for, unless it is not known which there are.
  void finish();

 private:
  std::string key_path(std::string_view key) const {
    return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
  }
  const toml::node* find(const char* key, bool is_required);

  // Values. A mistake is noted and leaves the default.
  void read(const toml::node&, bool&, const std::string& path, const Rule&);
  void read(const toml::node&, int&, const std::string& path, const Rule&);
  void read(const toml::node&, double&, const std::string& path, const Rule&);
  void read(const toml::node&, Number&, const std::string& path, const Rule&);
  void read(const toml::node&, std::string&, const std::string& path, const Rule&);
  void read(const toml::node&, Vector3d&, const std::string& path, const Rule&);
  void read(const toml::node&, Orientation&, const std::string& path, const Rule&);
  void read(const toml::node&, Inertia&, const std::string& path, const Rule&);
  void read(const toml::node&, Velocity&, const std::string& path, const Rule&);
  void read(const toml::node&, OutputInterval&, const std::string& path, const Rule&);
  void read(const toml::node&, InitialShape&, const std::string& path, const Rule&);
  void read(const toml::node&, ValueText&, const std::string& path, const Rule&);
  void read(const toml::node&, Settings&, const std::string& path, const Rule&);
  template <class T>
  void read(const toml::node& node, std::optional<T>& value, const std::string& path, const Rule& rule) {
    read(node, value.emplace(), path, rule);
  }
  template <class T, std::size_t n>
  void read(const toml::node& node, std::array<T, n>& value, const std::string& path, const Rule& rule) {
    if (const toml::array* array = list(node, n, path))
      for (std::size_t i = 0; i < n; ++i) read((*array)[i], value[i], path + "[" + std::to_string(i) + "]", rule);
  }
  template <class T>
  void read(const toml::node& node, std::vector<T>& value, const std::string& path, const Rule& rule) {
    if constexpr (Struct<T, TomlReader>) {
      read_objects(node, path, [&](const toml::table& table, const std::string& element) {
        read(table, value.emplace_back(), element, rule);
      });
    } else if (const toml::array* array = list(node, any_length, path)) {
      value.resize(array->size());
      for (std::size_t i = 0; i < value.size(); ++i)
        read((*array)[i], value[i], path + "[" + std::to_string(i) + "]", rule);
    }
  }
  template <class T>
  requires std::is_enum_v<T>
  void read(const toml::node& node, T& value, const std::string& path, const Rule&) {
    if (const int choice = word(node, words_of<T>(), path); choice >= 0) value = static_cast<T>(choice);
  }
  template <class T>
  requires Struct<T, TomlReader>
  void read(const toml::node& node, T& value, const std::string& path, const Rule&) {
    const toml::table* table = node.as_table();
    if (!table) return expected(node, path, "a table");
    TomlReader reader(context_, *table, path);
    fields(reader, value);
    reader.finish();
  }

  static constexpr std::size_t any_length = static_cast<std::size_t>(-1);
  void expected(const toml::node& node, const std::string& path, const std::string& what);
  /// The list, if it is one of n entries.
  const toml::array* list(const toml::node& node, std::size_t n, const std::string& path);
  /// The number of the word, or −1.
  int word(const toml::node& node, const Words& words, const std::string& path);
  bool in_range(const toml::node& node, double value, const std::string& path, const Rule& rule);
  void read_objects(const toml::node& node, const std::string& path,
                    const std::function<void(const toml::table&, const std::string&)>& read_one);
  void read_parameters(const toml::node& node, Symbols& symbols);
  void read_functions(const toml::node& node, Symbols& symbols);

  ReadingContext& context_;
  const toml::table& table_;
  std::string path_;
  std::vector<std::string> known_;
  bool is_undecided_ = false;
};

/// Puts KEY=VALUE into the tree; mistakes go to the context.
void apply_override(toml::table& root, const std::string& assignment, ReadingContext& context);

}  // namespace filum::scenario
