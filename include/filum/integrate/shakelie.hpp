/// SHAKELie: the two-step relative of RATTLie that keeps positions only. Theory: docs/theory/shakelie.md.
#pragma once

#include <filum/integrate/half_step.hpp>
#include <filum/mechanics/acceleration_solver.hpp>

namespace filum::integrate {

struct ShakelieOptions {
  NewtonOptions newton;
};

/// Constant steps. The method works with velocities of whole steps, Vₙ₊₁⸝₂; the velocity and multiplier at tₙ
/// need the step after tₙ, so the object always has solved one step ahead of the state.
class Shakelie final : public Integrator {
 public:
  Shakelie(const System& system, ShakelieOptions options = {});

  std::string_view name() const override { return "shakelie"; }
  Capabilities capabilities() const override { return {.varying_mass = false}; }
  void start(State& x, double h) override;
  StepReport step(State& x, double h) override;
  void complete(State& x) override;
  void save(std::vector<double>& memory) const override;
  void restore(std::span<const double> memory) override;

 private:
  class StepMomentum;

  const System& system_;
  HalfStep half_step_;
  linalg::RowMatrix rows_;
  mechanics::AccelerationSolver index_1_;
  NewtonReport start_report_;  ///< of the solve in `start`, handed on by the first step
  bool started_ = false;
  VectorXd V_, V_next_, v_middle_, q_, p_before_, p_, y_, y_next_, force_, a_, lambda_;
};

}  // namespace filum::integrate
