/// [[load]]. User document: docs/guide/scenarios.md, "Loads".
#include "table_values.hpp"

#include <filum/model/load.hpp>

namespace filum::config {

template <>
const Words& words_of<parts::LoadFrame>() {
  static const Words words{"space", "body"};
  return words;
}
template <>
const Words& words_of<parts::LoadRule>() {
  static const Words words{"trapezoidal", "integrated", "segment-mean"};
  return words;
}

}  // namespace filum::config

namespace filum::scenario {
namespace {

const Rule of_pressure{.of = model::variables_of_pressure(), .vectors = model::vectors_of_pressure()};

struct LoadTable {
  std::string name;
  Reference on;
  model::LoadFrame frame = model::LoadFrame::space;
  Vector3d point = Vector3d::Zero();
  Number3 force, moment;
  std::optional<Number> pressure;
  model::LoadRule rule = model::LoadRule::trapezoidal;
  double damping = 0;
};

template <class A>
void fields(A& a, LoadTable& x) {
  a("name", x.name);
  a("on", x.on, required);
  a("frame", x.frame);
  a("point", x.point);
  a("force", x.force, of_load);
  a("moment", x.moment, of_load);
  a("pressure", x.pressure, of_pressure);
  a("rule", x.rule);
  a("damping", x.damping, not_negative);
}

int order_within(const LoadTable&) { return 0; }

model::Handle add_table(TableContext& c, const LoadTable& t) {
  model::Load load{.name = t.name,
                   .on = c.point(t.on, "on", t.point),
                   .frame = t.frame,
                   .force = t.force,
                   .moment = t.moment,
                   .pressure = {},
                   .rule = t.rule,
                   .damping = t.damping};
  if (t.pressure) load.pressure = *t.pressure;
  return c.model().add(load);
}

Number3 numbers_of(const model::LoadVector& vector, const char* option) {
  if (!vector.numbers()) throw model::OptionError(option, "a C++ function cannot be written to a file");
  return *vector.numbers();
}

std::optional<LoadTable> table_of(const model::Model& m, const model::Object& object, LoadTable*) {
  const auto* o = options_of<model::Load>(object);
  if (!o) return {};
  LoadTable t{object.name(),
              reference_to(m, o->on),
              o->frame,
              o->on.offset,
              numbers_of(o->force, "force"),
              numbers_of(o->moment, "moment"),
              {},
              o->rule,
              o->damping};
  if (o->pressure && !o->pressure->number())
    throw model::OptionError("pressure", "a C++ function cannot be written to a file");
  if (o->pressure) t.pressure = *o->pressure->number();
  return t;
}

}  // namespace

TableKind load_table() { return table_kind<LoadTable>("load", 40); }

}  // namespace filum::scenario
