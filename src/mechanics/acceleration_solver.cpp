/// The index-1 system. Theory: docs/theory/mechanics.md, (M.10).
#include <filum/mechanics/acceleration_solver.hpp>

namespace filum::mechanics {

AccelerationSolver::AccelerationSolver(const System& system, const RowSelection& rows)
    : system_(system),
      structure_(system.has_singular_mass() ? linalg::Structure::coupled : linalg::Structure::separable),
      kkt_(system.pattern(), rows),
      mass_(system),
      C_(system.pattern()),
      force_(system.size_v()),
      inertia_(system.size_v()),
      gamma_(VectorXd::Zero(system.size_rows())) {
  if (!mass_.varies()) kkt_.set_nodes(mass_.current(), structure_);
}

FactorReport AccelerationSolver::factorize(double t, const VectorXd& q) {
  if (mass_.varies())
    if (const FactorReport report = kkt_.set_nodes(mass_.at(q), structure_); !report.ok) return report;
  system_.constraint_jacobian(t, q, C_);
  return kkt_.set_rows(C_, C_, system_.row_blocks());
}

void AccelerationSolver::accelerations(double t, const VectorXd& q, const VectorXd& v, VectorXd& a, VectorXd& lambda) {
  system_.forces(t, q, v, force_);
  system_.inertia_forces(q, v, inertia_);
  force_ += inertia_;
  system_.curvature(t, q, v, gamma_);
  gamma_ = -gamma_;
  kkt_.solve(force_, gamma_, a, lambda);
}

FactorReport AccelerationSolver::solve(State& s) { return solve(s.t, s.q, s.v, s.a, s.lambda); }

FactorReport AccelerationSolver::solve(double t, const VectorXd& q, const VectorXd& v, VectorXd& a, VectorXd& lambda) {
  const FactorReport report = factorize(t, q);
  if (report.ok) accelerations(t, q, v, a, lambda);
  return report;
}

}  // namespace filum::mechanics
