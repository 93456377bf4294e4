/// Initial values that satisfy the constraints: found by projection, or refused with the reason.
/// Theory: docs/theory/mechanics.md, sec. 5.
#pragma once

#include <filum/mechanics/acceleration_solver.hpp>
#include <filum/mechanics/constraint_rank.hpp>

#include <stdexcept>
#include <string>

namespace filum::mechanics {

struct ConsistencyOptions {
  double position_limit = 1e-3;        ///< |Φ| beyond this is not repaired but refused
  double velocity_limit = 1e-3;        ///< |Cv + rate| relative to the largest speed, likewise
  double tolerance = 1e-13;            ///< what is left of |Φ| afterwards, relative to its scale
  bool repair_velocity_fully = false;  ///< velocities are only a guess ("consistent"): any violation is repaired
};

/// How far off the given values were, and what is left.
struct ConsistencyReport {
  double position_off = 0, velocity_off = 0;
  double position_left = 0, velocity_left = 0;
  int worst_position_row = -1, worst_velocity_row = -1;
  RowSelection rows;  ///< without redundant equations: for all solvers and methods that go on from here
};

class InconsistentStart : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Moves q and then v to the nearest values, in the metric of M, with Φ(t, q) = 0 and C v + rate = 0, and computes the
/// accelerations and multipliers that belong to them. Equations that depend on others are left out first, see
/// ConsistencyReport::rows; their multipliers are 0. Throws InconsistentStart, naming equations, when they are violated
/// too much, when constraints contradict each other, when they depend on each other only in this configuration (a
/// singular one), or when a value is not finite. `state` needs t, q and v only.
ConsistencyReport make_consistent(const System& system, State& state, const ConsistencyOptions& options = {});

/// The multipliers of least Euclidean norm with the same constraint forces as x.lambda: where redundant joints share a
/// load in equal parts. The multipliers of the rows left out are among them. Dense; for reports.
VectorXd minimum_norm_multipliers(const System& system, const State& x, const RowSelection& rows);

}  // namespace filum::mechanics
