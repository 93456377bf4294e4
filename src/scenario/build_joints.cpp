/// Joints, drives and springs on joints of a scenario. User document: docs/guide/scenarios.md, "Joints".
#include "build_model.hpp"

#include <filum/lie/quaternion.hpp>
#include <filum/lie/s3.hpp>
#include <filum/lie/so3.hpp>
#include <filum/parts/joint_spring.hpp>
#include <filum/parts/rolling_disk.hpp>
#include <filum/scenario/differentiate.hpp>

namespace filum::scenario {
namespace {

parts::JointType joint_type(JointKind kind) {
  switch (kind) {
    case JointKind::spherical: return parts::JointType::spherical;
    case JointKind::revolute: return parts::JointType::revolute;
    case JointKind::prismatic: return parts::JointType::prismatic;
    case JointKind::cylindrical: return parts::JointType::cylindrical;
    case JointKind::planar: return parts::JointType::planar;
    case JointKind::universal: return parts::JointType::universal;
    case JointKind::distance: return parts::JointType::distance;
    default: return parts::JointType::fixed;
  }
}

/// A formula of time with its derivatives, as drives want it.
parts::DriveFunction drive_function(const Number& f, double step) {
  if (f.is_constant()) return [value = f(0)](double) { return parts::DriveValue{value, 0, 0}; };
  return [f, step](double t) {
    const Derivatives d = differentiate([&](double x) { return f(x); }, t, step);
    return parts::DriveValue{d.value, d.first, d.second};
  };
}

}  // namespace

void ModelBuilder::add_joints() {
  // Drives of joints need the joints they act on.
  for (const bool drives : {false, true})
    for (const Joint& j : scenario_.joints)
      if ((j.type == JointKind::drive) == drives)
        attempt("joint." + j.name, [&] {
          if (j.type == JointKind::drive) return add_drive(j);
          if (j.type == JointKind::rolling_disk) return add_rolling_disk(j);
          add_joint(j);
        });
}

void ModelBuilder::add_joint(const Joint& j) {
  const Target a = target((*j.connects)[0]), b = target((*j.connects)[1]);
  parts::JointOptions o;
  o.name = j.name;
  o.type = joint_type(j.type);
  if (j.type == JointKind::distance) {
    o.first = marker(a, (*j.points)[0]);
    o.second = marker(b, (*j.points)[1]);
    o.length = j.length.value_or(0);
  } else {
    // Where nothing is said: at the end of the beam, or at the frame of the second partner.
    const Vector3d at =
        j.at ? *j.at : initial_point(b.kind == Target::Kind::beam_point || a.kind != Target::Kind::beam_point ? b : a);
    o.first = marker_in_space(a, at);
    o.second = marker_in_space(b, at);
  }
  if (j.axis) o.axis = *j.axis;
  if (j.axis2) o.axis2 = *j.axis2;
  const parts::JointHandle handle = parts::add_joint(*model_.system, o, initial_.q);
  if (handle.kind == parts::JointHandle::Kind::absorbed)
    model_.remarks.push_back("joint " + j.name + ": absorbed by the group of the body it holds");
  model_.joints.push_back({j.name, j.type, handle, {}});
}

void ModelBuilder::add_rolling_disk(const Joint& j) {
  const Target a = target((*j.connects)[0]), b = target((*j.connects)[1]);
  const Target& disk = a.kind == Target::Kind::ground ? b : a;
  if (disk.kind != Target::Kind::body) throw std::invalid_argument("a rolling disk is a body");
  parts::add_rolling_disk(*model_.system, j.name, model_.bodies[static_cast<std::size_t>(disk.index)], *j.radius);
  model_.joints.push_back({j.name, j.type, {}, {}});
}

void ModelBuilder::add_drive(const Joint& j) {
  const double step = scenario_.time.step;
  if (j.joint) {
    const ModelJoint* driven = model_.find_joint(*j.joint);
    if (!driven) return;  // the joint itself has its own message
    if (j.angle) parts::drive_angle(*model_.system, driven->handle, drive_function(*j.angle, step));
    if (j.displacement)
      parts::drive_displacement(*model_.system, driven->handle, drive_function(*j.displacement, step));
    model_.joints.push_back({j.name, j.type, driven->handle, {}});
    return;
  }
  const Target on = target((*j.connects)[1]);
  const Vector3d at = j.at ? *j.at : initial_point(on);
  parts::MotionDriveOptions o{.name = j.name,
                              .at = marker_in_space(on, at),
                              .motion = {},
                              .position = j.position.has_value(),
                              .orientation = j.rotation.has_value()};
  const Number3 position = j.position.value_or(Number3{0, 0, 0}), rotation = j.rotation.value_or(Number3{0, 0, 0});
  const Vector4d start = lie::quaternion::from_matrix(parts::NodeFrame(*model_.system, o.at).pose(initial_.q).R);
  o.motion = [=](double t) { return prescribed_motion(position, rotation, start, t, step); };
  model_.joints.push_back({j.name, j.type, parts::add_motion_drive(*model_.system, o), {}});
}

void ModelBuilder::add_spring_on_joint(const Spring& s) {
  const ModelJoint* joint = model_.find_joint(*s.joint);
  model_.springs.push_back(-1);
  if (!joint) return;
  const bool slides = joint->type == JointKind::prismatic || joint->type == JointKind::cylindrical;
  parts::add_joint_spring(*model_.system,
                          {.name = s.name,
                           .coordinate = slides ? parts::JointCoordinate::displacement : parts::JointCoordinate::angle,
                           .stiffness = s.stiffness,
                           .damping = s.damping,
                           .rest = s.length},
                          joint->handle);
}

}  // namespace filum::scenario
