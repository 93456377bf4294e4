/// The contract of a time integration method. Theory: docs/theory/integrators.md.
#pragma once

#include <filum/linalg/newton.hpp>
#include <filum/linalg/row_selection.hpp>
#include <filum/mechanics/system.hpp>

#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace filum::integrate {

using linalg::NewtonOptions;
using linalg::NewtonReport;
using linalg::RowSelection;
using mechanics::State;
using mechanics::System;
using mechanics::VectorXd;

enum class StepTrouble {
  none,
  newton,
  singular_matrix,
  not_finite,
  error_too_large,
  singular_position,
  redundancy_lost
};

/// What one step did. A step that is not accepted has left the state and the method's memory untouched.
struct StepReport {
  StepTrouble trouble = StepTrouble::none;
  int newton_iterations = 0;
  int matrices = 0;       ///< factorisations of Newton matrices, or of stage matrices in half-explicit methods
  NewtonReport newton;    ///< of the solve that failed, or of the last one
  double error = 0;       ///< estimated local error, 1 = as large as the tolerance; adaptive methods only
  double next_step = 0;   ///< proposed step size; adaptive methods only
  bool crossing = false;  ///< no step: the state is that of the last one, on the other side of a switch
  bool accepted() const { return trouble == StepTrouble::none; }
};

/// How a failed Newton solve is reported.
inline StepTrouble trouble_of(const NewtonReport& newton) {
  switch (newton.outcome) {
    case linalg::NewtonOutcome::converged: return StepTrouble::none;
    case linalg::NewtonOutcome::singular: return StepTrouble::singular_matrix;
    case linalg::NewtonOutcome::not_finite: return StepTrouble::not_finite;
    default: return StepTrouble::newton;
  }
}

/// A method has found no starting values: accelerations that belong to the initial state do not exist.
class StartFailed : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Capabilities {
  bool variable_steps = false;
  bool nonholonomic = false;
  bool adaptive = false;       ///< estimates errors and proposes steps
  bool varying_mass = true;    ///< treats M(q)
  bool singular_mass = false;  ///< needs no inverse of M
  bool cubic_between = false;  ///< a cubic between two steps is as accurate as they are: frames need no steps
  bool own_lambda = false;     ///< `complete` evaluates no forces: a and lambda are the method's own
};

class StepControl;

/// A method is made for one system and a selection of its rows, and owns all memory it needs: a step allocates nothing.
/// States must be consistent (mechanics::make_consistent, which also says which rows to select). Two objects of the
/// same kind, started alike, do the same to the last bit.
class Integrator {
 public:
  explicit Integrator(RowSelection rows) : selected_(std::move(rows)) {}
  virtual ~Integrator() = default;
  virtual std::string_view name() const = 0;
  virtual Capabilities capabilities() const = 0;
  /// The rows of the system that take part; the multipliers of all others are 0.
  const RowSelection& selected() const { return selected_; }

  /// Prepares for a run from x with first step h. May change x.v by O(hᵏ), k being the order of the method, where its
  /// theory asks for that. Throws StartFailed.
  virtual void start(State& x, double h) = 0;
  /// Prepares for going on from x with step h after a jump of forces, velocities or their derivatives: nothing that was
  /// remembered is valid any more. x.a and x.lambda belong to the new side. Otherwise as `start`.
  virtual void restart(State& x, double h) { start(x, h); }
  /// x(t) → x(t + h). Afterwards t, q and v are new; a and lambda only after `complete`.
  virtual StepReport step(State& x, double h) = 0;
  /// The step that is meant to come next, for `complete` of methods whose multipliers depend on it. 0: not known.
  void expect_step(double h) { expected_step_ = h; }
  /// Makes x.a and x.lambda belong to x.t, with the order of accuracy of q.
  virtual void complete(State& x) = 0;
  /// η of the last accepted step, one number per row, for methods that enforce both constraint levels with it (0 before
  /// the first step); nullptr for all others. Stays where it is as long as the method lives.
  virtual const VectorXd* stabilization() const { return nullptr; }

  /// Tolerances and order of an adaptive method; nullptr for all others.
  virtual const StepControl* step_control() const { return nullptr; }
  /// Remarks for the user about the run so far; empty when there are none.
  virtual std::string remark() const { return {}; }

  /// Everything besides the state that the next step depends on, for exact restart.
  virtual void save(std::vector<double>& memory) const = 0;
  virtual void restore(std::span<const double> memory) = 0;

 protected:
  double expected_step_ = 0;

 private:
  RowSelection selected_;
};

}  // namespace filum::integrate
