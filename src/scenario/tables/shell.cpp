/// [[shell]]. User document: docs/guide/scenarios.md, "Shells".
#include "table_values.hpp"

#include <filum/model/shell.hpp>

namespace filum::config {

template <>
const Words& words_of<model::Closed>() {
  static const Words words{"none", "s1", "s2"};
  return words;
}
template <>
const Words& words_of<model::ShellInertia>() {
  static const Words words{"box", "thin"};
  return words;
}

}  // namespace filum::config

namespace filum::model {

template <class A>
void fields(A& a, Layer& x) {
  a("thickness", x.thickness, config::required_positive);
  a("angle", x.angle);
  a("E1", x.E1, config::required_positive);
  a("E2", x.E2, config::required_positive);
  a("nu12", x.nu12, config::required);
  a("G12", x.G12, config::required_positive);
  a("G13", x.G13, config::required_positive);
  a("G23", x.G23, config::required_positive);
  a("rho", x.rho, config::required_positive);
}

}  // namespace filum::model

namespace filum::scenario {
namespace {

using model::OptionError;
using Number6 = std::array<Number, 6>;

const Rule of_surface{.of = model::variables_of_surface()};
const Rule of_shear_modulus{.sign = config::Sign::positive, .of = {"G"}};

/// Node by node, or the rest strains themselves.
struct InitialSurface {
  bool rest = false;
  model::SurfaceNodes nodes;
};
void read_value(config::Reader& reader, const config::Node& node, InitialSurface& value, const std::string& path,
                const Rule&) {
  if (node.is_text()) {
    value.rest = reader.word(node, path, {"rest"}) == 0;
    return;
  }
  if (!node.is_table()) return reader.expected(node, path, "'rest' or { positions = [...], ... }");
  std::vector<Orientation> orientations;
  reader.read_table(node, path, [&](config::Reader& inside) {
    inside("positions", value.nodes.positions, required);
    inside("orientations", orientations);
    inside("velocities", value.nodes.velocities);
  });
  for (const Orientation& o : orientations) value.nodes.orientations.push_back(o.quaternion);
}
std::string format_value(const config::Writer& writer, const InitialSurface& value) {
  if (value.rest) return config::toml_text("rest");
  const model::SurfaceNodes& n = value.nodes;
  std::string text = "{ positions = " + config::format_value(writer, n.positions);
  if (!n.orientations.empty()) text += ", orientations = " + config::format_value(writer, n.orientations);
  if (!n.velocities.empty()) text += ", velocities = " + config::format_value(writer, n.velocities);
  return text + " }";
}

struct DampingTime {
  double time = 0;
};
template <class A>
void fields(A& a, DampingTime& x) {
  a("time", x.time, not_negative);
}

/// ["shear1", "axial2", ...].
struct HeldLines {
  model::HeldLineStrains strains;
};
const config::Words& line_words() {
  static const config::Words words{"shear1", "shear2", "axial1", "axial2"};
  return words;
}
bool& line_strain(model::HeldLineStrains& strains, int word) {
  return (word < 2 ? strains.shear : strains.extension)[word % 2];
}
void read_value(config::Reader& reader, const config::Node& node, HeldLines& value, const std::string& path,
                const Rule&) {
  const config::List* list = reader.list(node, path);
  for (std::size_t i = 0; list && i < list->size(); ++i) {
    const config::Node& entry = (*list)[i];
    const std::string at = config::element_path(path, i);
    if (const auto* text = entry.as<std::string>(); text && *text == "inplane")
      reader.complain(entry, at,
                      "in-plane shear cannot be held: with extension its equations depend on each other wherever the "
                      "shell is flat. Hold 'shear1', 'shear2', 'axial1' or 'axial2'");
    else if (const int word = reader.word(entry, at, line_words()); word >= 0)
      line_strain(value.strains, word) = true;
  }
}
std::string format_value(const config::Writer& writer, HeldLines value) {
  std::vector<std::string> words;
  for (int k = 0; k < 4; ++k)
    if (line_strain(value.strains, k)) words.push_back(line_words()[static_cast<std::size_t>(k)]);
  return config::format_value(writer, words);
}

struct ShellTable {
  std::string name;
  std::optional<Vector3d> corner;
  std::optional<std::array<Vector3d, 2>> edges;
  std::optional<Number3> map;
  std::optional<Eigen::Vector2d> size;
  std::optional<InitialSurface> initial;
  std::optional<Orientation> orientation;
  std::optional<std::array<int, 2>> segments;
  std::optional<std::vector<double>> nodes1, nodes2;
  model::Closed closed = model::Closed::none;
  GroupWord group;
  std::optional<double> thickness, rho, E, nu, shear_correction;
  std::optional<Number> couple_modulus, couple_modulus_bending, drilling;
  std::optional<model::Matrix12d> stiffness;
  std::optional<std::vector<model::Layer>> layers;
  double hourglass = 1.0 / 12;
  model::ShellInertia inertia = model::ShellInertia::box;
  std::optional<HeldLines> held;
  DampingTime damping;
  std::optional<Number6> rest_strain1, rest_strain2;
  Number3 angular_velocity, velocity;
  std::string color;
};

template <class A>
void fields(A& a, ShellTable& x) {
  a("name", x.name);
  a("corner", x.corner);
  a("edges", x.edges);
  a("map", x.map, of_surface);
  a("size", x.size, positive);
  a("initial", x.initial);
  a("orientation", x.orientation);
  a("segments", x.segments, positive);
  a("nodes1", x.nodes1);
  a("nodes2", x.nodes2);
  a("closed", x.closed);
  a("group", x.group);
  a("thickness", x.thickness, positive);
  a("rho", x.rho, positive);
  a("E", x.E, positive);
  a("nu", x.nu);
  a("shear_correction", x.shear_correction, positive);
  a("couple_modulus", x.couple_modulus, of_shear_modulus);
  a("couple_modulus_bending", x.couple_modulus_bending, of_shear_modulus);
  a("drilling", x.drilling, of_shear_modulus);
  a("stiffness", x.stiffness);
  a("layers", x.layers);
  a("hourglass", x.hourglass, positive);
  a("inertia", x.inertia);
  a("held", x.held);
  a("damping", x.damping);
  a("rest_strain1", x.rest_strain1, of_surface);
  a("rest_strain2", x.rest_strain2, of_surface);
  a("angular_velocity", x.angular_velocity, of_surface);
  a("velocity", x.velocity, of_surface);
  color_field(a, x.color);
}

int order_within(const ShellTable&) { return 0; }

// From a table
// ---------------------------------------------------------------------------------------------------------------

void only_with(bool given, bool allowed, const char* what, const char* with) {
  if (given && !allowed) throw OptionError(what, std::string("this key belongs to ") + with);
}

model::SurfaceShape shape_of(const ShellTable& t) {
  const int shapes = (t.edges ? 1 : 0) + (t.map ? 1 : 0) + (t.initial ? 1 : 0);
  if (shapes == 0)
    throw OptionError("", "the shell has no shape: give `corner` and `edges`, `map` and `size`, or `initial`");
  if (shapes > 1) throw OptionError("", "the shell has several shapes: give only one of `edges`, `map` and `initial`");
  const bool rest = t.initial && t.initial->rest;
  only_with(t.corner.has_value(), t.edges || rest, "corner", "flat shells and to initial = \"rest\"");
  only_with(t.size.has_value(), t.map || rest, "size", "`map` and to initial = \"rest\"");
  only_with(t.orientation.has_value(), rest, "orientation", "initial = \"rest\"");
  const Vector3d corner = t.corner.value_or(Vector3d(Vector3d::Zero()));
  if (t.edges) return model::Parallelogram{corner, *t.edges};
  if (t.initial && !rest) return t.initial->nodes;
  if (!t.size) throw OptionError("size", "this key is missing: the lengths of s1 and s2, `size` = [L1, L2]");
  if (t.map) return model::surface_map(*t.map, *t.size);
  return model::RestSurface{corner, t.orientation.value_or(Orientation{}).quaternion, *t.size};
}

template <class T>
const T& need(const std::optional<T>& value, const char* key, const char* why) {
  if (!value) throw OptionError(key, std::string("this key is missing: ") + why);
  return *value;
}

model::DrillingStiffness drilling_of(const ShellTable& t, std::optional<double> G) {
  const auto value = [&](const std::optional<Number>& number, const char* key) -> std::optional<double> {
    if (!number) return {};
    if (number->uses("G") && !G) throw OptionError(key, "G is known for isotropic sheets only; give a number");
    return (*number)(G.value_or(0));
  };
  return {value(t.couple_modulus, "couple_modulus"), value(t.couple_modulus_bending, "couple_modulus_bending"),
          value(t.drilling, "drilling")};
}

model::SheetMaterial material_of(const ShellTable& t) {
  if (t.stiffness && t.layers) throw OptionError("layers", "give either `stiffness` or `layers`, not both");
  const bool is_isotropic = !t.stiffness && !t.layers;
  only_with(t.E.has_value(), is_isotropic, "E", "isotropic shells, not to `stiffness` or `layers`");
  only_with(t.nu.has_value(), is_isotropic, "nu", "isotropic shells, not to `stiffness` or `layers`");
  only_with(t.thickness.has_value(), !t.layers, "thickness", "shells without `layers`, which have their own");
  only_with(t.rho.has_value(), !t.layers, "rho", "shells without `layers`, which have their own");
  if (t.stiffness) {
    for (const auto& [given, key] :
         {std::pair(t.shear_correction.has_value(), "shear_correction"),
          std::pair(t.couple_modulus.has_value(), "couple_modulus"), std::pair(t.drilling.has_value(), "drilling"),
          std::pair(t.couple_modulus_bending.has_value(), "couple_modulus_bending")})
      only_with(given, false, key, "shells without `stiffness`, which says everything");
    return model::SheetMatrix{*t.stiffness, need(t.thickness, "thickness", "inertia follows from it"),
                              need(t.rho, "rho", "inertia follows from it")};
  }
  const double shear = t.shear_correction.value_or(5.0 / 6);
  if (t.layers) return model::Laminate{*t.layers, shear, drilling_of(t, {})};
  const char* why = "an isotropic shell has `thickness`, `rho`, `E` and `nu`; or give `layers` or `stiffness`";
  const double E = need(t.E, "E", why), nu = need(t.nu, "nu", why);
  return model::IsotropicSheet{.thickness = need(t.thickness, "thickness", why),
                               .rho = need(t.rho, "rho", why),
                               .E = E,
                               .nu = nu,
                               .shear_correction = shear,
                               .drilling = drilling_of(t, E / (2 * (1 + nu)))};
}

model::Handle add_table(TableContext& c, const ShellTable& t) {
  model::Shell shell{.name = t.name,
                     .shape = shape_of(t),
                     .segments = t.segments.value_or(std::array<int, 2>{}),
                     .nodes = {t.nodes1.value_or(std::vector<double>{}), t.nodes2.value_or(std::vector<double>{})},
                     .closed = t.closed,
                     .group = t.group.choice,
                     .material = material_of(t),
                     .hourglass = t.hourglass,
                     .inertia = t.inertia,
                     .held = t.held.value_or(HeldLines{}).strains,
                     .damping_time = t.damping.time,
                     .rest = {},
                     .angular_velocity = model::on_surface(t.angular_velocity),
                     .velocity = model::on_surface(t.velocity),
                     .look = look_of({.shape = {}, .color = t.color})};
  if (t.rest_strain1 || t.rest_strain2)
    shell.rest = model::RestSurfaceStrains{model::on_surface(t.rest_strain1.value_or(Number6{0, 0, 0, 1, 0, 0})),
                                           model::on_surface(t.rest_strain2.value_or(Number6{0, 0, 0, 0, 1, 0}))};
  return c.model().add(shell);
}

// To a table
// -----------------------------------------------------------------------------------------------------------------

template <std::size_t n>
std::array<Number, n> as_array(const std::vector<Number>& numbers) {
  std::array<Number, n> all;
  std::copy_n(numbers.begin(), n, all.begin());
  return all;
}

void write_shape(const model::SurfaceShape& shape, ShellTable& t) {
  if (const auto* flat = std::get_if<model::Parallelogram>(&shape)) {
    t.corner = flat->corner, t.edges = flat->edges;
  } else if (const auto* map = std::get_if<model::SurfaceMap>(&shape)) {
    if (!map->numbers) throw OptionError("shape", "a C++ function cannot be written to a file");
    t.map = map->numbers, t.size = map->size;
  } else if (const auto* nodes = std::get_if<model::SurfaceNodes>(&shape)) {
    t.initial = InitialSurface{false, *nodes};
  } else {
    const auto& rest = std::get<model::RestSurface>(shape);
    t.initial = InitialSurface{true, {}};
    t.corner = rest.corner, t.size = rest.size, t.orientation = Orientation{rest.orientation};
  }
}

void write_drilling(const model::DrillingStiffness& d, ShellTable& t) {
  if (d.couple_modulus) t.couple_modulus = *d.couple_modulus;
  if (d.couple_modulus_bending) t.couple_modulus_bending = *d.couple_modulus_bending;
  if (d.drilling) t.drilling = *d.drilling;
}

void write_material(const model::SheetMaterial& material, ShellTable& t) {
  if (const auto* sheet = std::get_if<model::IsotropicSheet>(&material)) {
    t.thickness = sheet->thickness, t.rho = sheet->rho, t.E = sheet->E, t.nu = sheet->nu;
    t.shear_correction = sheet->shear_correction;
    write_drilling(sheet->drilling, t);
  } else if (const auto* laminate = std::get_if<model::Laminate>(&material)) {
    t.layers = laminate->layers, t.shear_correction = laminate->shear_correction;
    write_drilling(laminate->drilling, t);
  } else {
    const auto& m = std::get<model::SheetMatrix>(material);
    t.stiffness = m.stiffness, t.thickness = m.thickness, t.rho = m.rho;
  }
}

std::optional<ShellTable> table_of(const model::Model&, const model::Object& object, ShellTable*) {
  const auto* o = options_of<model::Shell>(object);
  if (!o) return {};
  ShellTable t;
  t.name = object.name();
  write_shape(o->shape, t);
  if (o->segments[0] > 0 || o->segments[1] > 0) t.segments = o->segments;
  if (!o->nodes[0].empty()) t.nodes1 = o->nodes[0];
  if (!o->nodes[1].empty()) t.nodes2 = o->nodes[1];
  t.closed = o->closed;
  t.group.choice = o->group;
  write_material(o->material, t);
  t.hourglass = o->hourglass, t.inertia = o->inertia, t.damping.time = o->damping_time;
  if (o->held.any()) t.held = HeldLines{o->held};
  if (o->rest) {
    t.rest_strain1 = as_array<6>(written((*o->rest)[0], "rest_strain1"));
    t.rest_strain2 = as_array<6>(written((*o->rest)[1], "rest_strain2"));
  }
  t.angular_velocity = as_array<3>(written(o->angular_velocity, "angular_velocity"));
  t.velocity = as_array<3>(written(o->velocity, "velocity"));
  t.color = o->look.color;
  return t;
}

}  // namespace

TableKind shell_table() { return table_kind<ShellTable>("shell", 11); }

}  // namespace filum::scenario
