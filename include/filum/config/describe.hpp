/// Which keys a struct has: for those who offer the same options elsewhere. User document: docs/python/README.md.
#pragma once

#include <filum/config/reader.hpp>
#include <filum/config/writer.hpp>

namespace filum::config {

struct KeyFacts {
  std::string key;
  std::string type;  ///< bool, int, float, text, number, word, table, value; vector and list with what is in them
  bool required = false;
  std::string default_text;  ///< as a file has it; empty: none
  Words words = {};          ///< of a choice
  Variables variables = {};  ///< that a number may depend on
};

namespace detail {
template <class T>
struct TypeName {
  static std::string text() {
    if constexpr (std::is_enum_v<T> || HasWords<T>) return "word";
    if constexpr (Struct<T, Writer>) return "table";
    return "value";
  }
};
template <>
struct TypeName<bool> {
  static std::string text() { return "bool"; }
};
template <>
struct TypeName<int> {
  static std::string text() { return "int"; }
};
template <>
struct TypeName<double> {
  static std::string text() { return "float"; }
};
template <>
struct TypeName<std::string> {
  static std::string text() { return "text"; }
};
template <>
struct TypeName<Number> {
  static std::string text() { return "number"; }
};
template <class T>
struct TypeName<std::optional<T>> : TypeName<T> {};
template <class T>
struct TypeName<std::vector<T>> {
  static std::string text() { return "list of " + TypeName<T>::text(); }
};
template <class T, std::size_t n>
struct TypeName<std::array<T, n>> {
  static std::string text() { return "list of " + std::to_string(n) + " " + TypeName<T>::text(); }
};
template <int rows, int columns>
struct TypeName<Eigen::Matrix<double, rows, columns>> {
  static std::string text() { return "list of " + std::to_string(rows) + (columns == 1 ? " float" : " list of float"); }
};
}  // namespace detail

/// Notes what `fields` names. Where a key decides which others there are, `word` is what it is taken to be.
class Describer {
 public:
  explicit Describer(std::string word = {}) : word_(std::move(word)) {}

  template <class T>
  void operator()(const char* key, T& value, const Rule& rule = {}) {
    KeyFacts facts{.key = key, .type = detail::TypeName<T>::text(), .required = rule.required, .default_text = {}};
    facts.words = words(value);
    facts.variables = rule.of;
    if (rule.decides && !facts.words.empty()) decide(key, value, rule, facts.words);
    if (!rule.required) facts.default_text = format_value(Writer(), std::as_const(value));
    keys_.push_back(std::move(facts));
  }

  const std::vector<KeyFacts>& keys() const { return keys_; }
  /// The key that decides, and its words; empty when there is none.
  const std::string& decision() const { return decision_; }
  const Words& alternatives() const { return alternatives_; }

 private:
  template <class T>
  static Words words(const std::optional<T>&) {
    return words(T{});
  }
  template <class T>
  static Words words(const T& value) {
    if constexpr (std::is_enum_v<T>) return words_of<T>();
    if constexpr (HasWords<T>) return words_for(value);
    return {};
  }
  template <class T>
  void decide(const char* key, T& value, const Rule& rule, const Words& words) {
    decision_ = key;
    alternatives_ = words;
    if (word_.empty()) return;
    ReadingContext context;
    const Table nothing;
    Reader reader(context, nothing, {}, "");
    read_value(reader, Node(word_, nullptr, 0, 0), value, key, rule);
  }

  std::string word_, decision_;
  Words alternatives_;
  std::vector<KeyFacts> keys_;
};

}  // namespace filum::config
