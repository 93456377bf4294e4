/// One step of SHAKELie. Theory: docs/theory/shakelie.md.
#include <filum/integrate/memory_stream.hpp>
#include <filum/integrate/shakelie.hpp>

namespace filum::integrate {

std::optional<OptionProblem> objection(const ShakelieOptions& o) {
  if (auto problem = objection_to_tolerance(o.position_tolerance)) return problem;
  return objection(o.newton);
}

Shakelie::Shakelie(const System& system, ShakelieOptions options, const RowSelection& rows)
    : Integrator(rows),
      system_(system),
      start_(checked(options).start),
      half_step_(system, options.newton, rows, options.position_tolerance),
      rows_(system.pattern()),
      q_(VectorXd::Zero(system.size_q())) {
  for (VectorXd* x :
       {&V_, &U_, &V_next_, &U_next_, &v_middle_, &mass_times_V_, &momentum_before_, &momentum_, &force_, &a_})
    *x = VectorXd::Zero(system.size_v());
  for (VectorXd* x : {&y_, &y_next_, &lambda_, &eta_}) *x = VectorXd::Zero(system.size_rows());
  if (options.formulation == Formulation::stabilized_index_2) stabilized_.emplace(system, options.newton, rows);
}

// (S.3) The first half of a RATTLie step gives V₁⸝₂ with second order, (S.5) v₀ itself and (S.6) a whole step (S.1)
// after V₋₁⸝₂ = v₀ with first.
void Shakelie::start(State& x, double h) {
  V_ = x.v;
  start_report_ = {};
  started_ = true;
  if (start_ != ShakelieStart::first_order) solve_first_step(x, h);
  U_ = V_;
  eta_.setZero();
  y_ = h * x.lambda;
  a_ = x.a;
  lambda_ = x.lambda;
}

void Shakelie::solve_first_step(const State& x, double h) {
  const bool is_whole = start_ == ShakelieStart::extrapolated;
  const double share = is_whole ? 1 : 0.5;
  system_.constraint_jacobian(x.t, x.q, rows_);
  system_.forces(x.t, x.q, x.v, force_);
  system_.mass_times(x.q, x.v, mass_times_V_);
  if (is_whole)
    system_.space().tangent_op_inv_T_times(h, x.v, mass_times_V_, momentum_);
  else
    momentum_ = mass_times_V_;
  momentum_ += share * h * force_;
  y_ = share * h * x.lambda;
  start_report_ = half_step_.solve(x.t, h, x.q, rows_, momentum_, V_, y_);
  started_ = start_report_.converged();
}

/// (S.1) p = T⁻ᵀ(hVₙ₋₁⸝₂) M Vₙ₋₁⸝₂ + h f(tₙ, qₙ, vₙ) with vₙ = (Vₙ₋₁⸝₂ + Vₙ₊₁⸝₂)/2, implicit when f depends on v.
class Shakelie::StepMomentum final : public HalfStep::Momentum {
 public:
  StepMomentum(Shakelie& s, double t, double h) : s_(s), t_(t), h_(h) {}
  void evaluate(const VectorXd& V, VectorXd& p) override {
    s_.v_middle_ = 0.5 * (s_.V_ + V);
    s_.system_.forces(t_, s_.q_, s_.v_middle_, s_.force_);
    p = s_.momentum_before_ + h_ * s_.force_;
  }
  void add_matrix(const VectorXd& V, linalg::NodeMatrix& H) override {
    s_.v_middle_ = 0.5 * (s_.V_ + V);
    s_.system_.add_force_derivatives(t_, s_.q_, s_.v_middle_, 0, -0.5 * h_, H);
  }

 private:
  Shakelie& s_;
  double t_, h_;
};

// (S.1) T⁻ᵀ(−hVₙ₊₁⸝₂) M Vₙ₊₁⸝₂ + h Cₙᵀ λₙ = T⁻ᵀ(hVₙ₋₁⸝₂) M Vₙ₋₁⸝₂ + h fₙ     (S.2) Φ(qₙ ∘ exp(hVₙ₊₁⸝₂)) = 0, here at n
// + 1
StepReport Shakelie::step(State& x, double h) {
  StepReport report;
  if (!started_) {
    report.newton = start_report_;
    report.trouble = trouble_of(start_report_);
    return report;
  }
  const double t = x.t + h;
  system_.space().advance(x.q, h, U_, q_);
  system_.constraint_jacobian(t, q_, rows_);
  system_.mass_times(q_, V_, mass_times_V_);
  system_.space().tangent_op_inv_T_times(h, V_, mass_times_V_, momentum_before_);
  report.newton = solve_step(t, h);
  report.newton_iterations = report.newton.iterations;
  report.matrices = report.newton.matrices;
  report.trouble = trouble_of(report.newton);
  if (!report.accepted()) return report;
  x.t = t;
  x.q = q_;
  x.v = 0.5 * (V_ + V_next_);
  a_ = (V_next_ - V_) / h;
  lambda_ = y_next_ / h;
  y_ = y_next_;
  V_ = V_next_;
  U_ = U_next_;
  if (stabilized_) eta_ = stabilized_->eta();
  return report;
}

/// The step that begins with q_ at t.
NewtonReport Shakelie::solve_step(double t, double h) {
  y_next_ = y_;
  StepMomentum momentum(*this, t, h);
  NewtonReport report;
  if (stabilized_) {
    U_next_ = V_;
    report = stabilized_->solve(t, h, q_, rows_, V_, momentum, momentum_, U_next_, y_next_);
    V_next_ = stabilized_->V();
    return report;
  }
  V_next_ = V_;
  const bool implicit = system_.forces_depend_on_velocity();
  if (!implicit) momentum.evaluate(V_, momentum_);
  report = half_step_.solve(t, h, q_, rows_, momentum_, V_next_, y_next_, implicit ? &momentum : nullptr);
  U_next_ = V_next_;
  return report;
}

// The multipliers are the method's own, (S.4); so is the acceleration, the difference of neighbouring velocities.
void Shakelie::complete(State& x) {
  x.a = a_;
  x.lambda = lambda_;
}

void Shakelie::save(std::vector<double>& memory) const {
  MemoryWriter writer(memory);
  writer << V_ << y_ << a_ << lambda_ << half_step_;
  if (stabilized_) writer << U_ << eta_ << *stabilized_;
}

void Shakelie::restore(std::span<const double> memory) {
  MemoryReader reader(memory);
  reader >> V_ >> y_ >> a_ >> lambda_ >> half_step_;
  U_ = V_;
  if (stabilized_) reader >> U_ >> eta_ >> *stabilized_;
  reader.finish();
  started_ = true;
}

}  // namespace filum::integrate
