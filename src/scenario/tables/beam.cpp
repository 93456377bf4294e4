/// [[beam]]. User document: docs/guide/scenarios.md, "Beams".
#include "beam_values.hpp"
#include "table_values.hpp"

#include <filum/model/beam.hpp>

namespace filum::scenario {
namespace {

using model::OptionError;

struct ArcTable {
  model::Arc arc;
};
template <class A>
void fields(A& a, ArcTable& x) {
  a("from", x.arc.from);
  a("tangent", x.arc.tangent, required);
  a("inward", x.arc.inward, required);
  a("radius", x.arc.radius, required_positive);
  a("angle", x.arc.angle, required_positive);
}
struct HelixTable {
  model::Helix helix;
};
template <class A>
void fields(A& a, HelixTable& x) {
  a("center", x.helix.center);
  a("axis", x.helix.axis);
  a("from", x.helix.from, required);
  a("rise", x.helix.rise, required);
  a("turns", x.helix.turns, required_positive);
}

struct HangingTable {
  bool is_hanging = true;
  model::Hanging shape;
};
template <class A>
void fields(A& a, HangingTable& x) {
  a("hanging", x.is_hanging, required);
  a("from", x.shape.from, required);
  a("to", x.shape.to, required);
  a("length", x.shape.length, required_positive);
}

struct BeamTable {
  std::string name;
  std::optional<ModelWord> model;
  std::optional<HeldStrains> held;
  GroupWord group;
  std::optional<Vector3d> from, to;
  std::optional<Number3> curve;
  std::optional<ArcTable> arc;
  std::optional<HelixTable> helix;
  std::optional<HangingTable> shape;
  std::optional<double> length;
  std::optional<InitialShape> initial;
  std::optional<Orientation> orientation;
  std::optional<Vector3d> director;
  std::optional<int> segments;
  std::optional<std::vector<double>> nodes;
  model::Rest rest = model::Rest::as_drawn;
  std::optional<Number3> rest_curvature, rest_strain;
  std::optional<model::Section> section;
  std::optional<Number> mass_per_length;
  std::optional<InertiaAlong> inertia_per_length;
  std::optional<Number3> mass_center;
  std::optional<SixBySix> stiffness;
  std::optional<DampingTable> damping;
  Number3 angular_velocity, velocity;
  std::string color;
};

template <class A>
void fields(A& a, BeamTable& x) {
  a("name", x.name);
  a("model", x.model);
  a("held", x.held);
  a("group", x.group);
  a("from", x.from);
  a("to", x.to);
  a("curve", x.curve, of_length);
  a("arc", x.arc);
  a("helix", x.helix);
  a("shape", x.shape);
  a("length", x.length, positive);
  a("initial", x.initial);
  a("orientation", x.orientation);
  a("director", x.director);
  a("segments", x.segments, positive);
  a("nodes", x.nodes);
  a("rest", x.rest);
  a("rest_curvature", x.rest_curvature, of_length);
  a("rest_strain", x.rest_strain, of_length);
  a("section", x.section);
  a("mass_per_length", x.mass_per_length, Rule{.sign = config::Sign::positive, .of = model::variables_of_length()});
  a("inertia_per_length", x.inertia_per_length,
    Rule{.sign = config::Sign::positive, .of = model::variables_of_length()});
  a("mass_center", x.mass_center, of_length);
  a("stiffness", x.stiffness, of_length);
  a("damping", x.damping, of_length);
  a("angular_velocity", x.angular_velocity, of_length);
  a("velocity", x.velocity, of_length);
  color_field(a, x.color);
}

int order_within(const BeamTable&) { return 0; }

// From a table
// ---------------------------------------------------------------------------------------------------------------

class ShapeOf {
 public:
  explicit ShapeOf(const BeamTable& t) : t_(t), rest_(t.initial && t.initial->rest), straight_(t.to.has_value()) {}

