/// Solves with combinations of the linearised matrices on the tangent space. Theory: docs/theory/modes.md, sec. 3.
#pragma once

#include <filum/analysis/linearization.hpp>
#include <filum/linalg/kkt_solver.hpp>

namespace filum::analysis {

/// (MO.12) [H Cᵀ; C 0] with H = k K + d D + m M, factored with the structure of the system; counts what it does.
class ShiftedFactor {
 public:
  explicit ShiftedFactor(const Linearization& lin);

  bool factorize(double k, double d, double m);
  /// x with C x = 0 and H x + Cᵀ y = b.
  VectorXd solve(const VectorXd& b);
  /// The same for the columns of B.
  void solve_columns(const Eigen::MatrixXd& B, Eigen::MatrixXd& X);
  /// After factorize(0, 0, 1): the nearest vector in the norm of M with C x = 0.
  VectorXd project(const VectorXd& x);

  int factorizations() const { return factorizations_; }
  int solves() const { return solves_; }

 private:
  const Linearization& lin_;
  linalg::KktSolver kkt_;
  NodeMatrix H_;
  VectorXd zero_, x_, y_;
  int factorizations_ = 0, solves_ = 0;
};

}  // namespace filum::analysis
