/// Files with every default filled in. User document: docs/guide/results.md.
#include <filum/config/writer.hpp>

#include <charconv>
#include <cmath>

namespace filum::config {

std::string format_value(const Writer&, double value) {
  if (value == 0) return std::signbit(value) ? "-0.0" : "0";  // -0 would be read as an integer
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);  // shortest that reads back exactly
  const std::string text(buffer, end);
  constexpr std::size_t longest_integer = 15;  // TOML's integers have 64 bits
  const bool is_integer = text.find_first_not_of("-0123456789") == std::string::npos;
  return is_integer && text.size() > longest_integer ? text + ".0" : text;
}

std::string format_value(const Writer& writer, const Number& value) {
  if (value.entry())
    throw Writer::Unwritable("the function " + value.entry()->function.name() +
                             " cannot be written to a file; a formula can");
  return value.is_constant() ? format_value(writer, value()) : toml_text(value.formula()->text());
}

std::string Writer::text() const {
  std::string text;
  for (const auto& [key, value] : entries_) text.append(key).append(" = ").append(value).append("\n");
  return text + sections_;
}

std::string Writer::inline_table() const {
  std::string text = "{ ";
  for (const auto& [key, value] : entries_)
    text.append(text.size() == 2 ? "" : ", ").append(key).append(" = ").append(value);
  return text + " }";
}

void Writer::symbols(Symbols& symbols) {
  if (!symbols.parameters.empty()) sections_ += "\n[parameters]\n";
  for (const auto& [name, value] : symbols.parameters) sections_ += name + " = " + format_value(*this, value) + "\n";
  if (!symbols.functions.empty()) sections_ += "\n[functions]\n";
  for (const auto& [name, function] : symbols.functions) {
    if (function.formula()) {
      sections_ += name + " = " + toml_text(function.formula()->text()) + "\n";
      continue;
    }
    std::vector<std::array<double, 2>> points;
    for (const auto& [t, value] : function.points()) points.push_back({t, value});
    sections_ += name + " = { points = " + format_value(*this, points) + " }\n";
  }
}

}  // namespace filum::config
