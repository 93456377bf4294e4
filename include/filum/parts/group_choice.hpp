/// `group = "auto"`: the configuration space that suits a body, and why. Theory: docs/theory/joints.md, sec. 10.
#pragma once

#include <filum/parts/joint.hpp>

#include <string>
#include <vector>

namespace filum::parts {

/// What the rules look at: the joints of one body.
struct BodySurroundings {
  bool frame_at_center_of_mass = true;
  std::vector<JointType> joints_to_ground = {};
  std::vector<JointType> joints_to_held_partners = {};  ///< to bodies that themselves have a joint to the ground
  std::vector<JointType> joints_to_others = {};         ///< to all other partners
};

struct GroupChoice {
  lie::GroupId group;
  std::string reason;  ///< one sentence
};

/// S3sdR3 or S3xR3 by the rules of (J.90).
GroupChoice choose_group(const BodySurroundings& surroundings);

}  // namespace filum::parts
