/// From structs to TOML, every default written out. User document: docs/guide/results.md.
#pragma once

#include "schema.hpp"

#include <charconv>
#include <cmath>

namespace filum::scenario {

/// Writes what `fields` names: objects of the top level as tables, everything inside them in one line.
class TomlWriter {
 public:
  explicit TomlWriter(bool top_level = false) : top_level_(top_level) {}

  template <class T>
  void operator()(const char* key, T& value, const Rule& = {}) {
    if constexpr (Struct<T, TomlWriter>) {
      if (top_level_) return section("[" + std::string(key) + "]", value);
    }
    const std::string text = format(value);
    if (!text.empty()) entries_.emplace_back(key, text);
  }
  template <class T>
  requires Struct<T, TomlWriter>
  void operator()(const char* key, std::vector<T>& list, const Rule& = {}) {
    for (T& value : list) section("[[" + std::string(key) + "]]", value);
  }
  void symbols(Symbols& symbols);

  /// One line an entry, then the sections.
  std::string text() const;
  /// { a = 1, b = 2 }
  std::string inline_table() const;

  static std::string format(double value) {
    if (value == 0) return std::signbit(value) ? "-0.0" : "0";  // -0 would be read as an integer
    char buffer[32];
    const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);  // shortest that reads back exactly
    return {buffer, end};
  }
  static std::string format(const std::string& value);

 private:
  static std::string format(bool value) { return value ? "true" : "false"; }
  static std::string format(int value) { return std::to_string(value); }
  static std::string format(const Number& value) {
    return value.is_constant() ? format(value(0)) : format(value.formula()->text());
  }
  static std::string format(const Vector3d& value) {
    return format(std::array<double, 3>{value[0], value[1], value[2]});
  }
  static std::string format(const Orientation& value) {
    const Vector4d& p = value.quaternion;
    return format(std::array<double, 4>{p[0], p[1], p[2], p[3]});
  }
  static std::string format(const Inertia& value) {
    const Matrix3d& m = value.matrix;
    return format(std::array<Vector3d, 3>{Vector3d(m.row(0)), Vector3d(m.row(1)), Vector3d(m.row(2))});
  }
  static std::string format(const Velocity& value) {
    return value.consistent ? format(std::string("consistent")) : format(value.value);
  }
  static std::string format(const OutputInterval& value) {
    return value.every_step ? format(std::string("step")) : format(value.value);
  }
  static std::string format(const InitialShape& value) {
    if (value.rest) return format(std::string("rest"));
    return "{ positions = " + format(value.positions) + ", orientations = " + format(value.orientations) + " }";
  }
  template <class T>
  static std::string format(const std::optional<T>& value) {
    return value ? format(*value) : std::string();
  }
  template <class T, std::size_t n>
  static std::string format(const std::array<T, n>& value) {
    return format_list(value);
  }
  template <class T>
  static std::string format(const std::vector<T>& value) {
    return format_list(value);
  }
  template <class List>
  static std::string format_list(const List& list) {
    std::string text = "[";
    for (const auto& element : list) text += (text.size() == 1 ? "" : ", ") + format(element);
    return text + "]";
  }
  template <class T>
  requires std::is_enum_v<T>
  static std::string format(const T& value) { return format(word_of(value)); }
  template <class T>
  requires Struct<T, TomlWriter>
  static std::string format(const T& value) {
    TomlWriter writer;
    T copy = value;
    fields(writer, copy);
    return writer.inline_table();
  }
  template <class T>
  void section(const std::string& header, T& value) {
    TomlWriter writer;
    fields(writer, value);
    sections_ += "\n" + header + "\n" + writer.text();
  }

  bool top_level_;
  std::vector<std::pair<std::string, std::string>> entries_;
  std::string sections_;
};

}  // namespace filum::scenario
