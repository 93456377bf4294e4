/// [[body]]. User document: docs/guide/scenarios.md, "Bodies".
#include "table_values.hpp"

#include <filum/model/body.hpp>

namespace filum::scenario {
namespace {

struct BodyTable {
  std::string name;
  GroupWord group;
  double mass = 0;
  Inertia inertia;
  Vector3d center_of_mass = Vector3d::Zero(), position = Vector3d::Zero();
  Orientation orientation;
  VelocityWord angular_velocity, velocity;
  std::optional<Vector3d> pivot;
  LookFields look;
};

template <class A>
void fields(A& a, BodyTable& x) {
  a("name", x.name);
  a("group", x.group);
  a("mass", x.mass, required_positive);
  a("inertia", x.inertia, required);
  a("center_of_mass", x.center_of_mass);
  a("position", x.position);
  a("orientation", x.orientation);
  a("angular_velocity", x.angular_velocity);
  a("velocity", x.velocity);
  a("pivot", x.pivot);
  look_fields(a, x.look);
}

int order_within(const BodyTable&) { return 0; }

model::Handle add_table(TableContext& c, const BodyTable& t) {
  return c.model().add(model::Body{.name = t.name,
                                   .group = t.group.choice,
                                   .mass = t.mass,
                                   .inertia = t.inertia.matrix,
                                   .center_of_mass = t.center_of_mass,
                                   .position = t.position,
                                   .orientation = t.orientation.quaternion,
                                   .angular_velocity = t.angular_velocity.velocity,
                                   .velocity = t.velocity.velocity,
                                   .pivot = t.pivot,
                                   .look = look_of(t.look)});
}

std::optional<BodyTable> table_of(const model::Model&, const model::Object& object, BodyTable*) {
  const auto* o = options_of<model::Body>(object);
  if (!o) return {};
  return BodyTable{object.name(),     {o->group},  o->mass,           {o->inertia},
                   o->center_of_mass, o->position, {o->orientation},  {o->angular_velocity},
                   {o->velocity},     o->pivot,    fields_of(o->look)};
}

}  // namespace

TableKind body_table() { return table_kind<BodyTable>("body", 0); }

}  // namespace filum::scenario
