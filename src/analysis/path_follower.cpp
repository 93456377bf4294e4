/// Tangents, predictors and correctors. Theory: docs/theory/statics.md, sec. 5.
#include "path_follower.hpp"

#include <algorithm>
#include <cmath>

namespace filum::analysis {

PathFollower::PathFollower(StaticEquations& equations, bool is_time, double range, double tolerance)
    : equations_(equations),
      is_time_(is_time),
      range_(range),
      tolerance_(tolerance),
      r_(equations.system().size_v()),
      phi_(VectorXd::Zero(equations.system().size_rows())),
      r_p_(r_),
      phi_p_(phi_),
      d_{r_, phi_},
      d_p_{r_, phi_} {}

PathDirection PathFollower::forward(double sign) const {
  return {{VectorXd::Zero(r_.size()), VectorXd::Zero(phi_.size())}, sign * range_};
}

double PathFollower::distance(const StaticPoint& a, const StaticPoint& b) {
  equations_.system().space().difference(a.x.q, b.x.q, d_.q);
  return std::hypot(equations_.length(d_.q), (parameter(a) - parameter(b)) / range_);
}

void PathFollower::by_parameter(const StaticPoint& x) {
  if (is_time_)
    equations_.by_time(x, 1e-6 * range_, r_p_, phi_p_);
  else
    equations_.by_factor(x, r_p_, phi_p_);
}

bool PathFollower::tangent(const StaticPoint& x, const PathDirection& along, PathDirection& out) {
  by_parameter(x);
  if (!equations_.factorize(x).ok) return false;
  equations_.solve(r_p_, phi_p_, out.d);
  out.p = 1;
  const double length = std::sqrt(product(out, out));
  if (!std::isfinite(length)) return false;
  const double scale = (product(out, along) < 0 ? -1 : 1) / length;
  out.d.q *= scale, out.d.lambda *= scale, out.p *= scale;
  return true;
}

StaticPoint PathFollower::predict(const StaticPoint& x, double s, const PathDirection& along) const {
  StaticPoint out = x;
  equations_.advance(x, s, along.d, out);
  set_parameter(out, parameter(x) + s * along.p);
  return out;
}

PathDirection PathFollower::bent(const PathDirection& now, const PathDirection& before, double last, double s) const {
  if (last == 0) return now;
  const double bend = 0.5 * s / last;
  return {{now.d.q + bend * (now.d.q - before.d.q), now.d.lambda + bend * (now.d.lambda - before.d.lambda)},
          now.p + bend * (now.p - before.p)};
}

StaticNewtonReport PathFollower::correct(StaticPoint& x, const PathDirection& normal, const CriticalMode* frozen) {
  constexpr int most_iterations = 12;
  StaticNewtonReport report;
  report.outcome = StaticNewtonOutcome::diverged;
  double previous = 0;
  for (; report.iterations < most_iterations; ++report.iterations) {
    by_parameter(x);
    if (!equations_.residual(x, r_, phi_)) return report.outcome = StaticNewtonOutcome::not_finite, report;
    if (!equations_.factorize(x).ok) return report.outcome = StaticNewtonOutcome::singular, report;
    equations_.solve(r_, phi_, d_);
    equations_.solve(r_p_, phi_p_, d_p_);
    const double dp =
        -equations_.product(normal.d.q, d_.q) / (equations_.product(normal.d.q, d_p_.q) + normal.p / (range_ * range_));
    d_.q += dp * d_p_.q, d_.lambda += dp * d_p_.lambda;
    if (frozen) {
      const double share = equations_.product(frozen->z.q, d_.q);
      d_.q -= share * frozen->z.q, d_.lambda -= share * frozen->z.lambda;
    }
    const double norm = std::max(equations_.largest(d_.q), std::abs(dp) / range_);
    if (!std::isfinite(norm)) return report.outcome = StaticNewtonOutcome::singular, report;
    if (report.iterations == 1) report.contraction = norm / previous;
    const bool stagnates = previous > 0 && norm > 0.5 * previous && norm <= newton_noise;
    if (report.iterations > 1 && norm > previous && norm > newton_noise) return report;
    if (report.iterations == 1 && report.contraction > path_contraction && norm > newton_noise) return report;
    equations_.advance(x, 1, d_, x);
    set_parameter(x, parameter(x) + dp);
    if (norm <= tolerance_ || stagnates) {
      ++report.iterations;
      report.outcome = StaticNewtonOutcome::converged;
      return report;
    }
    previous = norm;
  }
  return report;
}

}  // namespace filum::analysis
