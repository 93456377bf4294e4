/// One step of a half-explicit Runge-Kutta method. Theory: docs/theory/half_explicit_rk.md.
#include "option_text.hpp"

#include <filum/integrate/half_explicit_rk.hpp>
#include <filum/integrate/stage_sum.hpp>

namespace filum::integrate {

std::optional<OptionProblem> objection(const HalfExplicitOptions& o) {
  if (o.order < 2 || o.order > 5) return OptionProblem{"order", "must be 2 to 5, got " + text_of(o.order)};
  if (!o.adaptive) return std::nullopt;
  if (o.order != 5)
    return OptionProblem{
        "order", "must be 5 for errors to be estimated, got " + text_of(o.order) + ": choose 5, or constant steps"};
  return objection(o.control);
}

HalfExplicitRk::HalfExplicitRk(const System& system, HalfExplicitOptions options, const RowSelection& rows)
    : Integrator(rows),
      system_(system),
      options_(checked(options)),
      table_(half_explicit_tableau(options.order)),
      control_(options.control, table_.embedded_order, system.space()),
      first_(system, rows),
      kkt_(system.pattern(), rows),
      M_(system),
      G_(system.pattern()),
      C_(system.pattern()),
      theta_dot_(table_.rows, VectorXd::Zero(system.size_v())),
      v_dot_(theta_dot_),
      Q_(system.size_q()),
      Q_next_(system.size_q()),
      q_result_(system.size_q()) {
  for (VectorXd* x : {&V_, &Theta_, &V_next_, &Theta_next_, &force_, &inertia_, &v_result_, &theta_result_})
    x->setZero(system.size_v());
  for (VectorXd* x : {&residual_, &rate_, &Lambda_, &lambda_, &lambda_next_}) x->setZero(system.size_rows());
  if (sums_multipliers()) mass_.emplace(system.pattern(), rows);
  if (M_.varies()) return;
  kkt_.set_nodes(M_.current(), linalg::Structure::separable);
  if (mass_) mass_->set_nodes(M_.current(), linalg::Structure::separable);
}

void HalfExplicitRk::start(State& x, double /*h*/) {
  first_.forget();
  StepReport report;
  first_.prepare(x, report);
  lambda_ = first_.lambda();
  // The solver reserves its memory when it sees its first matrix: here, so that no step has to.
  if (M_.varies()) kkt_.set_nodes(M_.at(x.q), linalg::Structure::separable);
  system_.constraint_jacobian(x.t, x.q, C_);
  kkt_.set_rows(C_, C_, system_.row_blocks());
  if (mass_) first_acceleration(x, force_, report);
}

void HalfExplicitRk::save(std::vector<double>& memory) const {
  MemoryWriter writer(memory);
  first_.save(writer);
  writer << kkt_ << lambda_;
}

void HalfExplicitRk::restore(std::span<const double> memory) {
  MemoryReader reader(memory);
  first_.restore(reader);
  reader >> kkt_ >> lambda_;
  reader.finish();
}

StepReport HalfExplicitRk::step(State& x, double h) {
  StepReport report;
  report.trouble = stages(x, h, report);
  if (options_.adaptive) {
    if (report.accepted()) report.trouble = estimate_error(x, h, report);
    const bool has_error = report.accepted() || report.trouble == StepTrouble::error_too_large;
    report.next_step = control_.next(h, has_error ? report.error : std::numeric_limits<double>::quiet_NaN());
  }
  if (!report.accepted()) return report;
  x.t += h;
  x.q = q_result_;
  x.v = v_result_;
  if (sums_multipliers()) lambda_.swap(lambda_next_);
  if (options_.adaptive && !sums_multipliers())
    first_.move_on();
  else
    first_.forget();
  return report;
}

void HalfExplicitRk::complete(State& x) {
  if (!sums_multipliers()) return first_.complete(x);
  StepReport report;
  const bool ok = first_acceleration(x, x.a, report) == StepTrouble::none;
  x.lambda = lambda_;
  if (!ok) x.a.setConstant(std::numeric_limits<double>::quiet_NaN());
}

// (HE.6), or (HE.7): M V̇₁ = v̂ᵀMv + f − Cᵀ λₙ
StepTrouble HalfExplicitRk::first_acceleration(const State& x, VectorXd& a, StepReport& report) {
  if (!sums_multipliers()) {
    const StepTrouble trouble = first_.prepare(x, report);
    a = first_.a();
    return trouble;
  }
  if (M_.varies()) mass_->set_nodes(M_.at(x.q), linalg::Structure::separable);
  system_.constraint_jacobian(x.t, x.q, G_);
  if (!mass_->set_rows(G_, G_, 0).ok) return trouble_of_matrix(x.q, G_);
  system_.forces(x.t, x.q, x.v, force_);
  system_.inertia_forces(x.q, x.v, inertia_);
  force_ += inertia_;
  G_.add_transpose_times(lambda_, -1, force_, system_.row_blocks());
  mass_->solve(force_, residual_, a, Lambda_);
  return a.allFinite() ? StepTrouble::none : StepTrouble::not_finite;
}

// (HE.1) Θᵢ = h Σ aᵢⱼ Θ̇ⱼ,  Qᵢ = qₙ ∘ exp(Θᵢ),  Vᵢ = vₙ + h Σ aᵢⱼ V̇ⱼ     (HE.2) Θ̇ᵢ = T⁻¹(Θᵢ) Vᵢ
// The result is stage s + 1. V̇₁ is v̇ₙ, (HE.6) or (HE.7); the others satisfy (HE.3) and (HE.4). Rows beyond s + 1 serve
// the multipliers only.
StepTrouble HalfExplicitRk::stages(const State& x, double h, StepReport& report) {
  if (const StepTrouble trouble = first_acceleration(x, v_dot_[0], report); trouble != StepTrouble::none)
    return trouble;
  V_ = x.v;
  theta_dot_[0] = x.v;
  if (sums_multipliers()) lambda_next_ = table_.multiplier_weights[0] * lambda_;
  const int last = sums_multipliers() ? table_.rows - 1 : table_.stages;
  for (int i = 0; i < last; ++i) {
    if (i > 0) system_.space().tangent_op_inv_times(1, Theta_, V_, theta_dot_[i]);  // (HE.2)
    const Tableau::Row& a = table_.a[i + 1];
    sum_stages(h, a, i + 1, theta_dot_, Theta_next_);
    system_.space().advance(x.q, 1, Theta_next_, Q_next_);  // (HE.1)
    const double t_next = x.t + table_.c[i + 1] * h;
    system_.constraint_jacobian(t_next, Q_next_, C_);
    V_next_ = x.v;
    add_stages(h, a, i, v_dot_, V_next_);
    if (i > 0) {
      const StepTrouble trouble = stage_acceleration(i, x.t + table_.c[i] * h, t_next, h, report);
      if (trouble != StepTrouble::none) return trouble;
      if (sums_multipliers()) lambda_next_ += table_.multiplier_weights[i] * Lambda_;
    }
    V_next_ += (h * a[i]) * v_dot_[i];
    Q_.swap(Q_next_);
    V_.swap(V_next_);
    Theta_.swap(Theta_next_);
    std::swap(G_, C_);
    if (i + 1 == table_.stages) q_result_ = Q_, v_result_ = V_, theta_result_ = Theta_;
  }
  return q_result_.allFinite() && v_result_.allFinite() ? StepTrouble::none : StepTrouble::not_finite;
}

// (HE.3) M(Qᵢ) V̇ᵢ + C(Qᵢ)ᵀ Λᵢ = v̂ᵀMv + f at stage i
// (HE.4) C(Qᵢ₊₁) (vₙ + h Σ_{j<i} aᵢ₊₁,ⱼ V̇ⱼ + h aᵢ₊₁,ᵢ V̇ᵢ) + rate = 0 at stage i + 1, divided by h aᵢ₊₁,ᵢ
StepTrouble HalfExplicitRk::stage_acceleration(int i, double t, double t_next, double h, StepReport& report) {
  ++report.matrices;
  if (M_.varies() && !kkt_.set_nodes(M_.at(Q_), linalg::Structure::separable).ok) return trouble_of_matrix(Q_, G_);
  if (!kkt_.set_rows(C_, G_, system_.row_blocks()).ok) return trouble_of_matrix(Q_next_, C_);
  system_.forces(t, Q_, V_, force_);
  system_.inertia_forces(Q_, V_, inertia_);
  force_ += inertia_;
  C_.times(V_next_, residual_, system_.row_blocks());
  system_.constraint_rate(t_next, Q_next_, rate_);
  residual_ = (residual_ + rate_) / (-h * table_.a[i + 1][i]);
  kkt_.solve(force_, residual_, v_dot_[i], Lambda_);
  return StepTrouble::none;
}

// (HE.8) The embedded method over stages 1 to s + 1, whose last stage is the index-1 system at the result: the first
// stage of the next step. With multipliers of the stages it has been found together with them.
StepTrouble HalfExplicitRk::estimate_error(const State& x, double h, StepReport& report) {
  const int s = table_.stages;
  const bool projects = options_.estimate == HalfExplicitEstimate::projected;
  if (projects || !sums_multipliers()) {
    const StepTrouble trouble = first_.look_ahead(x.t + h, q_result_, v_result_, report);
    if (trouble != StepTrouble::none) return trouble;
    if (!sums_multipliers()) v_dot_[s] = first_.a_ahead();
  }
  system_.space().tangent_op_inv_times(1, theta_result_, v_result_, theta_dot_[s]);
  Tableau::Row difference{};
  for (int i = 0; i <= s; ++i) difference[i] = table_.weights()[i] - table_.embedded[i];
  ErrorNorm norm = control_.norm();
  sum_stages(h, difference, s + 1, theta_dot_, force_);
  norm.add(force_, theta_result_);  // θ starts from 0 in every step, (HE.9)
  sum_stages(h, difference, s + 1, v_dot_, force_);
  if (projects) first_.project_ahead(q_result_, force_);  // (HE.13)
  norm.add(force_, x.v, v_result_);
  report.error = norm.value();
  if (!std::isfinite(report.error)) return StepTrouble::not_finite;
  return report.error <= 1 ? StepTrouble::none : StepTrouble::error_too_large;
}

}  // namespace filum::integrate
