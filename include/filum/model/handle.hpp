/// Handles of objects, and the points they give to joints, springs, loads and sensors. User document:
/// docs/guide/cpp.md.
#pragma once

#include <Eigen/Core>

#include <array>
#include <cstdint>
#include <limits>
#include <string>

namespace filum::model {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Coordinates of a place on an object: none for the object as a whole, one along a beam, two on a surface.
struct Place {
  static constexpr double end = std::numeric_limits<double>::infinity();   ///< the last value of a coordinate
  static constexpr double all = std::numeric_limits<double>::quiet_NaN();  ///< every value of it: an edge of a surface

  int count = 0;
  std::array<double, 2> at{};

  bool is_whole() const { return count == 0; }
};

/// Where something is attached: a place on an object, and a point in the frame that the object has there. Without an
/// object it is a point of the ground, given in space.
struct Point {
  static constexpr int on_ground = -1, on_system = -2;
  static constexpr int unresolved = -3;  ///< on an object that does not exist: the mistake has been reported

  std::uint64_t model = 0;  ///< which model the object belongs to
  int object = on_ground;   ///< its number
  Place place = {};
  Vector3d offset = Vector3d::Zero();

  bool is_ground() const { return object == on_ground; }
  /// The point X of the same frame.
  Point at(const Vector3d& X) const {
    Point point = *this;
    point.offset = X;
    return point;
  }
};

/// `ground.at({1, 0, 0})` is a point in space.
inline const Point ground{};
/// The system as a whole, for sensors of its energy.
inline const Point whole_system{.object = Point::on_system};

/// An object of a model. Handles of all kinds are alike; a place that the object does not have is refused when the
/// point is used.
class Handle {
 public:
  Handle() = default;
  Handle(std::uint64_t model, int object) : model_(model), object_(object) {}

  int number() const { return object_; }
  std::uint64_t model() const { return model_; }

  Point frame() const { return {.model = model_, .object = object_}; }
  /// A point in the frame of a body.
  Point at(const Vector3d& X) const { return frame().at(X); }
  /// A beam at an arc length, and at its ends.
  Point at(double s) const { return {.model = model_, .object = object_, .place = {1, {s}}}; }
  Point start() const { return at(0.0); }
  Point end() const { return at(Place::end); }
  /// A surface at two coordinates; Place::all for a whole line.
  Point at(double s1, double s2) const { return {.model = model_, .object = object_, .place = {2, {s1, s2}}}; }
  /// The object as a whole, which is also what a handle stands for where a point is expected.
  operator Point() const { return frame(); }  // NOLINT: rod means all of rod

 private:
  std::uint64_t model_ = 0;
  int object_ = Point::on_ground;
};

}  // namespace filum::model
