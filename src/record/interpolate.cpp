/// Hermite interpolation on the group. User document: docs/guide/results.md, "Frames".
#include <filum/record/interpolate.hpp>

namespace filum::record {

Interpolator::Interpolator(const System& system, const mechanics::RowSelection& rows)
    : system_(system),
      index_1_(system, rows),
      x_(system.make_state()),
      delta_(system.size_v()),
      rate_(system.size_v()),
      theta_(system.size_v()),
      theta_rate_(system.size_v()) {}

const State& Interpolator::at(double t, const State& a, const State& b) {
  const double h = b.t - a.t, r = (t - a.t) / h;
  const auto& space = system_.space();
  space.difference(a.q, b.q, delta_);                 // θ(1)
  space.tangent_op_inv_times(1, delta_, b.v, rate_);  // θ'(1)/h, since v = T(θ) θ̇
  const double end = r * r * (3 - 2 * r), start_rate = r * (1 - r) * (1 - r), end_rate = r * r * (r - 1);
  theta_ = end * delta_ + (start_rate * h) * a.v + (end_rate * h) * rate_;
  theta_rate_ = (6 * r * (1 - r) / h) * delta_ + ((1 - r) * (1 - 3 * r)) * a.v + (r * (3 * r - 2)) * rate_;
  x_.t = t;
  space.advance(a.q, 1, theta_, x_.q);
  space.tangent_op_times(1, theta_, theta_rate_, x_.v);
  index_1_.forget_pivots();  // frames depend on the two states alone, also after a resume
  index_1_.solve(x_);
  return x_;
}

}  // namespace filum::record
