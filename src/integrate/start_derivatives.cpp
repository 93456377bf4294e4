/// Derivatives of the solution at the start. Theory: docs/theory/generalized_alpha.md, sec. 4.
#include <filum/integrate/start_derivatives.hpp>

#include <cmath>
#include <sstream>

namespace filum::integrate {

StartDerivatives::StartDerivatives(const System& system, const RowSelection& rows)
    : system_(system), index_1_(system, rows), q_(system.space().identity()) {
  for (VectorXd* x : {&a_, &jerk_, &commutator_, &v_, &a_ahead_, &a_before_, &zero_})
    *x = VectorXd::Zero(system.size_v());
  for (VectorXd* x : {&lambda_, &rows_, &curvature_, &multipliers_}) *x = VectorXd::Zero(system.size_rows());
}

namespace {

[[noreturn]] void fail() {
  throw StartFailed("no accelerations at the start: the constraints are redundant or not finite there");
}

}  // namespace

void StartDerivatives::evaluate_accelerations(const State& x) {
  if (!place(x.t, x.q)) fail();
  index_1_.accelerations(x.t, x.q, x.v, a_, lambda_);
}

// (GA.16) v̈ = (v̇(t + sh) − v̇(t − sh)) / (2sh) along the Taylor polynomial of the solution, or, with what lies ahead
// only, (4 v̇(t + sh) − v̇(t + 2sh) − 3 v̇(t)) / (2sh): the errors of the polynomial, of O(h²), cancel.
void StartDerivatives::evaluate(const State& x, double h, bool only_ahead) {
  constexpr double s = 0.1;  // the choice of paper 002; orders do not depend on it
  evaluate_accelerations(x);
  if (!accelerations_at(x, s * h, false, jerk_) ||
      !accelerations_at(x, (only_ahead ? 2 : -1) * s * h, false, a_before_))
    fail();
  if (only_ahead) jerk_ = 4 * jerk_ - 3 * a_;
  jerk_ = (jerk_ - a_before_) / (2 * s * h);
  system_.space().bracket(x.v, a_, commutator_);
  is_valid_ = holds_over(x, h);
  place(x.t, x.q);
}

bool StartDerivatives::accelerations_at(const State& x, double dt, bool with_jerk, VectorXd& a) {
  v_ = x.v + 0.5 * dt * a_;
  if (with_jerk) v_ += (dt * dt) * (jerk_ / 6 + commutator_ / 12);
  system_.space().advance(x.q, dt, v_, q_);
  v_ = x.v + dt * a_;
  if (with_jerk) v_ += (0.5 * dt * dt) * jerk_;
  if (!place(x.t + dt, q_)) return false;
  index_1_.accelerations(x.t + dt, q_, v_, a, multipliers_);
  return true;
}

// (GA.20) |v̇(t + h) − v̇ − h v̈| ≤ |v̇| + h |v̈|, with v̇(t + h) at the end of the Taylor polynomial
bool StartDerivatives::holds_over(const State& x, double h) {
  if (!accelerations_at(x, h, true, a_ahead_)) return false;
  a_ahead_ -= a_ + h * jerk_;
  const double remainder = size(x.q, a_ahead_), terms = size(x.q, a_) + std::abs(h) * size(x.q, jerk_);
  return remainder <= terms;
}

/// The norm of kinetic energies, whatever units the components have.
double StartDerivatives::size(const VectorXd& q, const VectorXd& w) {
  system_.mass_times(q, w, v_);
  return std::sqrt(std::max(0.0, w.dot(v_)));
}

void StartDerivatives::add_normal_part(const VectorXd& w, VectorXd& v) {
  times_rows(w, rows_);
  add_normal(rows_, v);
}

void StartDerivatives::hidden_residual(double t, const VectorXd& q, const VectorXd& v, VectorXd& d) {
  times_rows(v, d);
  system_.constraint_rate(t, q, rows_);
  d += rows_;
}

void StartDerivatives::add_normal(const VectorXd& d, VectorXd& v) {
  index_1_.solve_linear(zero_, d, v_, multipliers_);
  v += v_;
}

void StartDerivatives::project_velocity(State& x) {
  if (!place(x.t, x.q)) return;
  hidden_residual(x.t, x.q, x.v, curvature_);
  curvature_ *= -1;
  add_normal(curvature_, x.v);
}

// [M Cᵀ; C 0] (w, μ) = (0, C v̇ + γ), v̇ ← v̇ − w, λ ← λ − μ
void StartDerivatives::project_acceleration(State& x) {
  if (!place(x.t, x.q)) return;
  times_rows(x.a, rows_);
  system_.curvature(x.t, x.q, x.v, curvature_);
  rows_ += curvature_;
  index_1_.solve_linear(zero_, rows_, v_, multipliers_);
  x.a -= v_;
  x.lambda -= multipliers_;
}

std::string remark_on_filtered_start(double h) {
  std::ostringstream text;
  text.precision(2);
  text << "the forces are too stiff for start = \"perturbed\" with the step " << h
       << ": the run began with accelerations without their stiff part, and the multipliers that are reported do not "
          "contain the oscillation that follows from it";
  return text.str();
}

}  // namespace filum::integrate
