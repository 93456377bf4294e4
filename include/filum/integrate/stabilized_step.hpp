/// The step of the program behind paper 000 for SHAKELie: η puts velocities on the hidden constraint. Theory:
/// docs/theory/shakelie.md, (S.7) to (S.10).
#pragma once

#include <filum/integrate/half_step.hpp>

namespace filum::integrate {

/// Finds the velocity U that moves the positions, y = hλ and η with V = U + Cₙᵀ η and
///   T⁻ᵀ(−hV) M V + Cₙᵀ y = p,   Φ(tₙ + h, qₙ ∘ exp(hU)) / h = 0,   Cₙ (V₋ + V)/2 + rateₙ = 0,
/// V₋ being the V of the step before. As in that program, Newton's matrix leaves out what η does to the first equation.
class StabilizedStep {
 public:
  /// For holonomic systems with a constant mass matrix.
  StabilizedStep(const System& system, NewtonOptions options, const RowSelection& rows);

  /// Solves from the guesses in U and y, with η = 0. `rows` are C(tₙ, qₙ); p is only a buffer.
  NewtonReport solve(double t, double h, const VectorXd& q, const linalg::RowMatrix& rows, const VectorXd& V_before,
                     HalfStep::Momentum& momentum, VectorXd& p, VectorXd& U, VectorXd& y);

  const VectorXd& V() const { return V_; }
  const VectorXd& eta() const { return eta_; }

  /// The matrices of later solves depend on these, too.
  void save(std::vector<double>& memory) const {
    kkt_.save(memory);
    projection_.save(memory);
  }
  void restore(std::span<const double>& memory) {
    kkt_.restore(memory);
    projection_.restore(memory);
  }

 private:
  /// What is given during one Newton iteration.
  struct Equations {
    StabilizedStep& s;
    double t, h;
    const VectorXd& q;
    const linalg::RowMatrix& rows;
    const VectorXd& V_before;
    HalfStep::Momentum& momentum;
    VectorXd& p;
    linalg::FactorReport linearize(const VectorXd& unknowns);
    bool correction(const VectorXd& unknowns, VectorXd& change);
    bool residual_is_rounding() const;
    void evaluate(const VectorXd& unknowns);
  };

  const System& system_;
  const RowSelection selected_;
  linalg::Newton newton_;
  linalg::KktSolver kkt_, projection_;  ///< of the first two equations; [1 Cₙᵀ; Cₙ 0] of the third
  linalg::NodeMatrix H_;
  linalg::RowMatrix C_new_;
  VectorXd unknowns_;                        ///< U, y and η
  VectorXd U_, V_, y_, eta_, q_new_, MV_;    ///< the iterate, where it leads, and MV
  VectorXd momentum_, position_, velocity_;  ///< by which it misses the equations
  VectorXd U_change_, y_change_, eta_change_, buffer_, rate_;
};

}  // namespace filum::integrate
