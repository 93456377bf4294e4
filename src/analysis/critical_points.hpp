/// Where on a step of a path stability changes. Theory: docs/theory/statics.md, sec. 7.
#pragma once

#include "path_follower.hpp"

#include <vector>

namespace filum::analysis {

/// A point of a path and what is known about it.
struct KnownPoint {
  StaticPoint x;
  PathDirection tangent;
  Stability stability;
  double s = 0;  ///< along the tangent of the first point of a step
};

/// (EQ.16) Critical points between `from` and `to`, which is one step along the tangent of `from`, in their order.
std::vector<CriticalPoint> locate_critical_points(StaticEquations& equations, PathFollower& follower,
                                                  const KnownPoint& from, const KnownPoint& to);

/// Whether stability or the sense of the parameter changes between two points.
bool is_critical_between(const KnownPoint& a, const KnownPoint& b);

}  // namespace filum::analysis
