/// Bisection by counts, then secants on the critical eigenvalue. Theory: docs/theory/statics.md, sec. 7.
#include "critical_points.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace filum::analysis {
namespace {

bool turns(const KnownPoint& a, const KnownPoint& b) { return a.tangent.p * b.tangent.p < 0; }

class Locator {
 public:
  Locator(StaticEquations& equations, PathFollower& follower, const KnownPoint& from)
      : equations_(equations), follower_(follower), from_(from) {}

  std::vector<CriticalPoint> found;

  /// Halves the interval until it has one change.
  void isolate(const KnownPoint& a, const KnownPoint& b, double width) {
    if (!is_critical_between(a, b)) return;
    const int changes = std::abs(a.stability.negative - b.stability.negative);
    const bool is_single = changes == 1;
    if (is_single || b.s - a.s < smallest * width) return refine(a, b, width);
    const auto m = at(0.5 * (a.s + b.s));
    if (!m) return refine(a, b, width);
    isolate(a, *m, width);
    isolate(*m, b, width);
  }

 private:
  static constexpr double smallest = 1e-4;  ///< of a step: changes closer together count as one
  static constexpr double fine = 1e-7;      ///< of a step: beyond it secants are followed without looking

  std::optional<KnownPoint> at(double s) {
    KnownPoint k;
    k.s = s;
    for (const bool freeze : {false, true}) {
      if (freeze && mode_.z.q.size() == 0) break;
      k.x = follower_.predict(from_.x, s, from_.tangent);
      if (!follower_.correct(k.x, from_.tangent, freeze ? &mode_ : nullptr).converged()) continue;
      if (!follower_.tangent(k.x, from_.tangent, k.tangent = from_.tangent)) continue;
      k.stability = count_negative(equations_);
      return k;
    }
    return std::nullopt;
  }

  /// Eigenvalue nearest to 0 at a point; with a new factorisation.
  double eigenvalue(const KnownPoint& k) {
    equations_.factorize(k.x);
    find_critical_mode(equations_, mode_);
    return mode_.eigenvalue;
  }

  // Sides are told by counts, or by the sense of the parameter where counts say nothing; values come from the
  // eigenvalue. Secants through the last two points, halving where they lead out of the interval.
  void refine(KnownPoint a, KnownPoint b, double width) {
    const int before = a.stability.negative, after = b.stability.negative;
    const bool turned = turns(a, b);
    KnownPoint last = a, previous = b;
    double value = std::abs(eigenvalue(a)), value_previous = -std::abs(eigenvalue(b)), s = 0;
    for (int k = 0; k < 60; ++k) {
      s = last.s - value * (last.s - previous.s) / (value - value_previous);
      const bool is_inside = s > a.s && s < b.s;
      if (is_inside && std::abs(s - last.s) <= fine * width) break;
      if (!is_inside) s = 0.5 * (a.s + b.s);
      if (b.s - a.s <= fine * width) break;
      const auto m = at(s);
      if (!m) break;
      const bool is_left = before != after ? m->stability.negative == before : !turns(a, *m);
      (is_left ? a : b) = *m;
      previous = std::move(last), value_previous = value;
      last = *m, value = (is_left ? 1 : -1) * std::abs(eigenvalue(*m));
    }
    report(last, previous, s, turned);
    found.back().negative_before = before, found.back().negative_after = after;
  }

  /// The point at s, close to `last`, with the shape of that one.
  void report(const KnownPoint& last, const KnownPoint& previous, double s, bool turned) {
    eigenvalue(last);
    const double p = follower_.parameter(last.x);
    const double slope = last.s == previous.s ? 0 : (p - follower_.parameter(previous.x)) / (last.s - previous.s);
    StaticPoint at = last.x;
    if (!turned) follower_.set_parameter(at, p + slope * (s - last.s));
    found.push_back({.kind = turned ? CriticalKind::limit_point : CriticalKind::bifurcation,
                     .factor = at.factor,
                     .state = at.x,
                     .mode = mode_.z.q,
                     .path_length = s});
  }

  StaticEquations& equations_;
  PathFollower& follower_;
  const KnownPoint& from_;
  CriticalMode mode_;
};

}  // namespace

bool is_critical_between(const KnownPoint& a, const KnownPoint& b) {
  return a.stability.negative != b.stability.negative || turns(a, b);
}

std::vector<CriticalPoint> locate_critical_points(StaticEquations& equations, PathFollower& follower,
                                                  const KnownPoint& from, const KnownPoint& to) {
  Locator locator(equations, follower, from);
  locator.isolate(from, to, to.s - from.s);
  return std::move(locator.found);
}

}  // namespace filum::analysis
