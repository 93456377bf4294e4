/// One step of RATTLie, its nonholonomic variant, and its multipliers. Theory: docs/theory/rattlie.md.
#include <filum/integrate/memory_stream.hpp>
#include <filum/integrate/rattlie.hpp>
#include <filum/linalg/reduce.hpp>

#include <cstring>

namespace filum::integrate {

namespace {

/// More iterations than these with the matrix of the step before cost more than a new matrix; then that is not tried
/// for a while. Measured with the flying spaghetti, processor time: h = 2^-8 with limits 2, 3, 6: 85, 68, 65 ms, h =
/// 2^-9: 127, 109, 111 ms; pauses of 10, 100, 1000 steps: 66, 68, 82 ms. Mechanisms whose matrix changes (four-bar,
/// cable with mass) do not depend on them.
constexpr int worth_freezing = 3;
constexpr int pause = 100;

/// Bit by bit: several times faster than comparing numbers, and what differs in a sign of zero is computed again.
bool are_identical(const VectorXd& a, const VectorXd& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0;
}

}  // namespace

std::optional<OptionProblem> objection(const RattlieOptions& o) {
  if (auto problem = objection(o.newton)) return problem;
  if (auto problem = objection_to_tolerance(o.position_tolerance)) return problem;
  return o.adaptive ? objection(o.control) : std::nullopt;
}

Rattlie::Rattlie(const System& system, RattlieOptions options, const RowSelection& rows)
    : Integrator(rows),
      system_(system),
      options_(checked(options)),
      half_step_(system, options.newton, rows, options.position_tolerance),
      control_(options.control, 2, system.space(), local_share(options.control, 2)),
      index_1_(system, rows),
      M_(system) {
  const auto velocity = [&] { return VectorXd(VectorXd::Zero(system.size_v())); };
  const auto multipliers = [&] { return VectorXd(VectorXd::Zero(system.size_rows())); };
  for (Trial* t : {&trial_, &ahead_})
    *t = {.q = VectorXd::Zero(system.size_q()),
          .v = velocity(),
          .V = velocity(),
          .y_plus = multipliers(),
          .y_minus = multipliers()};
  memory_ = {.h = 0,
             .V = velocity(),
             .v = velocity(),
             .y_plus = multipliers(),
             .mu = VectorXd::Zero(system.size_mu()),
             .a = velocity(),
             .a_previous = velocity(),
             .lambda_before = multipliers(),
             .q_before = VectorXd::Zero(system.size_q())};
  if (options.multipliers == Multipliers::differences) neighbour_.emplace(system.pattern());
  retained_.q = VectorXd::Zero(system.size_q());
  for (VectorXd* x : {&retained_.force, &momentum_, &a_new_}) *x = velocity();
  for (VectorXd* x : {&mu_, &hidden_, &lambda_new_, &rows_times_v_}) *x = multipliers();
  if (options.adaptive)
    for (VectorXd* x : {&error_, &increment_, &theta_rate_, &theta_accel_, &theta_accel_a_}) *x = velocity();
  if (system.forces_depend_on_velocity()) {
    velocity_newton_.emplace(system.size_v() + system.size_rows(), options.newton);
    velocity_kkt_.emplace(system.pattern(), rows);
    velocity_matrix_.emplace(system.pattern());
    v_unknowns_ = VectorXd::Zero(system.size_v() + system.size_rows());
    for (VectorXd* x : {&force_, &mass_times_v_, &momentum_residual_, &v_change_}) *x = velocity();
    for (VectorXd* x : {&velocity_residual_, &y_change_}) *x = multipliers();
  }
}

void Rattlie::start(State& x, double h) { begin(x, h, -h); }

/// What lies behind a jump says nothing about what comes.
void Rattlie::restart(State& x, double h) { begin(x, h, h); }

void Rattlie::begin(State& x, double h, double look) {
  first_step_ = h;
  memory_.h = 0;
  memory_.is_curved = false;
  memory_.V = memory_.v = x.v;
  memory_.y_plus = 0.5 * h * x.lambda;
  selected().clear_inactive(memory_.y_plus);
  memory_.mu = x.lambda.tail(system_.size_mu());
  patience_ = 0;
  StepReport first;
  retain(x.t, x.q, first);
  half_step_.prepare(x.t, h, x.q, index_1_.rows(), x.v);
  retained_.valid = retained_.has_force = false;
  if (!options_.adaptive) return;
  // The estimate of the first step needs an acceleration before it: one step backwards is accurate enough, (R.14);
  // behind a jump the one of a step forwards, put on the other side.
  memory_.a = x.a;
  StepReport report;
  if (advance(x, look, memory_, trial_, report)) {
    index_1_.solve(x.t + look, trial_.q, trial_.v, memory_.a_previous, lambda_new_);
    if (look > 0) memory_.a_previous = 2 * x.a - memory_.a_previous;
  } else {
    memory_.a_previous = x.a;
  }
  memory_.h = 0;
  a_spacing_ = h;
  retained_.valid = retained_.has_force = false;
  patience_ = 0;
}

bool Rattlie::retains(double t, const VectorXd& q) const {
  return retained_.valid && (retained_.t == t || !system_.is_rheonomic()) && are_identical(retained_.q, q);
}

/// Makes index_1_ keep the matrix at (t, q).
bool Rattlie::retain(double t, const VectorXd& q, StepReport& report) {
  retained_.valid = index_1_.factorize(t, q).ok;
  retained_.has_force = false;
  retained_.t = t;
  retained_.q = q;
  if (!retained_.valid) report.trouble = StepTrouble::singular_matrix;
  return retained_.valid;
}

// (R.1) T⁻ᵀ(−hV) M V + h/2 Cₙᵀ λ⁺ = M vₙ + h/2 (fₙ − Bₙᵀ μₙ)     (R.2) Φ(qₙ₊₁) = 0     (R.3) qₙ₊₁ = qₙ ∘ exp(hV)
bool Rattlie::advance(const State& x, double h, const Memory& memory, Trial& trial, StepReport& report) {
  // The loop may have moved t to its grid by a rounding error; the forces are those of the step before all the same.
  const bool has_force =
      retained_.has_force && std::abs(retained_.t - x.t) < 1e-6 * std::abs(h) && are_identical(retained_.q, x.q);
  if (!has_force) system_.forces(x.t, x.q, x.v, retained_.force);
  system_.mass_times(x.q, x.v, momentum_);
  momentum_ += 0.5 * h * retained_.force;
  if (!retains(x.t, x.q) && !retain(x.t, x.q, report)) return false;
  if (system_.size_mu() > 0) {
    mu_.tail(system_.size_mu()) = memory.mu;
    index_1_.rows().add_transpose_times(mu_, -0.5 * h, momentum_, system_.row_blocks());
  }
  const double ratio = memory.h == 0 ? 0.0 : h / memory.h;
  trial.V = x.v + ratio * (x.v - memory.V);
  if (memory.is_curved) trial.V += 0.5 * ratio * (1 + ratio) * (x.v - 2 * memory.V + memory.v);
  trial.y_plus = (memory.h == 0 ? 1.0 : ratio) * memory.y_plus;
  const bool frozen = patience_ == 0 && system_.size_mu() == 0;
  const NewtonReport newton = half_step_.solve(x.t, h, x.q, index_1_.rows(), momentum_, trial.V, trial.y_plus, nullptr,
                                               frozen ? &index_1_.factors() : nullptr);
  trial.patience = std::max(0, patience_ - 1);
  if (frozen && (newton.matrices > 0 || newton.iterations > worth_freezing)) trial.patience = pause;
  report.newton = newton;
  report.newton_iterations += newton.iterations;
  report.matrices += newton.matrices;
  if (!newton.converged()) {
    report.trouble = trouble_of(newton);
    return false;
  }
  trial.q = half_step_.q_new();
  return second_half(x, h, trial, report);
}

// (R.4) M vₙ₊₁ + h/2 Cₙ₊₁ᵀ (λ⁻, μ) = T⁻ᵀ(hV) M V + h/2 fₙ₊₁     (R.5) Cₙ₊₁ vₙ₊₁ + rate = 0, nonholonomic rows included
bool Rattlie::second_half(const State& x, double h, Trial& trial, StepReport& report) {
  const double t = x.t + h;
  if (!retain(t, trial.q, report)) return false;
  system_.space().tangent_op_inv_T_times(h, trial.V, half_step_.mass_times_V(), momentum_);
  if (system_.has_varying_mass()) system_.add_kinetic_gradient(trial.q, trial.V, 0.5 * h, momentum_);
  system_.constraint_rate(t, trial.q, hidden_);
  hidden_ = -hidden_;
  if (velocity_newton_) {
    if (!implicit_velocity(t, h, trial, report)) return false;
  } else {
    system_.forces(t, trial.q, trial.V, retained_.force);
    retained_.has_force = true;
    momentum_ += 0.5 * h * retained_.force;
    index_1_.solve_linear(momentum_, hidden_, trial.v, trial.y_minus);
  }
  if (trial.v.allFinite()) return true;
  report.trouble = StepTrouble::not_finite;
  return false;
}

/// (R.4) with f(t, q, v) implicit in v: unknowns v and y = h/2 (λ⁻, μ).
struct Rattlie::VelocityEquations {
  Rattlie& r;
  double t, h;
  const VectorXd& q;
  VectorXd &v, &y;

