/// Joints: their equations, readings and signs. User document: docs/guide/scenarios.md, "Joints".
#include "joint_records.hpp"

#include <filum/model/assembly.hpp>
#include <filum/model/joint.hpp>
#include <filum/model/lines.hpp>
#include <filum/model/records.hpp>

#include <algorithm>
#include <cmath>

namespace filum::model {
namespace {

bool has_axis(JointType type) {
  return type != JointType::fixed && type != JointType::spherical && type != JointType::distance;
}

class PlainJoint final : public JointObject {
 public:
  using JointObject::JointObject;

  std::string_view kind() const override { return "joint"; }
  std::string objection(const Place& place, std::string_view use) const override {
    if (use != "sensor" && use != "coordinate") return Object::objection(place, use);
    return place.is_whole() ? "" : "a joint has no places";
  }
  std::vector<std::pair<std::string, Point>> points() const override {
    return {{"connects[0]", o_.first}, {"connects[1]", o_.second}};
  }

  void check() const override {
    const bool same_place = o_.first.object != Point::unresolved && o_.first.object == o_.second.object &&
                            o_.first.place.count == o_.second.place.count && o_.first.place.at == o_.second.place.at;
    if (same_place) throw OptionError("connects", "both partners are the same");
    if (o_.rows && !parts::holds_point(o_.type))
      throw OptionError("rows",
                        "only joints that hold a point (fixed, spherical, revolute, universal) have this choice; "
                        "the equations of the others are the same in both frames");
    if (o_.at && (is_line(o_.first.place) || is_line(o_.second.place)))
      throw OptionError("at", "a line of nodes is joined at its nodes; leave `at` out");
    if (o_.type == JointType::distance) return;
    const bool on_beam = !o_.first.place.is_whole() || !o_.second.place.is_whole();
    if (o_.type != JointType::fixed && !o_.at && !on_beam)
      throw OptionError("at", "this key is missing: where in space is the joint?");
    if (!has_axis(o_.type)) return;
    if (!o_.axis) throw OptionError("axis", "this key is missing: this type of joint needs an axis");
    if (!(o_.axis->norm() > 0)) throw OptionError("axis", "the axis must not be zero");
    if (o_.type == JointType::universal && !o_.axis2)
      throw OptionError("axis2", "this key is missing: a universal joint needs two axes");
  }

  void plan(Plan& plan) const override {
    plan.need_node(o_.first);
    plan.need_node(o_.second);
    plan.add({o_.type, o_.first, o_.second, o_.at});
  }

  void add_parts(Assembly& a) override {
    for (const auto& [first, second] : pairs(a)) add_link(a, first, second);
    if (links_.front().joint.kind == parts::JointHandle::Kind::absorbed)
      a.remark("joint " + name() + ": absorbed by the group of the body it holds");
  }

  std::vector<std::string> quantities(const Place&) const override {
    return has_line() ? line_quantities() : joint_quantities(o_.type);
  }
  std::vector<Probe> probes(const mechanics::System&, const Point&) const override {
    return has_line() ? line_probes(handles()) : joint_probes(joint(), o_.type);
  }
  void record(Records& r) const override {
    record_joints(r, name(), std::string(parts::name(o_.type)), handles(),
                  {o_.second.is_ground() ? "the ground" : r.object(o_.second).name(), has_moment(o_.type)});
    for (const std::size_t k : drawn_links(links_.size())) {
      if (o_.type == JointType::distance)
        r.facts().drawings.push_back(drawing::Rod{r.anchor(links_[k].first), r.anchor(links_[k].second)});
      else
        r.facts().drawings.push_back(symbol(r, k));
    }
  }
  std::string description() const override {
    int rows = 0;
    for (const Link& link : links_) rows += link.joint.rows().count;
    return std::string(parts::name(o_.type)) +
           (links_.size() > 1 ? " at " + std::to_string(links_.size()) + " nodes" : "") + ", " + counted_rows(rows);
  }

 private:
  bool has_line() const { return is_line(o_.first.place) || is_line(o_.second.place); }
  std::vector<parts::JointHandle> handles() const {
    std::vector<parts::JointHandle> all;
    for (const Link& link : links_) all.push_back(link.joint);
    return all;
  }

  /// Two lines are joined node by node, from their beginnings or from opposite ends, whichever is nearer as drawn.
  std::vector<std::pair<Point, Point>> pairs(const Assembly& a) const {
    const auto nodes = [&](const Point& p) { return p.is_ground() ? std::vector<Point>{p} : nodes_of(a.object(p), p); };
    const std::vector<Point> first = nodes(o_.first);
    std::vector<Point> second = nodes(o_.second);
    std::vector<std::pair<Point, Point>> all;
    if (first.size() > 1 && second.size() > 1) {
      if (first.size() != second.size())
        throw OptionError("connects", "the first line has " + std::to_string(first.size()) + " nodes, the second " +
                                          std::to_string(second.size()) + "; lines are joined node by node");
      const auto distance = [&] {
        double sum = 0;
        for (std::size_t k = 0; k < first.size(); ++k)
          sum += (a.initial_position(first[k]) - a.initial_position(second[k])).norm();
        return sum;
      };
      const double forward = distance();
      std::reverse(second.begin(), second.end());
      if (distance() >= forward) std::reverse(second.begin(), second.end());
    }
    const std::size_t count = std::max(first.size(), second.size());
    for (std::size_t k = 0; k < count; ++k)
      all.emplace_back(first[first.size() > 1 ? k : 0], second[second.size() > 1 ? k : 0]);
    return all;
  }

  void add_link(Assembly& a, const Point& first, const Point& second) {
    parts::JointOptions options{.name = name(), .type = o_.type, .first = {}, .second = {}, .length = o_.length};
    // By default: at the node of a beam or shell, or at the frame of the second partner.
    bool first_carries = second.place.is_whole() && !first.place.is_whole();
    const Vector3d here = a.initial_position(first_carries ? first : second);
    if (o_.type == JointType::distance) {
      options.first = a.marker(first);
      options.second = a.marker(second);
    } else {
      const Vector3d at = o_.at.value_or(here);
      options.first = a.marker_in_space(first, at);
      options.second = a.marker_in_space(second, at);
    }
    if (o_.axis) options.axis = *o_.axis;
    if (o_.axis2) options.axis2 = *o_.axis2;
    if (o_.rows) options.rows = *o_.rows;
    if ((first_carries ? first : second).is_ground()) first_carries = !first.is_ground();
    const Point& carrier = first_carries ? first : second;
    links_.push_back({.joint = parts::add_joint(a.system(), options),
                      .first = options.first,
                      .second = options.second,
                      .axis = a.initial_rotation(carrier).transpose() * options.axis.stableNormalized(),
                      .first_carries = first_carries});
  }
};

}  // namespace

const parts::JointHandle& JointObject::joint() const {
  if (links_.size() != 1)
    throw OptionError("joint", "'" + name() + "' joins a line of nodes one by one; expected a joint at one place");
  return links_.front().joint;
}

drawing::Symbol JointObject::symbol(const Records& records, std::size_t k) const {
  const Link& link = links_[k];
  return {.symbol = std::string(parts::name(o_.type)),
          .at = records.anchor(link.first_carries ? link.first : link.second),
          .axis = link.axis,
          .partners = {records.anchor(link.first), records.anchor(link.second)}};
}

std::unique_ptr<Object> make_object(const Joint& options) { return std::make_unique<PlainJoint>(options); }

}  // namespace filum::model
