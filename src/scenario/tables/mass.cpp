/// [[mass]]: point masses. User document: docs/guide/scenarios.md, "Bodies".
#include "table_values.hpp"

#include <filum/model/point_mass.hpp>

namespace filum::scenario {
namespace {

struct MassTable {
  std::string name;
  double mass = 0;
  Vector3d position = Vector3d::Zero(), velocity = Vector3d::Zero();
  LookFields look;
};

template <class A>
void fields(A& a, MassTable& x) {
  a("name", x.name);
  a("mass", x.mass, required_positive);
  a("position", x.position);
  a("velocity", x.velocity);
  look_fields(a, x.look);
}

int order_within(const MassTable&) { return 0; }

model::Handle add_table(TableContext& c, const MassTable& t) {
  return c.model().add(model::PointMass{
      .name = t.name, .mass = t.mass, .position = t.position, .velocity = t.velocity, .look = look_of(t.look)});
}

std::optional<MassTable> table_of(const model::Model&, const model::Object& object, MassTable*) {
  const auto* o = options_of<model::PointMass>(object);
  if (!o) return {};
  if (o->group != lie::GroupId::R3) throw model::OptionError("group", "a file has point masses in R3 only");
  return MassTable{object.name(), o->mass, o->position, o->velocity, fields_of(o->look)};
}

}  // namespace

TableKind mass_table() { return table_kind<MassTable>("mass", 5); }

}  // namespace filum::scenario
