/// The generalized-alpha method on Lie groups. Theory: docs/theory/generalized_alpha.md.
#pragma once

#include <filum/integrate/condensed_corrector.hpp>
#include <filum/integrate/option_problem.hpp>
#include <filum/integrate/start_derivatives.hpp>
#include <filum/integrate/step_control.hpp>

#include <optional>

namespace filum::integrate {

/// Where the four parameters come from, (GA.2) and (GA.2a).
enum class AlphaFamily {
  chung_hulbert,  ///< rho_infinity
  hht,            ///< Hilber, Hughes and Taylor: alpha_f, with alpha_m = 0
  newmark,        ///< beta and gamma (default 1/4 and 1/2), with alpha_m = alpha_f = 0
  free            ///< all four
};

struct AlphaParameters {
  double alpha_m, alpha_f, beta, gamma;

  /// (GA.2) Chung and Hulbert: a given damping of the highest frequencies. Throws std::invalid_argument unless 0 ≤
  /// rho_infinity ≤ 1.
  static AlphaParameters from_rho_infinity(double rho_infinity);
  /// (GA.2a) Hilber, Hughes and Taylor: second order, unconditionally stable for 0 ≤ alpha_f ≤ 1/3.
  static AlphaParameters from_hht(double alpha_f);
  /// Δ_α: aₙ approximates v̇ at tₙ + Δ_α h.
  double offset() const { return alpha_m - alpha_f; }
  /// 2 when γ = ½ − Δ_α, 1 otherwise.
  int order() const;
  /// (GA.2c) Largest modulus of the eigenvalues for h ω → ∞, which are those of the multipliers of a constrained system
  /// at any step: −α_f/(1−α_f), and the roots of βζ² + (½ + γ − 2β)ζ + ½ − γ + β.
  double spectral_radius() const;
  /// C_q of the local error C_q h³ v̈ of positions in a linear space.
  double position_error() const { return (1 - 6 * beta - 3 * offset()) / 6; }
};

/// Starting values of a and v.
enum class AlphaStart {
  perturbed,  ///< both shifted as the theory asks: second order in q, v and λ from the first step on; where
              ///< stiffness does not allow that, a = v̇ without its stiff part, (GA.21)
  perturbed_acceleration,  ///< only a shifted; enough for the stabilized index-2 formulation
  classical                ///< a = v̇, v unchanged: λ loses an order for a while
};

struct GeneralizedAlphaOptions {
  AlphaFamily family = AlphaFamily::chung_hulbert;
  double rho_infinity = 0.9;                         ///< chung_hulbert
  std::optional<double> alpha_m = {}, alpha_f = {};  ///< free; hht: alpha_f
  std::optional<double> beta = {}, gamma = {};       ///< free, newmark
  Formulation formulation = Formulation::stabilized_index_2;
  AlphaStart start = AlphaStart::perturbed;
  bool adaptive = false;
  StepControlOptions control{.atol = 1e-4, .rtol = 1e-4, .max_factor = 2};
  NewtonMatrix matrix = NewtonMatrix::automatic;
  NewtonOptions newton = {};
};
std::optional<OptionProblem> objection(const GeneralizedAlphaOptions& options);
/// Throws std::invalid_argument when there is an objection.
AlphaParameters parameters_of(const GeneralizedAlphaOptions& options);
/// Also asks whether they suit the system.
std::optional<OptionProblem> objection(const GeneralizedAlphaOptions& options, const System& system);

/// Second order (first where the parameters miss (GA.2b)), with any steps: generalized_alpha.md, sec. 6. Accelerations
/// and multipliers are the method's own.
class GeneralizedAlpha final : public Integrator {
 public:
  using Options = GeneralizedAlphaOptions;
  static constexpr std::string_view word = "generalized-alpha";
  static constexpr bool is_implicit = true;
  static Capabilities can(const Options& o) {
    return {.variable_steps = true,
            .adaptive = o.adaptive,
            .singular_mass = true,
            .cubic_between = true,
            .own_lambda = true};
  }

  explicit GeneralizedAlpha(const System& system, const GeneralizedAlphaOptions& options = {},
                            const RowSelection& rows = {});

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

  const AlphaParameters& parameters() const { return parameters_; }
  /// η of the last step, which vanishes with h² and measures what the stabilization had to do.
  const VectorXd& eta() const { return corrector_.eta(); }

 private:
  void begin(State& x, double h, bool only_ahead);
  void move_to_step(const State& x, double h);
  double local_error(const State& x, double h);

  const System& system_;
  GeneralizedAlphaOptions options_;
  AlphaParameters parameters_;
  StepControl control_;
  CondensedCorrector corrector_;
  StartDerivatives index_1_;
  bool fell_back_ = false;       ///< the perturbed start that was asked for failed
  double h_ = 0;                 ///< the step that a_ belongs to
  double remarked_step_ = 0;     ///< of the first start that fell back; 0: none did
  VectorXd a_, a_before_;        ///< the acceleration-like variable: aₙ, and aₙ₋₁ as the last step used it
  VectorXd u_before_;            ///< v̇ₙ₋₁
  StepControl::Memory history_;  ///< of errors
  VectorXd a_now_, v_now_;       ///< aₙ and vₙ as the next step needs them, (GA.22) and (GA.23)
  VectorXd a_new_, v_part_, ha_part_, guess_, hidden_;
  VectorXd error_, increment_, commutator_;
};

}  // namespace filum::integrate
