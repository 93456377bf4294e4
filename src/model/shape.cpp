/// Nodes along lines, arcs, helices and curves, with frames by parallel transport. User document:
/// docs/guide/scenarios.md, "Beams".
#include "hanging.hpp"

#include <filum/lie/quaternion.hpp>
#include <filum/lie/s3sdr3.hpp>
#include <filum/model/model_error.hpp>
#include <filum/model/shape.hpp>

#include <cmath>
#include <numbers>

namespace filum::model {
namespace {

[[noreturn]] void refuse(const std::string& option, const std::string& message) { throw OptionError(option, message); }

NodePoses poses(const Line& line, const std::vector<double>& grid) {
  const Vector3d way = line.to - line.from;
  const Vector4d p = first_frame(line.director, way.normalized());
  NodePoses nodes;
  for (const double s : grid) {
    nodes.positions.push_back(line.from + way * (s / grid.back()));
    nodes.orientations.push_back(p);
  }
  return nodes;
}

/// dr/ds by differences of sixth order, one-sided at the ends.
Vector3d differenced_tangent(const Curve& curve, double s) {
  const double h = 2e-3 * curve.length;
  if (s >= 3 * h && s <= curve.length - 3 * h) {
    const auto pair = [&](int k) { return Vector3d(curve.position(s + k * h) - curve.position(s - k * h)); };
    return (45 * pair(1) - 9 * pair(2) + pair(3)) / (60 * h);
  }
  const double d = s < curve.length / 2 ? h : -h;
  const auto f = [&](int k) { return curve.position(s + k * d); };
  return (-147 * f(0) + 360 * f(1) - 450 * f(2) + 400 * f(3) - 225 * f(4) + 72 * f(5) - 10 * f(6)) / (60 * d);
}

/// Carries the first axis along without twist: two reflections per step, error of fourth order.
Vector3d transported(const Vector3d& axis, const Vector3d& x0, const Vector3d& t0, const Vector3d& x1,
                     const Vector3d& t1) {
  const Vector3d v = x1 - x0;
  const double c = v.squaredNorm();
  if (!(c > 0)) return axis;
  const Vector3d axis_l = axis - (2 / c) * v.dot(axis) * v, t_l = t0 - (2 / c) * v.dot(t0) * v, w = t1 - t_l;
  const double d = w.squaredNorm();
  return d > 0 ? Vector3d(axis_l - (2 / d) * w.dot(axis_l) * w) : axis_l;
}

NodePoses poses(const Curve& curve, const std::vector<double>& grid) {
  if (!curve.position) refuse("curve", "expected a function of the arc length");
  const auto tangent = [&](double s) { return curve.tangent ? curve.tangent(s) : differenced_tangent(curve, s); };
  constexpr int parts_per_segment = 8;
  Vector3d x = curve.position(0), t = tangent(0);
  const auto check = [&](double s) {
    if (!x.allFinite() || !(std::abs(t.norm() - 1) <= 1e-6))
      refuse("", "`curve` must be given by its arc length, |dr/ds| = 1, but at s = " + std::to_string(s) + " it is " +
                     std::to_string(t.norm()));
  };
  check(0);
  Matrix3d R = lie::quaternion::to_matrix(first_frame(curve.director, t.normalized()));
  Vector3d axis = R.col(0);
  NodePoses nodes;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    for (int k = 1; i > 0 && k <= parts_per_segment; ++k) {
      const double s = grid[i - 1] + (grid[i] - grid[i - 1]) * k / parts_per_segment;
      const Vector3d x_next = curve.position(s), t_next = tangent(s);
      axis = transported(axis, x, t.normalized(), x_next, t_next.normalized());
      x = x_next, t = t_next;
      check(s);
    }
    R.col(2) = t.normalized();
    R.col(0) = (axis - axis.dot(R.col(2)) * R.col(2)).normalized();
    R.col(1) = R.col(2).cross(R.col(0));
    Vector4d p = lie::quaternion::from_matrix(R);
    if (i > 0 && p.dot(nodes.orientations.back()) < 0)
      p = -p;  // neighbours on one sheet: their difference is the short way
    nodes.positions.push_back(x);
    nodes.orientations.push_back(p);
  }
  return nodes;
}

Vector3d direction(const char* option, const Vector3d& v) {
  if (!(v.norm() > 0) || !v.allFinite()) refuse(option, "expected a direction that is not zero");
  return v.normalized();
}

Curve as_curve(const Arc& arc) {
  if (!(arc.radius > 0)) refuse("shape.radius", "expected a positive number");
  const Vector3d t = direction("shape.tangent", arc.tangent), across = arc.inward - arc.inward.dot(t) * t;
  if (!(across.norm() > 1e-9 * arc.inward.norm()))
    refuse("shape.inward", "expected a direction that is not parallel to the tangent");
  const Vector3d n = across.normalized(), from = arc.from;
  const double r = arc.radius;
  return {.position = [=](double s) { return Vector3d(from + r * (std::sin(s / r) * t + (1 - std::cos(s / r)) * n)); },
          .length = length_of(arc),
          .director = arc.director,
          .tangent = [=](double s) { return Vector3d(std::cos(s / r) * t + std::sin(s / r) * n); }};
}

struct HelixMeasures {
  Vector3d axis, out, across, foot;
  double radius, rise, speed;  ///< rise and arc length per radian
};

HelixMeasures measures_of(const Helix& h) {
  HelixMeasures m;
  m.axis = direction("shape.axis", h.axis);
  const Vector3d way = h.from - h.center, out = way - way.dot(m.axis) * m.axis;
  m.radius = out.norm();
  if (!(m.radius > 0)) refuse("shape.from", "expected a point off the axis of the helix");
  m.out = out / m.radius;
  m.across = m.axis.cross(m.out);
  m.foot = h.from - out;
  m.rise = h.rise / (2 * std::numbers::pi);
  m.speed = std::hypot(m.radius, m.rise);
  return m;
}

Curve as_curve(const Helix& h) {
  const HelixMeasures m = measures_of(h);
  return {
      .position =
          [m](double s) {
            const double a = s / m.speed;
            return Vector3d(m.foot + m.radius * (std::cos(a) * m.out + std::sin(a) * m.across) + m.rise * a * m.axis);
          },
      .length = length_of(h),
      .director = h.director,
      .tangent =
          [m](double s) {
            const double a = s / m.speed;
            return Vector3d((m.radius * (std::cos(a) * m.across - std::sin(a) * m.out) + m.rise * m.axis) / m.speed);
          }};
}

/// q_{m+1} = q_m ∘ exp(Δs w*_m).
NodePoses poses(const RestShape& shape, const std::vector<double>& grid, const std::vector<Vector6d>& rest) {
  using G = lie::S3sdR3;
  G::Element q = G::from_pose(shape.orientation.normalized(), shape.from);
  NodePoses nodes;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    if (i > 0) q = G::compose(q, G::exp((grid[i] - grid[i - 1]) * rest[rest.size() == 1 ? 0 : i - 1]));
    nodes.positions.push_back(G::position(q));
    nodes.orientations.push_back(lie::quaternion::unit(G::quaternion(q)));
  }
  return nodes;
}

}  // namespace

