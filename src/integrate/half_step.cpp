/// Newton's method for the first half of RATTLie and for SHAKELie. Theory: docs/theory/rattlie.md.
#include <filum/integrate/half_step.hpp>
#include <filum/mechanics/node_operations.hpp>

namespace filum::integrate {

using mechanics::tangent;

HalfStep::HalfStep(const System& system, NewtonOptions options)
    : system_(system),
      newton_(system.size_v() + system.size_lambda(), options),
      kkt_(system.pattern()),
      H_(system.pattern()),
      M_(system.pattern()),
      M_new_(system.pattern()),
      C_new_(system.pattern()),
      x_(system.size_v() + system.size_lambda()),
      V_(system.size_v()),
      y_(VectorXd::Zero(system.size_rows())),
      q_new_(system.size_q()),
      MV_(system.size_v()),
      MV_new_(system.size_v()),
      top_(system.size_v()),
      bottom_(VectorXd::Zero(system.size_rows())) {
  if (!system.has_varying_mass()) system.mass(VectorXd(), M_);
}

NewtonReport HalfStep::solve(double t, double h, const VectorXd& q, const linalg::RowMatrix& rows, VectorXd& p, VectorXd& V, VectorXd& y,
                             Momentum* momentum, linalg::KktSolver* frozen) {
  active_ = frozen ? frozen : &kkt_;
  evaluated_ = false;
  t_ = t, h_ = h, q_ = &q, rows_ = &rows, p_ = &p, momentum_ = momentum;
  const int n = system_.size_v(), m = system_.size_lambda();
  x_.head(n) = V;
  x_.tail(m) = y.head(m);
  const NewtonReport report = newton_.solve(*this, x_, frozen == nullptr);
  if (!report.converged()) return report;
  V = x_.head(n);
  y.head(m) = x_.tail(m);
  V_ = V;
  evaluate_step(V_);
  return report;
}

void HalfStep::prepare(double t, double h, const VectorXd& q, const linalg::RowMatrix& rows, const VectorXd& V) {
  t_ = t, h_ = h, q_ = &q, rows_ = &rows, momentum_ = nullptr;
  x_ << V, VectorXd::Zero(system_.size_lambda());
  linearize(x_);
}

/// q_new and M̄V for a trial V.
void HalfStep::evaluate_step(const VectorXd& V) {
  system_.space().advance(*q_, h_, V, q_new_);
  if (!system_.has_varying_mass()) {
    system_.mass_times(q_new_, V, MV_);
    return;
  }
  system_.mass_times(*q_, V, MV_);
  system_.mass_times(q_new_, V, MV_new_);
  MV_ = 0.5 * (MV_ + MV_new_);
}

// (R.9) H = T⁻ᵀ(−hV) M − h ∂(T⁻ᵀ(w) MV)/∂w at w = −hV; the rows below are C(q_new) T(hV).
linalg::FactorReport HalfStep::linearize(const VectorXd& x) {
  V_ = x.head(system_.size_v());
  evaluate_step(V_);
  evaluated_ = true;
  active_ = &kkt_;
  if (system_.has_varying_mass()) {
    system_.mass(*q_, M_);
    system_.mass(q_new_, M_new_);
    M_.values() = 0.5 * (M_.values() + M_new_.values());
  }
  H_.set_zero();
  system_.space().for_each_node([&]<class G>(lie::GroupTag<G>, int node, int, int at) {
    const int block_at = system_.pattern().block_offset(node, node);
    const linalg::ConstBlockMap<G::dim, G::dim> M(M_.data() + block_at);
    linalg::BlockMap<G::dim, G::dim> H(H_.data() + block_at);
    const typename G::Tangent w = -h_ * tangent<G>(V_, at);
    H = -h_ * G::d_tangent_op_inv_T_times(w, tangent<G>(MV_, at));
    H.noalias() += G::tangent_op_inv(w).transpose() * M;
  });
  if (momentum_) momentum_->add_matrix(V_, H_);
  system_.constraint_rows(t_ + h_, q_new_, C_new_);
  mechanics::multiply_rows_by_tangent(system_.space(), h_, V_, C_new_, system_.holonomic_blocks());
  const linalg::FactorReport nodes = kkt_.set_nodes(H_);
  if (!nodes.ok) return nodes;
  return kkt_.set_rows(C_new_, *rows_, system_.holonomic_blocks());
}

// A short segment turns an error of 1e-16 |q| in Φ into a rotation of 1e-16 |q| / Δs: such increments do not shrink.
bool HalfStep::residual_is_rounding() const {
  constexpr double eps = 2.2e-16;
  const auto size = [](const auto& x) { return x.size() == 0 ? 0.0 : x.template lpNorm<Eigen::Infinity>(); };
  const double terms = size(*p_) + size(MV_) + size(x_.tail(system_.size_lambda()));
  return std::abs(h_) * size(bottom_) <= 32 * eps * std::max(1.0, size(q_new_)) && size(top_) <= 1e5 * eps * terms;
}

// Constraints are to hold far beyond the tolerance of velocities, (R.2).
bool HalfStep::accepts(double rate) const {
  if (system_.size_lambda() == 0) return true;
  constexpr double position_limit = 1e-12;
  const double left = std::min(rate, 1.0) * std::abs(h_) * bottom_.lpNorm<Eigen::Infinity>();
  return left <= position_limit * std::max(1.0, q_new_.lpNorm<Eigen::Infinity>());
}

bool HalfStep::correction(const VectorXd& x, VectorXd& dx) {
  const int n = system_.size_v(), m = system_.size_lambda();
  V_ = x.head(n);
  y_.head(m) = x.tail(m);
  if (!evaluated_) evaluate_step(V_);
  evaluated_ = false;
  if (momentum_) momentum_->evaluate(V_, *p_);
  system_.space().tangent_op_inv_T_times(-h_, V_, MV_, top_);
  if (system_.has_varying_mass()) system_.add_kinetic_gradient(*q_, V_, -0.5 * h_, top_);
  rows_->add_transpose_times(y_, 1, top_, system_.holonomic_blocks());
  top_ = *p_ - top_;
  system_.constraint(t_ + h_, q_new_, bottom_);
  bottom_ *= -1 / h_;
  // What is not finite here is not finite in dx either, and Newton looks there.
  active_->solve(top_, bottom_, V_, y_);
  dx.head(n) = V_;
  dx.tail(m) = y_.head(m);
  return true;
}

}  // namespace filum::integrate
