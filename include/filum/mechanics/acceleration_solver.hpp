/// The index-1 system: accelerations and multipliers that belong to (t, q, v). Theory: docs/theory/mechanics.md,
/// (M.10).
#pragma once

#include <filum/linalg/kkt_solver.hpp>
#include <filum/mechanics/mass_matrix.hpp>

namespace filum::mechanics {

using linalg::FactorReport;
using linalg::KktSolver;
using linalg::RowSelection;

/// Solves [M Cᵀ; C 0] (a, λ) = (v̂ᵀMv + f, −γ). Also the place where the mass-weighted projections onto the
/// constraints are done, because they share the matrix. One object per thread; does not allocate after construction.
class AccelerationSolver {
 public:
  explicit AccelerationSolver(const System& system, const RowSelection& rows = {});

  /// Factors the matrix at (t, q).
  FactorReport factorize(double t, const VectorXd& q);
  /// a and lambda at (t, q, v), with the matrix of the last factorize.
  void accelerations(double t, const VectorXd& q, const VectorXd& v, VectorXd& a, VectorXd& lambda);
  /// factorize and accelerations into the state.
  FactorReport solve(State& state);
  FactorReport solve(double t, const VectorXd& q, const VectorXd& v, VectorXd& a, VectorXd& lambda);

  /// (x, y) = [M Cᵀ; C 0]⁻¹ (a, b) with the matrix of the last factorize.
  void solve_linear(const VectorXd& a, const VectorXd& b, VectorXd& x, VectorXd& y) { kkt_.solve(a, b, x, y); }

  const RowMatrix& rows() const { return C_; }
  /// The factors themselves, for methods that use [M Cᵀ; C 0] as an approximation of their own matrix.
  KktSolver& factors() { return kkt_; }
  const char* method() const { return kkt_.method(); }
  /// As KktSolver's.
  void save(std::vector<double>& memory) const { kkt_.save(memory); }
  void restore(std::span<const double>& memory) { kkt_.restore(memory); }
  void forget_pivots() { kkt_.forget_pivots(); }

 private:
  const System& system_;
  linalg::Structure structure_;  ///< only M⁻¹ can be eliminated node by node; a singular M needs pivots
  KktSolver kkt_;
  MassMatrix mass_;
  RowMatrix C_;
  VectorXd force_, inertia_, gamma_;
};

}  // namespace filum::mechanics
