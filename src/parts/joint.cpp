/// Adding, driving and reading joints of all types. Theory: docs/theory/joints.md, sec. 6 to 9.
#include <filum/lie/quaternion.hpp>
#include <filum/parts/distance_joint.hpp>
#include <filum/parts/frame_joint.hpp>
#include <filum/parts/shared_part.hpp>
#include <filum/parts/spherical_joint.hpp>

#include <Eigen/LU>

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
  Eigen::Index smallest;
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

bool has_no_orientation(const System& system, const Marker& m) {
  return m.node != ground && system.space().group(m.node) <= lie::GroupId::R3;
}

/// Whether the point of a body with a pivot sits at that pivot and is joined to the ground there.
bool is_at_pivot(const System& system, const Marker& a, const Marker& b) {
  const lie::GroupId group = system.space().group(a.node);
  if (b.node != ground || (group != lie::GroupId::SO3 && group != lie::GroupId::S3)) return false;
  const double size = 1 + a.origin.norm();
  return a.point.norm() <= 1e-9 * size && (b.point - a.origin).norm() <= 1e-9 * size;
}

JointHandle add_frame_joint(System& system, const JointOptions& o, const VectorXd& q) {
  const Matrix3d axes = initial_axes(o);
  const bool swapped = o.first.node == ground;
  const Marker &a = swapped ? o.second : o.first, &b = swapped ? o.first : o.second;
  for (const Marker* m : {&a, &b})
    if (has_no_orientation(system, *m))
      refuse(o.name, "a " + std::string(name(o.type)) + " joint needs partners with an orientation; node " +
                         std::to_string(m->node) + " is a point in " + std::string(lie::name(system.space().group(m->node))));
  FramePair pair{.at_a = a, .at_b = b};
  pair.axes_a = NodeFrame(system, a).pose(q).R.transpose() * axes;
  pair.axes_b = NodeFrame(system, b).pose(q).R.transpose() * axes;
  FrameJointRows rows = rows_of(o.type, swapped);
  if (is_at_pivot(system, a, b)) rows.along.clear();
  const bool slides = o.type == JointType::prismatic || o.type == JointType::cylindrical;
  const bool turns = o.type != JointType::fixed && o.type != JointType::prismatic;
  FrameJoints& part = shared_part<FrameJoints>(system);
  const int number = part.add(
      {.name = o.name, .pair = std::move(pair), .swapped = swapped, .has_angle = turns, .has_displacement = slides}, rows);
  return {JointHandle::Kind::frames, number, swapped};
}

FrameJoints::Joint& driven_joint(System& system, const JointHandle& joint, const char* coordinate) {
  if (joint.kind != JointHandle::Kind::frames)
    throw std::invalid_argument(std::string("a joint that holds no frames (spherical, distance, absorbed) has no ") + coordinate);
  return shared_part<FrameJoints>(system).joint(joint.number);
}

/// Both partners as the user ordered them, moving.
struct Partner {
  Pose pose;
  Twist V;
  Vector3d X;
  Matrix3d axes;  ///< in space
  Vector3d point() const { return pose.act(X); }
  Vector3d velocity() const { return pose.R * V.at(X); }
  Vector3d spin() const { return pose.R * V.O; }
};

void read_coordinates(const Partner& first, const Partner& second, JointReading& r) {
  const Matrix3d& F = first.axes;
  const Matrix3d S = F.transpose() * second.axes;
  const Vector3d way = second.point() - first.point(), spin = second.spin() - first.spin();
  r.displacement = F.transpose() * way;
  r.displacement_rate = F.transpose() * (second.velocity() - first.velocity() - first.spin().cross(way));
  r.distance = way.norm();
  r.angle = std::atan2(S(1, 0), S(0, 0));
  r.angle_rate = spin.dot(F.col(2));
  r.angle2 = std::atan2(S(2, 1), S(2, 2));
  r.angle2_rate = spin.dot(second.axes.col(0));
}

/// `force` acts on the internal first partner at the point of the internal second one, with `moment`; both in space.
void read_reaction(const Partner& a, const Partner& b, bool swapped, const Vector3d& force, const Vector3d& moment, JointReading& r) {
  r.force = swapped ? force : Vector3d(-force);
  r.moment = swapped ? Vector3d(moment + (b.point() - a.point()).cross(force)) : Vector3d(-moment);
  const Matrix3d& F = (swapped ? b : a).axes;
  r.force_joint = F.transpose() * r.force;
  r.moment_joint = F.transpose() * r.moment;
}

JointReading read_frames(const FrameJoints& part, const JointHandle& handle, const State& x) {
  const FrameJoints::Joint& j = part.joint(handle.number);
  const FramePair::Motion m = j.pair.motion_at(x.t, x.q, x.v);
  const Partner a{m.p.A, m.V_a, j.pair.at_a.point, m.p.A.R * j.pair.axes_a};
  const Partner b{m.p.B, m.V_b, j.pair.at_b.point, m.p.B.R * j.pair.axes_b};
  JointReading r;
  read_coordinates(j.swapped ? b : a, j.swapped ? a : b, r);
  const FrameJoints::Reaction on_a = part.reaction(handle.number, x.t, x.q, x.lambda);
  read_reaction(a, b, j.swapped, a.pose.R * on_a.force, a.pose.R * on_a.moment, r);
  if (j.displacement) r.drive_force = j.sign() * x.lambda[j.row + j.forces() - 1];
  if (j.angle) r.drive_torque = x.lambda[j.row + j.rows() - 1];
  return r;
}

