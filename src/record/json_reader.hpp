/// JSON from an untrusted file: every access checks what it expects. User document: docs/guide/results.md.
#pragma once

#include <filum/record/hdf5_file.hpp>

#include <nlohmann/json.hpp>

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace filum::record {

/// Discarded when the text is not JSON, or nested so deep that copying or writing it would exhaust the stack.
inline nlohmann::ordered_json shallow_json(std::string_view text) {
  using Json = nlohmann::ordered_json;
  constexpr int most_levels = 64;
  int level = 0;
  for (std::size_t k = 0; k < text.size() && level <= most_levels; ++k) {
    if (text[k] == '"')
      for (++k; k < text.size() && text[k] != '"'; ++k) k += text[k] == '\\';
    else if (text[k] == '[' || text[k] == '{')
      ++level;
    else if (text[k] == ']' || text[k] == '}')
      --level;
  }
  return level > most_levels ? Json(Json::value_t::discarded) : Json::parse(text, nullptr, false);
}

/// A value, and the way to it. Whatever is not as expected is a FileTrouble: "facts.objects[2].nodes: expected ...".
class JsonReader {
 public:
  using Json = nlohmann::ordered_json;
  JsonReader(const Json& json, std::string path) : json_(&json), path_(std::move(path)) {}

  bool is_null() const { return json_->is_null(); }
  bool has(const char* key) const { return object().contains(key); }
  JsonReader operator[](const char* key) const {
    const auto found = object().find(key);
    if (found == json_->end()) throw FileTrouble(path_ + ": '" + key + "' is missing");
    return {*found, path_ + "." + key};
  }
  std::size_t size() const { return array().size(); }
  JsonReader at(std::size_t i) const { return {array().at(i), path_ + "[" + std::to_string(i) + "]"}; }
  void expect_size(std::size_t n) const {
    if (size() != n) refuse("a list of " + std::to_string(n), "one of " + std::to_string(size()));
  }
  template <class Read>
  auto list(const Read& read) const {
    std::vector<decltype(read(at(0)))> values;
    values.reserve(size());
    for (std::size_t i = 0; i < size(); ++i) values.push_back(read(at(i)));
    return values;
  }

  std::string text() const {
    if (!json_->is_string()) refuse("a text");
    return json_->get<std::string>();
  }
  bool flag() const {
    if (!json_->is_boolean()) refuse("true or false");
    return json_->get<bool>();
  }
  double number() const {
    if (!json_->is_number()) refuse("a number");
    return json_->get<double>();
  }
  /// From 0 on.
  int integer() const {
    const bool good = json_->is_number_unsigned() &&
                      json_->get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<int>::max());
    if (!good) refuse("a whole number from 0 on");
    return json_->get<int>();
  }

  [[noreturn]] void refuse(const std::string& expected, const std::string& found) const {
    throw FileTrouble(path_ + ": expected " + expected + ", found " + found);
  }
  [[noreturn]] void refuse(const std::string& expected) const { refuse(expected, json_->type_name()); }

 private:
  const Json& object() const {
    if (!json_->is_object()) refuse("an object");
    return *json_;
  }
  const Json& array() const {
    if (!json_->is_array()) refuse("a list");
    return *json_;
  }

  const Json* json_;
  std::string path_;
};

}  // namespace filum::record
