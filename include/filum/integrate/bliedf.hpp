/// BLieDF: backward differentiation formulas on Lie groups. Theory: docs/theory/bliedf.md.
#pragma once

#include <filum/integrate/condensed_corrector.hpp>
#include <filum/integrate/option_problem.hpp>
#include <filum/integrate/start_derivatives.hpp>
#include <filum/integrate/step_control.hpp>

#include <optional>

namespace filum::integrate {

/// How the two-step formula gets the values before the first step.
enum class BliedfStart {
  perturbed,   ///< from derivatives of the solution, velocities with the error the formula itself makes (index 3 only):
               ///< order k in q, v and λ from the first step on; where stiffness does not allow that, as euler
  consistent,  ///< from derivatives, velocities exact: with index 3 the first multipliers lose an order
  euler        ///< (BD.9) one step of the one-step formula, as in the author's program: an error of size h² that stays
};

struct BliedfOptions {
  int steps = 2;  ///< k = 1 or 2
  Formulation formulation = Formulation::stabilized_index_2;
  BliedfStart start = BliedfStart::perturbed;
  bool adaptive = false;
  StepControlOptions control{.atol = 1e-4, .rtol = 1e-4, .max_factor = 2};
  NewtonMatrix matrix = NewtonMatrix::automatic;
  NewtonOptions newton = {};
};
std::optional<OptionProblem> objection(const BliedfOptions& options);

/// (BD.2) Coefficients of the k-step formula after a step of h/ratio: h v̇ = Σ alpha_i v_{n+1−i}, v = Σ gamma_i
/// Δq_{n−i}.
struct BliedfCoefficients {
  double alpha[3], gamma[2];
  /// (BD.5) The formula's own error: h (rate v̇) for k = 1, h² (rate v̈ + bracket v̂v̇) for k = 2.
  double rate, bracket;

  /// Throws std::invalid_argument unless k is 1 or 2.
  static BliedfCoefficients of(int steps, double ratio = 1);
};

/// Order k, with any steps. Accelerations and multipliers are the method's own.
class Bliedf final : public Integrator {
 public:
  using Options = BliedfOptions;
  static constexpr std::string_view word = "bliedf";
  static constexpr bool is_implicit = true;
  static Capabilities can(const Options& o) {
    return {.variable_steps = true,
            .adaptive = o.adaptive,
            .singular_mass = true,
            .cubic_between = true,
            .own_lambda = true};
  }

  explicit Bliedf(const System& system, const BliedfOptions& options = {}, const RowSelection& rows = {});

  std::string_view name() const override { return word; }
  Capabilities capabilities() const override { return can(options_); }
  void start(State& x, double h) override { begin(x, h, false); }
  void restart(State& x, double h) override;
  StepReport step(State& x, double h) override;
  void complete(State& x) override;
  const StepControl* step_control() const override { return options_.adaptive ? &control_ : nullptr; }
  std::string remark() const override;
  const VectorXd* stabilization() const override { return corrector_.is_stabilized() ? &corrector_.eta() : nullptr; }
  void save(std::vector<double>& memory) const override;
  void restore(std::span<const double> memory) override;

  /// η of the last step, which vanishes with hᵏ and measures what the stabilization had to do.
  const VectorXd& eta() const { return corrector_.eta(); }

 private:
  void begin(State& x, double h, bool only_ahead);
  void move_to_step(const State& x, double h, int steps);
  double local_error(const State& x, double h, int steps);

  const System& system_;
  const BliedfOptions options_;
  StepControl control_;
  CondensedCorrector corrector_;
  StartDerivatives index_1_;
  bool fell_back_ = false;                ///< the perturbed start that was asked for failed
  bool first_ = false;                    ///< the next step is one of the one-step formula, (BD.9)
  double remarked_step_ = 0;              ///< of the first start that fell back; 0: none did
  double h_ = 0, ratio_ = 1;              ///< of the last step: its size, and that size over the one before
  VectorXd v_before_, increment_before_;  ///< vₙ₋₁ as the last step used it, and Δqₙ₋₁; unused when k = 1
  VectorXd u_before_;                     ///< v̇ₙ₋₁
  StepControl::Memory history_;           ///< of errors
  BliedfCoefficients c_ = {};             ///< of the step that is being made
  VectorXd v_now_, v_old_;                ///< vₙ and vₙ₋₁ as the step needs them, (BD.11)
  VectorXd v_part_, ha_part_, guess_, hidden_, bracket_rows_;
  VectorXd error_, increment_, commutator_;
};

}  // namespace filum::integrate
