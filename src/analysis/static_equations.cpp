/// Residuals, matrices and lengths of statics. Theory: docs/theory/statics.md, sec. 1 and 2.
#include "static_equations.hpp"

#include "metric.hpp"
#include "node_products.hpp"

#include <filum/linalg/reduce.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace filum::analysis {

StaticEquations::StaticEquations(const System& system, const RowSelection& rows, const State& start, double hold)
    : system_(system),
      rows_(rows),
      weight_(system.size_v()),
      zero_(VectorXd::Zero(system.size_v())),
      load_(system.size_v()),
      move_(system.size_v()),
      other_r_(system.size_v()),
      other_phi_(VectorXd::Zero(system.size_rows())),
      rhs_(VectorXd::Zero(system.size_rows())),
      kkt_(system.pattern(), rows),
      metric_(system.pattern(), rows),
      K_(system.pattern()),
      shifted_(system.pattern()),
      W_(system.pattern()),
      C_(system.pattern()) {
  measure(start);
  if (hold <= 0) return;
  StaticPoint p{start};
  set_stiffness(p);
  held_ = start.q;
  hold_ = hold * std::max(stiffness_scale(), 1e-300);
}

void StaticEquations::measure(const State& start) {
  Metric metric = metric_of(system_, start.q);
  size_ = metric.size;
  weight_ = std::move(metric.weights);
  root_ = weight_.cwiseSqrt();
  const auto& p = system_.pattern();
  for (int i = 0; i < p.nodes(); ++i) W_.block(i, i).diagonal() = weight_.segment(p.offset(i), p.dim(i));
  metric_.set_nodes(W_, linalg::Structure::separable);
}

double StaticEquations::product(const VectorXd& a, const VectorXd& b) const {
  return linalg::dot(a, weight_.cwiseProduct(b)) / system_.space().nodes();
}
double StaticEquations::length(const VectorXd& d) const { return std::sqrt(product(d, d)); }

bool StaticEquations::residual(const StaticPoint& p, VectorXd& r, VectorXd& phi) {
  system_.forces(p.x.t, p.x.q, zero_, r);
  if (p.factor != 1) {
    system_.load_forces(p.x.t, p.x.q, zero_, load_);
    r += (p.factor - 1) * load_;
  }
  if (hold_ > 0) add_hold(p.x.q, r);
  set_rows(p);
  C_.add_transpose_times(p.x.lambda, -1, r, system_.row_blocks());
  phi.setZero();
  system_.constraint(p.x.t, p.x.q, phi);
  rows_.clear_inactive(phi);
  return r.allFinite() && phi.allFinite();
}

void StaticEquations::set_rows(const StaticPoint& p) { system_.constraint_jacobian(p.x.t, p.x.q, C_); }

void StaticEquations::set_stiffness(const StaticPoint& p) {
  K_.set_zero();
  system_.add_force_derivatives(p.x.t, p.x.q, zero_, -1, 0, K_);
  if (p.factor != 1) system_.add_load_derivatives(p.x.t, p.x.q, zero_, 1 - p.factor, 0, K_);
  system_.add_constraint_force_derivatives(p.x.t, p.x.q, p.x.lambda, 1, K_);
  if (hold_ > 0) add_hold_derivative(p.x.q);
  for (const Anchor& a : anchors_) {
    auto block = K_.block(a.node, a.node);
    const double size = block.diagonal().head<3>().cwiseAbs().maxCoeff();  // turns only: as stiff as the node is
    block += (size > 0 ? size : 1) * a.axis * a.axis.transpose();
  }
}

FactorReport StaticEquations::factorize(const StaticPoint& p, double shift) {
  set_stiffness(p);
  set_rows(p);
  shifted_.values() = K_.values();
  if (shift != 0) shifted_.values() += shift * W_.values();
  kkt_.set_nodes(shifted_, linalg::Structure::coupled);
  return kkt_.set_rows(C_, C_, system_.row_blocks());
}

