/// Whether everything that facts refer to exists. User document: docs/guide/results.md, "Facts".
#include "facts_check.hpp"

#include <filum/record/hdf5_file.hpp>

#include <map>

namespace filum::record {
namespace {

class FactsCheck {
 public:
  explicit FactsCheck(const Facts& facts) {
    for (const ObjectFacts& o : facts.objects)
      if (o.nodes > 0 && (o.name.empty() || !nodes_.emplace(o.name, o.nodes).second))
        throw FileTrouble("facts: the name '" + o.name + "' of an object is empty or not unique");
    for (const ObjectFacts& o : facts.objects) check(o);
  }

 private:
  void check(const ObjectFacts& o) {
    object_ = &o;
    if (o.nodes < 0) refuse("has a negative number of nodes");
    for (const Trail& t : o.trails) check_node(t.node);
    for (const Field& f : o.fields) {
      if (o.nodes == 0 || f.size < 1 || f.components.empty()) refuse("has an empty field '" + f.name + "'");
      for (const int k : f.components)
        if (k < 0 || k >= f.size) refuse("has a field '" + f.name + "' with components that do not exist");
    }
    for (const Drawing& d : o.drawings) std::visit([this](const auto& primitive) { check(primitive); }, d);
  }
  void check(const drawing::Solid& d) const { check_node(d.node); }
  void check(const drawing::Mesh& d) const { check_node(d.node); }
  void check(const drawing::Tube&) const {
    if (object_->nodes < 2) refuse("is drawn as a tube, which needs two nodes");
  }
  void check(const drawing::Surface& d) const {
    if (d.grid.minCoeff() < 2 || static_cast<long long>(d.grid[0]) * d.grid[1] != object_->nodes)
      refuse("is drawn as a surface whose grid does not have as many nodes");
  }
  void check(const drawing::Symbol& d) const {
    check(d.at);
    for (const Anchor& a : d.partners) check(a);
  }
  void check(const drawing::Rod& d) const { check(d.from), check(d.to); }
  void check(const drawing::Coil& d) const { check(d.from), check(d.to); }
  void check(const drawing::Arrows& d) const {
    for (const Anchor& a : d.at) check(a);
  }
  void check(const drawing::Plane&) const {}
  void check(const Anchor& a) const {
    if (a.is_ground()) return;
    const auto known = nodes_.find(a.object);
    if (known == nodes_.end() || a.node < 0 || a.node >= known->second)
      refuse("is drawn at node " + std::to_string(a.node) + " of '" + a.object + "', which does not exist");
  }
  void check_node(int node) const {
    if (node < 0 || node >= object_->nodes) refuse("has no node " + std::to_string(node));
  }
  [[noreturn]] void refuse(const std::string& what) const {
    throw FileTrouble("facts: object '" + object_->name + "' " + what);
  }

  std::map<std::string, int> nodes_;
  const ObjectFacts* object_ = nullptr;
};

}  // namespace

void check_facts(const Facts& facts) { FactsCheck{facts}; }

}  // namespace filum::record
