/// Scenarios as files with every default filled in. User document: docs/guide/results.md.
#include "object_tables.hpp"
#include "schema.hpp"

#include <filum/scenario/read.hpp>

namespace filum::scenario {
namespace {

/// Everything before the objects.
struct ScenarioHead {
  Scenario scenario;
  model::ModelOptions model;
};

void fields(config::Writer& a, ScenarioHead& x) {
  Scenario& s = x.scenario;
  MethodTable method{&s.method, &s.chooses};
  a("schema", s.schema);
  a("title", x.model.title);
  a("gravity", x.model.gravity);
  if (x.model.units.is_given()) a("units", x.model.units);
  a.symbols(s.symbols);
  if (s.time.end > s.time.start) a("time", s.time);  // statics and modes do without
  a("integrator", method);
  a("newton", s.newton);
  a("output", s.output);
  a("static", s.statics);
}

std::string table_of(const Scenario& s, const model::Object& object) {
  try {
    for (const TableKind& kind : table_kinds())
      if (const auto text = kind.write(s.model, object)) return *text;
  } catch (const model::OptionError& error) {
    throw config::InputError(
        {{{}, std::string(object.kind()) + "." + object.name() + "." + error.option, error.what()}});
  } catch (const config::Writer::Unwritable& error) {
    throw config::InputError({{{}, std::string(object.kind()) + "." + object.name(), error.what()}});
  }
  throw config::InputError(
      {{{}, std::string(object.kind()) + "." + object.name(), "files have no table for this kind of object"}});
}

}  // namespace

bool can_be_written(const Scenario& scenario) {
  try {
    for (int k = 0; k < scenario.model.size(); ++k) static_cast<void>(table_of(scenario, scenario.model.object(k)));
    return true;
  } catch (const config::InputError&) {
    return false;
  }
}

std::string to_toml(const Scenario& scenario) {
  ScenarioHead head{scenario, scenario.model.options()};
  head.scenario.time.output_every.value = scenario.simulate_options().output_every;
  std::string text = config::document_text(std::move(head));
  for (int k = 0; k < scenario.model.size(); ++k) text += table_of(scenario, scenario.model.object(k));
  return text;
}

}  // namespace filum::scenario
