/// Munthe-Kaas methods: explicit Runge-Kutta steps on the index-1 system, in the Lie algebra.
/// Theory: docs/theory/munthe_kaas_rk.md.
#pragma once

#include <filum/integrate/first_stage.hpp>
#include <filum/integrate/option_problem.hpp>
#include <filum/integrate/tableaus.hpp>

namespace filum::integrate {

struct MuntheKaasOptions {
  int order = 4;  ///< 2 to 5; 4 is the classical method
};
std::optional<OptionProblem> objection(const MuntheKaasOptions& options);

/// Constraints are kept at the level of accelerations only, so q and v drift off them with the order of the method,
/// unless the motion stays in a subgroup (munthe_kaas_rk.md, sec. 3).
class MuntheKaasRk final : public Integrator {
 public:
  using Options = MuntheKaasOptions;
  static constexpr std::string_view word = "munthe-kaas-rk";
  static constexpr bool is_implicit = false;
  static Capabilities can(const Options& /*o*/) { return {.variable_steps = true, .nonholonomic = true}; }

  explicit MuntheKaasRk(const System& system, MuntheKaasOptions options = {}, const RowSelection& rows = {});

  std::string_view name() const override { return word; }
  Capabilities capabilities() const override { return can({}); }
  void start(State& x, double h) override;
  StepReport step(State& x, double h) override;
  void complete(State& x) override { first_.complete(x); }
  /// The next step depends on the state alone; what is saved spares it the work of the first stage.
  void save(std::vector<double>& memory) const override;
  void restore(std::span<const double> memory) override;

 private:
  StepTrouble stages(const State& x, double h, StepReport& report);

  const System& system_;
  const Tableau& table_;
  FirstStage first_;
  std::vector<VectorXd> k_, v_dot_;  ///< Ψ̇ and v̇ at the stages
  VectorXd Q_, V_, Psi_;
};

}  // namespace filum::integrate
