/// One step and the starting values of generalized-alpha. Theory: docs/theory/generalized_alpha.md.
#include "option_text.hpp"
#include "possible.hpp"

#include <filum/integrate/generalized_alpha.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace filum::integrate {

AlphaParameters AlphaParameters::from_rho_infinity(double rho_infinity) {
  return parameters_of({.rho_infinity = rho_infinity});
}

AlphaParameters AlphaParameters::from_hht(double alpha_f) {
  return {0, alpha_f, 0.25 * (1 + alpha_f) * (1 + alpha_f), 0.5 + alpha_f};
}

int AlphaParameters::order() const {
  constexpr double rounding = 1e-12;
  return std::abs(gamma - 0.5 + offset()) <= rounding ? 2 : 1;
}

// (GA.2c)
double AlphaParameters::spectral_radius() const {
  const double b = 0.5 + gamma - 2 * beta, c = 0.5 - gamma + beta, discriminant = b * b - 4 * beta * c;
  const double of_pair = discriminant < 0 ? std::sqrt(c / beta) : (std::abs(b) + std::sqrt(discriminant)) / (2 * beta);
  return std::max(std::abs(alpha_f / (1 - alpha_f)), of_pair);
}

namespace {

std::optional<OptionProblem> missing(const GeneralizedAlphaOptions& o) {
  const bool hht = o.family == AlphaFamily::hht, free = o.family == AlphaFamily::free,
             newmark = o.family == AlphaFamily::newmark;
  const struct {
    const char* option;
    const std::optional<double>& value;
    bool needed, allowed;
  } all[] = {{"alpha_m", o.alpha_m, free, free},
             {"alpha_f", o.alpha_f, free || hht, free || hht},
             {"beta", o.beta, free, free || newmark},
             {"gamma", o.gamma, free, free || newmark}};
  for (const auto& x : all) {
    if (x.needed && !x.value) return OptionProblem{x.option, "is missing: this family of parameters needs it"};
    if (x.value && !x.allowed)
      return OptionProblem{x.option,
                           "does not belong to this family of parameters; for all four of your own take free"};
    if (x.value && !std::isfinite(*x.value)) return OptionProblem{x.option, "must be finite, got " + text_of(*x.value)};
  }
  return std::nullopt;
}

AlphaParameters chosen(const GeneralizedAlphaOptions& o) {
  switch (o.family) {
    case AlphaFamily::hht: return AlphaParameters::from_hht(*o.alpha_f);
    case AlphaFamily::newmark: return {0, 0, o.beta.value_or(0.25), o.gamma.value_or(0.5)};
    case AlphaFamily::free: return {*o.alpha_m, *o.alpha_f, *o.beta, *o.gamma};
    case AlphaFamily::chung_hulbert: break;
  }
  const double rho = o.rho_infinity, alpha_m = (2 * rho - 1) / (rho + 1), alpha_f = rho / (rho + 1);
  const double gamma = 0.5 + alpha_f - alpha_m;
  return {alpha_m, alpha_f, 0.25 * (gamma + 0.5) * (gamma + 0.5), gamma};
}

/// (GA.2d) Stable for every h ω: |ζ| ≤ 1 in both limits and in between.
std::optional<OptionProblem> instability(const AlphaParameters& p) {
  constexpr double rounding = 1e-12;
  const auto at_most = [](double x, double limit) { return x <= limit + rounding; };
  if (!at_most(p.alpha_m, p.alpha_f))
    return OptionProblem{"alpha_m", "must not exceed alpha_f = " + text_of(p.alpha_f) + " for a stable method, got " +
                                        text_of(p.alpha_m)};
  if (!at_most(p.alpha_f, 0.5))
    return OptionProblem{"alpha_f", "must not exceed 1/2 for a stable method, got " + text_of(p.alpha_f)};
  if (!at_most(0.5 - p.offset(), p.gamma))
    return OptionProblem{"gamma", "must be at least 1/2 + alpha_f - alpha_m = " + text_of(0.5 - p.offset()) +
                                      " for a stable method, got " + text_of(p.gamma)};
  if (!at_most(0.5 * p.gamma, p.beta))
    return OptionProblem{"beta", "must be at least gamma/2 = " + text_of(0.5 * p.gamma) + " for a stable method, got " +
                                     text_of(p.beta)};
  return std::nullopt;
}

double velocity_slope(const AlphaParameters& p) { return p.gamma / p.beta; }
double acceleration_slope(const AlphaParameters& p) { return (1 - p.alpha_m) / (p.beta * (1 - p.alpha_f)); }

}  // namespace

