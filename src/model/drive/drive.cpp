/// Prescribed motions. User document: docs/guide/scenarios.md, "Drives".
#include "joint/joint_records.hpp"
#include "jump.hpp"

#include <filum/lie/quaternion.hpp>
#include <filum/lie/s3.hpp>
#include <filum/model/assembly.hpp>
#include <filum/model/drive.hpp>
#include <filum/model/joint.hpp>
#include <filum/model/lines.hpp>
#include <filum/model/records.hpp>
#include <filum/model/run_checks.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>

namespace filum::model {
namespace {

/// Of all six functions.
parts::TimeSwitches switches_of(const std::array<OfTime, 3>& position, const std::array<OfTime, 3>& rotation) {
  std::vector<parts::TimeSwitches> all;
  for (const auto* three : {&position, &rotation})
    for (const OfTime& f : *three)
      if (parts::TimeSwitches s = f.switches()) all.push_back(std::move(s));
  if (all.empty()) return {};
  return [all](double t, mechanics::SwitchList& out) {
    for (const parts::TimeSwitches& s : all) s(t, out);
  };
}

std::string written(double x) {
  std::ostringstream text;
  text << x;
  return text.str();
}
std::string written(const Vector3d& x) {
  return "(" + written(x[0]) + ", " + written(x[1]) + ", " + written(x[2]) + ")";
}

/// Refuses a motion that does not begin as drawn: it would contradict the initial positions.
void require_start(const std::string& option, const Vector3d& off, double t, const std::string& what) {
  constexpr double corrected = 1e-3;  // the limit of mechanics::ConsistencyOptions
  if (off.norm() > corrected) throw OptionError(option, "at the start, t = " + written(t) + ", " + what);
}

struct Motion3 {
  Vector3d value, first, second;
};

Motion3 motion_of(const std::array<OfTime, 3>& f, double t) {
  Motion3 m;
  for (int k = 0; k < 3; ++k) {
    const parts::DriveValue x = f[static_cast<std::size_t>(k)](t);
    m.value[k] = x.value, m.first[k] = x.rate, m.second[k] = x.acceleration;
  }
  return m;
}

class JointDriveObject final : public ObjectOf<JointDrive>, public RunChecks {
 public:
  using ObjectOf::ObjectOf;

  std::string_view kind() const override { return "drive"; }
  std::string objection(const Place& place, std::string_view use) const override {
    if (use != "sensor") return Object::objection(place, use);
    return place.is_whole() ? "" : "a drive has no places";
  }
  std::vector<std::pair<std::string, Point>> points() const override { return {{"joint", o_.joint}}; }
  void check() const override {
    if (o_.angle.has_value() == o_.displacement.has_value())
      throw OptionError("", "a drive of a joint needs `angle` or `displacement`, one of them");
    if (o_.joint.object < 0) throw OptionError("joint", "expected a joint");
  }
  void add_parts(Assembly& a) override {
    driven_ = dynamic_cast<const JointObject*>(&a.object(o_.joint));
    if (!driven_)
      throw OptionError("joint", "a drive acts on a joint; '" + a.object(o_.joint).name() + "' is a " +
                                     std::string(a.object(o_.joint).kind()));
    const double t = a.system().start().t;
    const auto begins_at_zero = [&](const char* option, const std::optional<OfTime>& f, double turn) {
      const double value = f ? (*f)(t).value : 0.0;
      require_start(option, {std::remainder(value, turn), 0, 0}, t,
                    std::string("the ") + option + " is " + written(value) +
                        "; it is measured from the drawn position and has to begin with 0");
    };
    begins_at_zero("angle", o_.angle, 2 * std::numbers::pi);
    begins_at_zero("displacement", o_.displacement, std::numeric_limits<double>::infinity());
    if (o_.angle) parts::drive_angle(a.system(), driven_->joint(), *o_.angle, o_.angle->switches());
    if (o_.displacement)
      parts::drive_displacement(a.system(), driven_->joint(), *o_.displacement, o_.displacement->switches());
  }
  void check_times(double from, double to) const override {
    if (o_.angle) require_continuous(*o_.angle, "angle", from, to, 2 * std::numbers::pi);
    if (o_.displacement) require_continuous(*o_.displacement, "displacement", from, to);
  }
  std::vector<Probe> probes(const mechanics::System&, const Point&) const override {
    return joint_probes(driven_->joint(), driven_->options().type);
  }
  void record(Records& r) const override {
    drawing::Symbol sign = driven_->symbol(r);
    sign.symbol = "drive";
    sign.partners.clear();
    r.facts().drawings.push_back(sign);
  }
  std::string description() const override { return (o_.angle ? "angle of " : "displacement of ") + driven_->name(); }

 private:
  const JointObject* driven_ = nullptr;
};

class MotionDriveObject final : public ObjectOf<MotionDrive>, public RunChecks {
 public:
  using ObjectOf::ObjectOf;

