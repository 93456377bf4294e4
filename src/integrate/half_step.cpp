/// Newton's method for the first half of RATTLie and for SHAKELie. Theory: docs/theory/rattlie.md.
#include "rounding.hpp"

#include <filum/integrate/half_step.hpp>
#include <filum/mechanics/node_operations.hpp>
#include <filum/mechanics/nodes.hpp>

namespace filum::integrate {

using mechanics::tangent;

HalfStep::HalfStep(const System& system, NewtonOptions options, const RowSelection& rows, double position_tolerance)
    : system_(system),
      selected_(rows),
      position_tolerance_(position_tolerance),
      newton_(system.size_v() + system.size_lambda(), options),
      kkt_(system.pattern(), rows),
      H_(system.pattern(),
         system.forces_depend_on_velocity() ? linalg::Structure::coupled : linalg::Structure::separable),
      M_(system),
      C_new_(system.pattern()),
      unknowns_(system.size_v() + system.size_lambda()),
      q_new_(system.size_q()) {
  for (VectorXd* x : {&V_, &MV_, &MV_new_, &momentum_residual_, &V_change_}) *x = VectorXd::Zero(system.size_v());
  for (VectorXd* x : {&y_, &position_residual_, &y_change_}) *x = VectorXd::Zero(system.size_rows());
  if (M_.varies()) M_mean_.emplace(system.pattern(), linalg::Structure::separable);
}

NewtonReport HalfStep::solve(double t, double h, const VectorXd& q, const linalg::RowMatrix& rows, VectorXd& p,
                             VectorXd& V, VectorXd& y, Momentum* momentum, linalg::KktSolver* frozen) {
  const int n = system_.size_v(), m = system_.size_lambda();
  unknowns_.head(n) = V;
  unknowns_.tail(m) = y.head(m);
  selected_.clear_inactive(unknowns_.tail(m));
  Equations equations{*this, t, h, q, rows, p, momentum, frozen};
  const NewtonReport report = newton_.solve(equations, unknowns_, frozen == nullptr);
  if (!report.converged()) return report;
  equations.evaluate(unknowns_);
  V = V_;
  y.head(m) = y_.head(m);
  return report;
}

void HalfStep::prepare(double t, double h, const VectorXd& q, const linalg::RowMatrix& rows, const VectorXd& V) {
  // Not at rest, where blocks of diagonal inertias are diagonal and the solver would reserve less.
  unknowns_ << VectorXd(V.array() + 1), VectorXd::Zero(system_.size_lambda());
  Equations{*this, t, h, q, rows, momentum_residual_, nullptr, nullptr}.linearize(unknowns_);
}

/// V, y, q_new and M̄V of an iterate.
void HalfStep::Equations::evaluate(const VectorXd& unknowns) {
  const System& system = s.system_;
  s.V_ = unknowns.head(system.size_v());
  s.y_.head(system.size_lambda()) = unknowns.tail(system.size_lambda());
  system.space().advance(q, h, s.V_, s.q_new_);
  if (!system.has_varying_mass()) {
    system.mass_times(s.q_new_, s.V_, s.MV_);
    return;
  }
  system.mass_times(q, s.V_, s.MV_);
  system.mass_times(s.q_new_, s.V_, s.MV_new_);
  s.MV_ = 0.5 * (s.MV_ + s.MV_new_);
}

// (R.9) H = T⁻ᵀ(−hV) M − h ∂(T⁻ᵀ(w) MV)/∂w at w = −hV
void momentum_derivative(const System& system, double h, const VectorXd& V, const VectorXd& MV,
                         const linalg::NodeMatrix& M, linalg::NodeMatrix& H) {
  H.set_zero();
  mechanics::for_each_node(system.space(), [&]<class G>(lie::GroupTag<G>, int node, int, int at) {
    const int block_at = system.pattern().block_offset(node, node);
    const linalg::ConstBlockMap<G::dim, G::dim> M_node(M.data() + block_at);
    linalg::BlockMap<G::dim, G::dim> H_node(H.data() + block_at);
    const typename G::Tangent w = -h * tangent<G>(V, at);
    H_node = -h * G::d_tangent_op_inv_T_times(w, tangent<G>(MV, at));
    H_node.noalias() += G::tangent_op_inv(w).transpose() * M_node;
  });
}

// (R.9) The rows below H are C(q_new) T(hV).
linalg::FactorReport HalfStep::Equations::linearize(const VectorXd& unknowns) {
  const System& system = s.system_;
  evaluate(unknowns);
  evaluated = true;
  matrix = &s.kkt_;
  if (s.M_mean_) {
    s.M_mean_->assign(s.M_.at(q));
    s.M_mean_->add(1, s.M_.at(s.q_new_));
    s.M_mean_->values() *= 0.5;
  }
  momentum_derivative(system, h, s.V_, s.MV_, s.M_mean_ ? *s.M_mean_ : s.M_.current(), s.H_);
  if (momentum) momentum->add_matrix(s.V_, s.H_);
  system.constraint_jacobian(t + h, s.q_new_, s.C_new_);
  mechanics::multiply_rows_by_tangent(system.space(), h, s.V_, s.C_new_, system.holonomic_blocks());
  const auto structure =
      momentum && system.couples_by_velocity() ? linalg::Structure::coupled : linalg::Structure::separable;
  const linalg::FactorReport nodes = s.kkt_.set_nodes(s.H_, structure);
  if (!nodes.ok) return nodes;
  return s.kkt_.set_rows(s.C_new_, rows, system.holonomic_blocks());
}

// (R.1) and (R.2), by which the iterate misses them
bool HalfStep::Equations::correction(const VectorXd& unknowns, VectorXd& change) {
  const System& system = s.system_;
  const int m = system.size_lambda();
  if (!evaluated) evaluate(unknowns);
  evaluated = false;
  if (momentum) momentum->evaluate(s.V_, p);
  system.space().tangent_op_inv_T_times(-h, s.V_, s.MV_, s.momentum_residual_);
  if (system.has_varying_mass()) system.add_kinetic_gradient(q, s.V_, -0.5 * h, s.momentum_residual_);
  rows.add_transpose_times(s.y_, 1, s.momentum_residual_, system.holonomic_blocks());
  s.momentum_residual_ = p - s.momentum_residual_;
  system.constraint(t + h, s.q_new_, s.position_residual_);
  s.position_residual_ *= -1 / h;
  s.selected_.clear_inactive(s.position_residual_);
  // What is not finite here is not finite in the change either, and Newton looks there.
  matrix->solve(s.momentum_residual_, s.position_residual_, s.V_change_, s.y_change_);
  change.head(system.size_v()) = s.V_change_;
  change.tail(m) = s.y_change_.head(m);
  return true;
}

// A short segment turns an error of 1e-16 |q| in Φ into a rotation of 1e-16 |q| / Δs: such increments do not shrink.
bool HalfStep::Equations::residual_is_rounding() const {
  const double terms = largest(p) + largest(s.MV_) + largest(s.y_.head(s.system_.size_lambda()));
  return std::abs(h) * largest(s.position_residual_) <= position_rounding * std::max(1.0, largest(s.q_new_)) &&
         largest(s.momentum_residual_) <= momentum_rounding * terms;
}

// (NW.3)
bool HalfStep::Equations::correction_is_rounding() {
  return is_lost_in_rounding(s.system_, s.q_new_, h, s.M_.at(s.q_new_), s.V_change_, s.MV_new_);
}

// (R.2a) Constraints are to hold far beyond the tolerance of velocities.
bool HalfStep::Equations::accepts(double rate) const {
  if (s.system_.size_lambda() == 0) return true;
  const double left = std::min(rate, 1.0) * std::abs(h) * largest(s.position_residual_);
  return left <= s.position_tolerance_ * std::max(1.0, largest(s.q_new_));
}

}  // namespace filum::integrate