std::optional<OptionProblem> objection(const GeneralizedAlphaOptions& o) {
  if (!(o.rho_infinity >= 0 && o.rho_infinity <= 1))
    return OptionProblem{"rho_infinity", "must be in [0, 1], got " + text_of(o.rho_infinity)};
  if (auto problem = missing(o)) return problem;
  if (o.family != AlphaFamily::chung_hulbert)
    if (auto problem = instability(chosen(o))) return problem;
  if (o.adaptive)
    if (auto problem = objection(o.control)) return problem;
  return objection(o.newton);
}

AlphaParameters parameters_of(const GeneralizedAlphaOptions& options) { return chosen(checked(options)); }

std::optional<OptionProblem> objection(const GeneralizedAlphaOptions& o, const System& system) {
  if (auto problem = objection(o)) return problem;
  constexpr double rounding = 1e-9;
  if (system.size_lambda() == 0 || chosen(o).spectral_radius() < 1 - rounding) return std::nullopt;
  const std::string reason = "for a system with constraints: without damping the errors of the multipliers grow";
  switch (o.family) {
    case AlphaFamily::hht: return OptionProblem{"alpha_f", "must be above 0 and below 1/2 " + reason};
    case AlphaFamily::newmark: return OptionProblem{"gamma", "must be above 1/2, and beta above gamma/2, " + reason};
    case AlphaFamily::free:
      return OptionProblem{"gamma", "and the others must damp the highest frequencies " + reason +
                                        " (alpha_m < alpha_f < 1/2 and beta > gamma/2)"};
    case AlphaFamily::chung_hulbert: break;
  }
  return OptionProblem{"rho_infinity", "must be below 1 " + reason};
}

GeneralizedAlpha::GeneralizedAlpha(const System& system, const GeneralizedAlphaOptions& options,
                                   const RowSelection& rows)
    : Integrator(rows),
      system_(system),
      options_(checked(options)),
      parameters_(parameters_of(options)),
      control_(options.control, parameters_.order(), system.space(), local_share(options.control, parameters_.order())),
      corrector_(system, rows, {options.formulation, options.matrix, options.newton}),
      index_1_(system, rows) {
  refuse_unless_possible(system, word, can(options));
  if (const auto problem = objection(options, system)) throw std::invalid_argument(problem->message());
  for (VectorXd* x : {&a_, &a_before_, &u_before_, &a_now_, &v_now_, &a_new_, &v_part_, &ha_part_, &guess_, &error_,
                      &increment_, &commutator_})
    *x = VectorXd::Zero(system.size_v());
  hidden_ = VectorXd::Zero(system.size_rows());
}

// (GA.17) a₀ = v̇₀ + Δ_α h v̈₀     (GA.18) v₀ = v(t₀) + h² P (C_q v̈₀ + v̂v̇/12), index 3 only
void GeneralizedAlpha::begin(State& x, double h, bool only_ahead) {
  index_1_.evaluate(x, h, only_ahead);
  corrector_.start(index_1_.a(), index_1_.lambda());
  corrector_.prepare(x, h, velocity_slope(parameters_), acceleration_slope(parameters_));
  h_ = h;
  history_ = {};
  a_ = a_before_ = u_before_ = index_1_.a();
  fell_back_ = options_.start != AlphaStart::classical && !index_1_.is_valid();
  remarked_step_ = fell_back_ ? h : 0;
  if (fell_back_) {  // (GA.21)
    corrector_.smooth(x, h, velocity_slope(parameters_), acceleration_slope(parameters_), a_);
    corrector_.start(a_, index_1_.lambda());
    a_before_ = u_before_ = a_;
  }
  if (fell_back_ || options_.start == AlphaStart::classical) return;
  a_ += parameters_.offset() * h * index_1_.jerk();
  a_before_ = a_ - h * index_1_.jerk();
  u_before_ -= h * index_1_.jerk();
  if (options_.start == AlphaStart::perturbed_acceleration || corrector_.is_stabilized()) return;
  error_ = h * h * (parameters_.position_error() * index_1_.jerk() + index_1_.commutator() / 12);
  index_1_.add_normal_part(error_, x.v);
}

// Index 3: what violates the hidden constraint belongs to the steps before, and `begin` adds its own.
void GeneralizedAlpha::restart(State& x, double h) {
  const double remarked_step = remarked_step_;
  if (corrector_.is_index_3()) index_1_.project_velocity(x);
  begin(x, h, true);
  if (remarked_step > 0) remarked_step_ = remarked_step;
}

