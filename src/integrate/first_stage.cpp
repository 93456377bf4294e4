/// Accelerations at the beginning of a step. Theory: docs/theory/half_explicit_rk.md, (HE.6).
#include <filum/integrate/first_stage.hpp>

namespace filum::integrate {

FirstStage::FirstStage(const System& system, const RowSelection& rows)
    : system_(system),
      index_1_(system, rows),
      a_(VectorXd::Zero(system.size_v())),
      lambda_(VectorXd::Zero(system.size_rows())),
      a_ahead_(a_),
      lambda_ahead_(lambda_),
      momentum_(a_),
      zero_(lambda_),
      impulse_(lambda_) {}

StepTrouble FirstStage::prepare(const State& x, StepReport& report) {
  if (known_) return StepTrouble::none;
  const StepTrouble trouble = solve(x.t, x.q, x.v, a_, lambda_, report);
  known_ = trouble == StepTrouble::none;
  return trouble;
}

StepTrouble FirstStage::look_ahead(double t, const VectorXd& q, const VectorXd& v, StepReport& report) {
  return solve(t, q, v, a_ahead_, lambda_ahead_, report);
}

void FirstStage::project_ahead(const VectorXd& q, VectorXd& v) {
  system_.mass_times(q, v, momentum_);
  index_1_.solve_linear(momentum_, zero_, v, impulse_);
}

void FirstStage::move_on() {
  a_.swap(a_ahead_);
  lambda_.swap(lambda_ahead_);
  known_ = true;
}

void FirstStage::complete(State& x) {
  StepReport report;
  if (prepare(x, report) == StepTrouble::none) {
    x.a = a_;
    x.lambda = lambda_;
  } else {
    x.a.setConstant(std::numeric_limits<double>::quiet_NaN());
    x.lambda.setConstant(std::numeric_limits<double>::quiet_NaN());
  }
}

StepTrouble FirstStage::accelerations(double t, const VectorXd& q, const VectorXd& v, VectorXd& a, StepReport& report) {
  return solve(t, q, v, a, lambda_ahead_, report);
}

StepTrouble FirstStage::solve(double t, const VectorXd& q, const VectorXd& v, VectorXd& a, VectorXd& lambda,
                              StepReport& report) {
  ++report.matrices;
  if (!index_1_.solve(t, q, v, a, lambda).ok) return trouble_of_matrix(q, index_1_.rows());
  return a.allFinite() && lambda.allFinite() ? StepTrouble::none : StepTrouble::not_finite;
}

StepTrouble trouble_of_matrix(const VectorXd& q, const linalg::RowMatrix& rows) {
  return q.allFinite() && rows.values().allFinite() ? StepTrouble::singular_matrix : StepTrouble::not_finite;
}

}  // namespace filum::integrate