  std::string_view kind() const override { return "drive"; }
  std::string objection(const Place& place, std::string_view use) const override {
    if (use != "sensor") return Object::objection(place, use);
    return place.is_whole() ? "" : "a drive has no places";
  }
  std::vector<std::pair<std::string, Point>> points() const override { return {{"connects[1]", o_.on}}; }
  void check() const override {
    if (o_.on.is_ground()) throw OptionError("connects[1]", "the ground cannot be moved");
    if (!o_.position && !o_.rotation)
      throw OptionError("", "the drive has nothing to prescribe: give `joint`, or `position` or `rotation`");
  }
  void plan(Plan& plan) const override {
    plan.need_node(o_.on);
    plan.hold(o_.on);
  }
  void add_parts(Assembly& a) override {
    const std::vector<Point> nodes = nodes_of(a.object(o_.on), o_.on);
    const Vector3d at = o_.at ? *o_.at : a.initial_position(nodes.front());
    for (const Point& node : nodes) add_drive(a, node, at);
  }
  void check_times(double from, double to) const override {
    for (std::size_t k = 0; k < 3; ++k) {
      if (o_.position) require_continuous((*o_.position)[k], "position[" + std::to_string(k) + "]", from, to);
      if (o_.rotation) require_continuous((*o_.rotation)[k], "rotation[" + std::to_string(k) + "]", from, to);
    }
  }
  std::vector<Probe> probes(const mechanics::System&, const Point&) const override {
    return is_line(o_.on.place) ? line_probes(drives_) : joint_probes(drives_.front(), JointType::fixed);
  }
  void record(Records& r) const override {
    if (is_line(o_.on.place))
      record_joints(r, name(), "drive", drives_, {r.object(o_.on).name()});
    else
      record_joint(r, name(), "drive", drives_.front(), {r.object(o_.on).name()});
    for (const std::size_t k : drawn_links(markers_.size()))
      r.facts().drawings.push_back(drawing::Symbol{.symbol = "drive", .at = r.anchor(markers_[k])});
  }
  std::string description() const override {
    int rows = 0;
    for (const parts::JointHandle& drive : drives_) rows += drive.rows().count;
    return "motion in space, " + counted_rows(rows);
  }

 private:
  /// Of the only node, or of one of a line: then all of them carry the same point when they turn, and otherwise each
  /// its own, at a constant distance.
  void add_drive(Assembly& a, const Point& node, const Vector3d& at) {
    const bool shifted = is_line(o_.on.place) && !o_.rotation;
    const Vector3d here = shifted ? a.initial_position(node) : at, shift = here - at;
    const std::array<OfTime, 3> none{0.0, 0.0, 0.0};
    const std::array<OfTime, 3> position = o_.position.value_or(none), rotation = o_.rotation.value_or(none);
    const Eigen::Vector4d start = lie::quaternion::from_matrix(a.initial_rotation(node));
    const auto motion = [=](double t) {
      parts::FrameMotion m = prescribed_motion(position, rotation, start, t);
      m.position += shift;
      return m;
    };
    const double t = a.system().start().t;
    const Vector3d from = motion_of(position, t).value + shift, turned = motion_of(rotation, t).value;
    if (o_.position)
      require_start("position", from - here, t,
                    "the drive puts the point at " + written(from) + ", but it is drawn at " + written(here) +
                        "; try: coordinates in space instead of displacements");
    if (o_.rotation)
      require_start(
          "rotation", {std::remainder(turned.norm(), 2 * std::numbers::pi), 0, 0}, t,
          "the rotation is " + written(turned) + "; it is measured from the drawn orientation and has to begin with 0");
    markers_.push_back(a.marker_in_space(node, here));
    drives_.push_back(parts::add_motion_drive(a.system(), {.name = name(),
                                                           .at = markers_.back(),
                                                           .motion = motion,
                                                           .position = o_.position.has_value(),
                                                           .orientation = o_.rotation.has_value(),
                                                           .switches = switches_of(position, rotation)}));
  }

  std::vector<parts::Marker> markers_;
  std::vector<parts::JointHandle> drives_;
};

}  // namespace

namespace {

/// d/dt (T(r) ṙ) with (G.13), where ḟ2 = f4 d and ḟ3 = −f5 d with d = r·ṙ. Not by way of T⁻¹, which has a pole at 2π.
Vector3d rate_of_spin(const Motion3& r) {
  const auto f = lie::coefficients::tangent_coefficients(r.value.squaredNorm());
  const double d = r.value.dot(r.first);
  const Vector3d a = r.value.cross(r.first), b = r.value.cross(r.second);
  return r.second + f.f4 * d * a + f.f2 * b - f.f5 * d * r.value.cross(a) +
         f.f3 * (r.first.cross(a) + r.value.cross(b));
}

}  // namespace

parts::FrameMotion prescribed_motion(const std::array<OfTime, 3>& position, const std::array<OfTime, 3>& rotation,
                                     const Eigen::Vector4d& start, double t) {
  const Motion3 x = motion_of(position, t), r = motion_of(rotation, t);
  parts::FrameMotion m;
  m.position = x.value, m.velocity = x.first, m.acceleration = x.second;
  // The frame is exp(r) ∘ start; its angular velocity in the frame is start⁻¹ ▷ (T(r) ṙ).
  m.orientation = lie::S3::compose(lie::S3::exp(r.value), start);
  m.angular_velocity = lie::quaternion::rotate_inv(start, lie::S3::tangent_op_times(r.value, r.first));
  m.angular_acceleration = lie::quaternion::rotate_inv(start, rate_of_spin(r));
  return m;
}

std::unique_ptr<Object> make_object(const JointDrive& options) { return std::make_unique<JointDriveObject>(options); }
std::unique_ptr<Object> make_object(const MotionDrive& options) { return std::make_unique<MotionDriveObject>(options); }

}  // namespace filum::model
