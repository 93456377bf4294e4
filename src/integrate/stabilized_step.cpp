/// Newton's method for stabilised SHAKELie, as the program behind paper 000 has it. Theory: docs/theory/shakelie.md.
#include "rounding.hpp"

#include <filum/integrate/stabilized_step.hpp>
#include <filum/mechanics/node_operations.hpp>

namespace filum::integrate {

StabilizedStep::StabilizedStep(const System& system, NewtonOptions options, const RowSelection& rows)
    : system_(system),
      selected_(rows),
      newton_(system.size_v() + 2 * system.size_lambda(), options),
      kkt_(system.pattern(), rows),
      projection_(system.pattern(), rows),
      H_(system.pattern(), linalg::Structure::separable),
      C_new_(system.pattern()),
      unknowns_(system.size_v() + 2 * system.size_lambda()),
      q_new_(system.size_q()) {
  for (VectorXd* x : {&U_, &V_, &MV_, &momentum_, &U_change_, &buffer_}) *x = VectorXd::Zero(system.size_v());
  for (VectorXd* x : {&y_, &eta_, &position_, &velocity_, &y_change_, &eta_change_, &rate_})
    *x = VectorXd::Zero(system.size_rows());
  for (int i = 0; i < system.space().nodes(); ++i) H_.block(i, i).setIdentity();
  projection_.set_nodes(H_, linalg::Structure::separable);
}

NewtonReport StabilizedStep::solve(double t, double h, const VectorXd& q, const linalg::RowMatrix& rows,
                                   const VectorXd& V_before, HalfStep::Momentum& momentum, VectorXd& p, VectorXd& U,
                                   VectorXd& y) {
  unknowns_.setZero();
  unknowns_.head(U.size()) = U;
  unknowns_.segment(U.size(), y.size()) = y;
  selected_.clear_inactive(unknowns_.segment(U.size(), y.size()));
  Equations equations{*this, t, h, q, rows, V_before, momentum, p};
  const NewtonReport report = newton_.solve(equations, unknowns_);
  if (!report.converged()) return report;
  equations.evaluate(unknowns_);
  U = U_;
  y = y_;
  return report;
}

/// U, y, η, V, q_new and MV of an iterate.
void StabilizedStep::Equations::evaluate(const VectorXd& unknowns) {
  const System& system = s.system_;
  s.U_ = unknowns.head(system.size_v());
  s.y_ = unknowns.segment(system.size_v(), system.size_lambda());
  s.eta_ = unknowns.tail(system.size_lambda());
  s.V_ = s.U_;
  rows.add_transpose_times(s.eta_, 1, s.V_, system.holonomic_blocks());
  system.space().advance(q, h, s.U_, s.q_new_);
  system.mass_times(q, s.V_, s.MV_);
}

// (S.10) that of (R.9) for U and y; the third equation is linear
linalg::FactorReport StabilizedStep::Equations::linearize(const VectorXd& unknowns) {
  const System& system = s.system_;
  evaluate(unknowns);
  momentum_derivative(system, h, s.V_, s.MV_, system.constant_mass(), s.H_);
  system.constraint_jacobian(t + h, s.q_new_, s.C_new_);
  mechanics::multiply_rows_by_tangent(system.space(), h, s.U_, s.C_new_, system.holonomic_blocks());
  const linalg::FactorReport nodes = s.kkt_.set_nodes(s.H_, linalg::Structure::separable);
  if (!nodes.ok) return nodes;
  const linalg::FactorReport projection = s.projection_.set_rows(rows, rows, system.holonomic_blocks());
  if (!projection.ok) return projection;
  return s.kkt_.set_rows(s.C_new_, rows, system.holonomic_blocks());
}

bool StabilizedStep::Equations::correction(const VectorXd& unknowns, VectorXd& change) {
  const System& system = s.system_;
  evaluate(unknowns);
  momentum.evaluate(s.V_, p);
  system.space().tangent_op_inv_T_times(-h, s.V_, s.MV_, s.momentum_);
  rows.add_transpose_times(s.y_, 1, s.momentum_, system.holonomic_blocks());
  s.momentum_ = p - s.momentum_;                    // (S.7)
  system.constraint(t + h, s.q_new_, s.position_);  // (S.8)
  s.position_ *= -1 / h;
  s.selected_.clear_inactive(s.position_);
  s.kkt_.solve(s.momentum_, s.position_, s.U_change_, s.y_change_);
  // (S.9) CₙCₙᵀ δη = −Cₙ (V₋ + V + δU) − 2 rate
  s.buffer_ = V_before + s.V_ + s.U_change_;
  rows.times(s.buffer_, s.velocity_, system.holonomic_blocks());
  system.constraint_rate(t, q, s.rate_);
  s.velocity_ += 2 * s.rate_;
  s.selected_.clear_inactive(s.velocity_);
  s.buffer_.setZero();
  s.projection_.solve(s.buffer_, s.velocity_, s.buffer_, s.eta_change_);
  change << s.U_change_, s.y_change_, s.eta_change_;
  return true;
}

// (NW.2) The missing share of η in the matrix turns rounding errors of q into those of momenta.
bool StabilizedStep::Equations::residual_is_rounding() const {
  const double terms = largest(p) + largest(s.MV_) + largest(s.y_);
  return std::abs(h) * largest(s.position_) <= position_rounding * std::max(1.0, largest(s.q_new_)) &&
         largest(s.momentum_) <=
             momentum_rounding * terms + largest(s.system_.constant_mass().values()) * smallest_velocity(s.q_new_, h);
}

}  // namespace filum::integrate
