/// Residual, Newton matrix and its solution in real and complex parts. Theory: docs/theory/radau.md, sec. 1 and 2.
#include "rounding.hpp"

#include <filum/integrate/radau_stages.hpp>
#include <filum/mechanics/node_operations.hpp>

#include <algorithm>
#include <cmath>

namespace filum::integrate {

using linalg::FactorReport;
using linalg::Structure;
using Table = RadauTableau;

namespace {

constexpr int middle = 1;  ///< the stage that the matrix is taken at: the others are half a step away

int unknowns_of(const System& s) { return Table::stages * (2 * s.size_v() + s.size_rows()) + s.size_lambda(); }

/// out = Σ rows[i][j] in_j for all i.
void combine(const Table::Matrix& rows, const StageVectors& in, StageVectors& out) {
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = rows[i][0] * in[0] + rows[i][1] * in[1] + rows[i][2] * in[2];
}

}  // namespace

RadauStages::RadauStages(const System& system, const RowSelection& rows, const NewtonOptions& newton)
    : system_(system),
      selected_(rows),
      blocks_(system.row_blocks()),
      holonomic_blocks_(system.holonomic_blocks()),
      newton_(unknowns_of(system), newton),
      real_(system.pattern(), rows),
      projection_(system.pattern(), rows),
      complex_(system.pattern(), rows),
      M_(system),
      D_(system.pattern()),
      K_(system.pattern()),
      H_(system.pattern()),
      H_im_(system.pattern()),
      rows_(system.pattern()),
      rows_start_(system.pattern()),
      rows_end_(system.pattern()),
      q_(system.space().identity()),
      v_(VectorXd::Zero(system.size_v())),
      unknowns_(VectorXd::Zero(unknowns_of(system))),
      Q_{q_, q_, q_} {
  const VectorXd of_nodes = VectorXd::Zero(system.size_v()), of_rows = VectorXd::Zero(system.size_rows());
  for (StageValues* x : {&y_, &hat_, &change_}) {
    x->p.fill(of_nodes);
    x->V.fill(of_nodes);
    x->h_lambda.fill(of_rows);
    x->eta = VectorXd::Zero(system.size_lambda());
  }
  residual_p_.fill(of_nodes);
  residual_V_.fill(of_nodes);
  hidden_.fill(of_rows);
  position_ = y_.eta;
  for (VectorXd* x : {&right_V_.re, &right_V_.im, &normal_, &force_, &inertia_, &work_}) *x = of_nodes;
  for (VectorXd* x : {&right_lambda_.re, &right_lambda_.im, &rate_}) *x = of_rows;
  for (Place* place : {&kept_, &latest_}) {
    place->from.q = q_;
    place->from.v = v_;
    place->unknowns = unknowns_;
  }
  for (int i = 0; i < system.space().nodes(); ++i) H_.block(i, i).setIdentity();
  projection_.set_nodes(H_, Structure::separable);
}

void RadauStages::save(MemoryWriter& memory) const {
  memory << real_ << complex_ << projection_ << double(kept_.valid) << kept_.h << kept_.from.t << kept_.from.q
         << kept_.from.v << kept_.unknowns;
}

void RadauStages::restore(MemoryReader& memory) {
  double valid = 0;
  memory >> real_ >> complex_ >> projection_ >> valid >> kept_.h >> kept_.from.t >> kept_.from.q >> kept_.from.v >>
      kept_.unknowns;
  kept_.valid = valid != 0;
  loaded_ = false;
}

void RadauStages::start(const State& x, double h, const VectorXd& lambda) {
  kept_.valid = false;
  set_step(x, h);
  y_.eta.setZero();
  for (int i = 0; i < stages; ++i) y_.p[i] = Table::c[i] * x.v, y_.V[i] = x.v, y_.h_lambda[i] = h * lambda;
  pack(y_, unknowns_);
  linearize(unknowns_);
}

void RadauStages::pack(const StageValues& from, VectorXd& to) const {
  const int n = system_.size_v(), m = system_.size_rows();
  for (int i = 0; i < stages; ++i) {
    const int at = i * (2 * n + m);
    to.segment(at, n) = h_ * from.p[i];
    to.segment(at + n, n) = from.V[i];
    to.segment(at + 2 * n, m) = from.h_lambda[i];
  }
  to.tail(system_.size_lambda()) = h_ * from.eta;
}

void RadauStages::unpack(const VectorXd& from, StageValues& to) const {
  const int n = system_.size_v(), m = system_.size_rows();
  for (int i = 0; i < stages; ++i) {
    const int at = i * (2 * n + m);
    to.p[i] = from.segment(at, n) / h_;
    to.V[i] = from.segment(at + n, n);
    to.h_lambda[i] = from.segment(at + 2 * n, m);
  }
  to.eta = from.tail(system_.size_lambda()) / h_;
}

// (RA.3) Qᵢ = qₙ ∘ exp(h pᵢ)
void RadauStages::place(const VectorXd& unknowns) {
  unpack(unknowns, y_);
  for (int i = 0; i < stages; ++i) system_.space().advance(q_, h_, y_.p[i], Q_[i]);
}

// h v̇ᵢ = Σ wᵢⱼ (Vⱼ − vₙ), W = A⁻¹
void RadauStages::acceleration(int i, VectorXd& a) const {
  const Table::Row& w = Table::A_inv[i];
  a = (w[0] * (y_.V[0] - v_) + w[1] * (y_.V[1] - v_) + w[2] * (y_.V[2] - v_)) / h_;
}

// (RA.4) T⁻¹(h pᵢ) Vᵢ − Cₙᵀη − Σ wᵢⱼ pⱼ = 0     (RA.5) h (f + inertia) − Cᵀ hΛᵢ − M Σ wᵢⱼ (Vⱼ − vₙ) = 0
// (RA.6) Φ(Q₃)/h = 0                              (RA.7) C Vᵢ + rate = 0
bool RadauStages::residuals() {
  const auto& space = system_.space();
  normal_.setZero();
  rows_start_.add_transpose_times(y_.eta, 1, normal_, holonomic_blocks_);
  force_size_ = 0;
  for (int i = 0; i < stages; ++i) {
    const double t = t_ + Table::c[i] * h_;
    const Table::Row& w = Table::A_inv[i];
    space.tangent_op_inv_times(h_, y_.p[i], y_.V[i], residual_p_[i]);
    residual_p_[i] -= normal_ + w[0] * y_.p[0] + w[1] * y_.p[1] + w[2] * y_.p[2];

    acceleration(i, work_);
    work_ *= h_;
    system_.mass_times(Q_[i], work_, residual_V_[i]);
    system_.forces(t, Q_[i], y_.V[i], force_);
    system_.inertia_forces(Q_[i], y_.V[i], inertia_);
    force_size_ = std::max(force_size_, std::abs(h_) * (largest(force_) + largest(inertia_)) + largest(residual_V_[i]) +
                                            largest(y_.h_lambda[i]));
    residual_V_[i] = h_ * (force_ + inertia_) - residual_V_[i];
    system_.constraint_jacobian(t, Q_[i], rows_);
    rows_.add_transpose_times(y_.h_lambda[i], -1, residual_V_[i], blocks_);

    rows_.times(y_.V[i], hidden_[i], blocks_);
    system_.constraint_rate(t, Q_[i], rate_);
    hidden_[i] = -(hidden_[i] + rate_);
    selected_.clear_inactive(hidden_[i]);
    if (!residual_V_[i].allFinite() || !hidden_[i].allFinite() || !residual_p_[i].allFinite()) return false;
  }
  system_.constraint(t_ + h_, Q_.back(), position_);
  position_ *= -1 / h_;
  selected_.clear_inactive(position_);
  return position_.allFinite();
}

// (NW.2) As CondensedCorrector's.
bool RadauStages::residual_is_rounding() const {
  double kinematics = 0, momenta = 0, hidden = 0, v = 1;
  for (int i = 0; i < stages; ++i) {
    kinematics = std::max(kinematics, largest(residual_p_[i]));
    momenta = std::max(momenta, largest(residual_V_[i]));
    hidden = std::max(hidden, largest(hidden_[i]));
    v = std::max(v, largest(y_.V[i]));
  }
  const double q = std::max(1.0, largest(q_)), r = smallest_velocity(q_, h_);
  const double terms = force_size_ + Table::gamma * largest(M_.current().values()) * v;
  return std::abs(h_) * largest(position_) <= position_rounding * q &&
         momenta <= momentum_rounding * terms + largest(H_.values()) * r && kinematics <= velocity_rounding * v + r &&
         hidden <= std::max(velocity_rounding, position_rounding * q) * v;
}

// (NW.3)
bool RadauStages::correction_is_rounding() {
  return std::all_of(change_.V.begin(), change_.V.end(), [&](const VectorXd& dV) {
    return is_lost_in_rounding(system_, Q_[middle], h_, M_.current(), dV, work_);
  });
}

// (RA.8) K T, D and M at the middle stage
void RadauStages::assemble(double t, const VectorXd& a) {
  const VectorXd &q = Q_[middle], &V = y_.V[middle];
  K_.set_zero();
  D_.set_zero();
  M_.at(q);
  system_.add_force_derivatives(t, q, V, -1, 0, K_);
  system_.add_constraint_force_derivatives(t, q, y_.h_lambda[middle], 1 / h_, K_);
  if (system_.has_varying_mass()) system_.add_inertia_force_derivatives(q, V, a, -1, 0, K_);
  multiply_columns_by_tangent(system_.space(), h_, y_.p[middle], structure(), K_);
  system_.add_inertia_force_derivatives(q, V, a, 0, -1, D_);
  if (system_.forces_depend_on_velocity()) system_.add_force_derivatives(t, q, V, 0, -1, D_);
}

// M has diagonal blocks only, which come first.
void RadauStages::combine_matrices(double mass, double damping, double stiffness, linalg::NodeMatrix& H) const {
  const VectorXd &M = M_.current().values(), &D = D_.values(), &K = K_.values();
  const Eigen::Index n = M.size(), rest = D.size() - n;
  H.values().head(n) = mass * M + damping * D.head(n) + stiffness * K.head(n);
  H.values().tail(rest) = damping * D.tail(rest) + stiffness * K.tail(rest);
}

FactorReport RadauStages::linearize(const VectorXd& unknowns) {
  if (&unknowns != &kept_.unknowns) {
    latest_.valid = true;
    latest_.h = h_;
    latest_.from.t = t_;
    latest_.from.q = q_;
    latest_.from.v = v_;
    latest_.unknowns = unknowns;
    loaded_ = false;
  }
  place(unknowns);
  const double t = t_ + Table::c[middle] * h_;
  acceleration(middle, work_);
  assemble(t, work_);
  const double norm = Table::alpha * Table::alpha + Table::beta * Table::beta;
  combine_matrices(Table::gamma, h_, h_ * h_ / Table::gamma, H_);
  system_.constraint_jacobian(t, Q_[middle], rows_);
  if (const FactorReport report = real_.set_nodes(H_, structure()); !report.ok) return report;
  const FactorReport real = real_.set_rows(rows_, rows_, blocks_);
  if (!real.ok) return real;
  combine_matrices(Table::alpha, h_, h_ * h_ * Table::alpha / norm, H_);
  combine_matrices(Table::beta, 0, -h_ * h_ * Table::beta / norm, H_im_);
  if (const FactorReport report = complex_.set_nodes(H_, H_im_, structure()); !report.ok) return report;
  FactorReport report = complex_.set_rows(rows_, rows_, blocks_);
  report.rcond = std::min(report.rcond, real.rcond);
  if (!report.ok || holonomic_blocks_ == 0) return report;

  system_.constraint_jacobian(t_ + h_, Q_.back(), rows_end_);
  multiply_rows_by_tangent(system_.space(), h_, y_.p.back(), rows_end_, holonomic_blocks_);
  FactorReport projection = projection_.set_rows(rows_end_, rows_start_, holonomic_blocks_);
  projection.rcond = std::min(projection.rcond, report.rcond);
  return projection;
}

// (RA.10) [γM + hD + h²K/γ, Cᵀ; C, 0] (δV, δhΛ) = (r − h²K p/γ, d), δp = (p + δV)/γ
void RadauStages::solve_real(VectorXd& p, VectorXd& V, VectorXd& lambda) {
  work_.setZero();
  K_.add_times(p, work_, structure());
  V -= (h_ * h_ / Table::gamma) * work_;
  real_.solve(V, lambda, V, lambda);
  p = (p + V) / Table::gamma;
}

// The same with α + iβ in place of γ.
void RadauStages::solve_complex() {
  constexpr double norm = Table::alpha * Table::alpha + Table::beta * Table::beta;
  constexpr double re = Table::alpha / norm, im = -Table::beta / norm;  // of the inverse
  VectorXd &p = hat_.p[1], &p_im = hat_.p[2];
  right_V_.re = hat_.V[1];
  right_V_.im = hat_.V[2];
  work_.setZero();
  K_.add_times(p, work_, structure());
  right_V_.re -= (h_ * h_ * re) * work_;
  right_V_.im -= (h_ * h_ * im) * work_;
  work_.setZero();
  K_.add_times(p_im, work_, structure());
  right_V_.re += (h_ * h_ * im) * work_;
  right_V_.im -= (h_ * h_ * re) * work_;
  right_lambda_.re = hat_.h_lambda[1];
  right_lambda_.im = hat_.h_lambda[2];
  complex_.solve(right_V_, right_lambda_, right_V_, right_lambda_);
  hat_.V[1] = right_V_.re;
  hat_.V[2] = right_V_.im;
  hat_.h_lambda[1] = right_lambda_.re;
  hat_.h_lambda[2] = right_lambda_.im;
  p += hat_.V[1];
  p_im += hat_.V[2];
  work_ = p;
  p = re * work_ - im * p_im;
  p_im = im * work_ + re * p_im;
}

// (RA.12) δη brings the end back to Φ = 0: δpᵢ ← δpᵢ − cᵢ Cₙᵀ δη
void RadauStages::project() {
  if (holonomic_blocks_ == 0) return;
  work_ = change_.p.back();
  projection_.solve(work_, position_, work_, change_.eta);
  normal_.setZero();
  rows_start_.add_transpose_times(change_.eta, 1, normal_, holonomic_blocks_);
  for (int i = 0; i < stages; ++i) change_.p[i] -= Table::c[i] * normal_;
}

bool RadauStages::correction(const VectorXd& unknowns, VectorXd& change) {
  place(unknowns);
  if (!residuals()) return false;
  combine(Table::basis_inv, residual_p_, hat_.p);
  combine(Table::basis_inv, residual_V_, hat_.V);
  combine(Table::basis_inv, hidden_, hat_.h_lambda);
  solve_real(hat_.p[0], hat_.V[0], hat_.h_lambda[0]);
  solve_complex();
  combine(Table::basis, hat_.p, change_.p);
  combine(Table::basis, hat_.V, change_.V);
  combine(Table::basis, hat_.h_lambda, change_.h_lambda);
  project();
  pack(change_, change);
  return true;
}

void RadauStages::set_step(const State& from, double h) {
  t_ = from.t;
  h_ = h;
  q_ = from.q;
  v_ = from.v;
  if (holonomic_blocks_ > 0) system_.constraint_jacobian(t_, q_, rows_start_);
}

StepReport RadauStages::solve(const State& x, double h, StageValues& values) {
  constexpr double alike = 0.05;  // steps that differ by more than this want their own matrix
  const bool keeps = kept_.valid && std::abs(h - kept_.h) <= alike * std::abs(h);
  if (keeps && !loaded_) {
    set_step(kept_.from, kept_.h);
    linearize(kept_.unknowns);
  }
  set_step(x, h);
  pack(values, unknowns_);
  Equations equations{*this};
  StepReport report;
  report.newton = newton_.solve(equations, unknowns_, !keeps);
  report.newton_iterations = iterations_ = report.newton.iterations;
  report.matrices = matrices_ = report.newton.matrices;
  report.trouble = trouble_of(report.newton);
  // A matrix of NaNs is no singular matrix.
  if (report.trouble == StepTrouble::singular_matrix && !(H_.values().allFinite() && rows_.values().allFinite()))
    report.trouble = StepTrouble::not_finite;
  if (!report.accepted()) return report;
  place(unknowns_);
  values = y_;
  return report;
}

// (RA.14) More iterations than these cost more than a new matrix.
void RadauStages::accept() {
  constexpr int worth_keeping = 5;
  if (matrices_ > 0) {
    std::swap(kept_, latest_);
    loaded_ = true;
  }
  kept_.valid = iterations_ <= worth_keeping;
}

void RadauStages::filter(VectorXd& p, VectorXd& V) {
  system_.mass_times(Q_[middle], V, force_);
  hat_.h_lambda[0].setZero();
  solve_real(p, force_, hat_.h_lambda[0]);
  V = force_;
  if (holonomic_blocks_ == 0) return;
  position_.setZero();
  projection_.solve(p, position_, p, change_.eta);
}

}  // namespace filum::integrate
