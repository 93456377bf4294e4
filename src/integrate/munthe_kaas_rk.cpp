/// One step of a Munthe-Kaas method. Theory: docs/theory/munthe_kaas_rk.md.
#include "option_text.hpp"

#include <filum/integrate/munthe_kaas_rk.hpp>
#include <filum/integrate/stage_sum.hpp>

namespace filum::integrate {

std::optional<OptionProblem> objection(const MuntheKaasOptions& o) {
  if (o.order < 2 || o.order > 5) return OptionProblem{"order", "must be 2 to 5, got " + text_of(o.order)};
  return std::nullopt;
}

MuntheKaasRk::MuntheKaasRk(const System& system, MuntheKaasOptions options, const RowSelection& rows)
    : Integrator(rows),
      system_(system),
      table_(explicit_tableau(checked(options).order)),
      first_(system, rows),
      k_(table_.stages, VectorXd::Zero(system.size_v())),
      v_dot_(k_),
      Q_(system.size_q()),
      V_(system.size_v()),
      Psi_(system.size_v()) {}

void MuntheKaasRk::start(State& x, double /*h*/) {
  first_.forget();
  StepReport report;
  first_.prepare(x, report);
}

void MuntheKaasRk::save(std::vector<double>& memory) const {
  MemoryWriter writer(memory);
  first_.save(writer);
}

void MuntheKaasRk::restore(std::span<const double> memory) {
  MemoryReader reader(memory);
  first_.restore(reader);
  reader.finish();
}

StepReport MuntheKaasRk::step(State& x, double h) {
  StepReport report;
  report.trouble = stages(x, h, report);
  if (!report.accepted()) return report;
  x.t += h;
  x.q = Q_;
  x.v = V_;
  first_.forget();
  return report;
}

// (MK.2) Ψᵢ = h Σ aᵢⱼ kⱼ     (MK.3) Qᵢ = qₙ ∘ exp(Ψᵢ)     (MK.4) Vᵢ = vₙ + h Σ aᵢⱼ V̇ⱼ
// (MK.5) kᵢ = T⁻¹(Ψᵢ) Vᵢ     (MK.6) V̇ᵢ from (N.4) at (tₙ + cᵢh, Qᵢ, Vᵢ).     The result is stage s + 1.
StepTrouble MuntheKaasRk::stages(const State& x, double h, StepReport& report) {
  if (const StepTrouble trouble = first_.prepare(x, report); trouble != StepTrouble::none) return trouble;
  k_[0] = x.v;
  v_dot_[0] = first_.a();
  for (int i = 1; i <= table_.stages; ++i) {
    sum_stages(h, table_.a[i], i, k_, Psi_);    // (MK.2)
    system_.space().advance(x.q, 1, Psi_, Q_);  // (MK.3)
    V_ = x.v;
    add_stages(h, table_.a[i], i, v_dot_, V_);  // (MK.4)
    if (i == table_.stages) break;
    system_.space().tangent_op_inv_times(1, Psi_, V_, k_[i]);                                            // (MK.5)
    const StepTrouble trouble = first_.accelerations(x.t + table_.c[i] * h, Q_, V_, v_dot_[i], report);  // (MK.6)
    if (trouble != StepTrouble::none) return trouble;
  }
  return Q_.allFinite() && V_.allFinite() ? StepTrouble::none : StepTrouble::not_finite;
}

}  // namespace filum::integrate
