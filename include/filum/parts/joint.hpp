/// Joints of all types between any two of ground, bodies and nodes of beams: how they are added, driven and read.
/// Theory: docs/theory/joints.md.
#pragma once

#include <filum/mechanics/switches.hpp>
#include <filum/parts/node_frame.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace filum::parts {

using Eigen::Vector4d;

enum class JointType { fixed, spherical, revolute, prismatic, cylindrical, planar, universal, distance };

/// "revolute" and so on, as in scenario files.
std::string_view name(JointType type);

/// In which frame a joint that holds a point writes that: in space, or in the frame of the first partner that moves,
/// joints.md (J.10) and (J.15). On the constraints both say the same; methods that leave them drift less in space.
enum class JointRows { space, body };

/// Whether a joint of this type holds all three coordinates of a point, so that `JointRows` is a choice. The rows of
/// the others are scalar products and the same in both.
bool holds_point(JointType type);

/// Partners are joined as they stand initially; directions are given in space, in that position.
struct JointOptions {
  std::string name = "joint";
  JointType type = JointType::fixed;
  Marker first, second;
  Vector3d axis =
      Vector3d(0, 0, 1);  ///< hinge axis, sliding direction, normal of the plane; universal: fixed in the first
  Vector3d axis2 = Vector3d(1, 0, 0);  ///< universal: fixed in the second partner, perpendicular to `axis`
  double length = 0;                   ///< distance: 0 takes the initial distance of the points
  JointRows rows = JointRows::space;   ///< where holds_point(type)
};

/// A joint and the part it is evaluated in. `absorbed`: the group of a body with a pivot holds the joint already,
/// nothing was added.
struct JointHandle {
  enum class Kind { absorbed, spherical, distance, frames };
  Kind kind = Kind::absorbed;
  std::shared_ptr<const mechanics::Part> part = nullptr;
  int number = -1;       ///< within its part
  bool swapped = false;  ///< the part has the partners in the other order, the ground last

  /// Its equations and multipliers, once the system is built; none when it was absorbed.
  RowRange rows() const;
  /// "position 2", "orientation 1", "distance", "drive of the angle" for row k of these.
  std::string row_label(int k) const;
  /// Multipliers (or η) `y` of all rows, those of this joint in the joint axes of the partner that JointRows::body
  /// would choose, whatever its rows: this is how they are reported.
  void report_multipliers(const State& x, const VectorXd& y, double* out) const;
};

/// Adds a joint between partners that are where builder.start() has them. Throws std::invalid_argument for a zero axis,
/// universal axes that are not perpendicular, partners that are the same, and points of mass, which have no orientation
/// that a joint could hold.
JointHandle add_joint(SystemBuilder& builder, const JointOptions& options);

// Drives -------------------------------------------------------------------------------------------------------------

/// A function of time with its first and second derivative.
struct DriveValue {
  double value = 0, rate = 0, acceleration = 0;
};
using DriveFunction = std::function<DriveValue(double t)>;
/// Lists the decisions that a function of time takes, (EV.1).
using TimeSwitches = std::function<void(double t, mechanics::SwitchList& out)>;

/// Prescribes the angle of a revolute, cylindrical or planar joint, or the first angle of a universal one, counted from
/// the initial position. It may wind past π. Throws std::invalid_argument when the joint has no free angle or belongs
/// to another system.
void drive_angle(SystemBuilder& builder, const JointHandle& joint, DriveFunction angle, TimeSwitches switches = {});
/// Prescribes the displacement along the axis of a prismatic or cylindrical joint.
void drive_displacement(SystemBuilder& builder, const JointHandle& joint, DriveFunction displacement,
                        TimeSwitches switches = {});

/// Motion of a frame: positions and linear velocities in space, angular ones in the frame.
struct FrameMotion {
  Vector3d position = Vector3d::Zero(), velocity = Vector3d::Zero(), acceleration = Vector3d::Zero();
  Vector4d orientation = Vector4d(1, 0, 0, 0);
  Vector3d angular_velocity = Vector3d::Zero(), angular_acceleration = Vector3d::Zero();
};
using MotionFunction = std::function<FrameMotion(double t)>;

/// The point of the marker follows the position, the frame of its node the orientation, or one of both.
struct MotionDriveOptions {
  std::string name = "drive";
  Marker at;
  MotionFunction motion;
  bool position = true, orientation = true;
  JointRows rows = JointRows::space;  ///< of the position
  TimeSwitches switches = {};         ///< of the motion
};
JointHandle add_motion_drive(SystemBuilder& builder, const MotionDriveOptions& options);

/// The rotational share of a FrameMotion that turns from `start` about a fixed axis in space.
FrameMotion turned(const Vector4d& start, const Vector3d& axis_in_space, const DriveValue& angle);

// Outputs ------------------------------------------------------------------------------------------------------------

/// Coordinates of the second partner relative to the first; `axes` of the joint are those of the frame fixed to the
/// first.
struct JointReading {
  double angle = 0, angle_rate = 0;    ///< about the axis, in (−π, π]; see `unwound`
  double angle2 = 0, angle2_rate = 0;  ///< universal: about the axis of the second partner
  Vector3d displacement = Vector3d::Zero(),
           displacement_rate = Vector3d::Zero();                 ///< in joint axes, the third is `axis`
  double distance = 0;                                           ///< of the two points
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();  ///< on the second partner at its point, space
  Vector3d force_joint = Vector3d::Zero(), moment_joint = Vector3d::Zero();  ///< the same in joint axes
  double drive_torque = 0, drive_force = 0;  ///< of drives, contained in moment and force; power is torque · rate
};
/// Reactions come from x.lambda, which must belong to x (Integrator::complete). Nothing is known of an absorbed joint.
JointReading read_joint(const JointHandle& joint, const State& x);

/// The value equal to `angle` up to full turns that is nearest to `reference`, for instance the last one.
double unwound(double angle, double reference);

}  // namespace filum::parts
