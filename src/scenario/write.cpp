/// Scenarios as files with every default filled in. User document: docs/guide/results.md.
#include "toml_writer.hpp"

#include <filum/scenario/read.hpp>

namespace filum::scenario {

std::string TomlWriter::format(const std::string& value) {
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

std::string TomlWriter::text() const {
  std::string text;
  for (const auto& [key, value] : entries_) text += key + " = " + value + "\n";
  return text + sections_;
}

std::string TomlWriter::inline_table() const {
  std::string text = "{ ";
  for (const auto& [key, value] : entries_) text += (text.size() == 2 ? "" : ", ") + key + " = " + value;
  return text + " }";
}

void TomlWriter::symbols(Symbols& symbols) {
  if (!symbols.parameters.empty()) sections_ += "\n[parameters]\n";
  for (const auto& [name, value] : symbols.parameters) sections_ += name + " = " + format(value) + "\n";
  if (!symbols.functions.empty()) sections_ += "\n[functions]\n";
  for (const auto& [name, function] : symbols.functions) {
    if (function->formula()) {
      sections_ += name + " = " + format(function->formula()->text()) + "\n";
      continue;
    }
    std::vector<std::array<double, 2>> points;
    for (const auto& [t, value] : function->points()) points.push_back({t, value});
    sections_ += name + " = { points = " + format(points) + " }\n";
  }
}

std::string to_toml(const Scenario& scenario) {
  TomlWriter writer(true);
  Scenario copy = scenario;
  fields(writer, copy);
  return writer.text();
}

}  // namespace filum::scenario
