/// [[sensor]]. User document: docs/guide/scenarios.md, "Sensors".
#include "table_values.hpp"

#include <filum/model/sensor.hpp>

namespace filum::scenario {
namespace {

struct SensorTable {
  std::string name;
  Reference on;
  std::string quantity;
  Vector3d point = Vector3d::Zero();
};

template <class A>
void fields(A& a, SensorTable& x) {
  a("name", x.name);
  a("on", x.on, required);
  a("quantity", x.quantity, required);
  a("point", x.point);
}

int order_within(const SensorTable&) { return 0; }

model::Handle add_table(TableContext& c, const SensorTable& t) {
  return c.model().add(model::Sensor{.name = t.name, .on = c.point(t.on, "on", t.point), .quantity = t.quantity});
}

std::optional<SensorTable> table_of(const model::Model& m, const model::Object& object, SensorTable*) {
  const auto* o = options_of<model::Sensor>(object);
  if (!o) return {};
  return SensorTable{object.name(), reference_to(m, o->on), o->quantity, o->on.offset};
}

}  // namespace

TableKind sensor_table() { return table_kind<SensorTable>("sensor", 50); }

}  // namespace filum::scenario