  model::Shape shape() const {
    const int shapes = (t_.to ? 1 : 0) + (t_.curve ? 1 : 0) + (t_.arc ? 1 : 0) + (t_.helix ? 1 : 0) +
                       (t_.shape ? 1 : 0) + (t_.initial ? 1 : 0);
    if (shapes == 0)
      throw OptionError("",
                        "the beam has no shape: give `from` and `to`, `curve` and `length`, `arc`, `helix`, `shape` or "
                        "`initial`");
    if (shapes > 1)
      throw OptionError("",
                        "the beam has several shapes: give only one of `from`/`to`, `curve`, `arc`, `helix`, `shape` "
                        "and `initial`");
    if (t_.shape && !t_.shape->is_hanging) throw OptionError("shape.hanging", "expected true");
    only_with(t_.from.has_value(), straight_ || rest_, "from", "straight beams and to initial = \"rest\"");
    only_with(t_.length.has_value(), t_.curve || rest_, "length", "`curve` and to initial = \"rest\"");
    only_with(t_.orientation.has_value(), rest_, "orientation", "initial = \"rest\"");
    only_with(t_.director.has_value(), !t_.initial, "director",
              "straight beams, arcs, helices, hanging shapes and to `curve`");
    if (straight_) return line();
    if (t_.curve) return curve();
    if (t_.arc) return with_director(t_.arc->arc);
    if (t_.helix) return with_director(t_.helix->helix);
    if (t_.shape) return with_director(t_.shape->shape);
    if (rest_) return rest_shape();
    if (t_.segments) throw OptionError("segments", "`initial` has its own nodes; leave `segments` out");
    return model::Points{t_.initial->positions, t_.initial->orientations};
  }

 private:
  static void only_with(bool given, bool allowed, const char* what, const char* with) {
    if (given && !allowed) throw OptionError(what, std::string("this key belongs to ") + with);
  }
  template <class Shape>
  Shape with_director(Shape shape) const {
    shape.director = t_.director;
    return shape;
  }
  model::Line line() const {
    if (!t_.from) throw OptionError("from", "this key is missing: a straight beam has `from` and `to`");
    return {*t_.from, *t_.to, t_.director};
  }
  model::Curve curve() const {
    if (!t_.length) throw OptionError("length", "this key is missing: `curve` is given for s between 0 and `length`");
    return model::curve(*t_.curve, *t_.length, t_.director);
  }
  model::RestShape rest_shape() const {
    if (!t_.from) throw OptionError("from", "this key is missing: initial = \"rest\" starts at `from`");
    if (!t_.length && !t_.nodes)
      throw OptionError("length", "this key is missing: initial = \"rest\" needs `length` or `nodes`");
    return {*t_.from, t_.orientation.value_or(Orientation{}).quaternion, t_.length ? *t_.length : t_.nodes->back()};
  }

