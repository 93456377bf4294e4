/// The generalized-alpha method on Lie groups. Theory: docs/theory/generalized_alpha.md.
#pragma once

#include <filum/integrate/condensed_corrector.hpp>
#include <filum/integrate/option_problem.hpp>
#include <filum/integrate/start_derivatives.hpp>

namespace filum::integrate {

/// (GA.2) The parameters of Chung and Hulbert for a given damping of the highest frequencies.
struct AlphaParameters {
  double alpha_m, alpha_f, beta, gamma;

  /// Throws std::invalid_argument unless 0 ≤ rho_infinity ≤ 1.
  static AlphaParameters from_rho_infinity(double rho_infinity);
  /// Δ_α: aₙ approximates v̇ at tₙ + Δ_α h.
  double offset() const { return alpha_m - alpha_f; }
  /// C_q of the local error C_q h³ v̈ of positions in a linear space.
  double position_error() const { return (1 - 6 * beta - 3 * offset()) / 6; }
};

/// Starting values of a and v.
enum class AlphaStart {
  perturbed,               ///< both shifted as the theory asks: second order in q, v and λ from the first step on
  perturbed_acceleration,  ///< only a shifted; enough for the stabilized index-2 formulation
  classical                ///< a = v̇, v unchanged: λ loses an order for a while
};

struct GeneralizedAlphaOptions {
  double rho_infinity = 0.9;
  Formulation formulation = Formulation::stabilized_index_2;
  AlphaStart start = AlphaStart::perturbed;
  NewtonMatrix matrix = NewtonMatrix::automatic;
  NewtonOptions newton = {};
};
std::optional<OptionProblem> objection(const GeneralizedAlphaOptions& options);
/// Also asks whether they suit the system.
std::optional<OptionProblem> objection(const GeneralizedAlphaOptions& options, const System& system);

/// Second order, constant steps. Accelerations and multipliers are the method's own.
class GeneralizedAlpha final : public Integrator {
 public:
  using Options = GeneralizedAlphaOptions;
  static constexpr std::string_view word = "generalized-alpha";
  static constexpr bool is_implicit = true;
  static Capabilities can(const Options& /*o*/) { return {.singular_mass = true}; }

  explicit GeneralizedAlpha(const System& system, const GeneralizedAlphaOptions& options = {}, const RowSelection& rows = {});

  std::string_view name() const override { return word; }
  Capabilities capabilities() const override { return can({}); }
  void start(State& x, double h) override;
  StepReport step(State& x, double h) override;
  void complete(State& x) override { corrector_.complete(x); }
  const VectorXd* stabilization() const override { return corrector_.is_stabilized() ? &corrector_.eta() : nullptr; }
  void save(std::vector<double>& memory) const override;
  void restore(std::span<const double> memory) override;

  const AlphaParameters& parameters() const { return parameters_; }
  /// η of the last step, which vanishes with h² and measures what the stabilization had to do.
  const VectorXd& eta() const { return corrector_.eta(); }

 private:
  const System& system_;
  GeneralizedAlphaOptions options_;
  AlphaParameters parameters_;
  CondensedCorrector corrector_;
  VectorXd a_;  ///< the acceleration-like variable aₙ
  VectorXd v_part_, ha_part_, a_part_, guess_;
};

}  // namespace filum::integrate
