/// Catenaries that close on given nodes. Theory: docs/theory/statics.md, sec. 8.
#include "hanging.hpp"

#include <filum/lie/quaternion.hpp>
#include <filum/lie/s3.hpp>
#include <filum/model/model_error.hpp>

#include <Eigen/LU>

#include <cmath>

namespace filum::model {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;

/// sin(x)/x and its derivative.
double sinc(double x) { return std::abs(x) < 1e-4 ? 1 - x * x / 6 : std::sin(x) / x; }
double d_sinc(double x) { return std::abs(x) < 1e-3 ? -x / 3 : (std::cos(x) - std::sin(x) / x) / x; }

/// w > 0 with sinh(w)/w = ratio > 1.
double half_span(double ratio) {
  double w = ratio < 3 ? std::sqrt(6 * (ratio - 1)) : std::log(2 * ratio) + std::log(std::log(2 * ratio));
  for (int k = 0; k < 50; ++k) {
    const double step = (std::sinh(w) - ratio * w) / (std::cosh(w) - ratio);
    w -= step;
    if (std::abs(step) <= 1e-15 * w) break;
  }
  return w;
}

/// Angles of the tangents above the horizontal are φ = atan(k s + c): k is the weight per length over the horizontal
/// force. Positions follow on circular arcs of the right length.
struct PlaneCable {
  const std::vector<double>& grid;
  double k, c;

  double angle(double s) const { return std::atan(k * s + c); }
  template <class See>
  void each_segment(See&& see) const {
    for (std::size_t i = 1; i < grid.size(); ++i) {
      const double a = k * grid[i - 1] + c, b = k * grid[i] + c, h = grid[i] - grid[i - 1];
      see(i, h, std::atan(a), std::atan(b), 1 / (1 + a * a), 1 / (1 + b * b));
    }
  }
  /// Where it ends, with derivatives by k and c.
  Vector2d end(Matrix2d& J) const {
    Vector2d x = Vector2d::Zero();
    J.setZero();
    each_segment([&](std::size_t i, double h, double from, double to, double d_from, double d_to) {
      const double half = 0.5 * (to - from), mean = 0.5 * (to + from), r = h * sinc(half);
      const Vector2d along(std::cos(mean), std::sin(mean)), across(-along[1], along[0]);
      x += r * along;
      const auto add = [&](int column, double da, double db) {
        J.col(column) += 0.5 * h * d_sinc(half) * (db - da) * along + 0.5 * r * (da + db) * across;
      };
      add(0, d_from * grid[i - 1], d_to * grid[i]);
      add(1, d_from, d_to);
    });
    return x;
  }
};

/// The cable from the origin to (span, rise).
PlaneCable closed(const std::vector<double>& grid, double span, double rise) {
  const double length = grid.back(), w = half_span(std::sqrt(length * length - rise * rise) / span);
  // The continuous catenary: a = span/2w, sinh at its ends from rise = 2a sinh(m) sinh(w).
  const double a = span / (2 * w), m = std::asinh(rise / (2 * a * std::sinh(w)));
  PlaneCable cable{grid, 1 / a, std::sinh(m - w)};
  Matrix2d J;
  double before = 1e300;
  for (int n = 0; n < 50; ++n) {
    const Vector2d off = cable.end(J) - Vector2d(span, rise);
    if (!(off.norm() < before) && off.norm() < 1e-12 * length) return cable;
    before = off.norm();
    const Vector2d step = J.fullPivLu().solve(off);
    cable.k -= step[0], cable.c -= step[1];
  }
  if (before < 1e-10 * length) return cable;
  throw OptionError("segments", "too few segments for this shape; use more");
}

}  // namespace

NodePoses hanging_poses(const Hanging& shape, const std::vector<double>& grid, const Vector3d& gravity) {
  if (!(gravity.norm() > 0)) throw OptionError("shape", "a hanging shape needs `gravity` to hang in");
  const Vector3d up = -gravity.normalized(), way = shape.to - shape.from;
  const double rise = way.dot(up);
  const Vector3d level = way - rise * up;
  const double span = level.norm(), distance = way.norm();
  if (!(shape.length > distance * (1 + 1e-9)))
    throw OptionError("shape.length",
                      "expected more than the distance between the two points, " + std::to_string(distance));
  if (!(span > 1e-9 * shape.length))
    throw OptionError("shape.to", "expected a point that is not exactly above or below `from`");
  const Vector3d along = level / span, normal = along.cross(up);
  const PlaneCable cable = closed(grid, span, rise);

  const double first = cable.angle(0);
  const Vector3d tangent = std::cos(first) * along + std::sin(first) * up;
  const Vector4d start = first_frame(shape.director, tangent);
  NodePoses nodes{{shape.from}, {start}};
  cable.each_segment([&](std::size_t, double h, double from, double to, double, double) {
    const double mean = 0.5 * (from + to);
    nodes.positions.push_back(nodes.positions.back() +
                              h * sinc(0.5 * (to - from)) * (std::cos(mean) * along + std::sin(mean) * up));
    nodes.orientations.push_back(lie::S3::compose(lie::S3::exp((to - first) * normal), start));
  });
  return nodes;
}

}  // namespace filum::model
