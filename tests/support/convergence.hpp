/// Observed orders of convergence: runs with constant steps, and slopes of their errors.
#pragma once

#include <filum/integrate/integrator.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace filum::test {

/// Exponent p of the least-squares fit err ≈ c hᵖ.
inline double slope(std::span<const double> h, std::span<const double> err) {
  assert(h.size() == err.size() && h.size() >= 2);
  const double n = static_cast<double>(h.size());
  double x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t k = 0; k < h.size(); ++k) {
    const double a = std::log(h[k]), b = std::log(err[k]);
    x += a, y += b, xx += a * a, xy += a * b;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

/// Completed states at the ends of `outputs` equal parts of [x.t, t1], after n equal steps in all, n a multiple of
/// `outputs`. Throws when a step is not accepted.
inline std::vector<mechanics::State> trajectory(integrate::Integrator& integrator, mechanics::State x, double t1, int n,
                                                int outputs) {
  assert(n % outputs == 0);
  std::vector<mechanics::State> out;
  const double t0 = x.t, h = (t1 - t0) / n;
  integrator.start(x, h);
  for (int k = 1; k <= n; ++k) {
    const integrate::StepReport report = integrator.step(x, h);
    if (!report.accepted())
      throw std::runtime_error(std::string(integrator.name()) + ": step " + std::to_string(k) + " of " +
                               std::to_string(n) + " failed with trouble " +
                               std::to_string(static_cast<int>(report.trouble)));
    x.t = t0 + k * h;  // no sum of rounding errors
    if (k % (n / outputs) != 0) continue;
    integrator.complete(x);
    out.push_back(x);
  }
  return out;
}

/// The completed state at t1 after n equal steps.
inline mechanics::State run(integrate::Integrator& integrator, const mechanics::State& x, double t1, int n) {
  return trajectory(integrator, x, t1, n, 1).back();
}

/// Largest errors over a trajectory, each relative to the largest value, for several step sizes.
struct Convergence {
  std::vector<double> h, q, v, lambda;

  double order_q() const { return slope(h, q); }
  double order_v() const { return slope(h, v); }
  double order_lambda() const { return slope(h, lambda); }
  std::string table() const {
    char line[120];
    std::snprintf(line, sizeof line, "orders of q, v, lambda: %.3f %.3f %.3f\n", order_q(), order_v(),
                  lambda.front() > 0 ? order_lambda() : 0.0);
    std::string text = line;
    for (std::size_t k = 0; k < h.size(); ++k) {
      std::snprintf(line, sizeof line, "h = %.3e: %.3e %.3e %.3e\n", h[k], q[k], v[k], lambda[k]);
      text += line;
    }
    return text;
  }
};

/// Runs fresh integrators, made by make(), with each number of steps, and compares with the reference at its times.
template <class Make>
Convergence convergence(Make&& make, const mechanics::State& start, const std::vector<mechanics::State>& reference,
                        std::initializer_list<int> steps) {
  Convergence c;
  double size_q = 0, size_v = 0, size_lambda = 0;
  for (const auto& r : reference) {
    size_q = std::max(size_q, r.q.norm());
    size_v = std::max(size_v, r.v.norm());
    size_lambda = std::max(size_lambda, r.lambda.norm());
  }
  for (const int n : steps) {
    const double t1 = reference.back().t;
    const auto integrator = make();
    const auto states = trajectory(*integrator, start, t1, n, static_cast<int>(reference.size()));
    double q = 0, v = 0, lambda = 0;
    for (std::size_t k = 0; k < states.size(); ++k) {
      q = std::max(q, (states[k].q - reference[k].q).norm() / size_q);
      v = std::max(v, (states[k].v - reference[k].v).norm() / size_v);
      if (size_lambda > 0) lambda = std::max(lambda, (states[k].lambda - reference[k].lambda).norm() / size_lambda);
    }
    c.h.push_back((t1 - start.t) / n);
    c.q.push_back(q);
    c.v.push_back(v);
    c.lambda.push_back(lambda);
  }
  return c;
}

}  // namespace filum::test
