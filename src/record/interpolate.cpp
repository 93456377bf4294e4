/// Hermite interpolation on the group. User document: docs/guide/results.md, "Frames".
#include <filum/record/interpolate.hpp>

#include <algorithm>

namespace filum::record {

Interpolator::Interpolator(const System& system, const mechanics::RowSelection& rows)
    : system_(system), selected_(rows), index_1_(system, rows), rows_(system.pattern()), x_(system.make_state()) {
  for (VectorXd* v : {&delta_, &rate_, &theta_, &theta_rate_, &zero_}) *v = VectorXd::Zero(system.size_v());
  for (VectorXd* v : {&allowed_, &residual_, &rate_of_rows_, &multipliers_}) *v = VectorXd::Zero(system.size_rows());
}

const State& Interpolator::at(double t, const State& a, const State& b, Between between) {
  index_1_.forget_pivots();  // frames depend on the two states alone, also after a resume
  curve(t, a, b);
  if (system_.size_rows() > 0) project(a, b);
  if (between == Between::forces) {
    index_1_.solve(x_);
  } else {
    const double r = (t - a.t) / (b.t - a.t);
    x_.a = (1 - r) * a.a + r * b.a;
    x_.lambda = (1 - r) * a.lambda + r * b.lambda;
  }
  return x_;
}

void Interpolator::curve(double t, const State& a, const State& b) {
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
}

void Interpolator::project(const State& a, const State& b) {
  constexpr int most = 4;  // Newton's method from a distance of h⁴
  constexpr double rounding = 1e-15;
  const double r = (x_.t - a.t) / (b.t - a.t);
  const auto between = [r](VectorXd& at_a, const VectorXd& at_b) { at_a = (1 - r) * at_a + r * at_b; };
  position_residual(a.t, a.q, allowed_);
  position_residual(b.t, b.q, residual_);
  between(allowed_, residual_);
  const double enough = rounding * std::max(1.0, x_.q.lpNorm<Eigen::Infinity>());
  for (int k = 0; k < most; ++k) {
    position_residual(x_.t, x_.q, residual_);
    residual_ = allowed_ - residual_;
    if (residual_.lpNorm<Eigen::Infinity>() <= enough || !index_1_.factorize(x_.t, x_.q).ok) break;
    index_1_.solve_linear(zero_, residual_, theta_, multipliers_);
    system_.space().advance(x_.q, 1, theta_, x_.q);
  }
  velocity_residual(a, allowed_);
  velocity_residual(b, residual_);
  between(allowed_, residual_);
  if (!index_1_.factorize(x_.t, x_.q).ok) return;
  velocity_residual(x_, residual_);
  residual_ = allowed_ - residual_;
  index_1_.solve_linear(zero_, residual_, theta_, multipliers_);
  x_.v += theta_;
}

void Interpolator::position_residual(double t, const VectorXd& q, VectorXd& out) const {
  out.setZero();
  system_.constraint(t, q, out.head(system_.size_lambda()));
  selected_.clear_inactive(out);
}

void Interpolator::velocity_residual(const State& x, VectorXd& out) {
  system_.constraint_jacobian(x.t, x.q, rows_);
  rows_.times(x.v, out, system_.row_blocks());
  system_.constraint_rate(x.t, x.q, rate_of_rows_);
  out += rate_of_rows_;
  selected_.clear_inactive(out);
}

}  // namespace filum::record
