/// Adding and driving joints of all types. Theory: docs/theory/joints.md, sec. 6 and 7.
#include <filum/lie/quaternion.hpp>
#include <filum/parts/distance_joint.hpp>
#include <filum/parts/frame_joint.hpp>
#include <filum/parts/node_frame_inline.hpp>
#include <filum/parts/spherical_joint.hpp>

#include <cmath>
#include <numbers>
#include <sstream>
#include <stdexcept>

namespace filum::parts {
namespace {

namespace quaternion = lie::quaternion;

[[noreturn]] void refuse(const std::string& joint, const std::string& reason) {
  throw std::invalid_argument("joint " + joint + ": " + reason);
}

Vector3d unit(const JointOptions& o, const char* what, const Vector3d& axis) {
  const double length = axis.norm();
  if (!(length > 0) || !std::isfinite(length)) {
    std::ostringstream text;
    text << what << " must be a direction, got (" << axis.transpose() << ")";
    refuse(o.name, text.str());
  }
  return axis / length;
}

/// Any direction perpendicular to the unit vector e, the same for e and −e up to sign.
Vector3d perpendicular_to(const Vector3d& e) {
  Eigen::Index smallest = 0;
  e.cwiseAbs().minCoeff(&smallest);
  return e.cross(Vector3d::Unit(smallest)).normalized();
}

/// Axes of the joint in space: the third is `axis`, the first of a universal joint `axis2`.
Matrix3d initial_axes(const JointOptions& o) {
  if (o.type == JointType::fixed) return Matrix3d::Identity();
  const Vector3d e3 = unit(o, "axis", o.axis);
  Vector3d e1 = perpendicular_to(e3);
  if (o.type == JointType::universal) {
    const Vector3d e = unit(o, "axis2", o.axis2);
    if (!(std::abs(e.dot(e3)) <= 1e-6)) {
      std::ostringstream text;
      text << "axis and axis2 must be perpendicular, but make an angle of "
           << std::acos(std::min(1.0, std::abs(e.dot(e3)))) * 180 / std::numbers::pi << " degrees";
      refuse(o.name, text.str());
    }
    e1 = (e - e.dot(e3) * e3).normalized();
  }
  Matrix3d axes;
  axes << e1, e3.cross(e1), e3;
  return axes;
}

// (J.47) The table of types.
FrameJointRows rows_of(JointType type, bool swapped) {
  const std::vector<std::array<int, 2>> locked{{1, 2}, {2, 0}, {0, 1}}, parallel{{0, 2}, {1, 2}};
  switch (type) {
    case JointType::fixed: return {{0, 1, 2}, locked};
    case JointType::revolute: return {{0, 1, 2}, parallel};
    case JointType::prismatic: return {{0, 1}, locked};
    case JointType::cylindrical: return {{0, 1}, parallel};
    case JointType::planar: return {{2}, parallel};
    case JointType::universal: return {{0, 1, 2}, {swapped ? std::array<int, 2>{0, 2} : std::array<int, 2>{2, 0}}};
    default: throw std::logic_error("not a joint between frames");
  }
}

bool has_no_orientation(const ConfigurationSpace& space, const Marker& m) {
  return m.node != ground && lie::is_point(space.group(m.node));
}

/// Whether the point of a body with a pivot sits at that pivot and is joined to the ground there.
bool is_at_pivot(const ConfigurationSpace& space, const Marker& a, const Marker& b) {
  if (b.node != ground || !lie::is_rotation(space.group(a.node))) return false;
  const double size = 1 + a.origin.norm();
  return a.point.norm() <= 1e-9 * size && (b.point - a.origin).norm() <= 1e-9 * size;
}

JointHandle add_frame_joint(SystemBuilder& builder, const JointOptions& o) {
  const ConfigurationSpace& space = builder.space();
  const VectorXd& q = builder.start().q;
  const Matrix3d axes = initial_axes(o);
  const bool swapped = o.first.node == ground;
  const Marker &a = swapped ? o.second : o.first, &b = swapped ? o.first : o.second;
  const NodeFrame frame_a(space, a), frame_b(space, b);
  for (const Marker* m : {&a, &b})
    if (has_no_orientation(space, *m))
      refuse(o.name, "a " + std::string(name(o.type)) + " joint needs partners with an orientation; node " +
                         std::to_string(m->node) + " is a point in " + std::string(lie::name(space.group(m->node))));
  FramePair pair{.at_a = a, .at_b = b};
  pair.axes_a = frame_a.pose(q).R.transpose() * axes;
  pair.axes_b = frame_b.pose(q).R.transpose() * axes;
  FrameJointRows rows = rows_of(o.type, swapped);
  if (is_at_pivot(space, a, b)) rows.along.clear();
  // Axes in space that coincide with those of the partners at the start: a row that is redundant in a plane stays so.
  const bool in_space = o.rows == JointRows::space && holds_point(o.type);
  const bool slides = o.type == JointType::prismatic || o.type == JointType::cylindrical;
  const bool turns = o.type != JointType::fixed && o.type != JointType::prismatic;
  const auto part = builder.shared_part<FrameJoints>();
  const int number = part->add({.name = o.name,
                                .pair = std::move(pair),
                                .swapped = swapped,
                                .has_angle = turns,
                                .has_displacement = slides,
                                .in_space = in_space,
                                .axes_space = axes},
                               rows);
  return {JointHandle::Kind::frames, part, number, swapped};
}

FrameJoints::Joint& driven_joint(SystemBuilder& builder, const JointHandle& joint, const char* coordinate) {
  if (joint.kind != JointHandle::Kind::frames)
    throw std::invalid_argument(std::string("a joint that holds no frames (spherical, distance, absorbed) has no ") +
                                coordinate);
  const auto part = builder.shared_part<FrameJoints>();
  if (part != joint.part) throw std::invalid_argument("the joint to be driven belongs to another system");
  return part->joint(joint.number);
}

}  // namespace

bool holds_point(JointType type) {
  return type == JointType::fixed || type == JointType::spherical || type == JointType::revolute ||
         type == JointType::universal;
}

std::string_view name(JointType type) {
  switch (type) {
    case JointType::fixed: return "fixed";
    case JointType::spherical: return "spherical";
    case JointType::revolute: return "revolute";
    case JointType::prismatic: return "prismatic";
    case JointType::cylindrical: return "cylindrical";
    case JointType::planar: return "planar";
    case JointType::universal: return "universal";
    case JointType::distance: return "distance";
  }
  return "unknown";
}

JointHandle add_joint(SystemBuilder& builder, const JointOptions& o) {
  if (o.first.node == o.second.node)
    refuse(o.name, "both partners are " +
                       (o.first.node == ground ? std::string("the ground") : "node " + std::to_string(o.first.node)));
  if (o.type == JointType::spherical) return add_spherical_joint(builder, o.name, o.first, o.second, o.rows);
  if (o.type == JointType::distance) {
    double length = o.length;
    if (length == 0) {
      const VectorXd& q = builder.start().q;
      const NodeFrame first(builder.space(), o.first), second(builder.space(), o.second);
      length = (second.pose(q).act(o.second.point) - first.pose(q).act(o.first.point)).norm();
    }
    return add_distance_joint(builder, o.name, o.first, o.second, length);
  }
  return add_frame_joint(builder, o);
}

void drive_angle(SystemBuilder& builder, const JointHandle& joint, DriveFunction angle, TimeSwitches switches) {
  FrameJoints::Joint& j = driven_joint(builder, joint, "angle");
  if (!j.has_angle) refuse(j.name, "it has no angle that could be driven");
  if (j.angle) refuse(j.name, "its angle is driven already");
  j.angle = std::move(angle);
  if (switches) j.switches.push_back(std::move(switches));
}

void drive_displacement(SystemBuilder& builder, const JointHandle& joint, DriveFunction displacement,
                        TimeSwitches switches) {
  FrameJoints::Joint& j = driven_joint(builder, joint, "displacement");
  if (!j.has_displacement) refuse(j.name, "it has no displacement that could be driven");
  if (j.displacement) refuse(j.name, "its displacement is driven already");
  j.displacement = std::move(displacement);
  if (switches) j.switches.push_back(std::move(switches));
}

JointHandle add_motion_drive(SystemBuilder& builder, const MotionDriveOptions& o) {
  if (o.at.node == ground) refuse(o.name, "the ground cannot be moved");
  if (!o.position && !o.orientation) refuse(o.name, "nothing is driven");
  if (!o.motion) refuse(o.name, "there is no function of time");
  if (o.orientation && has_no_orientation(builder.space(), o.at))
    refuse(o.name, "a point has no orientation that could be driven");
  FrameJointRows rows;
  if (o.position) rows.along = {0, 1, 2};
  if (o.orientation) rows.perpendicular = {{1, 2}, {2, 0}, {0, 1}};
  FramePair pair{.at_a = o.at, .at_b = {}, .motion = o.motion};
  const auto part = builder.shared_part<FrameJoints>();
  const int number = part->add({.name = o.name,
                                .pair = std::move(pair),
                                .swapped = true,
                                .has_angle = false,
                                .has_displacement = false,
                                .in_space = o.rows == JointRows::space,
                                .switches = o.switches ? std::vector{o.switches} : std::vector<TimeSwitches>{}},
                               rows);
  return {JointHandle::Kind::frames, part, number, true};
}

FrameMotion turned(const Vector4d& start, const Vector3d& axis_in_space, const DriveValue& angle) {
  const Vector3d e = axis_in_space.stableNormalized();
  Vector4d turn;
  turn << std::cos(0.5 * angle.value), std::sin(0.5 * angle.value) * e;
  const Vector3d e_body = quaternion::rotate_inv(start, e);
  return {.orientation = quaternion::product(turn, start),
          .angular_velocity = angle.rate * e_body,
          .angular_acceleration = angle.acceleration * e_body};
}

}  // namespace filum::parts
