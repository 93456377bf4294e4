/// RATTLie: the variational integrator that keeps both constraint levels. Theory: docs/theory/rattlie.md.
#pragma once

#include <filum/integrate/half_step.hpp>
#include <filum/integrate/option_problem.hpp>
#include <filum/integrate/step_control.hpp>
#include <filum/mechanics/acceleration_solver.hpp>

#include <optional>

namespace filum::integrate {

/// What `complete` reports as holonomic multipliers: rattlie.md, sec. 3.
enum class Multipliers {
  index_1,
  interpolated,  ///< (R.11)
  differences,   ///< (R.16) the index-1 system with differences of neighbouring rows instead of the curvature
  plus,          ///< λ⁺ of the step after t, of first order
  minus          ///< λ⁻ of the step before t, of first order; before the first step as index_1
};

struct RattlieOptions {
  Multipliers multipliers = Multipliers::index_1;
  bool adaptive = false;
  StepControlOptions control{.atol = 1e-4, .rtol = 1e-4};
  double position_tolerance = HalfStep::default_position_tolerance;
  NewtonOptions newton = {};
};
std::optional<OptionProblem> objection(const RattlieOptions& options);

/// Second order, symmetric, symplectic for conservative systems and constant steps; variable steps allowed;
/// nonholonomic rows are treated by the nonholonomic variant. Adaptive: rattlie.md, sec. 4.
class Rattlie final : public Integrator {
 public:
  using Options = RattlieOptions;
  static constexpr std::string_view word = "rattlie";
  static constexpr bool is_implicit = true;
  static Capabilities can(const Options& o) {
    return {.variable_steps = true, .nonholonomic = true, .adaptive = o.adaptive, .cubic_between = true};
  }

  explicit Rattlie(const System& system, RattlieOptions options = {}, const RowSelection& rows = {});

  std::string_view name() const override { return word; }
  Capabilities capabilities() const override { return can(options_); }
  void start(State& x, double h) override;
  void restart(State& x, double h) override;
  StepReport step(State& x, double h) override;
  void complete(State& x) override;
  const StepControl* step_control() const override { return options_.adaptive ? &control_ : nullptr; }
  void save(std::vector<double>& memory) const override;
  void restore(std::span<const double> memory) override;

 private:
  /// Everything one step produces, kept apart from the state until it is accepted.
  struct Trial {
    VectorXd q, v, V, y_plus, y_minus;
    int patience = 0;  ///< of the step after this one
  };
  /// What the next step remembers of the last one. h = 0: there was none.
  struct Memory {
    double h = 0;
    bool is_curved = false;  ///< a parabola would have been the better guess of its V
    VectorXd V, v;           ///< v: where it began
    VectorXd y_plus, mu, a, a_previous;
    VectorXd lambda_before;  ///< interpolated: average over the step; minus: its λ⁻
    VectorXd q_before;       ///< differences: where the step began
  };

  /// Where index_1_ has its matrix, and the forces there unless they depend on velocities: the end of one step is the
  /// beginning of the next.
  struct Retained {
    bool valid = false, has_force = false;
    double t = 0;
    VectorXd q, force;
  };

  /// Forgets the past; `look` is where the acceleration for the first estimate of errors is taken.
  void begin(State& x, double h, double look);
  bool retain(double t, const VectorXd& q, StepReport& report);
  bool retains(double t, const VectorXd& q) const;
  bool advance(const State& x, double h, const Memory& memory, Trial& trial, StepReport& report);
  bool second_half(const State& x, double h, Trial& trial, StepReport& report);
  bool implicit_velocity(double t, double h, Trial& trial, StepReport& report);
  double local_error(const State& x, double h, const Trial& trial);
  bool was_curved(const VectorXd& v, double h, const VectorXd& V) const;
  /// Takes over what the next step needs of an accepted trial.
  void remember(double h, Trial& trial);
  /// The step after x, of the expected size or else that of the step before; afterwards no step finds anything changed.
  template <class Use>
  void look_ahead(const State& x, Use&& use);
  void take_plus(State& x);
  void interpolate_multipliers(State& x);
  void difference_multipliers(State& x);

  struct VelocityEquations;

  const System& system_;
  RattlieOptions options_;
  HalfStep half_step_;
  StepControl control_;
  mechanics::AccelerationSolver index_1_;
  Retained retained_;
  int patience_ = 0;  ///< steps until the matrix of the step before is tried again as Newton matrix, (R.10)
  std::optional<linalg::Newton> velocity_newton_;
  std::optional<linalg::KktSolver> velocity_kkt_;
  std::optional<linalg::NodeMatrix> velocity_matrix_;
  mechanics::MassMatrix M_;
  std::optional<linalg::RowMatrix> neighbour_;  ///< rows at another time, for `differences`
  Memory memory_;
  double a_spacing_ = 0;  ///< time between memory_.a_previous and memory_.a
  double first_step_ = 0;
  Trial trial_, ahead_;
  VectorXd momentum_;            ///< right-hand sides of (R.1) and (R.4)
  VectorXd mu_;                  ///< μ among multipliers of all rows
  VectorXd hidden_;              ///< −∂Φ/∂t, the right-hand side of (R.5)
  VectorXd a_new_, lambda_new_;  ///< at the end of a step whose error is estimated
  VectorXd rows_times_v_;        ///< of `differences`
  // Implicit velocities, (R.4) with velocity-dependent forces.
  VectorXd v_unknowns_, force_, mass_times_v_, momentum_residual_, velocity_residual_, v_change_, y_change_;
  // Error estimates, (R.12) and (R.13).
  VectorXd error_, increment_, theta_rate_, theta_accel_, theta_accel_a_;
};

}  // namespace filum::integrate
