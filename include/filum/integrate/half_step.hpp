/// The nonlinear system that RATTLie and SHAKELie share: from a momentum to the velocity of the whole step.
/// Theory: docs/theory/rattlie.md, (R.1) to (R.3).
#pragma once

#include <filum/integrate/integrator.hpp>
#include <filum/linalg/kkt_solver.hpp>
#include <filum/mechanics/mass_matrix.hpp>

#include <optional>
#include <span>
#include <vector>

namespace filum::integrate {

/// H = ∂(T⁻ᵀ(−hV) M V)/∂V; MV is M V, averaged over the step where M varies.
void momentum_derivative(const System& system, double h, const VectorXd& V, const VectorXd& MV,
                         const linalg::NodeMatrix& M, linalg::NodeMatrix& H);

/// Finds V and y with
///   T⁻ᵀ(−hV) M V + Cₙᵀ y = p,   Φ(tₙ + h, qₙ ∘ exp(hV)) / h = 0,
/// only holonomic rows taking part. y stands for hλ times the method's factor: this scaling keeps the matrix
/// well-conditioned for h → 0, (R.8). p may depend on V (velocity-dependent forces of SHAKELie).
class HalfStep {
 public:
  /// What may be left of Φ, times max(1, |q|), (R.2a).
  static constexpr double default_position_tolerance = 1e-12;
  HalfStep(const System& system, NewtonOptions options, const RowSelection& rows,
           double position_tolerance = default_position_tolerance);

  /// Momentum p and its share −∂p/∂V of the matrix, when p depends on V.
  struct Momentum {
    virtual ~Momentum() = default;
    virtual void evaluate(const VectorXd& V, VectorXd& p) = 0;
    virtual void add_matrix(const VectorXd& V, linalg::NodeMatrix& H) = 0;
  };

  /// Solves from the guesses in V and y. `rows` are C(tₙ, qₙ). With `momentum`, p is only a buffer. `frozen`, if given,
  /// holds the factors of [M Cₙᵀ; Cₙ 0], holonomic rows only, and is the first matrix to be tried, (R.10).
  NewtonReport solve(double t, double h, const VectorXd& q, const linalg::RowMatrix& rows, VectorXd& p, VectorXd& V,
                     VectorXd& y, Momentum* momentum = nullptr, linalg::KktSolver* frozen = nullptr);

  /// Factors the exact matrix once at (t, q, V), so that a later solve that needs it finds its memory allocated.
  void prepare(double t, double h, const VectorXd& q, const linalg::RowMatrix& rows, const VectorXd& V);

  /// qₙ ∘ exp(hV), and M̄V with the mass matrix averaged over the step (M constant: MV), for the solution of `solve`.
  const VectorXd& q_new() const { return q_new_; }
  const VectorXd& mass_times_V() const { return MV_; }

  /// The matrices of later solves depend on these, too.
  void save(std::vector<double>& memory) const { kkt_.save(memory); }
  void restore(std::span<const double>& memory) { kkt_.restore(memory); }

 private:
  /// What is given during one Newton iteration.
  struct Equations {
    HalfStep& s;
    double t, h;
    const VectorXd& q;
    const linalg::RowMatrix& rows;
    VectorXd& p;
    Momentum* momentum;
    linalg::KktSolver* matrix;  ///< in use: frozen until the first linearize
    bool evaluated = false;     ///< linearize has just evaluated the iterate
    linalg::FactorReport linearize(const VectorXd& unknowns);
    bool correction(const VectorXd& unknowns, VectorXd& change);
    bool residual_is_rounding() const;
    bool correction_is_rounding();
    bool accepts(double rate) const;
    void evaluate(const VectorXd& unknowns);
  };

  const System& system_;
  const RowSelection selected_;
  const double position_tolerance_;
  linalg::Newton newton_;
  linalg::KktSolver kkt_;
  linalg::NodeMatrix H_;
  mechanics::MassMatrix M_;
  std::optional<linalg::NodeMatrix> M_mean_;  ///< over the step, where M varies
  linalg::RowMatrix C_new_;
  VectorXd unknowns_;            ///< V and y
  VectorXd V_, y_, q_new_, MV_;  ///< the iterate, where it leads, and M̄V
  VectorXd MV_new_;              ///< M(q_new) V, where M varies
  VectorXd momentum_residual_, position_residual_;
  VectorXd V_change_, y_change_;
};

}  // namespace filum::integrate
