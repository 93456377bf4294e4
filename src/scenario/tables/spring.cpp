/// [[spring]]. User document: docs/guide/scenarios.md, "Springs".
#include "table_values.hpp"

#include <filum/model/spring.hpp>

namespace filum::scenario {
namespace {

struct SpringTable {
  std::string name;
  std::optional<std::array<Reference, 2>> connects;
  std::optional<std::array<Vector3d, 2>> points;
  std::optional<Reference> joint;
  double stiffness = 0, damping = 0, length = 0;
  std::optional<Number> force;
};

template <class A>
void fields(A& a, SpringTable& x) {
  a("name", x.name);
  a("connects", x.connects);
  a("points", x.points);
  a("joint", x.joint);
  a("stiffness", x.stiffness, not_negative);
  a("damping", x.damping, not_negative);
  a("length", x.length);
  a("force", x.force, of_spring);
}

int order_within(const SpringTable&) { return 0; }

model::Handle add_table(TableContext& c, const SpringTable& t) {
  std::optional<model::SpringForce> force;
  if (t.force) force = model::SpringForce(*t.force);
  if (t.joint) {
    if (t.connects || t.points)
      throw model::OptionError("joint", "a spring acts on a `joint` or between points, not on both");
    return c.model().add(model::JointSpring{.name = t.name,
                                            .joint = c.point(*t.joint, "joint"),
                                            .stiffness = t.stiffness,
                                            .damping = t.damping,
                                            .rest = t.length,
                                            .force = force});
  }
  if (!t.connects)
    throw model::OptionError("connects", "this key is missing: expected two partners, such as [\"ground\", \"NAME\"]");
  const std::array<Vector3d, 2> points = t.points.value_or(std::array<Vector3d, 2>{Vector3d::Zero(), Vector3d::Zero()});
  return c.model().add(model::Spring{.name = t.name,
                                     .first = c.point((*t.connects)[0], "connects[0]", points[0]),
                                     .second = c.point((*t.connects)[1], "connects[1]", points[1]),
                                     .stiffness = t.stiffness,
                                     .damping = t.damping,
                                     .length = t.length,
                                     .force = force});
}

std::optional<Number> force_of(const std::optional<model::SpringForce>& force) {
  if (!force) return {};
  if (!force->number()) throw model::OptionError("force", "a C++ function cannot be written to a file");
  return *force->number();
}

std::optional<SpringTable> table_of(const model::Model& m, const model::Object& object, SpringTable*) {
  if (const auto* o = options_of<model::Spring>(object))
    return SpringTable{.name = object.name(),
                       .connects = {{reference_to(m, o->first), reference_to(m, o->second)}},
                       .points = {{o->first.offset, o->second.offset}},
                       .joint = {},
                       .stiffness = o->stiffness,
                       .damping = o->damping,
                       .length = o->length,
                       .force = force_of(o->force)};
  if (const auto* o = options_of<model::JointSpring>(object))
    return SpringTable{.name = object.name(),
                       .connects = {},
                       .points = {},
                       .joint = reference_to(m, o->joint),
                       .stiffness = o->stiffness,
                       .damping = o->damping,
                       .length = o->rest,
                       .force = force_of(o->force)};
  return {};
}

}  // namespace

TableKind spring_table() { return table_kind<SpringTable>("spring", 30); }

}  // namespace filum::scenario
