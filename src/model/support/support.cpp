/// Supports: constraints to the ground, node by node. User document: docs/guide/scenarios.md, "Supports".
#include "joint/joint_records.hpp"

#include <filum/model/assembly.hpp>
#include <filum/model/lines.hpp>
#include <filum/model/records.hpp>
#include <filum/model/support.hpp>
#include <filum/parts/support.hpp>

#include <algorithm>

namespace filum::model {
namespace {

bool any(const std::array<bool, 3>& list) { return std::find(list.begin(), list.end(), true) != list.end(); }

class SupportObject final : public ObjectOf<Support> {
 public:
  using ObjectOf::ObjectOf;

  std::string_view kind() const override { return "support"; }
  std::string objection(const Place& place, std::string_view use) const override {
    return place.is_whole() && use == "sensor" ? "" : "only sensors can be attached to a support";
  }
  std::vector<std::pair<std::string, Point>> points() const override { return {{"on", o_.on}}; }
  void check() const override {
    if (o_.on.is_ground()) throw OptionError("on", "the ground needs no support");
    if (!any(o_.position) && !any(o_.rotation)) throw OptionError("hold", "nothing is held");
  }
  void plan(Plan& plan) const override {
    plan.need_node(o_.on);
    plan.hold(o_.on);
  }
  void add_parts(Assembly& a) override {
    for (const Point& point : nodes_of(a.object(o_.on), o_.on)) {
      markers_.push_back(a.marker(point));
      joints_.push_back(parts::add_support(
          a.system(), {.name = name(), .at = markers_.back(), .position = o_.position, .rotation = o_.rotation}));
    }
  }
  std::vector<std::string> quantities(const Place&) const override { return line_quantities(); }
  std::vector<Probe> probes(const mechanics::System&, const Point&) const override { return line_probes(joints_); }
  void record(Records& r) const override {
    record_joints(r, name(), "support", joints_, {r.object(o_.on).name(), any(o_.rotation)});
    for (const std::size_t k : drawn_links(markers_.size()))
      r.facts().drawings.push_back(
          drawing::Symbol{.symbol = any(o_.rotation) ? "fixed" : "spherical", .at = r.anchor(markers_[k])});
  }
  std::string description() const override {
    int rows = 0;
    for (const parts::JointHandle& joint : joints_) rows += joint.rows().count;
    return "at " + std::to_string(joints_.size()) + (joints_.size() == 1 ? " node, " : " nodes, ") + counted_rows(rows);
  }

 private:
  std::vector<parts::Marker> markers_;
  std::vector<parts::JointHandle> joints_;
};

}  // namespace

std::unique_ptr<Object> make_object(const Support& options) { return std::make_unique<SupportObject>(options); }

}  // namespace filum::model