void StaticEquations::solve(const VectorXd& r, const VectorXd& phi, StaticIncrement& d) {
  rhs_ = -phi;
  kkt_.solve(r, rhs_, d.q, d.lambda);
}

void StaticEquations::advance(const StaticPoint& p, double scale, const StaticIncrement& d, StaticPoint& out) const {
  out.x.t = p.x.t, out.factor = p.factor;
  system_.space().advance(p.x.q, scale, d.q, out.x.q);
  out.x.lambda = p.x.lambda + scale * d.lambda;
}

void StaticEquations::by_factor(const StaticPoint& p, VectorXd& r, VectorXd& phi) {
  system_.load_forces(p.x.t, p.x.q, zero_, r);
  phi.setZero();
}

void StaticEquations::by_time(const StaticPoint& p, double width, VectorXd& r, VectorXd& phi) {
  StaticPoint at = p;
  at.x.t = p.x.t + 0.5 * width;
  residual(at, r, phi);
  at.x.t = p.x.t - 0.5 * width;
  residual(at, other_r_, other_phi_);
  r = (r - other_r_) / width;
  phi = (phi - other_phi_) / width;
}

double StaticEquations::balance(StaticPoint& p, VectorXd& left) {
  p.x.lambda.setZero();
  residual(p, other_r_, other_phi_);
  metric_.set_rows(C_, C_, system_.row_blocks());
  rhs_.setZero();
  metric_.solve(other_r_, rhs_, left, p.x.lambda);
  return length(left);
}

Eigen::MatrixXd StaticEquations::multipliers(const Eigen::MatrixXd& forces) {
  metric_.set_rows(C_, C_, system_.row_blocks());
  Eigen::MatrixXd out(system_.size_rows(), forces.cols());
  VectorXd left(system_.size_v()), y(system_.size_rows());
  for (Eigen::Index k = 0; k < forces.cols(); ++k) {
    rhs_.setZero();
    metric_.solve(forces.col(k), rhs_, left, y);
    out.col(k) = y;
  }
  return out;
}

std::string StaticEquations::contradiction(const StaticPoint& p) const {
  if (rows_.is_all()) return {};
  VectorXd phi = VectorXd::Zero(system_.size_rows());
  system_.constraint(p.x.t, p.x.q, phi);
  const double limit = 1e-6 * std::max(1.0, size_);
  int worst = -1;
  for (const int row : rows_.inactive())
    if (std::abs(phi[row]) > limit && (worst < 0 || std::abs(phi[row]) > std::abs(phi[worst]))) worst = row;
  if (worst < 0) return {};
  std::ostringstream text;
  text.precision(3);
  text << system_.row_name(worst) << " contradicts the other constraints by " << std::abs(phi[worst]);
  return text.str();
}

double StaticEquations::stiffness_scale() const {
  double scale = 0;
  const auto& p = system_.pattern();
  for (int i = 0; i < p.nodes(); ++i) {
    const auto block = K_.block(i, i);
    for (int k = 0; k < p.dim(i); ++k) scale = std::max(scale, std::abs(block(k, k)) / weight_[p.offset(i) + k]);
  }
  return scale;
}

// (EQ.9) −k W log(q₀⁻¹ q), whose derivative is −k W T⁻¹(log(q₀⁻¹ q)).
void StaticEquations::add_hold(const VectorXd& q, VectorXd& r) {
  system_.space().difference(held_, q, move_);
  r -= hold_ * weight_.cwiseProduct(move_);
}

void StaticEquations::add_hold_derivative(const VectorXd& q) {
  system_.space().difference(held_, q, move_);
  const auto& space = system_.space();
  const std::vector<Eigen::MatrixXd> T_inv =
      node_blocks(space, [&](const VectorXd& w, VectorXd& out) { space.tangent_op_inv_times(1, move_, w, out); });
  for (int i = 0; i < space.nodes(); ++i) {
    const Eigen::MatrixXd& block = T_inv[static_cast<std::size_t>(i)];
    K_.block(i, i) += hold_ * weight_.segment(space.v_offset(i), block.rows()).asDiagonal() * block;
  }
}

}  // namespace filum::analysis
