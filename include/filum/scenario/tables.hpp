/// Tables of scenarios one by one, for programs that build a model as a file would, and what tables there are. User
/// document: docs/python/README.md.
#pragma once

#include <filum/config/describe.hpp>
#include <filum/scenario/scenario.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace filum::scenario {

/// Adds the object of one table [[kind]]; what it refers to is there already. Returns its name. Throws
/// config::InputError; the scenario is of no use then.
std::string add_table(Scenario& scenario, const std::string& kind, const config::Node& table);

/// A point by what files call it: "ROD:end". Throws config::InputError.
model::Point find_point(Scenario& scenario, const std::string& reference);

/// The keys of a kind of table. Where one of them decides about the others there is a variant for each of its words.
struct TableFacts {
  struct Variant {
    std::string word;
    std::vector<config::KeyFacts> keys;
  };
  std::string kind;
  std::string decision;  ///< key; empty: there is one variant
  std::vector<Variant> variants;
};

/// Kinds of objects: "beam", "joint", ...
std::vector<TableFacts> table_facts();
/// "time", "integrator", "newton", "output", "static".
std::vector<TableFacts> settings_facts();

}  // namespace filum::scenario
