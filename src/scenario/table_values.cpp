/// Values of object tables with a syntax of their own. User document: docs/guide/scenarios.md.
#include "table_values.hpp"

#include <filum/record/hdf5_file.hpp>
#include <filum/record/mesh_file.hpp>

#include <cctype>
#include <cmath>
#include <filesystem>
#include <sstream>

namespace filum::scenario {

using config::Node;
using config::Reader;
using config::Words;
using config::Writer;

namespace {

/// In the order of lie::GroupId from SO3 on.
const Words& group_words() {
  static const Words words = [] {
    Words names{"auto"};
    for (int id = static_cast<int>(lie::GroupId::SO3); id <= static_cast<int>(lie::GroupId::UDQ); ++id)
      names.emplace_back(lie::name(static_cast<lie::GroupId>(id)));
    return names;
  }();
  return words;
}

const Words& shape_words() {
  static const Words words{"box", "cylinder", "sphere", "disk"};
  return words;
}

}  // namespace

void read_value(Reader& reader, const Node& node, Orientation& value, const std::string& path, const Rule& rule) {
  const std::size_t before = reader.problems();
  if (node.is_table()) {
    Vector3d axis(0, 0, 1);
    double angle = 0;
    reader.read_table(node, path, [&](Reader& inside) {
      inside("axis", axis, required);
      inside("angle", angle, required);
    });
    if (reader.problems() != before) return;
    if (axis.isZero(0)) return reader.complain(node, path + ".axis", "the axis of a rotation must not be zero");
    value.quaternion << std::cos(angle / 2), std::sin(angle / 2) * axis.stableNormalized();
    return;
  }
  if (!node.is_list())
    return reader.expected(node, path, "a quaternion [p0, p1, p2, p3] or { axis = [x, y, z], angle = a }");
  Vector4d p = value.quaternion;
  read_value(reader, node, p, path, rule);
  if (reader.problems() != before) return;
  value.quaternion = p;
  std::ostringstream length;
  length.precision(12);
  length << p.norm();
  if (!(std::abs(p.norm() - 1) <= 1e-6))
    reader.complain(node, path, "expected a quaternion of length 1, found one of length " + length.str());
}

void read_value(Reader& reader, const Node& node, Inertia& value, const std::string& path, const Rule& rule) {
  const config::List* list = node.as<config::List>();
  if (!list || list->size() != 3) return reader.expected(node, path, "three principal moments or a 3 x 3 matrix");
  if (list->front().is_list()) return read_value(reader, node, value.matrix, path, rule);
  Vector3d moments = Vector3d::Zero();
  read_value(reader, node, moments, path, rule);
  value.matrix = moments.asDiagonal();
}

std::vector<Number> entries_of(const config::BoundCallable& f, std::size_t n) {
  std::vector<Number> entries;
  for (std::size_t k = 0; k < n; ++k) entries.emplace_back(config::CallableEntry{f, k, n});
  return entries;
}

void read_value(Reader& reader, const Node& node, InertiaAlong& value, const std::string& path, const Rule& rule) {
  if (node.callable()) {
    if (const auto f = reader.callable(node, path, rule)) value.entries = entries_of(*f, 9);
    return;
  }
  const config::List* list = node.as<config::List>();
  if (!list || list->size() != 3) return reader.expected(node, path, "three principal moments or a 3 x 3 matrix");
  if (!list->front().is_list()) {
    value.entries.resize(3);
    for (std::size_t i = 0; i < 3; ++i)
      read_value(reader, (*list)[i], value.entries[i], config::element_path(path, i), rule);
    return;
  }
  std::array<Number3, 3> rows;
  read_value(reader, node, rows, path, Rule{.of = rule.of});  // off the diagonal anything goes
  value.entries.clear();
  for (const Number3& row : rows) value.entries.insert(value.entries.end(), row.begin(), row.end());
}

void read_value(Reader& reader, const Node& node, GroupWord& value, const std::string& path, const Rule&) {
  const int choice = reader.word(node, path, group_words());
  if (choice == 0) value.choice = model::GroupChoice::automatic();
  if (choice > 0) value.choice = static_cast<lie::GroupId>(static_cast<int>(lie::GroupId::SO3) + choice - 1);
}

void read_value(Reader& reader, const Node& node, VelocityWord& value, const std::string& path, const Rule& rule) {
  if (!node.is_text()) return read_value(reader, node, value.velocity.value, path, rule);
  if (reader.word(node, path, {"consistent"}) == 0) value.velocity.consistent = true;
}

namespace {

/// Of a file with a relative path: from the folder of the scenario; on the command line and in programs: from here.
std::filesystem::path resolved(const Node& node, const std::string& file) {
  const config::Place& place = node.place();
  return place.is_override() ? std::filesystem::path(file) : std::filesystem::path(place.source).parent_path() / file;
}

void read_mesh_table(Reader& reader, const Node& node, ShapeTable& value, const std::string& path) {
  std::string file;
  double scale = 1;
  const std::size_t before = reader.problems();
  reader.read_table(node, path, [&](Reader& inside) {
    inside("mesh", file, required);
    inside("scale", scale, positive);
  });
  if (reader.problems() != before) return;
  const Node& entry = node.as<config::Table>()->find("mesh")->value;
  try {
    value.mesh = record::read_mesh(resolved(entry, file), scale);
  } catch (const record::FileTrouble& trouble) {
    reader.complain(entry, path + ".mesh", std::string("the mesh cannot be used: ") + trouble.what());
  }
}

}  // namespace

void read_value(Reader& reader, const Node& node, ShapeTable& value, const std::string& path, const Rule&) {
  const config::Table* table = node.as<config::Table>();
  if (table && table->find("mesh")) return read_mesh_table(reader, node, value, path);
  if (!table || table->size() != 1)
    return reader.expected(node, path,
                           "a table with one shape, such as { box = [x, y, z] } or { mesh = \"FILE.stl\" }");
  const std::string key = table->entries().front().key;
  reader.read_table(node, path, [&](Reader& inside) {
    double diameter = 0;
    inside("box", value.shape.size, positive);
    inside("cylinder", value.shape.size, positive);
    inside("disk", value.shape.size, not_negative);
    inside("sphere", diameter, positive);
    if (key == "sphere") value.shape.size = Vector3d::Constant(diameter);
  });
  for (std::size_t k = 0; k < shape_words().size(); ++k)
    if (shape_words()[k] == key) value.shape.shape = static_cast<model::drawing::Shape>(k);
}

std::string format_value(const Writer& writer, const Orientation& value) {
  return format_value(writer, value.quaternion);
}
std::string format_value(const Writer& writer, const Inertia& value) { return format_value(writer, value.matrix); }
std::string format_value(const Writer& writer, const InertiaAlong& value) {
  if (value.entries.size() == 3) return format_value(writer, value.entries);
  const auto is_zero = [&](std::size_t k) { return value.entries[k].is_constant() && value.entries[k]() == 0; };
  if (is_zero(1) && is_zero(2) && is_zero(3) && is_zero(5) && is_zero(6) && is_zero(7))
    return format_value(writer, Number3{value.entries[0], value.entries[4], value.entries[8]});
  std::vector<std::vector<Number>> rows;
  for (std::size_t k = 0; k + 2 < value.entries.size(); k += 3)
    rows.push_back({value.entries[k], value.entries[k + 1], value.entries[k + 2]});
  return format_value(writer, rows);
}
std::string format_value(const Writer&, const GroupWord& value) {
  return config::toml_text(value.choice.is_automatic() ? "auto" : lie::name(*value.choice.group));
}
std::string format_value(const Writer& writer, const VelocityWord& value) {
  return value.velocity.consistent ? config::toml_text("consistent") : format_value(writer, value.velocity.value);
}
std::string format_value(const Writer& writer, const ShapeTable& value) {
  if (value.mesh) {
    if (value.mesh->file.empty())
      throw model::OptionError("shape", "a mesh that was not read from a file cannot be written");
    const std::string scale = value.mesh->scale == 1 ? "" : ", scale = " + format_value(writer, value.mesh->scale);
    return "{ mesh = " + config::toml_text(value.mesh->file) + scale + " }";
  }
  const bool round = value.shape.shape == model::drawing::Shape::sphere;
  return "{ " + shape_words()[static_cast<std::size_t>(value.shape.shape)] + " = " +
         (round ? format_value(writer, value.shape.size[0]) : format_value(writer, value.shape.size)) + " }";
}

model::Look look_of(const LookFields& fields) {
  const bool is_color = fields.color.size() == 7 && fields.color[0] == '#' &&
                        std::all_of(fields.color.begin() + 1, fields.color.end(),
                                    [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; });
  if (!fields.color.empty() && !is_color) throw model::OptionError("color", "expected a colour such as \"#cc4400\"");
  model::Look look{.color = fields.color};
  if (fields.shape && fields.shape->mesh)
    look.mesh = fields.shape->mesh;
  else if (fields.shape)
    look.shape = fields.shape->shape;
  return look;
}

LookFields fields_of(const model::Look& look) {
  LookFields fields{.shape = {}, .color = look.color};
  if (look.shape) fields.shape = ShapeTable{*look.shape};
  if (look.mesh) fields.shape = ShapeTable{.mesh = look.mesh};
  return fields;
}

Number written(const model::OfTime& value, const char* option) {
  if (!value.number()) throw model::OptionError(option, "a C++ function cannot be written to a file");
  return *value.number();
}
Number3 written(const std::array<model::OfTime, 3>& value, const char* option) {
  return {written(value[0], option), written(value[1], option), written(value[2], option)};
}

}  // namespace filum::scenario
