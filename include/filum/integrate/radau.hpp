/// Radau IIA with three stages on Lie groups. Theory: docs/theory/radau.md.
#pragma once

#include <filum/integrate/option_problem.hpp>
#include <filum/integrate/radau_stages.hpp>
#include <filum/integrate/start_derivatives.hpp>
#include <filum/integrate/step_control.hpp>

#include <optional>

namespace filum::integrate {

struct RadauOptions {
  bool adaptive = false;
  StepControlOptions control{.atol = 1e-6, .rtol = 1e-6, .max_factor = 4};
  /// With error control at most a hundredth of the tolerances of the step, (RA.13).
  NewtonOptions newton = {};
};
std::optional<OptionProblem> objection(const RadauOptions& options);

/// Order 5 in q, v and λ with any steps, for stiff systems; both levels of the constraints hold at the end of a step.
class Radau final : public Integrator {
 public:
  using Options = RadauOptions;
  static constexpr std::string_view word = "radau";
  static constexpr bool is_implicit = true;
  static Capabilities can(const Options& o) {
    return {.variable_steps = true, .nonholonomic = true, .adaptive = o.adaptive, .singular_mass = true};
  }

  explicit Radau(const System& system, const RadauOptions& options = {}, const RowSelection& rows = {});

  std::string_view name() const override { return word; }
  Capabilities capabilities() const override { return can(options_); }
  void start(State& x, double h) override;
  StepReport step(State& x, double h) override;
  void complete(State& x) override;
  const StepControl* step_control() const override { return options_.adaptive ? &control_ : nullptr; }
  const VectorXd* stabilization() const override { return system_.size_lambda() > 0 ? &eta_ : nullptr; }
  void save(std::vector<double>& memory) const override;
  void restore(std::span<const double> memory) override;

 private:
  void guess(const State& x, double h);
  double local_error(const State& x, double h);

  const System& system_;
  RadauOptions options_;
  StepControl control_;
  RadauStages stages_;
  StartDerivatives index_1_;
  StepControl::Memory history_;  ///< of errors
  VectorXd a_, lambda_, eta_;    ///< of the last accepted step, its own
  double h_before_ = 0;          ///< the step that `before_` belongs to; 0: there was none
  VectorXd q_before_, v_before_;
  StageValues before_;  ///< of the last accepted step, whose polynomials give the first guess
  StageValues values_;
  VectorXd q_, increment_, error_p_, error_v_;
};

}  // namespace filum::integrate