Vector4d first_frame(const std::optional<Vector3d>& director, const Vector3d& t) {
  if (!director) return lie::quaternion::from_e3_to(t);
  const Vector3d normal = *director - director->dot(t) * t;
  if (!(normal.norm() > 1e-9 * director->norm())) refuse("director", "the director is parallel to the beam");
  Matrix3d R;
  R.col(0) = normal.normalized();
  R.col(2) = t;
  R.col(1) = t.cross(R.col(0));
  return lie::quaternion::from_matrix(R);
}

Curve curve(const std::array<Number, 3>& n, double length, std::optional<Vector3d> director) {
  const auto jet = [n](double s, int k) { return n[static_cast<std::size_t>(k)].jet(std::span(&s, 1)); };
  return {.position = [jet](double s) { return Vector3d(jet(s, 0).value, jet(s, 1).value, jet(s, 2).value); },
          .length = length,
          .director = std::move(director),
          .tangent = [jet](double s) { return Vector3d(jet(s, 0).first, jet(s, 1).first, jet(s, 2).first); },
          .numbers = n};
}

double length_of(const Shape& shape) {
  struct {
    double operator()(const Line& x) const { return (x.to - x.from).norm(); }
    double operator()(const Arc& x) const { return x.radius * std::abs(x.angle); }
    double operator()(const Helix& x) const { return std::abs(x.turns) * 2 * std::numbers::pi * measures_of(x).speed; }
    double operator()(const Curve& x) const { return x.length; }
    double operator()(const Points&) const { return 0; }
    double operator()(const RestShape& x) const { return x.length; }
    double operator()(const Hanging& x) const { return x.length; }
  } const length;
  return std::visit(length, shape);
}

NodePoses poses_along(const Shape& shape, const std::vector<double>& grid, const std::vector<Vector6d>& rest,
                      const Vector3d& gravity) {
  struct Visitor {
    const std::vector<double>& grid;
    const std::vector<Vector6d>& rest;
    const Vector3d& gravity;
    NodePoses operator()(const Line& x) const { return poses(x, grid); }
    NodePoses operator()(const Arc& x) const { return poses(as_curve(x), grid); }
    NodePoses operator()(const Helix& x) const { return poses(as_curve(x), grid); }
    NodePoses operator()(const Curve& x) const { return poses(x, grid); }
    NodePoses operator()(const Points& x) const {
      if (grid.size() != x.positions.size())
        refuse("initial",
               "a joint, spring or sensor needs a node that `initial` does not have; add it to `nodes` and `initial`");
      NodePoses nodes{x.positions, x.orientations};
      for (Vector4d& p : nodes.orientations) p.normalize();
      return nodes;
    }
    NodePoses operator()(const RestShape& x) const { return poses(x, grid, rest); }
    NodePoses operator()(const Hanging& x) const { return hanging_poses(x, grid, gravity); }
  };
  return std::visit(Visitor{grid, rest, gravity}, shape);
}

}  // namespace filum::model
