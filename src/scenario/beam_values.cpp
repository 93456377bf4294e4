/// Values of beam tables with a syntax of their own. User document: docs/guide/scenarios.md, "Beams".
#include "beam_values.hpp"

namespace filum::config {

template <>
const Words& words_of<model::SectionShape>() {
  static const Words words{"circle", "rectangle", "ring"};
  return words;
}
template <>
const Words& words_of<model::Rest>() {
  static const Words words{"initial", "straight"};
  return words;
}

}  // namespace filum::config

namespace filum::scenario {

using config::Node;
using config::Reader;
using config::Words;
using config::Writer;

namespace {

const Words& model_words() {
  static const Words words{"cosserat", "kirchhoff", "inextensible"};
  return words;
}
constexpr model::StrainMask models[] = {parts::cosserat, parts::kirchhoff, parts::inextensible};

/// In the order of strains.
const Words& strain_words() {
  static const Words words{"bending1", "bending2", "torsion", "shear1", "shear2", "axial"};
  return words;
}

}  // namespace

std::optional<ModelWord> ModelWord::of(const model::StrainMask& mask) {
  for (const model::StrainMask& known : models)
    if (known == mask) return ModelWord{mask};
  return {};
}

void read_value(Reader& reader, const Node& node, ModelWord& value, const std::string& path, const Rule&) {
  if (const int choice = reader.word(node, path, model_words()); choice >= 0) value.mask = models[choice];
}

void read_value(Reader& reader, const Node& node, HeldStrains& value, const std::string& path, const Rule&) {
  const config::List* list = reader.list(node, path);
  for (std::size_t i = 0; list && i < list->size(); ++i)
    if (const int choice = reader.word((*list)[i], config::element_path(path, i), strain_words()); choice >= 0)
      value.mask[static_cast<std::size_t>(choice)] = true;
}

void read_value(Reader& reader, const Node& node, InitialShape& value, const std::string& path, const Rule&) {
  if (node.is_text()) {
    value.rest = reader.word(node, path, {"rest"}) == 0;
    return;
  }
  if (!node.is_table()) return reader.expected(node, path, "'rest' or { positions = [...], orientations = [...] }");
  std::vector<Orientation> orientations;
  reader.read_table(node, path, [&](Reader& inside) {
    inside("positions", value.positions, required);
    inside("orientations", orientations, required);
  });
  for (const Orientation& o : orientations) value.orientations.push_back(o.quaternion);
}

namespace {

/// Bending, torsion, shear and extension as the diagonal of a matrix.
void read_diagonal(Reader& inside, std::vector<Number>& entries, const Rule& rule) {
  std::array<Number, 2> bending, shear;
  Number torsion, axial;
  inside("bending", bending, rule);
  inside("torsion", torsion, rule);
  inside("shear", shear, rule);
  inside("axial", axial, rule);
  entries = {bending[0], bending[1], torsion, shear[0], shear[1], axial};
}

}  // namespace

void read_value(Reader& reader, const Node& node, SixBySix& value, const std::string& path, const Rule& rule) {
  if (node.is_table())
    return reader.read_table(node, path, [&](Reader& inside) { read_diagonal(inside, value.entries, rule); });
  if (node.callable()) {
    if (const auto f = reader.callable(node, path, rule)) value.entries = entries_of(*f, 36);
    return;
  }
  if (!node.is_list())
    return reader.expected(node, path,
                           "{ bending = [..], torsion = .., shear = [..], axial = .. } or six rows of six numbers");
  std::array<std::array<Number, 6>, 6> rows;
  read_value(reader, node, rows, path, rule);
  value.entries.clear();
  for (const auto& row : rows) value.entries.insert(value.entries.end(), row.begin(), row.end());
}

void read_value(Reader& reader, const Node& node, DampingTable& value, const std::string& path, const Rule& rule) {
  const config::Table* table = node.as<config::Table>();
  if (!table || !table->find("time")) return read_value(reader, node, value.viscosity, path, rule);
  reader.read_table(node, path, [&](Reader& inside) { inside("time", value.time, not_negative); });
}

std::string format_value(const Writer&, const ModelWord& value) {
  for (std::size_t k = 0; k < model_words().size(); ++k)
    if (models[k] == value.mask) return config::toml_text(model_words()[k]);
  return {};
}
std::string format_value(const Writer& writer, const HeldStrains& value) {
  std::vector<std::string> words;
  for (std::size_t k = 0; k < strain_words().size(); ++k)
    if (value.mask[k]) words.push_back(strain_words()[k]);
  return format_value(writer, words);
}
std::string format_value(const Writer& writer, const InitialShape& value) {
  if (value.rest) return config::toml_text("rest");
  return "{ positions = " + format_value(writer, value.positions) +
         ", orientations = " + format_value(writer, value.orientations) + " }";
}
std::string format_value(const Writer& writer, const SixBySix& value) {
  const std::vector<Number>& e = value.entries;
  const auto text = [&](std::size_t k) { return format_value(writer, e[k]); };
  bool is_diagonal = e.size() == 6;
  std::vector<std::size_t> diagonal{0, 1, 2, 3, 4, 5};
  if (e.size() == 36) {  // constants come as whole matrices
    is_diagonal = true;
    for (std::size_t k = 0; k < 36; ++k)
      if (k / 6 != k % 6 && !(e[k].is_constant() && e[k]() == 0)) is_diagonal = false;
    for (std::size_t k = 0; k < 6; ++k) diagonal[k] = 7 * k;
  }
  if (is_diagonal)
    return "{ bending = [" + text(diagonal[0]) + ", " + text(diagonal[1]) + "], torsion = " + text(diagonal[2]) +
           ", shear = [" + text(diagonal[3]) + ", " + text(diagonal[4]) + "], axial = " + text(diagonal[5]) + " }";
  std::vector<std::vector<Number>> rows;
  for (std::size_t k = 0; k + 5 < e.size(); k += 6)
    rows.emplace_back(e.begin() + static_cast<std::ptrdiff_t>(k), e.begin() + static_cast<std::ptrdiff_t>(k) + 6);
  return format_value(writer, rows);
}
std::string format_value(const Writer& writer, const DampingTable& value) {
  return value.time ? "{ time = " + format_value(writer, *value.time) + " }" : format_value(writer, value.viscosity);
}

}  // namespace filum::scenario
