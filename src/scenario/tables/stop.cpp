/// [[stop]]. User document: docs/guide/scenarios.md, "Stops".
#include "table_values.hpp"

#include <filum/model/stop.hpp>

namespace filum::scenario {
namespace {

struct StopTable {
  std::string name;
  std::string when;
};

template <class A>
void fields(A& a, StopTable& x) {
  a("name", x.name);
  a("when", x.when, required);
}

int order_within(const StopTable&) { return 0; }

model::Handle add_table(TableContext& c, const StopTable& t) {
  return c.model().add(model::Stop{.name = t.name, .when = t.when, .symbols = c.symbols()});
}

std::optional<StopTable> table_of(const model::Model&, const model::Object& object, StopTable*) {
  const auto* o = options_of<model::Stop>(object);
  if (!o) return {};
  if (o->condition) throw model::OptionError("when", "a C++ function cannot be written to a file");
  return StopTable{object.name(), o->when};
}

}  // namespace

TableKind stop_table() { return table_kind<StopTable>("stop", 60); }

}  // namespace filum::scenario
