/// The equations of static equilibrium, their matrix, and the metric that lengths are measured in.
/// Theory: docs/theory/statics.md, sec. 1 and 2.
#pragma once

#include <filum/linalg/kkt_solver.hpp>
#include <filum/mechanics/system.hpp>

#include <string>
#include <vector>

namespace filum::analysis {

using linalg::FactorReport;
using linalg::RowSelection;
using mechanics::NodeMatrix;
using mechanics::RowMatrix;
using mechanics::State;
using mechanics::System;
using mechanics::VectorXd;

/// A shape with its multipliers, and what loads it.
struct StaticPoint {
  State x;
  double factor = 1;
};

/// (EQ.2) An increment of shape and multipliers.
struct StaticIncrement {
  VectorXd q, lambda;
};

/// (EQ.19) A node that must not turn about `axis`, a derivative vector of length 1.
struct Anchor {
  int node = 0;
  VectorXd axis;
};

/// One object per thread. Nothing is kept between calls but the last factorisation.
class StaticEquations {
 public:
  /// `hold` is the stiffness of (EQ.9), relative; the place it holds is that of `start`.
  StaticEquations(const System& system, const RowSelection& rows, const State& start, double hold = 0);

  const System& system() const { return system_; }
  const RowSelection& rows() const { return rows_; }
  /// Largest distance between nodes, or what is best in its place.
  double size() const { return size_; }

  /// (EQ.1) r = f − Cᵀλ with loads times the factor, phi = Φ (0 on nonholonomic rows). False when not finite.
  bool residual(const StaticPoint& p, VectorXd& r, VectorXd& phi);
  /// (EQ.19) Increments leave these turns alone; forces are what they are.
  void set_anchors(std::vector<Anchor> anchors) { anchors_ = std::move(anchors); }

  /// (EQ.2) Factors [K + shift W, Cᵀ; C, 0].
  FactorReport factorize(const StaticPoint& p, double shift = 0);
  /// d = the solution for the right-hand side (r, −phi).
  void solve(const VectorXd& r, const VectorXd& phi, StaticIncrement& d);
  /// p moved by `scale` times d.
  void advance(const StaticPoint& p, double scale, const StaticIncrement& d, StaticPoint& out) const;
  /// ∂(r, −phi)/∂factor: the loads.
  void by_factor(const StaticPoint& p, VectorXd& r, VectorXd& phi);
  /// ∂(r, −phi)/∂t by central differences, `width` wide.
  void by_time(const StaticPoint& p, double width, VectorXd& r, VectorXd& phi);

  /// (EQ.4) Multipliers that balance r + Cᵀλ best, into p, and the part of r that is left, as a displacement in the
  /// metric W; returns its length.
  double balance(StaticPoint& p, VectorXd& left);

  /// (EQ.4) Multipliers that balance each of some forces best, for the C of the last factorize.
  Eigen::MatrixXd multipliers(const Eigen::MatrixXd& forces);

  /// Rows that depended on others at the start are left out; what is prescribed may make them contradict these later.
  /// The name and the violation of the worst one, empty when all are satisfied.
  std::string contradiction(const StaticPoint& p) const;

  /// (EQ.3) Largest entry of √W d: radians, or displacement relative to the size.
  double largest(const VectorXd& d) const { return (root_.array() * d.array()).abs().maxCoeff(); }
  /// Root mean square over nodes of the same.
  double length(const VectorXd& d) const;
  double product(const VectorXd& a, const VectorXd& b) const;
  /// The diagonal of W.
  const VectorXd& weights() const { return weight_; }

  /// K without shift, with the springs of (EQ.9) and the anchors, and C of the last factorize.
  const NodeMatrix& stiffness() const { return K_; }
  const RowMatrix& constraints() const { return C_; }
  /// Largest K_ii / W_ii: what stiffness is measured by.
  double stiffness_scale() const;

 private:
  void measure(const State& start);
  void set_stiffness(const StaticPoint& p);
  void add_hold(const VectorXd& q, VectorXd& r);
  void add_hold_derivative(const VectorXd& q);
  void set_rows(const StaticPoint& p);

  const System& system_;
  RowSelection rows_;
  double size_ = 1, hold_ = 0;
  std::vector<Anchor> anchors_;
  VectorXd held_;  ///< q that the springs of (EQ.9) hold
  VectorXd weight_, root_, zero_, load_, move_, other_r_, other_phi_, rhs_;
  linalg::KktSolver kkt_, metric_;
  NodeMatrix K_, shifted_, W_;
  RowMatrix C_;
};

}  // namespace filum::analysis
