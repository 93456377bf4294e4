/// Derivatives of the solution at the start that methods with a memory need. Theory: docs/theory/generalized_alpha.md,
/// sec. 4.
#pragma once

#include <filum/integrate/integrator.hpp>
#include <filum/mechanics/acceleration_solver.hpp>

namespace filum::integrate {

class StartDerivatives {
 public:
  StartDerivatives(const System& system, const RowSelection& rows);

  /// v̇, v̈ and λ at x; v̈ by a central difference over a fraction of h, with an error of O(h²).
  /// Throws StartFailed when the constraints are redundant at x.
  void evaluate(const State& x, double h);

  const VectorXd& a() const { return a_; }
  const VectorXd& jerk() const { return jerk_; }
  const VectorXd& lambda() const { return lambda_; }
  /// v̂ v̇, which the commutators of the Magnus expansion bring in.
  const VectorXd& commutator() const { return commutator_; }

  /// v += the part of w that violates the hidden constraint: M⁻¹Cᵀ (C M⁻¹ Cᵀ)⁻¹ C w at x of the last evaluate.
  void add_normal_part(const VectorXd& w, VectorXd& v);

 private:
  void accelerations_at(const State& x, double dt, VectorXd& a);
  void factorize(double t, const VectorXd& q);

  const System& system_;
  mechanics::AccelerationSolver index_1_;
  VectorXd a_, jerk_, commutator_, lambda_;
  VectorXd q_, v_, a_before_, zero_, rows_, multipliers_;
};

}  // namespace filum::integrate
