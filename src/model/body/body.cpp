/// Rigid bodies: their node, group, series and drawing. User document: docs/guide/scenarios.md, "Bodies".
#include "point_probes.hpp"

#include <filum/lie/quaternion.hpp>
#include <filum/linalg/dense_decompositions.hpp>
#include <filum/model/assembly.hpp>
#include <filum/model/body.hpp>
#include <filum/model/records.hpp>
#include <filum/parts/group_choice.hpp>
#include <filum/parts/rigid_body.hpp>
#include <filum/parts/viscous_damping.hpp>

#include <cmath>
#include <sstream>

namespace filum::model {
namespace {

class BodyObject final : public ObjectOf<Body> {
 public:
  using ObjectOf::ObjectOf;

  std::string_view kind() const override { return "body"; }
  std::string kinds() const override { return "bodies"; }
  int expected_nodes() const override { return 1; }
  std::string objection(const Place& place, std::string_view) const override {
    return place.is_whole() ? "" : "'" + name() + "' is a body; places with ':' or '@' exist only on beams and shells";
  }

  void check() const override {
    if (o_.pivot && o_.group.group && !lie::is_rotation(*o_.group.group))
      throw OptionError("pivot", "a pivot is for the groups SO3 and S3; in " + std::string(lie::name(*o_.group.group)) +
                                     " use a spherical joint to the ground");
  }

  void check_plan(const Plan& plan, int self) const override {
    if (o_.group.group && lie::is_rotation(*o_.group.group) && !fixed_point(plan, self))
      throw OptionError(
          "group", "the group " + std::string(lie::name(*o_.group.group)) +
                       " describes rotation about a fixed point: give `pivot`, or a spherical joint to the ground");
  }

  void add_nodes(Assembly& a) override {
    parts::RigidBodyOptions options{.name = name(),
                                    .group = o_.group.group ? *o_.group.group
                                             : o_.pivot     ? lie::GroupId::S3
                                                            : automatic_group(a),
                                    .mass = o_.mass,
                                    .inertia = o_.inertia,
                                    .center_of_mass = o_.center_of_mass,
                                    .position = o_.position,
                                    .orientation = o_.orientation,
                                    .angular_velocity = o_.angular_velocity.value,
                                    .velocity = o_.velocity.value};
    if (lie::is_rotation(options.group)) options.pivot = fixed_point(a.plan(), a.current());
    body_ = parts::add_rigid_body(a.system(), options);
    if (options.pivot && !o_.velocity.consistent && !options.velocity.isZero(0))
      check_velocity_about(*options.pivot, options);
    if (o_.angular_velocity.consistent)
      for (int k = 0; k < 3; ++k) a.leave_velocity(body_.v_at + k);
    if (o_.velocity.consistent && !options.pivot)
      for (int k = 3; k < 6; ++k) a.leave_velocity(body_.v_at + k);
    a.weigh(body_.center_of_mass(), o_.mass);
  }

  parts::Marker marker(const Place&, const Vector3d& offset) const override { return body_.at(offset); }

  void add_damping(Assembly& a, const std::string& load, double rate) override {
    parts::add_mass_damping(a.system(), load, rate, body_);
  }

  std::vector<std::string> quantities(const Place&) const override { return point_quantities(); }
  std::vector<Probe> probes(const mechanics::System& system, const Point& point) const override {
    return point_probes(system, marker(point.place, point.offset));
  }

  void record(Records& r) const override {
    r.group(name(), {{"kind", "body"}, {"group", std::string(lie::name(body_.group()))}});
    const parts::RigidBody body = body_;
    r.motion({.object = name(), .first_node = body_.node, .nodes = 1, .at = [body](const State& x, int) {
                return NodePose{body.position(x), body.orientation(x)};
              }});
    r.facts().trails.push_back({.label = name(), .node = 0, .on = true});
    if (o_.look.mesh)
      r.facts().drawings.push_back(drawing::Mesh{.triangles = o_.look.mesh->triangles, .color = o_.look.color});
    else
      r.facts().drawings.push_back(solid());
  }

