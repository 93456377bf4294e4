/// A TOML file as a tree of values that know where they stand, and changes to it (--set KEY=VALUE). User document:
/// docs/guide/scenarios.md.
#pragma once

#include <filum/config/callable.hpp>
#include <filum/config/problem.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace filum::config {

class Node;
using List = std::vector<Node>;

/// The entries of a table, ordered by key.
class Table {
 public:
  struct Entry;
  Table();
  ~Table();
  Table(const Table&);
  Table(Table&&) noexcept;
  Table& operator=(const Table&);
  Table& operator=(Table&&) noexcept;

  const std::vector<Entry>& entries() const { return entries_; }
  std::size_t size() const;
  const Entry* find(std::string_view key) const;
  Entry* find(std::string_view key);
  /// Adds an entry, or replaces the one of this key.
  Node& set(std::string_view key, Node value, const Place& place);

 private:
  std::vector<Entry> entries_;
};

/// A day or time, which TOML has and no value of ours is.
struct Date {};

/// One value of a file, or of a program, which may give functions where a file has formulas.
class Node {
 public:
  using Value =
      std::variant<bool, std::int64_t, double, std::string, Date, List, Table, std::shared_ptr<const Callable>>;
  Node(Value value, std::shared_ptr<const std::string> source, int line, int column)
      : value_(std::move(value)), source_(std::move(source)), line_(line), column_(column) {}

  template <class T>
  const T* as() const {
    return std::get_if<T>(&value_);
  }
  template <class T>
  T* as() {
    return std::get_if<T>(&value_);
  }
  bool is_text() const { return as<std::string>() != nullptr; }
  bool is_list() const { return as<List>() != nullptr; }
  bool is_table() const { return as<Table>() != nullptr; }
  bool is_number() const { return as<double>() || as<std::int64_t>(); }
  /// Nothing when it is no function.
  std::shared_ptr<const Callable> callable() const {
    const auto* found = as<std::shared_ptr<const Callable>>();
    return found ? *found : nullptr;
  }
  /// Of a number; otherwise 0.
  double number() const;

  Place place() const { return {source_ ? *source_ : std::string(), line_, column_}; }
  /// Says of this value and all in it that they come from there.
  void set_place(const std::shared_ptr<const std::string>& source, int line, int column);
  /// For messages: "'text'", "a list of 3", "a table".
  std::string described() const;
  /// In one line, as TOML.
  std::string toml() const;

 private:
  Value value_;
  std::shared_ptr<const std::string> source_;
  int line_ = 0, column_ = 0;
};

struct Table::Entry {
  std::string key;
  Place place;  ///< of the key; of the value when that comes from an override
  Node value;
};

/// The table that a file is. `source` is what messages call the text. Throws InputError.
Node parse_document(std::string_view text, const std::string& source);

/// A text in quotes, and a key as it stands in a file.
std::string toml_text(std::string_view text);
std::string toml_key(std::string_view key);

/// KEY=VALUE from the command line.
using Override = std::string;

/// The same in two parts, for files that contain changes to other files.
struct Setting {
  std::string key, value;
  Override text() const { return key + "=" + value; }
  bool operator==(const Setting&) const = default;
};
using Settings = std::vector<Setting>;

/// A value of any type, as it would stand on the command line.
struct ValueText {
  std::string text;
};

/// A table in which the file alone decides which keys there are: overrides change them and add none.
struct ClosedTable {
  std::string key;   ///< "parameters"
  std::string kind;  ///< what messages call an entry: "parameter"
};

/// Puts KEY=VALUE into the tree; mistakes go to `problems`.
void apply_override(Node& root, const Override& assignment, const std::vector<ClosedTable>& closed,
                    std::vector<Problem>& problems);

}  // namespace filum::config