JointReading read_spherical(const System& system, const SphericalJoints& part, const JointHandle& handle, const State& x) {
  const auto partner = [&](const Marker& m) -> Partner {
    const NodeFrame frame(system, m);
    const Pose pose = frame.pose(x.q);
    return {pose, frame.twist(pose, x.v), m.point, pose.R};
  };
  const Partner a = partner(part.first(handle.number)), b = partner(part.second(handle.number));
  JointReading r;
  read_coordinates(handle.swapped ? b : a, handle.swapped ? a : b, r);
  r.angle = r.angle_rate = r.angle2 = r.angle2_rate = 0;
  read_reaction(a, b, handle.swapped, a.pose.R * part.force(handle.number, x.lambda), Vector3d::Zero(), r);
  r.moment = r.moment_joint = Vector3d::Zero();
  return r;
}

JointReading read_distance(const DistanceJoints& part, const JointHandle& handle, const State& x) {
  const PointPair::Motion m = part.motion(handle.number, x.q, x.v);
  const double side = handle.swapped ? -1 : 1;
  JointReading r;
  r.displacement = side * m.r;
  r.displacement_rate = side * m.r_dot;
  r.distance = m.r.norm();
  r.force = r.force_joint = -side * part.tension(handle.number, x.lambda) * m.r / r.distance;
  return r;
}

}  // namespace

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

JointHandle add_joint(System& system, const JointOptions& o, const VectorXd& q) {
  if (o.first.node == o.second.node)
    refuse(o.name, "both partners are " + (o.first.node == ground ? std::string("the ground") : "node " + std::to_string(o.first.node)));
  if (q.size() < system.size_q())
    refuse(o.name, "the configuration has " + std::to_string(q.size()) + " entries, the system has " + std::to_string(system.size_q()));
  const bool swapped = o.first.node == ground;
  if (o.type == JointType::spherical) {
    const int number = add_spherical_joint(system, o.name, o.first, o.second);
    return {number < 0 ? JointHandle::Kind::absorbed : JointHandle::Kind::spherical, number, swapped};
  }
  if (o.type == JointType::distance) {
    double length = o.length;
    if (length == 0) {
      const NodeFrame first(system, o.first), second(system, o.second);
      length = (second.pose(q).act(o.second.point) - first.pose(q).act(o.first.point)).norm();
    }
    return {JointHandle::Kind::distance, add_distance_joint(system, o.name, o.first, o.second, length), swapped};
  }
  return add_frame_joint(system, o, q);
}

void drive_angle(System& system, const JointHandle& joint, DriveFunction angle) {
  FrameJoints::Joint& j = driven_joint(system, joint, "angle");
  if (!j.has_angle) refuse(j.name, "it has no angle that could be driven");
  if (j.angle) refuse(j.name, "its angle is driven already");
  j.angle = std::move(angle);
}

void drive_displacement(System& system, const JointHandle& joint, DriveFunction displacement) {
  FrameJoints::Joint& j = driven_joint(system, joint, "displacement");
  if (!j.has_displacement) refuse(j.name, "it has no displacement that could be driven");
  if (j.displacement) refuse(j.name, "its displacement is driven already");
  j.displacement = std::move(displacement);
}

JointHandle add_motion_drive(System& system, const MotionDriveOptions& o) {
  if (o.at.node == ground) refuse(o.name, "the ground cannot be moved");
  if (!o.position && !o.orientation) refuse(o.name, "nothing is driven");
  if (!o.motion) refuse(o.name, "there is no function of time");
  if (o.orientation && has_no_orientation(system, o.at)) refuse(o.name, "a point has no orientation that could be driven");
  FrameJointRows rows;
  if (o.position) rows.along = {0, 1, 2};
  if (o.orientation) rows.perpendicular = {{1, 2}, {2, 0}, {0, 1}};
  FramePair pair{.at_a = o.at, .at_b = {}, .motion = o.motion};
  const int number = shared_part<FrameJoints>(system).add(
      {.name = o.name, .pair = std::move(pair), .swapped = true, .has_angle = false, .has_displacement = false}, rows);
  return {JointHandle::Kind::frames, number, true};
}

FrameMotion turned(const Vector4d& start, const Vector3d& axis_in_space, const DriveValue& angle) {
  const Vector3d e = axis_in_space.normalized();
  Vector4d turn;
  turn << std::cos(0.5 * angle.value), std::sin(0.5 * angle.value) * e;
  const Vector3d e_body = quaternion::rotate_inv(start, e);
  return {.orientation = quaternion::product(turn, start),
          .angular_velocity = angle.rate * e_body,
          .angular_acceleration = angle.acceleration * e_body};
}

JointReading read_joint(const System& system, const JointHandle& joint, const State& x) {
  for (const auto& part : system.parts()) {
    if (joint.kind == JointHandle::Kind::frames)
      if (const auto* p = dynamic_cast<const FrameJoints*>(part.get())) return read_frames(*p, joint, x);
    if (joint.kind == JointHandle::Kind::spherical)
      if (const auto* p = dynamic_cast<const SphericalJoints*>(part.get())) return read_spherical(system, *p, joint, x);
    if (joint.kind == JointHandle::Kind::distance)
      if (const auto* p = dynamic_cast<const DistanceJoints*>(part.get())) return read_distance(*p, joint, x);
  }
  return {};
}

double unwound(double angle, double reference) {
  return angle + 2 * std::numbers::pi * std::round((reference - angle) / (2 * std::numbers::pi));
}

}  // namespace filum::parts
