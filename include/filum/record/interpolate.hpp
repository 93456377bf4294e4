/// The state between two steps. User document: docs/guide/results.md, "Frames".
#pragma once

#include <filum/mechanics/acceleration_solver.hpp>

namespace filum::record {

using mechanics::State;
using mechanics::System;
using mechanics::VectorXd;

/// q = q₀ ∘ exp(θ), v = T(θ) θ̇ with the cubic θ that has the right values and velocities at both ends: error h⁴ in q,
/// h³ in v. Accelerations and multipliers are those of the index-1 system there.
class Interpolator {
 public:
  explicit Interpolator(const System& system, const mechanics::RowSelection& rows = {});
  /// The state at time t between a and b; only q and v of these are used.
  const State& at(double t, const State& a, const State& b);

 private:
  const System& system_;
  mechanics::AccelerationSolver index_1_;
  State x_;
  VectorXd delta_, rate_, theta_, theta_rate_;
};

}  // namespace filum::record
