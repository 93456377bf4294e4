/// Surfaces on which shells are drawn: poses of the nodes of a grid. User document: docs/guide/scenarios.md, "Shells".
#pragma once

#include <filum/model/value.hpp>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace filum::model {

using Eigen::Vector2d;
using Eigen::Vector4d;

inline config::Variables variables_of_surface() { return {"s1", "s2"}; }

/// A value on a surface: constant, or a callable of the coordinates s1 and s2.
template <class T>
class OnSurface {
 public:
  OnSurface(T value = {}) : value_(std::move(value)) {}  // NOLINT: a value is constant on the surface
  template <class F>
  requires std::invocable<const F&, double, double> OnSurface(F f)  // NOLINT: a callable of s1 and s2
      : value_(), function_([f](double s1, double s2) { return T(f(s1, s2)); }) {}
  template <class F>
  OnSurface(F f, std::vector<Number> numbers) : OnSurface(std::move(f)) {
    numbers_ = std::make_shared<const std::vector<Number>>(std::move(numbers));
  }

  T operator()(double s1, double s2) const { return function_ ? function_(s1, s2) : value_; }
  /// Its entries; nothing for a callable that is not made of formulas.
  std::optional<std::vector<Number>> numbers() const {
    if (numbers_) return *numbers_;
    if (function_) return {};
    std::vector<Number> entries;
    for (Eigen::Index i = 0; i < value_.size(); ++i) entries.emplace_back(value_[i]);
    return entries;
  }

 private:
  T value_;
  std::function<T(double, double)> function_;
  std::shared_ptr<const std::vector<Number>> numbers_;
};
/// Numbers of a file as a vector on a surface.
OnSurface<Vector3d> on_surface(const std::array<Number, 3>& numbers);
OnSurface<Vector6d> on_surface(const std::array<Number, 6>& numbers);

/// Flat: a corner, and the edges along s1 and s2 that leave it.
struct Parallelogram {
  Vector3d corner = Vector3d::Zero();
  std::array<Vector3d, 2> edges{Vector3d::UnitX(), Vector3d::UnitY()};
};

struct SurfacePoint {
  Vector3d position;
  std::array<Vector3d, 2> tangents;  ///< ∂x/∂s1, ∂x/∂s2
};
/// Any map x(s1, s2), 0 ≤ s1 ≤ size[0], 0 ≤ s2 ≤ size[1]. Coordinates need not be lengths.
struct SurfaceMap {
  std::function<SurfacePoint(double s1, double s2)> at;
  Vector2d size = Vector2d::Zero();
  std::optional<std::array<Number, 3>> numbers = {};  ///< what it was made of, when that can be written to a file
};
/// Of formulas, with exact tangents.
SurfaceMap surface_map(const std::array<Number, 3>& position, const Vector2d& size);
/// Of a callable; tangents are differences, and the callable is asked for points a thousandth of the size outside.
SurfaceMap surface_map(std::function<Vector3d(double s1, double s2)> position, const Vector2d& size);

/// Node by node, n = i + j·nodes1; frames follow from the positions when no orientations are given.
struct SurfaceNodes {
  std::vector<Vector3d> positions;
  std::vector<Vector4d> orientations = {};  ///< unit quaternions, scalar first
  std::vector<Vector6d> velocities = {};    ///< (Ω, U), in the frame of each node
};

/// The rest strains themselves, integrated from the corner: along s1 first, then along s2 from every node.
struct RestSurface {
  Vector3d corner = Vector3d::Zero();
  Vector4d orientation = Vector4d(1, 0, 0, 0);
  Vector2d size = Vector2d::Zero();
};

using SurfaceShape = std::variant<Parallelogram, SurfaceMap, SurfaceNodes, RestSurface>;

/// Lengths of the coordinates; 0 for nodes, whose coordinates are given elsewhere.
Vector2d size_of(const SurfaceShape& shape);

/// Coordinates of the nodes in both directions. Where a direction is closed the last node is not repeated, but its
/// coordinate is there.
struct SurfaceGrid {
  std::array<std::vector<double>, 2> s;
  std::array<bool, 2> closed{};
  int nodes(int direction) const { return static_cast<int>(s[direction].size()) - (closed[direction] ? 1 : 0); }
  int cells(int direction) const { return static_cast<int>(s[direction].size()) - 1; }
};
struct SurfacePoses {
  std::vector<Vector3d> positions;
  std::vector<Vector4d> orientations;
};
/// Frames have their first axis along s1 and the normal as their third. `rest` are relative poses of edges at rest,
/// needed by RestSurface. Throws OptionError.
SurfacePoses poses_on(const SurfaceShape& shape, const SurfaceGrid& grid,
                      const std::array<std::vector<Vector6d>, 2>& rest);

}  // namespace filum::model
