/// Springs, dampers and viscous friction on joint coordinates. Theory: docs/theory/joints.md, sec. 8.
#pragma once

#include <filum/parts/joint.hpp>

#include <string>

namespace filum::parts {

enum class JointCoordinate { angle, displacement };

/// The torque or force −k (x − x0) − d ẋ on the coordinate x of a joint. With stiffness 0 it is viscous friction. An angle is
/// measured the short way round from x0: the spring is made for deflections within half a turn, and its torque is not a
/// number in the last 0.1 rad before that.
struct JointSpringOptions {
  std::string name = "spring";
  JointCoordinate coordinate = JointCoordinate::angle;
  double stiffness = 0;
  double damping = 0;
  double rest = 0;  ///< x0, counted from the initial position of the joint
};

/// Throws std::invalid_argument for negative stiffness or damping and for a joint without that free coordinate.
void add_joint_spring(System& system, const JointSpringOptions& options, const JointHandle& joint);

}  // namespace filum::parts
