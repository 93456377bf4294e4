/// The nonlinear system that RATTLie and SHAKELie share: from a momentum to the velocity of the whole step.
/// Theory: docs/theory/rattlie.md, (R.1) to (R.3).
#pragma once

#include <filum/integrate/integrator.hpp>
#include <filum/linalg/kkt_solver.hpp>

#include <functional>

namespace filum::integrate {

/// Finds V and y with
///   T⁻ᵀ(−hV) M V + Cₙᵀ y = p,   Φ(tₙ + h, qₙ ∘ exp(hV)) / h = 0,
/// only holonomic rows taking part. y stands for hλ times the method's factor: this scaling keeps the matrix
/// well-conditioned for h → 0, (R.8). p may depend on V (velocity-dependent forces of SHAKELie).
class HalfStep {
 public:
  HalfStep(const System& system, NewtonOptions options);

  /// Momentum p and its share −∂p/∂V of the matrix, when p depends on V.
  struct Momentum {
    virtual ~Momentum() = default;
    virtual void evaluate(const VectorXd& V, VectorXd& p) = 0;
    virtual void add_matrix(const VectorXd& V, linalg::NodeMatrix& H) = 0;
  };

  /// Solves from the guesses in V and y. `rows` are C(tₙ, qₙ). With `momentum`, p is only a buffer. `frozen`, if given,
  /// holds the factors of [M Cₙᵀ; Cₙ 0], holonomic rows only, and is the first matrix to be tried, (R.10).
  NewtonReport solve(double t, double h, const VectorXd& q, const linalg::RowMatrix& rows, VectorXd& p, VectorXd& V, VectorXd& y,
                     Momentum* momentum = nullptr, linalg::KktSolver* frozen = nullptr);

  /// Factors the exact matrix once at (t, q, V), so that a later solve that needs it finds its memory allocated.
  void prepare(double t, double h, const VectorXd& q, const linalg::RowMatrix& rows, const VectorXd& V);

  /// qₙ ∘ exp(hV), and M̄V with the mass matrix averaged over the step (M constant: MV), for the solution of `solve`.
  const VectorXd& q_new() const { return q_new_; }
  const VectorXd& mass_times_V() const { return MV_; }

  // The problem as linalg::Newton sees it.
  linalg::FactorReport linearize(const VectorXd& x);
  bool correction(const VectorXd& x, VectorXd& dx);
  bool residual_is_rounding() const;
  bool accepts(double rate) const;

 private:
  void evaluate_step(const VectorXd& V);

  const System& system_;
  linalg::Newton newton_;
  linalg::KktSolver kkt_;
  linalg::KktSolver* active_ = nullptr;
  bool evaluated_ = false;  ///< q_new_ and MV_ belong to V_
  linalg::NodeMatrix H_, M_, M_new_;
  linalg::RowMatrix C_new_;
  const linalg::RowMatrix* rows_ = nullptr;
  const VectorXd* q_ = nullptr;
  VectorXd* p_ = nullptr;
  Momentum* momentum_ = nullptr;
  double t_ = 0, h_ = 0;
  VectorXd x_, V_, y_, q_new_, MV_, MV_new_, top_, bottom_;
};

}  // namespace filum::integrate
