/// SHAKELie: the two-step relative of RATTLie that keeps positions only. Theory: docs/theory/shakelie.md.
#pragma once

#include <filum/integrate/condensed_corrector.hpp>
#include <filum/integrate/half_step.hpp>
#include <filum/integrate/option_problem.hpp>
#include <filum/integrate/stabilized_step.hpp>

#include <optional>

namespace filum::integrate {

/// V₁⸝₂ of the first step.
enum class ShakelieStart {
  second_order,  ///< (S.3) from the first half of a RATTLie step
  first_order,   ///< (S.5) V₁⸝₂ = v₀, an explicit Euler step
  extrapolated   ///< (S.6) V₋₁⸝₂ = v₀ and a whole step, of first order, too
};

struct ShakelieOptions {
  Formulation formulation = Formulation::index_3;  ///< stabilized: (S.7) to (S.10), the author's program
  ShakelieStart start = ShakelieStart::second_order;
  double position_tolerance = HalfStep::default_position_tolerance;
  NewtonOptions newton = {};
};
std::optional<OptionProblem> objection(const ShakelieOptions& options);

/// Constant steps. The method works with velocities of whole steps, Vₙ₊₁⸝₂; the velocity and multiplier at tₙ
/// need the step after tₙ, so the object always has solved one step ahead of the state.
class Shakelie final : public Integrator {
 public:
  using Options = ShakelieOptions;
  static constexpr std::string_view word = "shakelie";
  static constexpr bool is_implicit = true;
  static Capabilities can(const Options& /*o*/) { return {.varying_mass = false}; }

  explicit Shakelie(const System& system, ShakelieOptions options = {}, const RowSelection& rows = {});

  std::string_view name() const override { return word; }
  Capabilities capabilities() const override { return can({}); }
  void start(State& x, double h) override;
  StepReport step(State& x, double h) override;
  void complete(State& x) override;
  const VectorXd* stabilization() const override { return stabilized_ ? &eta_ : nullptr; }
  void save(std::vector<double>& memory) const override;
  void restore(std::span<const double> memory) override;

 private:
  class StepMomentum;
  void solve_first_step(const State& x, double h);
  NewtonReport solve_step(double t, double h);

  const System& system_;
  const ShakelieStart start_;
  HalfStep half_step_;
  std::optional<StabilizedStep> stabilized_;
  linalg::RowMatrix rows_;
  NewtonReport start_report_;  ///< of the solve in `start`, handed on by the first step
  bool started_ = false;
  VectorXd V_, U_, y_;                     ///< of the step after the state: Vₙ₊₁⸝₂, what moves q, and hλₙ
  VectorXd V_next_, U_next_, y_next_, q_;  ///< of the step after that, and where it begins
  VectorXd eta_;                           ///< that belongs to the state
  VectorXd v_middle_, force_;              ///< there
  VectorXd mass_times_V_, momentum_before_, momentum_;
  VectorXd a_, lambda_;  ///< that belong to the state
};

}  // namespace filum::integrate
