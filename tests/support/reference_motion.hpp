/// A motion of a system by the classical Runge-Kutta method in exponential coordinates, independent of all integrators.
#pragma once

#include <filum/mechanics/acceleration_solver.hpp>

#include <stdexcept>

namespace filum::test {

/// Moves x by `steps` steps of size h: θ' = T⁻¹(θ) v, v' = a(q₀ ∘ exp θ, v) from θ = 0 in every step. Order 4.
inline void advance_reference(const mechanics::System& system, mechanics::State& x, double h, int steps) {
  using mechanics::VectorXd;
  mechanics::AccelerationSolver solver(system);
  const auto n = x.v.size();
  VectorXd theta(n), theta_rate(n), q(x.q.size()), v(n), a(n), sum_theta(n), sum_v(n), lambda(x.lambda.size());
  const double nodes[] = {0, 0.5, 0.5, 1}, weights[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  for (int k = 0; k < steps; ++k) {
    sum_theta.setZero();
    sum_v.setZero();
    for (int stage = 0; stage < 4; ++stage) {
      if (stage == 0) {
        theta.setZero();
        v = x.v;
      } else {
        theta = nodes[stage] * h * theta_rate;
        v = x.v + nodes[stage] * h * a;
      }
      system.space().advance(x.q, 1, theta, q);
      if (!solver.solve(x.t + nodes[stage] * h, q, v, a, lambda).ok) throw std::runtime_error("singular matrix");
      system.space().tangent_op_inv_times(1, theta, v, theta_rate);
      sum_theta += weights[stage] * theta_rate;
      sum_v += weights[stage] * a;
    }
    system.space().advance(x.q, h, sum_theta, x.q);
    x.v += h * sum_v;
    x.t += h;
  }
  if (!solver.solve(x).ok) throw std::runtime_error("singular matrix");
}

}  // namespace filum::test
