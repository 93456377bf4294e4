/// A reference solution at every point of a fine grid, and how far a method's steps are from it.
#pragma once

#include <filum/integrate/half_explicit_rk.hpp>

#include <support/convergence.hpp>

#include <algorithm>
#include <cassert>
#include <functional>
#include <memory>
#include <vector>

namespace filum::test {

/// Largest distances over all steps: to the reference, and of C v from its hidden constraint.
struct TrajectoryErrors {
  double q = 0, v = 0, lambda = 0, hidden = 0;
};

/// Slopes of such errors.
struct Orders {
  double q, v, lambda, hidden;
};

class Trajectory {
 public:
  /// Half-explicit Runge-Kutta of order 5 with `points` steps from start to t1.
  Trajectory(const mechanics::System& system, const mechanics::State& start, double t1, int points)
      : system_(system), start_(start), t1_(t1) {
    integrate::HalfExplicitRk method(system, {.order = 5});
    follow(method, points, [&](const mechanics::State& x, int) { points_.push_back(x); });
  }

  TrajectoryErrors errors(integrate::Integrator& method, int steps) const {
    const int stride = static_cast<int>(points_.size()) / steps;
    assert(stride * steps == static_cast<int>(points_.size()));
    mechanics::RowMatrix C(system_.pattern());
    Eigen::VectorXd Cv = Eigen::VectorXd::Zero(system_.size_rows()), rate = Cv;
    TrajectoryErrors e;
    follow(method, steps, [&](const mechanics::State& x, int k) {
      const mechanics::State& exact = points_[(k + 1) * stride - 1];
      e.q = std::max(e.q, (x.q - exact.q).norm());
      e.v = std::max(e.v, (x.v - exact.v).norm());
      e.lambda = std::max(e.lambda, (x.lambda - exact.lambda).norm());
      system_.constraint_jacobian(x.t, x.q, C);
      C.times(x.v, Cv, system_.row_blocks());
      system_.constraint_rate(x.t, x.q, rate);
      e.hidden = std::max(e.hidden, (Cv + rate).norm());
    });
    return e;
  }

  using Make = std::function<std::unique_ptr<integrate::Integrator>(const mechanics::System&)>;
  Orders orders(const Make& make, std::initializer_list<int> steps) const {
    std::vector<double> h, q, v, lambda, hidden;
    for (const int n : steps) {
      const TrajectoryErrors e = errors(*make(system_), n);
      h.push_back(t1_ / n), q.push_back(e.q), v.push_back(e.v), lambda.push_back(e.lambda), hidden.push_back(e.hidden);
    }
    return {slope(h, q), slope(h, v), slope(h, lambda), slope(h, hidden)};
  }

 private:
  template <class F>
  void follow(integrate::Integrator& method, int steps, F&& visit) const {
    mechanics::State x = start_;
    const double h = (t1_ - start_.t) / steps;
    method.start(x, h);
    for (int k = 0; k < steps; ++k) {
      if (!method.step(x, h).accepted())
        throw std::runtime_error("step " + std::to_string(k + 1) + " was not accepted");
      x.t = start_.t + (k + 1) * h;  // no sum of rounding errors
      method.complete(x);
      visit(x, k);
    }
  }

  const mechanics::System& system_;
  mechanics::State start_;
  double t1_;
  std::vector<mechanics::State> points_;
};

}  // namespace filum::test
