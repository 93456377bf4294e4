/// Joints: their equations, readings and signs. User document: docs/guide/scenarios.md, "Joints".
#include "joint_records.hpp"

#include <filum/model/assembly.hpp>
#include <filum/model/joint.hpp>
#include <filum/model/records.hpp>

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
    if (o_.type == JointType::distance) return;
    const bool on_beam = !o_.first.place.is_whole() || !o_.second.place.is_whole();
    if (o_.type != JointType::fixed && !o_.at && !on_beam)
      throw OptionError("at", "this key is missing: where in space is the joint?");
    if (!has_axis(o_.type)) return;
    if (!o_.axis) throw OptionError("axis", "this key is missing: this type of joint has one");
    if (!(o_.axis->norm() > 0)) throw OptionError("axis", "the axis must not be zero");
    if (o_.type == JointType::universal && !o_.axis2)
      throw OptionError("axis2", "this key is missing: a universal joint has two axes");
  }

  void plan(Plan& plan) const override {
    plan.need_node(o_.first);
    plan.need_node(o_.second);
    plan.add({o_.type, o_.first, o_.second, o_.at});
  }

  void add_parts(Assembly& a) override {
    parts::JointOptions options{.name = name(), .type = o_.type, .first = {}, .second = {}, .length = o_.length};
    // Where nothing is said: at the end of the beam, or at the frame of the second partner.
    carrier_ = !o_.second.place.is_whole() || o_.first.place.is_whole() ? o_.second : o_.first;
    if (o_.type == JointType::distance) {
      options.first = a.marker(o_.first);
      options.second = a.marker(o_.second);
    } else {
      const Vector3d at = o_.at ? *o_.at : a.initial_position(carrier_);
      options.first = a.marker_in_space(o_.first, at);
      options.second = a.marker_in_space(o_.second, at);
    }
    if (o_.axis) options.axis = *o_.axis;
    if (o_.axis2) options.axis2 = *o_.axis2;
    if (o_.rows) options.rows = *o_.rows;
    if (carrier_.is_ground()) carrier_ = o_.first.is_ground() ? o_.second : o_.first;
    first_ = options.first, second_ = options.second;
    axis_ = a.initial_rotation(carrier_).transpose() * options.axis.stableNormalized();
    joint_ = parts::add_joint(a.system(), options);
    if (joint_.kind == parts::JointHandle::Kind::absorbed)
      a.remark("joint " + name() + ": absorbed by the group of the body it holds");
  }

  std::vector<std::string> quantities(const Place&) const override { return joint_quantities(o_.type); }
  std::vector<Probe> probes(const mechanics::System&, const Point&) const override {
    return joint_probes(joint_, o_.type);
  }
  void record(Records& r) const override {
    record_joint(r, name(), std::string(parts::name(o_.type)), joint_);
    if (o_.type == JointType::distance)
      r.facts().drawings.push_back(drawing::Rod{r.anchor(first_), r.anchor(second_)});
    else
      r.facts().drawings.push_back(symbol(r));
  }
  std::string description() const override {
    return std::string(parts::name(o_.type)) + ", " + counted_rows(joint_.rows().count);
  }
};

}  // namespace

drawing::Symbol JointObject::symbol(const Records& records) const {
  const bool first = carrier_.object == o_.first.object;
  return {.symbol = std::string(parts::name(o_.type)),
          .at = records.anchor(first ? first_ : second_),
          .axis = axis_,
          .partners = {records.anchor(first_), records.anchor(second_)}};
}

std::unique_ptr<Object> make_object(const Joint& options) { return std::make_unique<PlainJoint>(options); }

}  // namespace filum::model
