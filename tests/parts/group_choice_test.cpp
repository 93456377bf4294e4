/// The choice of a body's group, and that it keeps what it promises.
#include <filum/parts/group_choice.hpp>

#include <gtest/gtest.h>

namespace filum::parts {
namespace {

using lie::GroupId;

TEST(GroupChoice, FollowsTheRulesOfThePaper) {
  EXPECT_EQ(choose_group(BodySurroundings{}).group, GroupId::S3xR3);
  EXPECT_EQ(choose_group({.frame_at_center_of_mass = false}).group, GroupId::S3sdR3);
  for (const JointType type : {JointType::fixed, JointType::spherical, JointType::revolute, JointType::prismatic,
                               JointType::cylindrical, JointType::planar, JointType::universal}) {
    EXPECT_EQ(choose_group({.joints_to_ground = {type}}).group, GroupId::S3sdR3) << name(type);
    EXPECT_EQ(choose_group({.joints_to_held_partners = {type}}).group, GroupId::S3sdR3) << name(type);
  }
  EXPECT_EQ(choose_group({.joints_to_others = {JointType::distance}}).group, GroupId::S3sdR3);
}

TEST(GroupChoice, SaysWhy) {
  const auto says = [](const BodySurroundings& s, const char* words) {
    return choose_group(s).reason.find(words) != std::string::npos;
  };
  EXPECT_TRUE(says({}, "free, with its frame at the centre of mass"));
  EXPECT_TRUE(says({.frame_at_center_of_mass = false}, "off the centre of mass"));
  EXPECT_TRUE(says({.joints_to_ground = {JointType::revolute}}, "held by the ground (revolute)"));
  EXPECT_TRUE(says({.joints_to_ground = {JointType::distance}}, "no joint confines it"));
  EXPECT_TRUE(says({.joints_to_held_partners = {JointType::prismatic}}, "partner that the ground holds"));
}

TEST(GroupChoice, OfBeamsAndShellsAsksWhatHoldsThem) {
  EXPECT_EQ(choose_group(FlexibleSurroundings{}).group, GroupId::S3xR3);
  EXPECT_EQ(choose_group(FlexibleSurroundings{.is_held = true}).group, GroupId::S3sdR3);
  EXPECT_EQ(choose_group(FlexibleSurroundings{.mass_is_on_nodes = false}).group, GroupId::S3sdR3);
  EXPECT_EQ(choose_group(FlexibleSurroundings{.is_shell = true}).group, GroupId::S3sdR3);
}

}  // namespace
}  // namespace filum::parts
