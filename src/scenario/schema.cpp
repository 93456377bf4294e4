/// Words and values of keys that belong to no object. User document: docs/guide/scenarios.md.
#include "schema.hpp"

#include <algorithm>

namespace filum::config {

template <>
const Words& words_of<integrate::Grid>() {
  static const Words words{"fixed", "random"};
  return words;
}
template <>
const Words& words_of<integrate::Multipliers>() {
  static const Words words{"index-1", "interpolated", "differences", "plus", "minus"};
  return words;
}
template <>
const Words& words_of<integrate::Formulation>() {
  static const Words words{"stabilized-index-2", "index-3"};
  return words;
}
template <>
const Words& words_of<integrate::AlphaStart>() {
  static const Words words{"perturbed", "perturbed-acceleration", "classical"};
  return words;
}
template <>
const Words& words_of<integrate::AlphaFamily>() {
  static const Words words{"chung-hulbert", "hht", "newmark", "free"};
  return words;
}
template <>
const Words& words_of<integrate::BliedfStart>() {
  static const Words words{"perturbed", "consistent", "euler"};
  return words;
}
template <>
const Words& words_of<integrate::ShakelieStart>() {
  static const Words words{"second-order", "first-order", "extrapolated"};
  return words;
}
template <>
const Words& words_of<integrate::HalfExplicitMultipliers>() {
  static const Words words{"index-1", "stages"};
  return words;
}
template <>
const Words& words_of<integrate::HalfExplicitEstimate>() {
  static const Words words{"projected", "plain"};
  return words;
}
template <>
const Words& words_of<integrate::NewtonMatrix>() {
  static const Words words{"automatic", "exact", "simplified", "kept", "paper-000"};
  return words;
}
template <>
const Words& words_of<analysis::PathKind>() {
  static const Words words{"load", "time", "arc-length"};
  return words;
}
template <>
const Words& words_of<record::StartFrom>() {
  static const Words words{"initial", "static"};
  return words;
}

}  // namespace filum::config

namespace filum::integrate {
namespace {

const config::Words& method_names() {
  static const config::Words words = [] {
    config::Words names{"auto"};
    for (const MethodOptions& m : all_methods()) names.emplace_back(name(m));
    return names;
  }();
  return words;
}

}  // namespace

void read_value(config::Reader& reader, const config::Node& node, MethodChoice& value, const std::string& path,
                const config::Rule&) {
  if (const int choice = reader.word(node, path, method_names()); choice >= 0)
    value.index = choice == 0 ? MethodChoice::chosen : static_cast<std::size_t>(choice - 1);
}
std::string format_value(const config::Writer&, const MethodChoice& value) {
  return config::toml_text(method_names()[value.index + 1]);  // `chosen` + 1 is 0
}
const config::Words& words_for(const MethodChoice&) { return method_names(); }
MethodOptions default_options(std::size_t index) { return all_methods()[index]; }

}  // namespace filum::integrate

namespace filum::scenario {

void read_value(config::Reader& reader, const config::Node& node, OutputInterval& value, const std::string& path,
                const Rule&) {
  if (const auto* text = node.as<std::string>(); text && *text == "step")
    value.every_step = true;
  else
    read_value(reader, node, value.value, path, positive);
}
std::string key_of_option(const std::string& option) {
  const std::string control = "control.";
  if (option.starts_with("newton.")) return option;
  return "integrator." + (option.starts_with(control) ? option.substr(control.size()) : option);
}

std::string format_value(const config::Writer& writer, const OutputInterval& value) {
  return value.every_step ? config::toml_text("step") : format_value(writer, value.value);
}

}  // namespace filum::scenario

namespace filum::model {
namespace {

/// The name of a unit: nothing is known about it, but it has to fit beside a number.
void check_unit(config::Reader& reader, const config::Node& table, const std::string& path, const char* key,
                const std::string& unit) {
  constexpr std::size_t longest = 16;
  const config::Table::Entry* entry = table.as<config::Table>()->find(key);
  if (!entry || !entry->value.is_text()) return;
  const bool is_word = !unit.empty() && unit.size() <= longest &&
                       std::none_of(unit.begin(), unit.end(), [](unsigned char c) { return c <= ' ' || c == 127; });
  if (!is_word) reader.expected(entry->value, path + "." + key, "the name of a unit, such as \"mm\"");
}

}  // namespace

void read_value(config::Reader& reader, const config::Node& node, Units& value, const std::string& path,
                const config::Rule&) {
  if (node.is_text() && *node.as<std::string>() == "SI") {
    value = si_units();
    return;
  }
  if (!node.is_table())
    return reader.expected(node, path, "\"SI\" or a table such as { length = \"mm\", mass = \"t\", time = \"s\" }");
  Units units;
  const std::size_t before = reader.problems();
  reader.read_table(node, path, [&](config::Reader& inside) {
    inside("length", units.length, config::required);
    inside("mass", units.mass, config::required);
    inside("time", units.time, config::required);
    inside("force", units.force);
  });
  check_unit(reader, node, path, "length", units.length);
  check_unit(reader, node, path, "mass", units.mass);
  check_unit(reader, node, path, "time", units.time);
  check_unit(reader, node, path, "force", units.force);
  if (reader.problems() != before) return;
  if (const std::string why = objection(units); !why.empty()) return reader.complain(node, path, why);
  value = units;
}

std::string format_value(const config::Writer& writer, const Units& u) {
  if (u.is_si()) return config::toml_text("SI");
  const auto entry = [&](const char* key, const std::string& unit) {
    return key + (" = " + format_value(writer, unit));
  };
  return "{ " + entry("length", u.length) + ", " + entry("mass", u.mass) + ", " + entry("time", u.time) +
         (u.force.empty() ? "" : ", " + entry("force", u.force)) + " }";
}

}  // namespace filum::model
