/// The rules behind `group = "auto"`, (J.90) and (J.91). Theory: docs/theory/joints.md, sec. 10.
#include <filum/parts/group_choice.hpp>

#include <algorithm>

namespace filum::parts {
namespace {

constexpr lie::GroupId semidirect = lie::GroupId::S3sdR3, direct = lie::GroupId::S3xR3;

bool is_lower_pair(JointType type) { return type != JointType::universal && type != JointType::distance; }

std::string listed(const std::vector<JointType>& types) {
  std::string text;
  for (const JointType type : types) {
    if (!text.empty()) text += ", ";
    text += name(type);
  }
  return text;
}

}  // namespace

GroupChoice choose_group(const BodySurroundings& s) {
  const auto has_lower_pair = [](const std::vector<JointType>& types) {
    return std::any_of(types.begin(), types.end(), is_lower_pair);
  };
  const auto has = [](const std::vector<JointType>& types, JointType type) {
    return std::find(types.begin(), types.end(), type) != types.end();
  };
  if (has_lower_pair(s.joints_to_ground))
    return {semidirect, "held by the ground (" + listed(s.joints_to_ground) +
                            "): its motions form a subgroup of SE(3), and the joint is kept exactly by every method"};
  if (has(s.joints_to_ground, JointType::universal))
    return {semidirect,
            "held by the ground at a point (universal): it turns about that point, a subgroup of SE(3), which is kept "
            "exactly"};
  if (has_lower_pair(s.joints_to_held_partners) || has(s.joints_to_held_partners, JointType::universal))
    return {semidirect, "joined (" + listed(s.joints_to_held_partners) +
                            ") to a partner that the ground holds: where both motions together form a subgroup of "
                            "SE(3) the joint is kept exactly"};
  const bool is_free = s.joints_to_ground.empty() && s.joints_to_held_partners.empty() && s.joints_to_others.empty();
  if (is_free && s.frame_at_center_of_mass)
    return {direct,
            "free, with its frame at the centre of mass: rotation and flight do not mix in the direct product, and a "
            "flight without forces is exact"};
  if (is_free)
    return {semidirect,
            "free, with its frame off the centre of mass: the mass matrix is constant in the semi-direct product only"};
  return {semidirect,
          "no joint confines it to a subgroup: both products have the same order, and the semi-direct one has a "
          "constant mass matrix wherever its frame is"};
}

GroupChoice choose_group(const FlexibleSurroundings& s) {
  if (s.is_shell)
    return {semidirect, "shells are as accurate in either product, and steps take less time in the semi-direct one"};
  if (s.is_held)
    return {semidirect,
            "joints lead to the ground: its nodes turn about what holds them, and such motions are screws in the "
            "semi-direct product"};
  if (!s.mass_is_on_nodes)
    return {semidirect, "free, with masses off its nodes: the mass matrix is constant in the semi-direct product only"};
  return {direct, "free: its nodes fly, and velocities of a flight are constant in the direct product"};
}

}  // namespace filum::parts
