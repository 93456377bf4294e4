/// Derivatives of the solution at the start that methods with a memory need, and velocities across constraints. Theory:
/// docs/theory/generalized_alpha.md, sec. 4 and 6.
#pragma once

#include <filum/integrate/integrator.hpp>
#include <filum/mechanics/acceleration_solver.hpp>

namespace filum::integrate {

class StartDerivatives {
 public:
  StartDerivatives(const System& system, const RowSelection& rows);

  /// v̇, v̈ and λ at x; v̈ by a central difference over a fraction of h, with an error of O(h²).
  /// Behind a jump nothing before x counts: `only_ahead` takes a one-sided difference, with an error of O(h²) as well.
  /// Throws StartFailed when the constraints are redundant at x.
  void evaluate(const State& x, double h, bool only_ahead = false);
  /// v̇ and λ alone. Throws as `evaluate`.
  void evaluate_accelerations(const State& x);
  /// (GA.20) Whether the expansion holds over the whole step of the last evaluate. Where forces are stiff it does not.
  bool is_valid() const { return is_valid_; }

  const VectorXd& a() const { return a_; }
  const VectorXd& jerk() const { return jerk_; }
  const VectorXd& lambda() const { return lambda_; }
  /// v̂ v̇, which the commutators of the Magnus expansion bring in.
  const VectorXd& commutator() const { return commutator_; }

  /// v += the part of w that violates the hidden constraint: M⁻¹Cᵀ (C M⁻¹ Cᵀ)⁻¹ C w at x of the last evaluate.
  void add_normal_part(const VectorXd& w, VectorXd& v);

  /// Takes the rows at (t, q) for the functions below; false where they are redundant.
  bool place(double t, const VectorXd& q) { return index_1_.factorize(t, q).ok; }
  /// d = C v + rate at (t, q), the place of the rows.
  void hidden_residual(double t, const VectorXd& q, const VectorXd& v, VectorXd& d);
  /// d = C w
  void times_rows(const VectorXd& w, VectorXd& d) { index_1_.rows().times(w, d, system_.row_blocks()); }
  /// v += M⁻¹Cᵀ (C M⁻¹ Cᵀ)⁻¹ d: C v grows by d, and nothing else happens.
  void add_normal(const VectorXd& d, VectorXd& v);
  /// Takes what violates the hidden constraint out of x.v.
  void project_velocity(State& x);
  /// (GA.21a) Takes what violates the constraint on accelerations out of x.a, and its share out of x.lambda. Forces are
  /// not evaluated again: where they are stiff, that would bring Newton's errors in.
  void project_acceleration(State& x);

  void save(std::vector<double>& memory) const { index_1_.save(memory); }
  void restore(std::span<const double>& memory) { index_1_.restore(memory); }

 private:
  bool accelerations_at(const State& x, double dt, bool with_jerk, VectorXd& a);
  bool holds_over(const State& x, double h);
  double size(const VectorXd& q, const VectorXd& w);

  const System& system_;
  mechanics::AccelerationSolver index_1_;
  VectorXd a_, jerk_, commutator_, lambda_;
  VectorXd q_, v_, a_ahead_, a_before_, zero_, rows_, curvature_, multipliers_;
  bool is_valid_ = true;
};

/// The remark for the user when a start had to do without these derivatives, (GA.21).
std::string remark_on_filtered_start(double h);

}  // namespace filum::integrate
