/// Shapes along which beams are drawn: grids and frames of their nodes. User document: docs/guide/scenarios.md,
/// "Beams".
#pragma once

#include <filum/model/value.hpp>

#include <optional>
#include <variant>
#include <vector>

namespace filum::model {

using Eigen::Vector4d;

/// Straight. Without a director frames have the shortest rotation from e3 to the tangent; the director fixes the first
/// axis of the section.
struct Line {
  Vector3d from = Vector3d::Zero(), to = Vector3d::UnitX();
  std::optional<Vector3d> director = {};
};

/// A part of a circle that begins at `from` in the direction `tangent` and bends towards `inward`.
struct Arc {
  Vector3d from = Vector3d::Zero(), tangent = Vector3d::UnitX(), inward = Vector3d::UnitZ();
  double radius = 1;
  double angle = 1;  ///< in radians; more than 2π winds on
  std::optional<Vector3d> director = {};
};

/// A helix about the line through `center` along `axis` that begins at `from`; `rise` per turn, negative for a
/// left-handed one.
struct Helix {
  Vector3d center = Vector3d::Zero(), axis = Vector3d::UnitZ(), from = Vector3d::UnitX();
  double rise = 1;
  double turns = 1;
  std::optional<Vector3d> director = {};
};

/// Any curve by its arc length. Frames follow without twist.
struct Curve {
  std::function<Vector3d(double s)> position;
  double length = 0;
  std::optional<Vector3d> director = {};
  std::function<Vector3d(double s)> tangent = {};  ///< dr/ds; differences of `position` when it is not given
  std::optional<std::array<Number, 3>> numbers =
      {};  ///< what `position` was made of, when that can be written to a file
};
Curve curve(const std::array<Number, 3>& position, double length, std::optional<Vector3d> director = {});

/// Node by node; arc lengths of the nodes are those of Beam::nodes.
struct Points {
  std::vector<Vector3d> positions;
  std::vector<Vector4d> orientations;  ///< unit quaternions, scalar first
};

/// The rest shape itself, integrated segment by segment from its first node.
struct RestShape {
  Vector3d from = Vector3d::Zero();
  Vector4d orientation = Vector4d(1, 0, 0, 0);
  double length = 0;
};

/// As a cable without bending stiffness hangs between two points, in the gravity of the model.
struct Hanging {
  Vector3d from = Vector3d::Zero(), to = Vector3d::UnitX();
  double length = 0;  ///< more than their distance
  std::optional<Vector3d> director = {};
};

using Shape = std::variant<Line, Arc, Helix, Curve, Points, RestShape, Hanging>;

/// Length along the shape; 0 for points, whose arc lengths are given elsewhere.
double length_of(const Shape& shape);

struct NodePoses {
  std::vector<Vector3d> positions;
  std::vector<Vector4d> orientations;
};
/// Poses at the given arc lengths. `rest` is the strain at rest of every segment (one entry: of all), needed by
/// RestShape; `gravity` is needed by Hanging. Throws OptionError.
NodePoses poses_along(const Shape& shape, const std::vector<double>& grid, const std::vector<Vector6d>& rest,
                      const Vector3d& gravity = Vector3d::Zero());

/// The frame at s = 0 of a beam with the tangent t: the third axis is t, the first lies in the plane of t and the
/// director.
Vector4d first_frame(const std::optional<Vector3d>& director, const Vector3d& t);

}  // namespace filum::model