  std::string description() const override {
    std::ostringstream text;
    text.precision(9);
    text << "mass " << o_.mass << ", group " << lie::name(body_.group());
    return text.str();
  }

 private:
  /// Of a spherical joint to the ground.
  std::optional<Vector3d> fixed_point(const Plan& plan, int self) const {
    if (o_.pivot) return o_.pivot;
    for (const PlannedJoint& j : plan.joints())
      if (j.type == parts::JointType::spherical && j.at &&
          ((j.first.is_ground() && j.second.object == self) || (j.second.is_ground() && j.first.object == self)))
        return j.at;
    return {};
  }

  lie::GroupId automatic_group(Assembly& a) const {
    const auto is_held = [&](const Point& p) {
      for (const PlannedJoint& j : a.plan().joints())
        if ((j.first.is_ground() && j.second.object == p.object) ||
            (j.second.is_ground() && j.first.object == p.object))
          return true;
      return false;
    };
    parts::BodySurroundings around;
    around.frame_at_center_of_mass = o_.center_of_mass.isZero(0);
    for (const PlannedJoint& j : a.plan().joints()) {
      const int self = a.current();
      if (j.first.object != self && j.second.object != self) continue;
      const Point& other = j.first.object == self ? j.second : j.first;
      auto& list = other.is_ground() ? around.joints_to_ground
                   : is_held(other)  ? around.joints_to_held_partners
                                     : around.joints_to_others;
      list.push_back(j.type);
    }
    const parts::GroupChoice choice = parts::choose_group(around);
    a.remark("body " + name() + ": group " + std::string(lie::name(choice.group)) + ", because " + choice.reason);
    return choice.group;
  }

  /// A body that turns about a point has the velocity of this turning, whatever the options say: they must say the
  /// same.
  static void check_velocity_about(const Vector3d& pivot, const parts::RigidBodyOptions& o) {
    const Vector3d implied =
        lie::quaternion::rotate(o.orientation.normalized(), o.angular_velocity).cross(o.position - pivot);
    if ((implied - o.velocity).norm() > 1e-3 * (1 + o.velocity.norm()))
      throw OptionError("velocity",
                        "the body turns about its pivot, and its angular velocity implies another velocity; leave it "
                        "out, or write \"consistent\"");
  }

  /// As it looks, or the homogeneous box of the same mass and principal inertias: a² = 6/m (I₂ + I₃ − I₁).
  drawing::Solid solid() const {
    if (o_.look.shape)
      return {.shape = o_.look.shape->shape,
              .size = o_.look.shape->size,
              .position = o_.center_of_mass,
              .color = o_.look.color};
    const linalg::SymmetricEigen principal = linalg::symmetric_eigen(o_.inertia);
    const bool is_diagonal = o_.inertia.isDiagonal(1e-12);
    const Vector3d I = is_diagonal ? Vector3d(o_.inertia.diagonal()) : Vector3d(principal.values);
    Matrix3d axes = is_diagonal ? Matrix3d(Matrix3d::Identity()) : Matrix3d(principal.vectors);
    if (axes.determinant() < 0) axes.col(2) *= -1;
    Vector3d size;
    for (int k = 0; k < 3; ++k) size[k] = std::sqrt(std::max(0.0, 6 / o_.mass * (I.sum() - 2 * I[k])));
    return {.shape = drawing::Shape::box,
            .size = size,
            .position = o_.center_of_mass,
            .orientation = lie::quaternion::from_matrix(axes),
            .color = o_.look.color,
            .is_estimated = true};
  }

  parts::RigidBody body_;
};

}  // namespace

std::unique_ptr<Object> make_object(const Body& options) { return std::make_unique<BodyObject>(options); }

}  // namespace filum::model
