/// How fast a system can move. User document: docs/guide/integrators.md.
#include <filum/analysis/fastest_rates.hpp>
#include <filum/linalg/reduce.hpp>
#include <filum/mechanics/acceleration_solver.hpp>

#include <cmath>
#include <limits>
#include <sstream>

namespace filum::analysis {
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
    const double length = linalg::norm(v);
    if (!(length > 0) || !std::isfinite(length)) return 0;
    v /= length;
    K(v, f);
    solver.solve_linear(f, zero, a, y);
    size = linalg::norm(a);
    v = a;
  }
  return std::isfinite(size) ? size : 0;
}

}  // namespace

FastestRates fastest_rates(const mechanics::System& system, const mechanics::State& x,
                           const linalg::RowSelection& rows) {
  if (!system.has_forces()) return {};
  mechanics::AccelerationSolver solver(system, rows);
  if (!solver.factorize(x.t, x.q).ok) return {};
  constexpr double d = 1e-6;  // of a vector of length 1: differences lose nothing that a hint needs
  VectorXd q(x.q.size()), v(x.v.size()), force(x.v.size());
  mechanics::RowMatrix C(system.pattern());
  // Forces of constraints turn with the system, and hold what hangs: without them a pendulum at rest would seem to have
  // a frequency of its weight alone.
  const auto all_forces = [&](const VectorXd& at, VectorXd& f) {
    system.forces(x.t, at, x.v, f);
    system.constraint_jacobian(x.t, at, C);
    C.add_transpose_times(x.lambda, -1, f, system.row_blocks());
  };
  all_forces(x.q, force);
  FastestRates rates;
  rates.frequency = std::sqrt(largest_eigenvalue(system, solver, [&](const VectorXd& w, VectorXd& f) {
    system.space().advance(x.q, d, w, q);
    all_forces(q, f);
    f = (f - force) / d;
  }));
  // What differences of rounding errors look like.
  if (rates.frequency * rates.frequency * d < 1e-12 * (1 + force.lpNorm<Eigen::Infinity>())) rates.frequency = 0;
  if (!system.forces_depend_on_velocity()) return rates;
  system.forces(x.t, x.q, x.v, force);
  rates.damping = largest_eigenvalue(system, solver, [&](const VectorXd& w, VectorXd& f) {
    v = x.v + w;
    system.forces(x.t, x.q, v, f);
    f -= force;
  });
  return rates;
}

double largest_stable_step(const integrate::MethodOptions& method, const FastestRates& rates) {
  double limit = std::numeric_limits<double>::infinity();
  const integrate::StabilityLimits limits = integrate::stability_limits(method);
  if (rates.frequency > 0) limit = std::min(limit, limits.frequency / rates.frequency);
  if (rates.damping > 0) limit = std::min(limit, limits.damping / rates.damping);
  return limit;
}

bool can_blow_up(const integrate::MethodOptions& method) {
  return !integrate::capabilities(method).adaptive && std::isfinite(integrate::stability_limits(method).frequency);
}

// A step beyond the limit multiplies the fastest vibration, rounding errors at first, by exp(2 arcosh(step/limit))
// every time.
std::string blow_up(const integrate::MethodOptions& method, const FastestRates& rates, double step, double length) {
  constexpr double from_rounding_to_all = 30;
  if (!can_blow_up(method)) return {};
  const double limit = largest_stable_step(method, rates);
  if (!(step > 1.05 * limit) || !(length / step * 2 * std::acosh(step / limit) > from_rounding_to_all)) return {};
  std::ostringstream text;
  text.precision(3);
  text << integrate::name(method) << " would blow up with the step " << step
       << ": it treats the forces explicitly and needs steps below about " << limit
       << "; try: such a step, or integrator.method = \"auto\"";
  return text.str();
}

}  // namespace filum::analysis
