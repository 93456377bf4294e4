/// Half-explicit Runge-Kutta methods: the velocities of all stages satisfy the constraints, and nothing is iterated.
/// Theory: docs/theory/half_explicit_rk.md.
#pragma once

#include <filum/integrate/first_stage.hpp>
#include <filum/integrate/option_problem.hpp>
#include <filum/integrate/step_control.hpp>
#include <filum/integrate/tableaus.hpp>
#include <filum/linalg/kkt_solver.hpp>

#include <optional>

namespace filum::integrate {

/// Where λ comes from, and with it the acceleration of the first stage.
enum class HalfExplicitMultipliers {
  index_1,  ///< (HE.6) the index-1 system: order of q
  stages    ///< (HE.7) a sum over the stages, as in the paper: one more stage, lower orders
};
/// What step control knows of the error of velocities.
enum class HalfExplicitEstimate {
  projected,  ///< (HE.13) onto the constraints, of fifth order
  plain       ///< (HE.8) as in the paper, of fourth order
};

struct HalfExplicitOptions {
  int order = 5;  ///< 2 to 5
  HalfExplicitMultipliers multipliers = HalfExplicitMultipliers::index_1;
  bool adaptive = false;  ///< order 5 only
  HalfExplicitEstimate estimate = HalfExplicitEstimate::projected;
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
  static Capabilities can(const Options& o) {
    return {.variable_steps = true, .nonholonomic = true, .adaptive = o.adaptive};
  }

  /// Throws std::invalid_argument for options that contradict each other.
  explicit HalfExplicitRk(const System& system, HalfExplicitOptions options = {}, const RowSelection& rows = {});

  std::string_view name() const override { return word; }
  Capabilities capabilities() const override { return can(options_); }
  void start(State& x, double h) override;
  StepReport step(State& x, double h) override;
  void complete(State& x) override;
  const StepControl* step_control() const override { return options_.adaptive ? &control_ : nullptr; }
  /// With index-1 multipliers the next step depends on the state alone; what is saved spares it the work of the first
  /// stage.
  void save(std::vector<double>& memory) const override;
  void restore(std::span<const double> memory) override;

 private:
  bool sums_multipliers() const { return options_.multipliers == HalfExplicitMultipliers::stages; }
  StepTrouble first_acceleration(const State& x, VectorXd& a, StepReport& report);
  StepTrouble stages(const State& x, double h, StepReport& report);
  StepTrouble stage_acceleration(int i, double t, double t_next, double h, StepReport& report);
  StepTrouble estimate_error(const State& x, double h, StepReport& report);

  const System& system_;
  HalfExplicitOptions options_;
  const Tableau& table_;
  StepControl control_;
  FirstStage first_;
  linalg::KktSolver kkt_;
  std::optional<linalg::KktSolver> mass_;  ///< M alone, for the first stage of `stages`
  mechanics::MassMatrix M_;
  linalg::RowMatrix G_, C_;                  ///< rows at stages i and i + 1
  std::vector<VectorXd> theta_dot_, v_dot_;  ///< Θ̇ and V̇ at the stages
  VectorXd Q_, V_, Theta_;                   ///< stage i
  VectorXd Q_next_, V_next_, Theta_next_;    ///< stage i + 1, V without the contribution of stage i at first
  VectorXd force_, inertia_, residual_, rate_, Lambda_;
  VectorXd q_result_, v_result_, theta_result_;  ///< stage s + 1
  VectorXd lambda_, lambda_next_;                ///< λₙ and λₙ₊₁ of `stages`
};

}  // namespace filum::integrate
