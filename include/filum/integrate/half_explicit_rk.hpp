/// Half-explicit Runge-Kutta methods: the velocities of all stages satisfy the constraints, and nothing is iterated.
/// Theory: docs/theory/half_explicit_rk.md.
#pragma once

#include <filum/integrate/first_stage.hpp>
#include <filum/integrate/option_problem.hpp>
#include <filum/integrate/step_control.hpp>
#include <filum/integrate/tableaus.hpp>
#include <filum/linalg/kkt_solver.hpp>

namespace filum::integrate {

struct HalfExplicitOptions {
  int order = 5;          ///< 2 to 5
  bool adaptive = false;  ///< order 5 only
  StepControlOptions control{};
};
std::optional<OptionProblem> objection(const HalfExplicitOptions& options);

/// Index 2: C v + rate = 0 holds to rounding after every step, Φ drifts off with the order of the method, unless the
/// motion stays in a subgroup (half_explicit_rk.md, sec. 4). Nonholonomic rows are treated like holonomic ones.
class HalfExplicitRk final : public Integrator {
 public:
  using Options = HalfExplicitOptions;
  static constexpr std::string_view word = "half-explicit-rk";
  static constexpr bool is_implicit = false;
  static Capabilities can(const Options& o) { return {.variable_steps = true, .nonholonomic = true, .adaptive = o.adaptive}; }

  /// Throws std::invalid_argument for options that contradict each other.
  explicit HalfExplicitRk(const System& system, HalfExplicitOptions options = {}, const RowSelection& rows = {});

  std::string_view name() const override { return word; }
  Capabilities capabilities() const override { return can(options_); }
  void start(State& x, double h) override;
  StepReport step(State& x, double h) override;
  void complete(State& x) override { first_.complete(x); }
  /// The next step depends on the state alone; what is saved spares it the work of the first stage.
  void save(std::vector<double>& memory) const override;
  void restore(std::span<const double> memory) override;

 private:
  StepTrouble stages(const State& x, double h, StepReport& report);
  StepTrouble stage_acceleration(int i, double t, double t_next, double h, StepReport& report);
  StepTrouble estimate_error(const State& x, double h, StepReport& report);

  const System& system_;
  HalfExplicitOptions options_;
  const Tableau& table_;
  StepControl control_;
  FirstStage first_;
  linalg::KktSolver kkt_;
  linalg::NodeMatrix M_;
  linalg::RowMatrix G_, C_;                  ///< rows at stages i and i + 1
  std::vector<VectorXd> theta_dot_, v_dot_;  ///< Θ̇ and V̇ at the stages
  VectorXd Q_, V_, Theta_;                   ///< stage i; in the end the result
  VectorXd Q_next_, V_next_, Theta_next_;    ///< stage i + 1, V without the contribution of stage i at first
  VectorXd force_, inertia_, residual_, rate_, Lambda_;
};

}  // namespace filum::integrate
