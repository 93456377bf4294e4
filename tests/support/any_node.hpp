/// A node of any group with inertia, and a point on it: to test connections between all pairs of groups.
#pragma once

#include <filum/parts/point_mass.hpp>
#include <filum/parts/rigid_body.hpp>

#include <array>
#include <string>

namespace filum::test {

using lie::GroupId;

/// Everything a joint or a spring may grip.
inline constexpr std::array<GroupId, 8> grippable_groups{GroupId::R3,    GroupId::SO3, GroupId::S3,     GroupId::SO3xR3,
                                                         GroupId::S3xR3, GroupId::SE3, GroupId::S3sdR3, GroupId::UDQ};

inline parts::RigidBodyOptions odd_body(GroupId group) {
  Eigen::Matrix3d inertia;
  inertia << 2, 0.1, -0.2, 0.1, 2.5, 0.3, -0.2, 0.3, 3;
  parts::RigidBodyOptions o{.name = "odd",
                            .group = group,
                            .mass = 1.7,
                            .inertia = inertia,
                            .center_of_mass = Eigen::Vector3d(0.2, -0.3, 0.5),
                            .position = Eigen::Vector3d(0.4, 0.1, -0.2),
                            .orientation = Eigen::Vector4d(0.1, -0.7, 0.5, 0.5),
                            .angular_velocity = Eigen::Vector3d(0.7, -1.1, 0.4),
                            .velocity = Eigen::Vector3d(0.3, 0.9, -0.6)};
  if (!lie::is_rigid_motion(group)) o.pivot = Eigen::Vector3d(-0.3, 0.6, 0.2);
  return o;
}

inline parts::Marker add_any_node(mechanics::SystemBuilder& builder, GroupId group, const Eigen::Vector3d& point) {
  if (lie::is_point(group)) {
    parts::Marker marker = parts::add_point_mass(builder, {.group = group, .mass = 1.3}).marker();
    marker.point = point;
    return marker;
  }
  return parts::add_rigid_body(builder, odd_body(group)).at(point);
}

}  // namespace filum::test
