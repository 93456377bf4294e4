/// The state between two steps. User document: docs/guide/results.md, "Frames".
#pragma once

#include <filum/mechanics/acceleration_solver.hpp>

namespace filum::record {

using mechanics::State;
using mechanics::System;
using mechanics::VectorXd;

/// Where accelerations and multipliers between two steps come from.
enum class Between {
  forces,  ///< the index-1 system there
  ends  ///< on the line between those of both steps: where forces are stiff, errors of h⁴ in q would be large in them
};

/// q = q₀ ∘ exp(θ), v = T(θ) θ̇ with the cubic θ that has the right values and velocities at both ends: error h⁴ in q,
/// h³ in v. Then both are moved, in the metric of M, until they violate constraints no more than both ends do.
class Interpolator {
 public:
  explicit Interpolator(const System& system, const mechanics::RowSelection& rows = {});
  /// The state at time t between a and b, of which a and lambda are used with Between::ends only.
  const State& at(double t, const State& a, const State& b, Between between = Between::forces);

 private:
  void curve(double t, const State& a, const State& b);
  void project(const State& a, const State& b);
  /// out = Φ, without rows that take no part.
  void position_residual(double t, const VectorXd& q, VectorXd& out) const;
  /// out = C v + rate, with C at (t, q) in rows_.
  void velocity_residual(const State& x, VectorXd& out);

  const System& system_;
  mechanics::RowSelection selected_;
  mechanics::AccelerationSolver index_1_;
  mechanics::RowMatrix rows_;
  State x_;
  VectorXd delta_, rate_, theta_, theta_rate_, zero_;
  VectorXd allowed_, residual_, rate_of_rows_, multipliers_;
};

}  // namespace filum::record
