/// Prescribed motions: of a coordinate of a joint, or of a point and its frame in space. User document:
/// docs/guide/scenarios.md, "Drives".
#pragma once

#include <filum/model/object.hpp>
#include <filum/model/value.hpp>

#include <array>
#include <optional>

namespace filum::model {

/// The angle of a revolute, cylindrical, planar or universal joint, or the displacement of a prismatic or cylindrical
/// one, counted from the drawn position; one of them.
struct JointDrive {
  std::string name = {};
  Point joint = ground;  ///< handle of the joint
  std::optional<OfTime> angle = {};
  std::optional<OfTime> displacement = {};
};

/// The point `at` of the object follows `position`, its frame is turned from the drawn orientation by the rotation
/// vector `rotation`, both in space; one of them or both. An edge of a shell is moved as if it were rigid; its point is
/// by default the first node.
struct MotionDrive {
  std::string name = {};
  Point on = ground;
  std::optional<Vector3d> at = {};  ///< space, in the drawn position; default: the point itself
  std::optional<std::array<OfTime, 3>> position = {};
  std::optional<std::array<OfTime, 3>> rotation = {};
};

std::unique_ptr<Object> make_object(const JointDrive& options);
std::unique_ptr<Object> make_object(const MotionDrive& options);

/// A frame whose point follows `position` and that is turned from `start` by the rotation vector `rotation`.
parts::FrameMotion prescribed_motion(const std::array<OfTime, 3>& position, const std::array<OfTime, 3>& rotation,
                                     const Eigen::Vector4d& start, double t);

}  // namespace filum::model
