/// Coordinates and reactions of joints, (J.46) and (J.48). Theory: docs/theory/joints.md, sec. 6.
#include <filum/parts/distance_joint.hpp>
#include <filum/parts/frame_joint.hpp>
#include <filum/parts/node_frame_inline.hpp>
#include <filum/parts/spherical_joint.hpp>

#include <cmath>
#include <numbers>

namespace filum::parts {
namespace {

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

/// `force` acts on the internal first partner at the point y, with `moment`; all in space. On the second one it acts at
/// that partner's own point.
void read_reaction(const Partner& a, const Partner& b, bool swapped, const Vector3d& y, const Vector3d& force,
                   const Vector3d& moment, JointReading& r) {
  r.force = swapped ? force : Vector3d(-force);
  r.moment = swapped ? Vector3d(moment + (y - a.point()).cross(force)) : Vector3d(-moment);
  const Matrix3d& F = (swapped ? b : a).axes;
  r.force_joint = F.transpose() * r.force;
  r.moment_joint = F.transpose() * r.moment;
}

template <class P>
const P& part_of(const JointHandle& joint) {
  return static_cast<const P&>(*joint.part);
}

JointReading read_frames(const FrameJoints& part, const JointHandle& handle, const State& x) {
  const FrameJoints::Joint& j = part.joint(handle.number);
  const FramePair::Motion m = j.pair.motion_at(x.t, x.q, x.v);
  const Partner a{m.p.A, m.V_a, j.pair.at_a.point, m.p.A.R * j.pair.axes_a};
  const Partner b{m.p.B, m.V_b, j.pair.at_b.point, m.p.B.R * j.pair.axes_b};
  JointReading r;
  read_coordinates(j.swapped ? b : a, j.swapped ? a : b, r);
  const FrameJoints::Reaction on_a = part.reaction(handle.number, x.t, x.q, x.lambda);
  read_reaction(a, b, j.swapped, a.pose.act(j.point_on_a(m.p)), a.pose.R * on_a.force, a.pose.R * on_a.moment, r);
  if (j.displacement) r.drive_force = j.sign() * x.lambda[j.row() + j.forces() - 1];
  if (j.angle) r.drive_torque = x.lambda[j.row() + j.rows() - 1];
  return r;
}

JointReading read_spherical(const SphericalJoints& part, const JointHandle& handle, const State& x) {
  const auto partner = [&](const SphericalJoints::Partner& m) -> Partner {
    const Pose pose = m.frame.pose(x.q);
    return {pose, m.frame.twist(pose, x.v), m.point, pose.R};
  };
  const Partner a = partner(part.first(handle.number)), b = partner(part.second(handle.number));
  JointReading r;
  read_coordinates(handle.swapped ? b : a, handle.swapped ? a : b, r);
  r.angle = r.angle_rate = r.angle2 = r.angle2_rate = 0;
  const Vector3d force = -(a.pose.R * part.multipliers_body(handle.number, x.q, x.lambda));
  read_reaction(a, b, handle.swapped, a.point(), force, Vector3d::Zero(), r);
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

JointReading read_joint(const JointHandle& joint, const State& x) {
  switch (joint.kind) {
    case JointHandle::Kind::frames: return read_frames(part_of<FrameJoints>(joint), joint, x);
    case JointHandle::Kind::spherical: return read_spherical(part_of<SphericalJoints>(joint), joint, x);
    case JointHandle::Kind::distance: return read_distance(part_of<DistanceJoints>(joint), joint, x);
    case JointHandle::Kind::absorbed: break;
  }
  return {};
}

RowRange JointHandle::rows() const {
  switch (kind) {
    case Kind::frames: return part_of<FrameJoints>(*this).joint(number).constraint.range();
    case Kind::spherical: return part_of<SphericalJoints>(*this).rows(number);
    case Kind::distance: return part_of<DistanceJoints>(*this).rows(number);
    case Kind::absorbed: break;
  }
  return {};
}

void JointHandle::report_multipliers(const State& x, const VectorXd& y, double* out) const {
  switch (kind) {
    case Kind::frames: return part_of<FrameJoints>(*this).multipliers_body(number, x.t, x.q, y, out);
    case Kind::spherical:
      Eigen::Map<Vector3d>{out} = part_of<SphericalJoints>(*this).multipliers_body(number, x.q, y);
      return;
    case Kind::distance: *out = y[rows().first]; return;
    case Kind::absorbed: return;
  }
}

std::string JointHandle::row_label(int k) const {
  switch (kind) {
    case Kind::frames: return part_of<FrameJoints>(*this).row_label(number, k);
    case Kind::spherical: return "position " + std::to_string(k + 1);
    case Kind::distance: return "distance";
    case Kind::absorbed: break;
  }
  return {};
}

double unwound(double angle, double reference) {
  return angle + 2 * std::numbers::pi * std::round((reference - angle) / (2 * std::numbers::pi));
}

}  // namespace filum::parts
