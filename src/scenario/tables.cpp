/// Tables of scenarios one by one. User document: docs/python/README.md.
#include "object_tables.hpp"
#include "schema.hpp"

#include <filum/scenario/tables.hpp>

#include <algorithm>

namespace filum::scenario {
namespace {

using config::Problem;

const TableKind& kind_of(const std::string& key) {
  const auto& kinds = table_kinds();
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const TableKind& k) { return k.key == key; });
  if (found != kinds.end()) return *found;
  config::Words words;
  for (const TableKind& k : kinds) words.push_back(k.key);
  config::refuse_input("", "there is no kind of object '" + key + "'" + config::suggestion(key, words));
}

PendingObject read_table(const Scenario& s, const TableKind& kind, const config::Node& table) {
  config::ReadingContext context;
  context.symbols = s.symbols;
  config::Table root;
  root.set(kind.key, config::Node(config::List{table}, nullptr, 0, 0), {});
  config::Reader reader(context, root, {}, "");
  std::vector<PendingObject> objects;
  kind.read(reader, objects);
  config::refuse_problems(std::move(context.problems));
  return std::move(objects.front());
}

Declared names_of(const Scenario& s) {
  Declared names;
  for (int k = 0; k < s.model.size(); ++k) {
    const model::Object& object = s.model.object(k);
    if (object.shares_names())
      names.partners.insert(object.name());
    else
      names.others.emplace(object.name(), object.kind());
  }
  return names;
}

/// Throws what is wrong, at the keys of the table.
[[noreturn]] void refuse(const PendingObject& o, const std::vector<model::OptionError>& errors) {
  std::vector<Problem> problems;
  for (const model::OptionError& e : errors)
    problems.push_back({{}, e.option.empty() ? o.path : o.path + "." + e.option, e.what()});
  throw config::InputError(std::move(problems));
}

template <class Describe>
TableFacts facts_of(const std::string& kind, const Describe& describe) {
  config::Describer first;
  describe(first);
  TableFacts facts{kind, first.decision(), {}};
  if (facts.decision.empty()) facts.variants.push_back({"", first.keys()});
  for (const std::string& word : first.alternatives()) {
    config::Describer describer(word);
    describe(describer);
    facts.variants.push_back({word, describer.keys()});
  }
  return facts;
}

template <class T>
TableFacts facts_of_settings(const std::string& kind) {
  return facts_of(kind, [](config::Describer& d) {
    T value;
    fields(d, value);
  });
}

}  // namespace

std::string add_table(Scenario& s, const std::string& kind, const config::Node& table) {
  const PendingObject o = read_table(s, kind_of(kind), table);
  Declared names;
  TableContext context(s.model, s.symbols, [&]() -> const Declared& { return names = names_of(s); });
  std::vector<model::OptionError> errors;
  std::string name;
  try {
    name = s.model.object(o.add(context)).name();
  } catch (const model::ModelError& error) {
    for (const model::ObjectProblem& p : error.problems()) errors.emplace_back(p.option, p.message);
  } catch (const model::OptionError& error) {
    errors.push_back(error);
  }
  for (const model::OptionError& error : context.take_errors()) errors.push_back(error);
  if (!errors.empty()) refuse(o, errors);
  return name;
}

model::Point find_point(Scenario& s, const std::string& reference) {
  const Declared names = names_of(s);
  TableContext context(s.model, s.symbols, [&]() -> const Declared& { return names; });
  const model::Point point = context.point(reference, "");
  for (const model::OptionError& error : context.take_errors()) config::refuse_input("", error.what());
  return point;
}

std::vector<TableFacts> table_facts() {
  std::vector<TableFacts> all;
  for (const TableKind& kind : table_kinds()) all.push_back(facts_of(kind.key, kind.describe));
  return all;
}

std::vector<TableFacts> settings_facts() {
  const auto method = [](config::Describer& d) {
    integrate::MethodOptions options;
    bool chooses = false;
    MethodTable table{&options, &chooses};
    fields(d, table);
  };
  return {facts_of_settings<Time>("time"), facts_of("integrator", method),
          facts_of_settings<linalg::NewtonOptions>("newton"), facts_of_settings<Output>("output"),
          facts_of_settings<Statics>("static")};
}

}  // namespace filum::scenario
