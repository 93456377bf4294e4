/// Derivatives of the solution at the start. Theory: docs/theory/generalized_alpha.md, sec. 4.
#include <filum/integrate/start_derivatives.hpp>

namespace filum::integrate {

StartDerivatives::StartDerivatives(const System& system, const RowSelection& rows)
    : system_(system), index_1_(system, rows), q_(system.space().identity()) {
  for (VectorXd* x : {&a_, &jerk_, &commutator_, &v_, &a_before_, &zero_}) *x = VectorXd::Zero(system.size_v());
  for (VectorXd* x : {&lambda_, &rows_, &multipliers_}) *x = VectorXd::Zero(system.size_rows());
}

void StartDerivatives::factorize(double t, const VectorXd& q) {
  if (!index_1_.factorize(t, q).ok)
    throw StartFailed("no accelerations at the start: the constraints are redundant or not finite there");
}

// (GA.16) v̈ = (v̇(t + sh) − v̇(t − sh)) / (2sh) along the Taylor polynomial of the solution
void StartDerivatives::evaluate(const State& x, double h) {
  constexpr double s = 0.1;  // the choice of paper 002; orders do not depend on it
  factorize(x.t, x.q);
  index_1_.accelerations(x.t, x.q, x.v, a_, lambda_);
  accelerations_at(x, s * h, jerk_);
  accelerations_at(x, -s * h, a_before_);
  jerk_ = (jerk_ - a_before_) / (2 * s * h);
  system_.space().bracket(x.v, a_, commutator_);
  factorize(x.t, x.q);
}

void StartDerivatives::accelerations_at(const State& x, double dt, VectorXd& a) {
  v_ = x.v + 0.5 * dt * a_;
  system_.space().advance(x.q, dt, v_, q_);
  v_ = x.v + dt * a_;
  factorize(x.t + dt, q_);
  index_1_.accelerations(x.t + dt, q_, v_, a, multipliers_);
}

void StartDerivatives::add_normal_part(const VectorXd& w, VectorXd& v) {
  index_1_.rows().times(w, rows_, system_.row_blocks());
  index_1_.solve_linear(zero_, rows_, v_, multipliers_);
  v += v_;
}

}  // namespace filum::integrate
