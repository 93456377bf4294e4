/// From TOML to structs: values of every type. User document: docs/guide/error-messages.md.
#include "toml_reader.hpp"

#include <cmath>
#include <sstream>

namespace filum::scenario {
namespace {

std::string described(const toml::node& node) {
  std::ostringstream text;
  switch (node.type()) {
    case toml::node_type::table: return "a table";
    case toml::node_type::array: return "a list of " + std::to_string(node.as_array()->size());
    case toml::node_type::string: text << "'" << **node.as_string() << "'"; break;
    case toml::node_type::integer: text << **node.as_integer(); break;
    case toml::node_type::floating_point: text << **node.as_floating_point(); break;
    case toml::node_type::boolean: text << (**node.as_boolean() ? "true" : "false"); break;
    default: return "a date or time";
  }
  const std::string result = text.str();
  return result.size() > 60 ? result.substr(0, 57) + "..." : result;
}

std::string number_text(double value) {
  std::ostringstream text;
  text.precision(12);
  text << value;
  return text.str();
}

}  // namespace

Place ReadingContext::place(const toml::source_region& region) const {
  return {source, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}
Place ReadingContext::place(const toml::node& node) const {
  if (const auto found = overridden.find(&node); found != overridden.end()) return {found->second, 0, 0};
  return place(node.source());
}

void ReadingContext::complain(const toml::node& node, const std::string& key, const std::string& message) {
  problems.push_back({place(node), key, message});
}

void ReadingContext::complain_in_formula(const toml::node& node, const std::string& key, const FormulaError& error,
                                         Variables of) {
  Place where = place(node);
  if (where.line > 0) where.column += 1 + error.position;  // behind the opening quote
  std::string message = "in the formula " + described(node) + ": " + error.what();
  if (!error.unknown.empty()) {
    const bool is_variable = error.unknown == "t" || error.unknown == "s";
    message += is_variable ? ", because this value cannot depend on it" : suggestion(error.unknown, symbols.words(of));
  }
  problems.push_back({where, key, message});
}

const toml::node* TomlReader::find(const char* key, bool is_required) {
  const auto found = table_.find(key);
  if (found != table_.end()) {
    const toml::node& node = found->second;
    context_.places.set(key_path(key), context_.overridden.contains(&node) ? context_.place(node)
                                                                           : context_.place(found->first.source()));
    return &node;
  }
  if (is_required)
    context_.complain(table_, key_path(key),
                      path_.empty() ? "this key is missing" : "this key of '" + path_ + "' is missing");
  return nullptr;
}

void TomlReader::finish() {
  if (is_undecided_) return;
  for (auto&& [key, node] : table_) {
    const std::string name(key.str());
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    std::string message = "unknown key";
    if (path_.empty() && name == "shell") {
      message = "this version does not have shells";
    } else {
      const std::string hint = suggestion(name, known_);
      message += hint.empty() ? "; expected " + alternatives(known_) : hint;
    }
    const Place place = context_.overridden.contains(&node) ? context_.place(node) : context_.place(key.source());
    context_.problems.push_back({place, key_path(name), message});
  }
}

void TomlReader::expected(const toml::node& node, const std::string& path, const std::string& what) {
  context_.complain(node, path, "expected " + what + ", found " + described(node));
}

const toml::array* TomlReader::list(const toml::node& node, std::size_t n, const std::string& path) {
  const toml::array* array = node.as_array();
  if (array && (n == any_length || array->size() == n)) return array;
  expected(node, path, n == any_length ? "a list" : "a list of " + std::to_string(n));
  return nullptr;
}

int TomlReader::word(const toml::node& node, const Words& words, const std::string& path) {
  const auto* text = node.as_string();
  if (text) {
    const auto found = std::find(words.begin(), words.end(), **text);
    if (found != words.end()) return static_cast<int>(found - words.begin());
  }
  context_.complain(
      node, path,
      "expected " + alternatives(words) + ", found " + described(node) + (text ? suggestion(**text, words) : ""));
  return -1;
}

bool TomlReader::in_range(const toml::node& node, double value, const std::string& path, const Rule& rule) {
  const bool finite = std::isfinite(value) || (rule.may_be_infinite && !std::isnan(value));
  const char* wanted = !finite                                            ? "a finite number"
                       : rule.sign == Sign::positive && !(value > 0)      ? "a positive number"
                       : rule.sign == Sign::not_negative && !(value >= 0) ? "a number that is not negative"
                                                                          : nullptr;
  if (!wanted) return true;
  context_.complain(node, path,
                    "expected " + std::string(wanted) + ", found " + (node.is_string() ? described(node) + " = " : "") +
                        number_text(value));
  return false;
}

void TomlReader::read(const toml::node& node, bool& value, const std::string& path, const Rule&) {
  if (const auto* found = node.as_boolean())
    value = found->get();
  else
    expected(node, path, "true or false");
}

void TomlReader::read(const toml::node& node, double& value, const std::string& path, const Rule& rule) {
  double found = 0;
  if (const auto* integer = node.as_integer())
    found = static_cast<double>(integer->get());
  else if (const auto* number = node.as_floating_point())
    found = number->get();
  else if (const auto* text = node.as_string()) {
    try {
      found = Formula(text->get(), {}, context_.symbols)(0);
    } catch (const FormulaError& error) {
      return context_.complain_in_formula(node, path, error, {});
    }
  } else
    return expected(node, path, "a number or a formula");
  if (in_range(node, found, path, rule)) value = found;
}

void TomlReader::read(const toml::node& node, int& value, const std::string& path, const Rule& rule) {
  double number = 0;
  const std::size_t before = context_.problems.size();
  read(node, number, path, Rule{.sign = rule.sign});
  if (context_.problems.size() != before) return;
  if (number != std::floor(number) || std::abs(number) > 1e9) return expected(node, path, "a whole number below 1e9");
  value = static_cast<int>(number);
}

void TomlReader::read(const toml::node& node, Number& value, const std::string& path, const Rule& rule) {
  const auto* text = node.as_string();
  if (!text) {
    double number = 0;
    read(node, number, path, rule);
    value = number;
    return;
  }
  try {
    Formula formula(text->get(), rule.of, context_.symbols);
    if (formula.uses_t() || formula.uses_s())
      value = Number(std::move(formula));
    else if (const double number = formula(0); in_range(node, number, path, rule))
      value = number;
  } catch (const FormulaError& error) {
    context_.complain_in_formula(node, path, error, rule.of);
  }
}

void TomlReader::read(const toml::node& node, std::string& value, const std::string& path, const Rule&) {
  if (const auto* text = node.as_string())
    value = text->get();
  else
    expected(node, path, "text in quotes");
}

void TomlReader::read(const toml::node& node, Vector3d& value, const std::string& path, const Rule& rule) {
  std::array<double, 3> numbers{value[0], value[1], value[2]};
  read(node, numbers, path, rule);
  value = Vector3d(numbers[0], numbers[1], numbers[2]);
}

void TomlReader::read(const toml::node& node, Orientation& value, const std::string& path, const Rule& rule) {
  const std::size_t before = context_.problems.size();
  if (const toml::table* table = node.as_table()) {
    Vector3d axis(0, 0, 1);
    double angle = 0;
    TomlReader reader(context_, *table, path);
    reader("axis", axis, required);
    reader("angle", angle, required);
    reader.finish();
    if (context_.problems.size() != before) return;
    if (!(axis.norm() > 0)) return context_.complain(node, path + ".axis", "the axis of a rotation must not be zero");
    value.quaternion << std::cos(angle / 2), std::sin(angle / 2) * axis.normalized();
    return;
  }
  if (!node.is_array()) return expected(node, path, "a quaternion [p0, p1, p2, p3] or { axis = [x, y, z], angle = a }");
  std::array<double, 4> p{1, 0, 0, 0};
  read(node, p, path, rule);
  if (context_.problems.size() != before) return;
  value.quaternion = Vector4d(p[0], p[1], p[2], p[3]);
  const double length = value.quaternion.norm();
  if (!(std::abs(length - 1) <= 1e-6))
    expected(node, path, "a quaternion of length 1, this one has length " + number_text(length) + ",");
}

void TomlReader::read(const toml::node& node, Inertia& value, const std::string& path, const Rule& rule) {
  const toml::array* array = node.as_array();
  if (!array || array->size() != 3) return expected(node, path, "three principal moments or a 3 x 3 matrix");
  if ((*array)[0].is_array()) {
    std::array<Vector3d, 3> rows{};
    read(node, rows, path, rule);
    for (int i = 0; i < 3; ++i) value.matrix.row(i) = rows[static_cast<std::size_t>(i)].transpose();
  } else {
    Vector3d moments = Vector3d::Zero();
    read(node, moments, path, rule);
    value.matrix = moments.asDiagonal();
  }
}

void TomlReader::read(const toml::node& node, Velocity& value, const std::string& path, const Rule& rule) {
  if (!node.is_string()) return read(node, value.value, path, rule);
  if (word(node, {"consistent"}, path) == 0) value.consistent = true;
}

void TomlReader::read(const toml::node& node, OutputInterval& value, const std::string& path, const Rule&) {
  if (const auto* text = node.as_string(); text && text->get() == "step")
    value.every_step = true;
  else
    read(node, value.value, path, positive);
}

void TomlReader::read(const toml::node& node, InitialShape& value, const std::string& path, const Rule&) {
  if (node.is_string()) {
    value.rest = word(node, {"rest"}, path) == 0;
    return;
  }
  const toml::table* table = node.as_table();
  if (!table) return expected(node, path, "'rest' or { positions = [...], orientations = [...] }");
  TomlReader reader(context_, *table, path);
  reader("positions", value.positions, required);
  reader("orientations", value.orientations, required);
  reader.finish();
}

void TomlReader::read_objects(const toml::node& node, const std::string& path,
                              const std::function<void(const toml::table&, const std::string&)>& read_one) {
  const toml::array* array = node.as_array();
  if (!array) return expected(node, path, "[[" + path + "]], a list of tables");
  for (std::size_t i = 0; i < array->size(); ++i) {
    const toml::table* table = (*array)[i].as_table();
    std::string element = path + "." + std::to_string(i);
    if (!table) {
      expected((*array)[i], element, "a table");
      continue;
    }
    if (const auto name = (*table)["name"].value<std::string>(); name && !name->empty() && name->size() < 100)
      element = path + "." + *name;
    context_.places.set(element, context_.place(*table));
    read_one(*table, element);
  }
}

}  // namespace filum::scenario
