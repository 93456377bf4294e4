/// How fast a system can move. User document: docs/guide/integrators.md.
#include "frequency.hpp"

#include <filum/mechanics/acceleration_solver.hpp>

#include <cmath>
#include <limits>

namespace filum::scenario {
namespace {

using mechanics::VectorXd;

/// |largest eigenvalue| of v ↦ P M⁻¹ K v, P the projection onto what the constraints allow; `K` writes K v.
template <class Product>
double largest_eigenvalue(const mechanics::System& system, mechanics::AccelerationSolver& solver, const Product& K) {
  const auto n = system.size_v();
  VectorXd v(n), f(n), a(n), zero = VectorXd::Zero(system.size_rows()), y(system.size_rows());
  for (int i = 0; i < n; ++i) v[i] = std::sin(1.0 + 12.9898 * i);  // no direction is left out, the same every time
  double size = 0, before = 0;
  constexpr int least = 8, most = 60;
  for (int k = 0; k < most && (k < least || std::abs(size - before) > 0.003 * size); ++k) {
    before = size;
    const double length = v.norm();
    if (!(length > 0) || !std::isfinite(length)) return 0;
    v /= length;
    K(v, f);
    solver.solve_linear(f, zero, a, y);
    size = a.norm();
    v = a;
  }
  return std::isfinite(size) ? size : 0;
}

}  // namespace

FastestRates fastest_rates(const mechanics::System& system, const mechanics::State& x) {
  if (!system.has_forces()) return {};
  mechanics::AccelerationSolver solver(system);
  if (!solver.factorize(x.t, x.q).ok) return {};
  constexpr double d = 1e-6;  // of a vector of length 1: differences lose nothing that a hint needs
  VectorXd q(x.q.size()), v(x.v.size()), force(x.v.size());
  system.forces(x.t, x.q, x.v, force);
  FastestRates rates;
  rates.frequency = std::sqrt(largest_eigenvalue(system, solver, [&](const VectorXd& w, VectorXd& f) {
    system.space().advance(x.q, d, w, q);
    system.forces(x.t, q, x.v, f);
    f = (f - force) / d;
  }));
  if (!system.forces_depend_on_velocity()) return rates;
  rates.damping = largest_eigenvalue(system, solver, [&](const VectorXd& w, VectorXd& f) {
    v = x.v + w;
    system.forces(x.t, x.q, v, f);
    f -= force;
  });
  return rates;
}

double largest_stable_step(Method method, const FastestRates& rates) {
  double limit = std::numeric_limits<double>::infinity();
  const auto below = [&](double bound, double rate) {
    if (rate > 0) limit = std::min(limit, bound / rate);
  };
  switch (method) {
    case Method::rattlie:
    case Method::shakelie: below(2, rates.frequency); break;  // of the Störmer-Verlet method; damping is implicit
    case Method::half_explicit_rk:
    case Method::munthe_kaas_rk:  // of the classical Runge-Kutta method, on both axes
      below(2.8, rates.frequency);
      below(2.8, rates.damping);
      break;
    case Method::generalized_alpha:
    case Method::bliedf: break;
  }
  return limit;
}

}  // namespace filum::scenario
