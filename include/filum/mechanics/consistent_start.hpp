/// Initial values that satisfy the constraints: found by projection, or refused with the reason.
/// Theory: docs/theory/mechanics.md, sec. 5.
#pragma once

#include <filum/mechanics/acceleration_solver.hpp>

#include <stdexcept>
#include <string>
#include <vector>

namespace filum::mechanics {

struct ConsistencyOptions {
  double position_limit = 1e-3;  ///< |Φ| beyond this is not repaired but refused
  double velocity_limit = 1e-3;  ///< |Cv + rate| relative to the largest speed, likewise
  double tolerance = 1e-13;      ///< what is left of |Φ| afterwards, relative to its scale
  bool repair_velocity_fully = false;  ///< velocities are only a guess ("consistent"): any violation is repaired
};

/// How far off the given values were, and what is left.
struct ConsistencyReport {
  double position_off = 0, velocity_off = 0;
  double position_left = 0, velocity_left = 0;
  int worst_position_row = -1, worst_velocity_row = -1;
};

/// Rows of C that depend linearly on others.
struct RedundancyReport {
  int rank = 0;
  std::vector<int> dependent_rows;
};

class InconsistentStart : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Moves q and then v to the nearest values, in the metric of M, with Φ(t, q) = 0 and C v + rate = 0, and computes the
/// accelerations and multipliers that belong to them. Throws InconsistentStart, naming equations, when values are
/// too far off, when the constraints are redundant or contradict each other, or when nothing is finite.
ConsistencyReport make_consistent(const System& system, State& state, const ConsistencyOptions& options = {});

/// Rank of C M^(-1/2) at (t, q) by a QR factorisation with column pivoting; rows are scaled to equal length first.
RedundancyReport find_redundant_rows(const System& system, double t, const VectorXd& q, double tolerance = 1e-9);

}  // namespace filum::mechanics
