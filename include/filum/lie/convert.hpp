/// Conversions between the groups that describe rotations and rigid motions. Theory: docs/theory/groups.md, sec. 6.
#pragma once

#include <filum/lie/groups.hpp>

#include <type_traits>

namespace filum::lie {

/// The same pose in another group. Quaternion to matrix loses the quaternion's sign; back, p0 ≥ 0 is chosen.
template <RigidMotion To, RigidMotion From>
typename To::Element convert(const typename From::Element& q) {
  if constexpr (std::is_same_v<To, From>) {
    return q;
  } else {
    return To::from_pose(From::quaternion(q), From::position(q));
  }
}

/// The same velocity in another group, at the configuration q of the group From: v = (Ω, U) in the semi-direct
/// groups, (Ω, ẋ = R U) in the direct products, (G.43).
template <RigidMotion To, RigidMotion From>
typename To::Tangent convert_velocity(const typename From::Element& q, const typename From::Tangent& v) {
  typename To::Tangent w = v;
  if constexpr (To::is_semidirect && !From::is_semidirect) {
    w.template tail<3>() = From::rotation(q).transpose() * v.template tail<3>();
  } else if constexpr (!To::is_semidirect && From::is_semidirect) {
    w.template tail<3>() = From::rotation(q) * v.template tail<3>();
  }
  return w;
}

}  // namespace filum::lie
