/// One step and the starting values of generalized-alpha. Theory: docs/theory/generalized_alpha.md.
#include <filum/integrate/generalized_alpha.hpp>

#include <stdexcept>

#include "option_text.hpp"
#include "possible.hpp"

namespace filum::integrate {

AlphaParameters AlphaParameters::from_rho_infinity(double rho_infinity) {
  checked(GeneralizedAlphaOptions{.rho_infinity = rho_infinity});
  const double alpha_m = (2 * rho_infinity - 1) / (rho_infinity + 1), alpha_f = rho_infinity / (rho_infinity + 1);
  const double gamma = 0.5 + alpha_f - alpha_m;
  return {alpha_m, alpha_f, 0.25 * (gamma + 0.5) * (gamma + 0.5), gamma};
}

namespace {

double velocity_slope(const AlphaParameters& p) { return p.gamma / p.beta; }
double acceleration_slope(const AlphaParameters& p) { return (1 - p.alpha_m) / (p.beta * (1 - p.alpha_f)); }

}  // namespace

std::optional<OptionProblem> objection(const GeneralizedAlphaOptions& o) {
  if (!(o.rho_infinity >= 0 && o.rho_infinity <= 1)) return OptionProblem{"rho_infinity", "must be in [0, 1], got " + text_of(o.rho_infinity)};
  return objection(o.newton);
}

std::optional<OptionProblem> objection(const GeneralizedAlphaOptions& o, const System& system) {
  if (o.rho_infinity < 1 || system.size_lambda() == 0) return objection(o);
  return OptionProblem{"rho_infinity", "must be below 1 for a system with constraints: without damping the errors of the multipliers grow"};
}

GeneralizedAlpha::GeneralizedAlpha(const System& system, const GeneralizedAlphaOptions& options, const RowSelection& rows)
    : Integrator(rows), system_(system),
      options_(checked(options)),
      parameters_(AlphaParameters::from_rho_infinity(options.rho_infinity)),
      corrector_(system, rows, {options.formulation, options.matrix, options.newton}, velocity_slope(parameters_),
                 acceleration_slope(parameters_)) {
  refuse_unless_possible(system, word, can(options));
  if (const auto problem = objection(options, system)) throw std::invalid_argument(problem->message());
  for (VectorXd* x : {&a_, &v_part_, &ha_part_, &a_part_, &guess_}) *x = VectorXd::Zero(system.size_v());
}

// (GA.17) a₀ = v̇₀ + Δ_α h v̈₀     (GA.18) v₀ = v(t₀) + h² P (C_q v̈₀ + v̂v̇/12), index 3 only
void GeneralizedAlpha::start(State& x, double h) {
  StartDerivatives at_start(system_, selected());
  at_start.evaluate(x, h);
  corrector_.start(at_start.a(), at_start.lambda());
  corrector_.prepare(x, h);
  a_ = at_start.a();
  if (options_.start == AlphaStart::classical) return;
  a_ += parameters_.offset() * h * at_start.jerk();
  if (options_.start == AlphaStart::perturbed_acceleration || corrector_.is_stabilized()) return;
  const VectorXd error = h * h * (parameters_.position_error() * at_start.jerk() + at_start.commutator() / 12);
  at_start.add_normal_part(error, x.v);
}

// (GA.1) Δq = vₙ − Cₙᵀη + (½ − β) h aₙ + β h aₙ₊₁,  vₙ₊₁ = vₙ + (1 − γ) h aₙ + γ h aₙ₊₁,
//        (1 − α_m) aₙ₊₁ + α_m aₙ = (1 − α_f) v̇ₙ₊₁ + α_f v̇ₙ, solved for vₙ₊₁ and h v̇ₙ₊₁ as (GA.4)
StepReport GeneralizedAlpha::step(State& x, double h) {
  const auto [alpha_m, alpha_f, beta, gamma] = parameters_;
  const VectorXd& a_true = corrector_.acceleration();
  guess_ = x.v + 0.5 * h * a_;
  v_part_ = (1 - gamma / beta) * x.v + h * (1 - gamma / (2 * beta)) * a_;
  ha_part_ = -acceleration_slope(parameters_) * guess_ + h / (1 - alpha_f) * (a_ - alpha_f * a_true);
  a_part_ = (alpha_f * a_true - alpha_m * a_) / (1 - alpha_m);
  const StepReport report = corrector_.step(x, h, v_part_, ha_part_, guess_);
  if (report.accepted()) a_ = a_part_ + (1 - alpha_f) / (1 - alpha_m) * a_true;
  return report;
}

void GeneralizedAlpha::save(std::vector<double>& memory) const {
  MemoryWriter writer(memory);
  writer << a_;
  corrector_.save(writer);
}

void GeneralizedAlpha::restore(std::span<const double> memory) {
  MemoryReader reader(memory);
  reader >> a_;
  corrector_.restore(reader);
  reader.finish();
}

}  // namespace filum::integrate
