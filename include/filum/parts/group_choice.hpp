/// `group = "auto"`: the configuration space that suits a body, a beam or a shell, and why. Theory:
/// docs/theory/joints.md, sec. 10.
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

/// What the rule for beams and shells looks at.
struct FlexibleSurroundings {
  bool is_held = false;          ///< joints lead to the ground
  bool mass_is_on_nodes = true;  ///< no node has its centre of mass elsewhere
  bool is_shell = false;
};
/// S3sdR3 or S3xR3 by (J.91).
GroupChoice choose_group(const FlexibleSurroundings& surroundings);

}  // namespace filum::parts
