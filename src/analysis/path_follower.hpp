/// Directions of a path and steps along it. Theory: docs/theory/statics.md, sec. 5.
#pragma once

#include "stability.hpp"
#include "static_newton.hpp"

#include <filum/analysis/static_path.hpp>

namespace filum::analysis {

/// A direction of a path: shape and multipliers, parameter.
struct PathDirection {
  StaticIncrement d;
  double p = 0;
};

/// (EQ.10) A path over the load factor or over time, whose whole range is `range`.
class PathFollower {
 public:
  PathFollower(StaticEquations& equations, bool is_time, double range, double tolerance);

  double parameter(const StaticPoint& x) const { return is_time_ ? x.x.t : x.factor; }
  void set_parameter(StaticPoint& x, double value) const { (is_time_ ? x.x.t : x.factor) = value; }
  double product(const PathDirection& a, const PathDirection& b) const {
    return equations_.product(a.d.q, b.d.q) + a.p * b.p / (range_ * range_);
  }
  /// Length of the way between two points that are close.
  double distance(const StaticPoint& a, const StaticPoint& b);
  /// Along the parameter alone.
  PathDirection forward(double sign) const;

  /// The unit tangent at x, on the side of `along`; false when the matrix is singular. The matrix of x is the last one
  /// factored afterwards.
  bool tangent(const StaticPoint& x, const PathDirection& along, PathDirection& out);
  /// x moved by s along a direction.
  StaticPoint predict(const StaticPoint& x, double s, const PathDirection& along) const;
  /// The direction of the chord of length s from a point with tangent `now`, when the tangent was `before` at the
  /// distance `last`, 0: unknown.
  PathDirection bent(const PathDirection& now, const PathDirection& before, double last, double s) const;
  /// (EQ.11) Newton in the plane normal to `normal`. `frozen`, if given, is a mode that increments have no share in.
  StaticNewtonReport correct(StaticPoint& x, const PathDirection& normal, const CriticalMode* frozen = nullptr);

 private:
  void by_parameter(const StaticPoint& x);

  StaticEquations& equations_;
  bool is_time_;
  double range_, tolerance_;
  VectorXd r_, phi_, r_p_, phi_p_;
  StaticIncrement d_, d_p_;
};

}  // namespace filum::analysis
