/// BLieDF: backward differentiation formulas on Lie groups. Theory: docs/theory/bliedf.md.
#pragma once

#include <filum/integrate/condensed_corrector.hpp>
#include <filum/integrate/option_problem.hpp>
#include <filum/integrate/start_derivatives.hpp>

#include <optional>

namespace filum::integrate {

/// How the two-step formula gets the values before the first step.
enum class BliedfStart {
  perturbed,   ///< from derivatives of the solution, velocities with the error the formula itself makes (index 3 only):
               ///< order k in q, v and λ from the first step on
  consistent,  ///< from derivatives, velocities exact: with index 3 the first multipliers lose an order
  euler        ///< (BD.9) one step of the one-step formula, as in the author's program: an error of size h² for ever
};

struct BliedfOptions {
  int steps = 2;  ///< k = 1 or 2
  Formulation formulation = Formulation::stabilized_index_2;
  BliedfStart start = BliedfStart::perturbed;
  NewtonMatrix matrix = NewtonMatrix::automatic;
  NewtonOptions newton = {};
};
std::optional<OptionProblem> objection(const BliedfOptions& options);

/// (BD.2) Coefficients of the k-step formula: h v̇ = Σ alpha_i v_{n+1−i}, v = Σ gamma_i Δq_{n−i}.
struct BliedfCoefficients {
  double alpha[3], gamma[2];

  /// Throws std::invalid_argument unless k is 1 or 2.
  static const BliedfCoefficients& of(int steps);
};

/// Order k, constant steps. Accelerations and multipliers are the method's own.
class Bliedf final : public Integrator {
 public:
  using Options = BliedfOptions;
  static constexpr std::string_view word = "bliedf";
  static constexpr bool is_implicit = true;
  static Capabilities can(const Options& /*o*/) { return {.singular_mass = true}; }

  explicit Bliedf(const System& system, const BliedfOptions& options = {}, const RowSelection& rows = {});

  std::string_view name() const override { return word; }
  Capabilities capabilities() const override { return can({}); }
  void start(State& x, double h) override;
  StepReport step(State& x, double h) override;
  void complete(State& x) override { corrector_.complete(x); }
  const VectorXd* stabilization() const override { return corrector_.is_stabilized() ? &corrector_.eta() : nullptr; }
  void save(std::vector<double>& memory) const override;
  void restore(std::span<const double> memory) override;

  /// η of the last step, which vanishes with hᵏ and measures what the stabilization had to do.
  const VectorXd& eta() const { return corrector_.eta(); }

 private:
  StepReport euler_step(State& x, double h);

  const System& system_;
  const BliedfCoefficients& c_;
  const int steps_;
  const BliedfStart start_;
  CondensedCorrector corrector_;
  std::optional<CondensedCorrector> euler_;  ///< of the first step
  bool first_ = false;                       ///< the next step is made by it
  VectorXd v_before_, increment_before_;     ///< vₙ₋₁ and Δqₙ₋₁; unused when k = 1
  VectorXd v_now_, v_part_, ha_part_, guess_;
};

}  // namespace filum::integrate