  const BeamTable& t_;
  bool rest_, straight_;
};

std::variant<model::Section, model::SectionValues> section_of(const BeamTable& t) {
  const auto missing = [](bool given, const char* key) {
    if (!given) throw OptionError(key, "this key is missing, and so is `section`: give one of them");
  };
  if (t.section) {
    for (const auto& [given, key] :
         {std::pair(t.stiffness.has_value(), "stiffness"), std::pair(t.mass_per_length.has_value(), "mass_per_length"),
          std::pair(t.inertia_per_length.has_value(), "inertia_per_length"),
          std::pair(t.mass_center.has_value(), "mass_center")})
      if (given) throw OptionError(key, "`section` replaces `" + std::string(key) + "`: give one of them");
    return *t.section;
  }
  missing(t.stiffness.has_value(), "stiffness");
  missing(t.mass_per_length.has_value(), "mass_per_length");
  missing(t.inertia_per_length.has_value(), "inertia_per_length");
  return model::SectionValues{.mass_per_length = model::along(*t.mass_per_length),
                              .inertia_per_length = model::along_matrix3(t.inertia_per_length->entries),
                              .mass_center = model::along(t.mass_center.value_or(Number3{0, 0, 0})),
                              .stiffness = model::along_matrix6(t.stiffness->entries)};
}

std::variant<model::Rest, model::RestStrains> rest_of(const BeamTable& t) {
  if (!t.rest_curvature && !t.rest_strain) return t.rest;
  if (t.rest != model::Rest::as_drawn)
    throw OptionError("rest", "give either `rest` or a rest curvature and strain, not both");
  return model::RestStrains{model::along(t.rest_curvature.value_or(Number3{0, 0, 0})),
                            model::along(t.rest_strain.value_or(Number3{0, 0, 1}))};
}

model::Handle add_table(TableContext& c, const BeamTable& t) {
  if (t.model && t.held) throw OptionError("held", "give either `model` or `held`, not both");
  model::Damping damping;
  if (t.damping && t.damping->time) damping.time = *t.damping->time;
  if (t.damping && !t.damping->time) damping.viscosity = model::along_matrix6(t.damping->viscosity.entries);
  return c.model().add(model::Beam{.name = t.name,
                                   .shape = ShapeOf(t).shape(),
                                   .segments = t.segments.value_or(0),
                                   .nodes = t.nodes.value_or(std::vector<double>{}),
                                   .held = t.held ? t.held->mask : t.model.value_or(ModelWord{}).mask,
                                   .group = t.group.choice,
                                   .section = section_of(t),
                                   .damping = damping,
                                   .rest = rest_of(t),
                                   .angular_velocity = model::along(t.angular_velocity),
                                   .velocity = model::along(t.velocity),
                                   .look = look_of({.shape = {}, .color = t.color})});
}

// To a table
// -----------------------------------------------------------------------------------------------------------------

Number3 three(const std::vector<Number>& numbers) { return {numbers[0], numbers[1], numbers[2]}; }

void write_shape(const model::Shape& shape, BeamTable& t) {
  if (const auto* line = std::get_if<model::Line>(&shape)) {
    t.from = line->from, t.to = line->to, t.director = line->director;
  } else if (const auto* arc = std::get_if<model::Arc>(&shape)) {
    t.arc = ArcTable{*arc}, t.director = arc->director;
  } else if (const auto* helix = std::get_if<model::Helix>(&shape)) {
    t.helix = HelixTable{*helix}, t.director = helix->director;
  } else if (const auto* curve = std::get_if<model::Curve>(&shape)) {
    if (!curve->numbers) throw OptionError("shape", "a C++ function cannot be written to a file");
    t.curve = curve->numbers, t.length = curve->length, t.director = curve->director;
  } else if (const auto* hanging = std::get_if<model::Hanging>(&shape)) {
    t.shape = HangingTable{true, *hanging}, t.director = hanging->director;
  } else if (const auto* points = std::get_if<model::Points>(&shape)) {
    t.initial = InitialShape{false, points->positions, points->orientations};
  } else {
    const auto& rest = std::get<model::RestShape>(shape);
    t.initial = InitialShape{true, {}, {}};
    t.from = rest.from, t.length = rest.length, t.orientation = Orientation{rest.orientation};
  }
}

void write_material(const model::Beam& o, BeamTable& t) {
  if (const auto* section = std::get_if<model::Section>(&o.section)) {
    t.section = *section;
  } else {
    const auto& values = std::get<model::SectionValues>(o.section);
    t.mass_per_length = written(values.mass_per_length, "mass_per_length").front();
    t.inertia_per_length = InertiaAlong{written(values.inertia_per_length, "inertia_per_length")};
    t.mass_center = three(written(values.mass_center, "mass_center"));
    t.stiffness = SixBySix{written(values.stiffness, "stiffness")};
  }
  if (o.damping.time > 0) t.damping = DampingTable{.time = o.damping.time, .viscosity = {}};
  if (o.damping.viscosity)
    t.damping = DampingTable{.time = {}, .viscosity = {written(*o.damping.viscosity, "damping")}};
}

std::optional<BeamTable> table_of(const model::Model&, const model::Object& object, BeamTable*) {
  const auto* o = options_of<model::Beam>(object);
  if (!o) return {};
  BeamTable t;
  t.name = object.name();
  if (const std::optional<ModelWord> word = ModelWord::of(o->held))
    t.model = word;
  else
    t.held = HeldStrains{o->held};
  t.group.choice = o->group;
  write_shape(o->shape, t);
  if (o->segments > 0) t.segments = o->segments;
  if (!o->nodes.empty()) t.nodes = o->nodes;
  if (const auto* rest = std::get_if<model::Rest>(&o->rest)) {
    t.rest = *rest;
  } else {
    const auto& strains = std::get<model::RestStrains>(o->rest);
    t.rest_curvature = three(written(strains.curvature, "rest_curvature"));
    t.rest_strain = three(written(strains.strain, "rest_strain"));
  }
  write_material(*o, t);
  t.angular_velocity = three(written(o->angular_velocity, "angular_velocity"));
  t.velocity = three(written(o->velocity, "velocity"));
  t.color = o->look.color;
  return t;
}

}  // namespace

TableKind beam_table() { return table_kind<BeamTable>("beam", 10); }

}  // namespace filum::scenario
