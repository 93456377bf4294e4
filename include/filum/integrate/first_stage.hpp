/// Accelerations and multipliers at the beginning of a step: first stage of a Runge-Kutta step, and what `complete`
/// reports; computed once for both. Theory: docs/theory/half_explicit_rk.md, (HE.6).
#pragma once

#include <filum/integrate/integrator.hpp>
#include <filum/integrate/memory_stream.hpp>
#include <filum/mechanics/acceleration_solver.hpp>

namespace filum::integrate {

class FirstStage {
 public:
  FirstStage(const System& system, const RowSelection& rows);

  /// Computes v̇ and λ at x, unless they are known.
  StepTrouble prepare(const State& x, StepReport& report);
  /// To be called when the state moves on, or is another one.
  void forget() { known_ = false; }
  /// Computes v̇ at the end of a step that may yet be rejected...
  StepTrouble look_ahead(double t, const VectorXd& q, const VectorXd& v, StepReport& report);
  const VectorXd& a_ahead() const { return a_ahead_; }
  /// Removes from a velocity at that end what the constraints forbid, in the metric of M. q as in look_ahead.
  void project_ahead(const VectorXd& q, VectorXd& v);
  /// ...and takes it over when it is not.
  void move_on();

  const VectorXd& a() const { return a_; }
  const VectorXd& lambda() const { return lambda_; }
  /// What is known already, so that a run that is continued does the same work as one that was not interrupted.
  void save(MemoryWriter& memory) const { memory << (known_ ? 1.0 : 0.0) << a_ << lambda_ << index_1_; }
  void restore(MemoryReader& memory) {
    double known = 0;
    memory >> known >> a_ >> lambda_ >> index_1_;
    known_ = known != 0;
  }
  /// Writes v̇ and λ into the state; NaN when the index-1 system has no solution there.
  void complete(State& x);

  /// v̇ at any stage, by the same solver; λ is dropped.
  StepTrouble accelerations(double t, const VectorXd& q, const VectorXd& v, VectorXd& a, StepReport& report);

 private:
  StepTrouble solve(double t, const VectorXd& q, const VectorXd& v, VectorXd& a, VectorXd& lambda, StepReport& report);

  const System& system_;
  mechanics::AccelerationSolver index_1_;
  VectorXd a_, lambda_, a_ahead_, lambda_ahead_, momentum_, zero_, impulse_;
  bool known_ = false;
};

/// Why a matrix made of these rows at q could not be factored.
StepTrouble trouble_of_matrix(const VectorXd& q, const linalg::RowMatrix& rows);

}  // namespace filum::integrate