// (GA.22) aₙ ← aₙ + Δ_α (h − hₙ₋₁)/hₙ₋₁ (aₙ − aₙ₋₁)
// (GA.23) C vₙ ← (h/hₙ₋₁)² C vₙ, index 3 only: its part of size h² belongs to the step
void GeneralizedAlpha::move_to_step(const State& x, double h) {
  a_now_ = a_;
  v_now_ = x.v;
  if (h == h_) return;
  const double ratio = h / h_;
  a_now_ += parameters_.offset() * (ratio - 1) * (a_ - a_before_);
  if (!corrector_.is_index_3() || !index_1_.place(x.t, x.q)) return;
  index_1_.hidden_residual(x.t, x.q, x.v, hidden_);
  hidden_ *= ratio * ratio - 1;
  index_1_.add_normal(hidden_, v_now_);
}

// (GA.1) Δq = vₙ − Cₙᵀη + (½ − β) h aₙ + β h aₙ₊₁,  vₙ₊₁ = vₙ + (1 − γ) h aₙ + γ h aₙ₊₁,
//        (1 − α_m) aₙ₊₁ + α_m aₙ = (1 − α_f) v̇ₙ₊₁ + α_f v̇ₙ, solved for vₙ₊₁ and h v̇ₙ₊₁ as (GA.4)
StepReport GeneralizedAlpha::step(State& x, double h) {
  const auto [alpha_m, alpha_f, beta, gamma] = parameters_;
  const double sigma = velocity_slope(parameters_), kappa = acceleration_slope(parameters_);
  const VectorXd &u = corrector_.acceleration(), &u_new = corrector_.new_acceleration();
  move_to_step(x, h);
  guess_ = v_now_ + 0.5 * h * a_now_;
  v_part_ = (1 - sigma) * v_now_ + h * (1 - 0.5 * sigma) * a_now_;
  ha_part_ = -kappa * guess_ + h / (1 - alpha_f) * (a_now_ - alpha_f * u);
  StepReport report = corrector_.solve(x, h, {sigma, kappa, v_part_, ha_part_}, guess_);
  if (!report.accepted()) return report;
  a_new_ = ((1 - alpha_f) * u_new + alpha_f * u - alpha_m * a_now_) / (1 - alpha_m);
  if (options_.adaptive) {
    report.error = local_error(x, h);
    if (!(report.error <= 1)) {
      report.next_step = control_.next(h, report.error);
      report.trouble = std::isfinite(report.error) ? StepTrouble::error_too_large : StepTrouble::not_finite;
      return report;
    }
    report.next_step = control_.next(h, report.error, history_);
  }
  h_ = h;
  u_before_ = u;
  a_before_ = a_now_;
  a_.swap(a_new_);
  corrector_.accept(x);
  return report;
}

// (GA.24) Velocities against the integral of a parabola through three accelerations, increments against the Magnus
// expansion
double GeneralizedAlpha::local_error(const State& x, double h) {
  const double beta = parameters_.beta, gamma = parameters_.gamma;
  const VectorXd &u = corrector_.acceleration(), &u_new = corrector_.new_acceleration();
  ErrorNorm norm = control_.norm();
  error_ = h * ((1 - gamma) * a_now_ + gamma * a_new_ - 0.5 * (u + u_new));
  error_ += (h * h * h / 6) / (h + h_) * ((u_new - u) / h - (u - u_before_) / h_);
  corrector_.filter(error_);
  increment_ = h * corrector_.increment();
  norm.add(error_, increment_, h);

  system_.space().bracket(x.v, u, commutator_);
  error_ = h * h * ((0.5 - beta) * a_now_ + beta * a_new_ - u / 3 - u_new / 6) - (h * h * h / 12) * commutator_;
  corrector_.filter(error_);
  norm.add(error_, increment_);
  return norm.value() / control_.share();
}

// After a start that fell back the method's own multipliers ring for a while.
void GeneralizedAlpha::complete(State& x) {
  corrector_.complete(x);
  if (fell_back_) index_1_.project_acceleration(x);
}

std::string GeneralizedAlpha::remark() const {
  return remarked_step_ > 0 ? remark_on_filtered_start(remarked_step_) : std::string();
}

void GeneralizedAlpha::save(std::vector<double>& memory) const {
  MemoryWriter writer(memory);
  writer << h_ << remarked_step_ << double(fell_back_) << history_.error_rate << a_ << a_before_ << u_before_
         << index_1_;
  corrector_.save(writer);
}

void GeneralizedAlpha::restore(std::span<const double> memory) {
  MemoryReader reader(memory);
  double fell_back = 0;
  reader >> h_ >> remarked_step_ >> fell_back >> history_.error_rate >> a_ >> a_before_ >> u_before_ >> index_1_;
  corrector_.restore(reader);
  reader.finish();
  fell_back_ = fell_back != 0;
}

}  // namespace filum::integrate
