/// Models of Python: a tree of tables as files have them, and the scenario that it means. User document:
/// docs/python/README.md.
#include "own_part.hpp"
#include "scenario.hpp"
#include "watching.hpp"

#include <filum/model/section.hpp>
#include <filum/scenario/builtin.hpp>
#include <filum/scenario/read.hpp>
#include <filum/scenario/tables.hpp>

#include <pybind11/stl.h>

namespace filum::python {
namespace {

using config::Node;
using config::Table;

/// Grows table by table. Every table is checked against those before it when it is added; what runs is read again from
/// the whole tree, in the order of files, so that a model means the same however it was written down.
class Document {
 public:
  Document() : Document(empty()) {}
  explicit Document(Node tree) : tree_(std::move(tree)) {}
  static Document load(const std::string& file_or_name) { return Document(scenario::scenario_tree(file_or_name)); }
  static Document parse(const std::string& text) { return Document(config::parse_document(text, "text")); }

  void set(const std::string& key, const py::object& value, py::list& held) {
    tree_.as<Table>()->set(key, to_node(value, key, held), {});
    draft_.reset();
  }
  void change(const std::string& assignment) {
    scenario::change_tree(tree_, assignment);
    draft_.reset();
  }
  /// Returns the name that the object has got.
  std::string append(const std::string& kind, const py::dict& table, py::list& held) {
    Node node = to_node(table, kind, held);
    try {
      const std::string name = scenario::add_table(draft(), kind, node);
      node.as<Table>()->set("name", Node(name, nullptr, 0, 0), {});
      Table& root = *tree_.as<Table>();
      if (!root.find(kind)) root.set(kind, Node(config::List{}, nullptr, 0, 0), {});
      root.find(kind)->value.as<config::List>()->push_back(std::move(node));
      return name;
    } catch (...) {
      draft_.reset();
      throw;
    }
  }
  std::vector<std::pair<std::string, std::string>> objects() {
    std::vector<std::pair<std::string, std::string>> names;
    const model::Model& m = draft().model;
    for (int k = 0; k < m.size(); ++k) names.emplace_back(std::string(m.object(k).kind()), m.object(k).name());
    return names;
  }
  /// With the settings of `tables` in place of those that are there, key by key, and with parts, controllers and events
  /// of Python. Like functions these are borrowed: `held` is the list of everything that is.
  std::shared_ptr<scenario::Scenario> scenario(const py::dict& tables, const py::list& parts, const py::list& watchers,
                                               py::list& held, bool needs_time) const {
    Node tree = tree_;
    for (const auto& [name, value] : tables) merge(*tree.as<Table>(), py::str(name), value, held);
    auto made = std::make_shared<scenario::Scenario>(
        scenario::read_tree(tree, needs_time ? scenario::Purpose::run : scenario::Purpose::analysis));
    for (const auto& part : parts) add_own_part(*made, py::reinterpret_borrow<py::object>(part));
    for (const auto& watcher : watchers) add_watcher(*made, py::reinterpret_borrow<py::object>(watcher));
    return made;
  }

 private:
  static Node empty() {
    Table root;
    root.set("schema", Node(std::int64_t{1}, nullptr, 0, 0), {});
    return {std::move(root), nullptr, 0, 0};
  }
  static void merge(Table& root, const std::string& name, const py::handle& value, py::list& held) {
    Node node = to_node(value, name, held);
    const Table* given = node.as<Table>();
    Table::Entry* entry = root.find(name);
    if (!given || !entry || !entry->value.is_table()) {
      root.set(name, std::move(node), {});
      return;
    }
    for (const Table::Entry& e : given->entries()) entry->value.as<Table>()->set(e.key, e.value, {});
  }
  scenario::Scenario& draft() {
    if (!draft_) draft_ = scenario::read_tree(tree_, scenario::Purpose::draft);
    return *draft_;
  }

  Node tree_;
  std::optional<scenario::Scenario> draft_;
};

py::dict facts_of(const config::KeyFacts& key) {
  py::dict d;
  d["key"] = key.key;
  d["type"] = key.type;
  d["required"] = key.required;
  d["default"] = key.default_text;
  d["words"] = key.words;
  d["variables"] = key.variables;
  return d;
}

py::list variants_of(const scenario::TableFacts& table) {
  py::list variants;
  for (const scenario::TableFacts::Variant& v : table.variants) {
    py::list keys;
    for (const config::KeyFacts& key : v.keys) keys.append(facts_of(key));
    variants.append(py::make_tuple(v.word, keys));
  }
  return variants;
}

py::dict material(const model::Material& m) {
  return py::dict(py::arg("E") = m.E, py::arg("nu") = m.nu, py::arg("rho") = m.rho);
}

}  // namespace

void bind_document(py::module_& m) {
  py::class_<Document>(m, "Document")
      .def(py::init<>())
      .def_static("load", &Document::load)
      .def_static("parse", &Document::parse)
      .def("set", &Document::set)
      .def("change", &Document::change)
      .def("append", &Document::append)
      .def("objects", &Document::objects)
      .def("scenario", &Document::scenario);
  m.def("tables", [] {
    py::dict all;
    for (const scenario::TableFacts& table : scenario::table_facts())
      all[py::str(table.kind)] = py::make_tuple(table.decision, variants_of(table));
    return all;
  });
  m.def("settings", [] {
    py::dict all;
    for (const scenario::TableFacts& table : scenario::settings_facts())
      all[py::str(table.kind)] = py::make_tuple(table.decision, variants_of(table));
    return all;
  });
  m.def("builtin", [] {
    py::dict names;
    for (const scenario::BuiltinScenario& b : scenario::builtin_scenarios()) names[py::str(b.name)] = b.title();
    return names;
  });
  m.attr("materials") =
      py::dict(py::arg("steel") = material(model::steel), py::arg("aluminium") = material(model::aluminium),
               py::arg("nylon") = material(model::nylon), py::arg("rubber") = material(model::rubber));
}

}  // namespace filum::python
