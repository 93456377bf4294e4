/// Static equilibrium: states at rest in which forces and constraint forces balance. Theory: docs/theory/statics.md.
#pragma once

#include <filum/linalg/row_selection.hpp>
#include <filum/mechanics/state.hpp>
#include <filum/mechanics/system.hpp>

#include <string>
#include <vector>

namespace filum::analysis {

using linalg::RowSelection;
using mechanics::State;
using mechanics::System;
using mechanics::VectorXd;

struct EquilibriumOptions {
  double load_factor = 1;    ///< times all loads: applied forces and moments, gravity
  double tolerance = 1e-10;  ///< of the last increment: rotations in radians, displacements relative to the model
  int max_iterations = 30;   ///< of one Newton iteration
  bool load_steps = true;    ///< where the given shape is not close, loads are applied in steps, from none on
  bool nearby = false;       ///< only what Newton reaches beyond doubt from the given shape; nothing else is tried
  bool relax = true;         ///< where Newton fails, a strongly damped motion leads to a shape that it starts from
  /// (EQ.9) Stiffness of soft springs that hold every node where it was at the start, relative to the stiffness of the
  /// model: for models that could move freely. 0: none.
  double regularize = 0;
};

enum class EquilibriumOutcome {
  found,        ///< Newton's iteration converged
  relaxed,      ///< the same, after a damped motion had led to a shape close by
  free_motion,  ///< something can move without any resistance: equilibria are not isolated, or there is none
  not_found,    ///< neither Newton nor the damped motion came to rest
  not_finite    ///< forces or constraints are not defined on the way
};

/// What one iteration did.
struct EquilibriumIteration {
  double load_factor = 0;
  double increment = 0;  ///< largest: radians, or displacement relative to the model
  double step = 1;       ///< how much of it was taken
};

struct Equilibrium {
  EquilibriumOutcome outcome = EquilibriumOutcome::not_found;
  std::string message;  ///< what happened and what to try; empty when there is nothing to say
  State state;  ///< at rest: v = a = 0, multipliers in equilibrium with the forces; the last good one when not found
  double load_factor = 0;                     ///< that belongs to it
  int load_steps = 0, iterations = 0;         ///< over all steps, rejected ones too
  std::vector<EquilibriumIteration> history;  ///< of Newton, the damped motion left out
  /// (EQ.8) Derivative vectors of motions without resistance, columns of length 1: none in an isolated equilibrium.
  Eigen::MatrixXd free_motions;
  /// (EQ.19) Derivative vectors of motions without resistance that turn nodes where they are: nothing
  /// depends on them, and they are held.
  Eigen::MatrixXd held_motions = {};

  bool is_found() const { return outcome == EquilibriumOutcome::found || outcome == EquilibriumOutcome::relaxed; }
};

/// (EQ.1) Looks for q and λ with f(t, q, 0) − Cᵀλ = 0 and Φ(t, q) = 0, at the time of `start` and from its shape.
/// Motions along nonholonomic rows are not allowed. `rows` is what make_consistent returned. Failure is an outcome.
Equilibrium find_equilibrium(const System& system, const State& start, const RowSelection& rows = {},
                             const EquilibriumOptions& options = {});

}  // namespace filum::analysis
