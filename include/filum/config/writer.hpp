/// From structs to TOML, every default written out. User document: docs/guide/results.md.
#pragma once

#include <filum/config/document.hpp>
#include <filum/config/schema.hpp>

#include <Eigen/Core>

#include <array>
#include <optional>
#include <type_traits>
#include <utility>

namespace filum::config {

/// Writes what `fields` names: objects of the top level as tables, everything inside them in one line.
///
/// A type of your own is written by `fields(archive, x)`, by `words_of` if it is an enumeration, or by a function
/// beside it, std::string format_value(const Writer&, const T&); an empty text leaves the key out.
class Writer {
 public:
  /// A value that no file can hold: a function of a program.
  class Unwritable : public std::runtime_error {
    using std::runtime_error::runtime_error;
  };
  explicit Writer(bool top_level = false) : top_level_(top_level) {}

  template <class T>
  void operator()(const char* key, T& value, const Rule& = {}) {
    if constexpr (Struct<T, Writer>) {
      if (top_level_) return section("[" + std::string(key) + "]", value);
    }
    const std::string text = format_value(*this, std::as_const(value));
    if (!text.empty()) entries_.emplace_back(key, text);
  }
  template <class T>
  requires Struct<T, Writer>
  void operator()(const char* key, std::vector<T>& list, const Rule& = {}) {
    for (T& value : list) section("[[" + std::string(key) + "]]", value);
  }
  void symbols(Symbols& symbols);

  /// Keys and values so far, without sections.
  const std::vector<std::pair<std::string, std::string>>& entries() const { return entries_; }
  /// One line per entry, then the sections.
  std::string text() const;
  /// { a = 1, b = 2 }
  std::string inline_table() const;

 private:
  template <class T>
  void section(const std::string& header, T& value) {
    Writer writer;
    fields(writer, value);
    sections_ += "\n" + header + "\n" + writer.text();
  }

  bool top_level_;
  std::vector<std::pair<std::string, std::string>> entries_;
  std::string sections_;
};

std::string format_value(const Writer&, double value);
std::string format_value(const Writer&, const Number& value);
inline std::string format_value(const Writer&, const std::string& value) { return toml_text(value); }
inline std::string format_value(const Writer&, int value) { return std::to_string(value); }
inline std::string format_value(const Writer&, bool value) { return value ? "true" : "false"; }

template <class List>
std::string format_list(const Writer& writer, const List& list) {
  std::string text = "[";
  for (const auto& element : list) text += (text.size() == 1 ? "" : ", ") + format_value(writer, element);
  return text + "]";
}
template <class T>
std::string format_value(const Writer& writer, const std::optional<T>& value) {
  return value ? format_value(writer, *value) : std::string();
}
template <class T, std::size_t n>
std::string format_value(const Writer& writer, const std::array<T, n>& value) {
  return format_list(writer, value);
}
template <class T>
std::string format_value(const Writer& writer, const std::vector<T>& value) {
  return format_list(writer, value);
}
template <int rows, int columns>
std::string format_value(const Writer& writer, const Eigen::Matrix<double, rows, columns>& value) {
  if constexpr (columns == 1) {
    return format_list(writer, value);
  } else {
    std::array<Eigen::Matrix<double, columns, 1>, rows> list;
    for (int i = 0; i < rows; ++i) list[static_cast<std::size_t>(i)] = value.row(i).transpose();
    return format_list(writer, list);
  }
}
template <class T>
requires std::is_enum_v<T> std::string format_value(const Writer&, const T& value) { return toml_text(word_of(value)); }
template <class T>
requires Struct<T, Writer> std::string format_value(const Writer&, const T& value) {
  Writer writer;
  T copy = value;
  fields(writer, copy);
  return writer.inline_table();
}

/// A struct as a whole file.
template <class T>
std::string document_text(T value) {
  Writer writer(true);
  fields(writer, value);
  return writer.text();
}

}  // namespace filum::config