  linalg::FactorReport linearize(const VectorXd& unknowns) {
    const System& s = r.system_;
    v = unknowns.head(s.size_v());
    linalg::NodeMatrix& H = *r.velocity_matrix_;
    H.set_zero();
    s.add_force_derivatives(t, q, v, 0, -0.5 * h, H);
    H.add(1, r.M_.at(q));
    if (const auto report = r.velocity_kkt_->set_nodes(
            H, s.couples_by_velocity() ? linalg::Structure::coupled : linalg::Structure::separable);
        !report.ok)
      return report;
    return r.velocity_kkt_->set_rows(r.index_1_.rows(), r.index_1_.rows(), s.row_blocks());
  }

  bool correction(const VectorXd& unknowns, VectorXd& change) {
    const System& s = r.system_;
    const linalg::RowMatrix& C = r.index_1_.rows();
    v = unknowns.head(s.size_v());
    y = unknowns.tail(s.size_rows());
    s.forces(t, q, v, r.force_);
    s.mass_times(q, v, r.mass_times_v_);
    r.momentum_residual_ = r.momentum_ + 0.5 * h * r.force_ - r.mass_times_v_;
    C.add_transpose_times(y, -1, r.momentum_residual_, s.row_blocks());
    C.times(v, r.velocity_residual_, s.row_blocks());
    r.velocity_residual_ = r.hidden_ - r.velocity_residual_;
    if (!r.momentum_residual_.allFinite() || !r.velocity_residual_.allFinite()) return false;
    r.velocity_kkt_->solve(r.momentum_residual_, r.velocity_residual_, r.v_change_, r.y_change_);
    change << r.v_change_, r.y_change_;
    return true;
  }
};

bool Rattlie::implicit_velocity(double t, double h, Trial& trial, StepReport& report) {
  v_unknowns_ << trial.V, trial.y_plus;
  VelocityEquations equations{*this, t, h, trial.q, trial.v, trial.y_minus};
  const NewtonReport newton = velocity_newton_->solve(equations, v_unknowns_);
  report.newton_iterations += newton.iterations;
  report.matrices += newton.matrices;
  report.newton = newton;
  if (!newton.converged()) {
    report.trouble = trouble_of(newton);
    return false;
  }
  trial.v = v_unknowns_.head(system_.size_v());
  trial.y_minus = v_unknowns_.tail(system_.size_rows());
  return true;
}

StepReport Rattlie::step(State& x, double h) {
  StepReport report;
  if (!advance(x, h, memory_, trial_, report)) return report;
  if (options_.adaptive) {
    report.error = local_error(x, h, trial_);
    report.next_step = control_.next(h, report.error);
    if (!(report.error <= 1)) {
      report.trouble = std::isfinite(report.error) ? StepTrouble::error_too_large : StepTrouble::not_finite;
      return report;
    }
  }
  memory_.is_curved = memory_.h != 0 && was_curved(x.v, h, trial_.V);
  x.t += h;
  x.q.swap(trial_.q);
  x.v.swap(trial_.v);
  remember(h, trial_);
  return report;
}

// (R.6a) Whether the parabola, which is off the line by a bend, was nearer to V: |V − line − bend| < |V − line|.
bool Rattlie::was_curved(const VectorXd& v, double h, const VectorXd& V) const {
  const double ratio = h / memory_.h, weight = 0.5 * ratio * (1 + ratio);
  const double *now = v.data(), *half = memory_.V.data(), *before = memory_.v.data(), *found = V.data();
  return linalg::sum(v.size(), [=](Eigen::Index i) {
           const double bend = weight * (now[i] - 2 * half[i] + before[i]);
           return bend * (2 * (found[i] - now[i] - ratio * (now[i] - half[i])) - bend);
         }) > 0;
}

void Rattlie::remember(double h, Trial& trial) {
  memory_.h = h;
  patience_ = trial.patience;
  if (options_.multipliers == Multipliers::interpolated) memory_.lambda_before = (trial.y_plus + trial.y_minus) / h;
  if (options_.multipliers == Multipliers::minus) memory_.lambda_before = (2 / h) * trial.y_minus;
  if (system_.size_mu() > 0) memory_.mu = (2 / h) * trial.y_minus.tail(system_.size_mu());
  if (neighbour_) memory_.q_before.swap(trial.q);
  memory_.V.swap(trial.V);
  memory_.v.swap(trial.v);
  memory_.y_plus.swap(trial.y_plus);
  if (options_.adaptive) {
    memory_.a_previous = memory_.a;
    memory_.a = a_new_;
    a_spacing_ = h;
  }
}

// (R.12) The velocity against the integral of a parabola through three accelerations, (R.13) the increment hV against
// the Hermite quadrature of θ̇ = T⁻¹(θ) v: both references are one order better than the method.
double Rattlie::local_error(const State& x, double h, const Trial& trial) {
  index_1_.accelerations(x.t + h, trial.q, trial.v, a_new_, lambda_new_);
  const VectorXd &a0 = memory_.a, &a1 = a_new_;
  error_ = trial.v - x.v - 0.5 * h * (a0 + a1);
  error_ += (h * h * h / 6) / (h + a_spacing_) * ((a1 - a0) / h - (a0 - memory_.a_previous) / a_spacing_);
  ErrorNorm norm = control_.norm();
  norm.add(error_, x.v, trial.v);

  const auto& space = system_.space();
  space.tangent_op_inv_times(h, trial.V, trial.v, theta_rate_);
  space.d_tangent_op_inv_times(h, trial.V, trial.v, theta_rate_, theta_accel_);
  space.tangent_op_inv_times(h, trial.V, a1, theta_accel_a_);
  theta_accel_ += theta_accel_a_;
  increment_ = h * trial.V;
  error_ = increment_ - 0.5 * h * (x.v + theta_rate_) - (h * h / 12) * (a0 - theta_accel_);
  norm.add(error_, increment_);
  return norm.value() / control_.share();
}

void Rattlie::complete(State& x) {
  if (StepReport report; !retains(x.t, x.q) && !retain(x.t, x.q, report)) {
    x.a.setConstant(std::numeric_limits<double>::quiet_NaN());
    x.lambda.setConstant(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  index_1_.accelerations(x.t, x.q, x.v, x.a, x.lambda);
  const int m = system_.size_lambda();
  switch (options_.multipliers) {
    case Multipliers::index_1: break;
    case Multipliers::interpolated: interpolate_multipliers(x); break;
    case Multipliers::differences: difference_multipliers(x); break;
    case Multipliers::plus: take_plus(x); break;
    case Multipliers::minus:
      if (memory_.h != 0) x.lambda.head(m) = memory_.lambda_before.head(m);
      break;
  }
}

template <class Use>
void Rattlie::look_ahead(const State& x, Use&& use) {
  const double h = memory_.h == 0 ? first_step_ : expected_step_ > 0 ? expected_step_ : memory_.h;
  StepReport report;
  const Retained here = retained_;
  if (advance(x, h, memory_, ahead_, report)) use(h);
  retained_ = here, retained_.valid = false;
}

// λ⁺ of the step after tₙ.
void Rattlie::take_plus(State& x) {
  const int m = system_.size_lambda();
  look_ahead(x, [&](double h) { x.lambda.head(m) = (2 / h) * ahead_.y_plus.head(m); });
}

// (R.11) λₙ between the averages over the steps before and after tₙ. At the start two steps are tried and the averages
// extrapolated.
void Rattlie::interpolate_multipliers(State& x) {
  const int m = system_.size_lambda();
  look_ahead(x, [&](double h) {
    const VectorXd after = (ahead_.y_plus + ahead_.y_minus) / h;
    if (memory_.h != 0) {
      x.lambda.head(m) = ((h * memory_.lambda_before + memory_.h * after) / (memory_.h + h)).head(m);
      return;
    }
    State next = x;
    Memory memory = memory_;
    StepReport report;
    next.t += h, next.q = ahead_.q, next.v = ahead_.v;
    memory.h = h, memory.V = ahead_.V, memory.v = x.v, memory.y_plus = ahead_.y_plus;
    memory.mu = (2 / h) * ahead_.y_minus.tail(system_.size_mu());
    const bool ok = advance(next, h, memory, ahead_, report);
    const VectorXd second = (ahead_.y_plus + ahead_.y_minus) / h;
    if (ok) x.lambda.head(m) = (1.5 * after - 0.5 * second).head(m);
  });
}

// (R.16) −γ as the difference c₋ C(qₙ₋₁) + c₀ C(qₙ) + c₊ C(qₙ₊₁) times vₙ, with the rates. At the start there is no
// neighbour, and the index-1 values stay.
void Rattlie::difference_multipliers(State& x) {
  if (memory_.h == 0) return;
  const auto add = [&](double t, const VectorXd& q, double c) {
    system_.constraint_jacobian(t, q, *neighbour_);
    neighbour_->times(x.v, rows_times_v_, system_.row_blocks());
    system_.constraint_rate(t, q, lambda_new_);
    hidden_ += c * (rows_times_v_ + lambda_new_);
  };
  const Retained here = retained_;
  look_ahead(x, [&](double h) {
    const double g = memory_.h;
    hidden_.setZero();
    add(x.t - g, memory_.q_before, h / (g * (g + h)));
    add(x.t, x.q, 1 / h - 1 / g);
    add(x.t + h, ahead_.q, -g / (h * (g + h)));
    StepReport report;
    if (!retain(x.t, x.q, report)) return;
    system_.forces(x.t, x.q, x.v, a_new_);
    system_.inertia_forces(x.q, x.v, momentum_);
    momentum_ += a_new_;
    index_1_.solve_linear(momentum_, hidden_, x.a, x.lambda);
  });
  retained_ = here;
  retained_.valid = false;
}

void Rattlie::save(std::vector<double>& memory) const {
  MemoryWriter writer(memory);
  writer << memory_.h << memory_.V << memory_.v << double(memory_.is_curved) << memory_.y_plus << memory_.lambda_before
         << memory_.mu << memory_.a << memory_.a_previous << a_spacing_ << first_step_ << double(patience_)
         << double(retained_.has_force) << retained_.t << retained_.force << retained_.q << memory_.q_before
         << expected_step_ << half_step_ << index_1_;
  if (velocity_kkt_) writer << *velocity_kkt_;
}

void Rattlie::restore(std::span<const double> memory) {
  double is_curved = 0, patience = 0, has_force = 0;
  MemoryReader reader(memory);
  reader >> memory_.h >> memory_.V >> memory_.v >> is_curved >> memory_.y_plus >> memory_.lambda_before >> memory_.mu >>
      memory_.a >> memory_.a_previous >> a_spacing_ >> first_step_ >> patience >> has_force >> retained_.t >>
      retained_.force >> retained_.q >> memory_.q_before >> expected_step_ >> half_step_ >> index_1_;
  if (velocity_kkt_) reader >> *velocity_kkt_;
  reader.finish();
  memory_.is_curved = is_curved != 0;
  patience_ = static_cast<int>(patience);
  retained_.has_force = has_force != 0;
  retained_.valid = false;
}

}  // namespace filum::integrate
