/// One step and the start of BLieDF. Theory: docs/theory/bliedf.md.
#include "option_text.hpp"
#include "possible.hpp"

#include <filum/integrate/bliedf.hpp>

namespace filum::integrate {

const BliedfCoefficients& BliedfCoefficients::of(int steps) {
  static constexpr BliedfCoefficients one{.alpha = {1, -1, 0}, .gamma = {1, 0}};
  static constexpr BliedfCoefficients two{.alpha = {1.5, -2, 0.5}, .gamma = {1.5, -0.5}};
  checked(BliedfOptions{.steps = steps});
  return steps == 1 ? one : two;
}

std::optional<OptionProblem> objection(const BliedfOptions& o) {
  if (o.steps != 1 && o.steps != 2) return OptionProblem{"steps", "must be 1 or 2, got " + text_of(o.steps)};
  if (o.start == BliedfStart::euler && o.steps == 1)
    return OptionProblem{"start", "with steps = 1 there is nothing to start: leave it out, or take steps = 2"};
  return objection(o.newton);
}

Bliedf::Bliedf(const System& system, const BliedfOptions& options, const RowSelection& rows)
    : Integrator(rows),
      system_(system),
      c_(BliedfCoefficients::of(checked(options).steps)),
      steps_(options.steps),
      start_(options.start),
      corrector_(system, rows, {options.formulation, options.matrix, options.newton}, c_.gamma[0],
                 c_.alpha[0] * c_.gamma[0]) {
  refuse_unless_possible(system, word, can(options));
  if (start_ == BliedfStart::euler && steps_ > 1) {
    const BliedfCoefficients& one = BliedfCoefficients::of(1);
    euler_.emplace(system, rows, CorrectorOptions{options.formulation, options.matrix, options.newton}, one.gamma[0],
                   one.alpha[0] * one.gamma[0]);
  }
  for (VectorXd* x : {&v_before_, &increment_before_, &v_now_, &v_part_, &ha_part_, &guess_})
    *x = VectorXd::Zero(system.size_v());
}

// (BD.6) Δq₋₁ = v − h v̇/2 + h² (v̈/6 + v̂v̇/12),  v₋₁ = v − h v̇ + h² v̈/2
// (BD.7) v₀ and v₋₁ also get the normal part of the formula's own error e, index 3 only:
//        e = −h v̇/2 for k = 1, h² (v̂v̇/12 − v̈/3) for k = 2
void Bliedf::start(State& x, double h) {
  StartDerivatives at_start(system_, selected());
  at_start.evaluate(x, h);
  corrector_.start(at_start.a(), at_start.lambda());
  corrector_.prepare(x, h);
  first_ = euler_.has_value();
  if (first_) {
    euler_->start(at_start.a(), at_start.lambda());
    euler_->prepare(x, h);
    return;
  }
  const VectorXd &a = at_start.a(), &jerk = at_start.jerk(), &commutator = at_start.commutator();
  increment_before_ = x.v - 0.5 * h * a + h * h * (jerk / 6 + commutator / 12);
  v_before_ = x.v - h * a + 0.5 * h * h * jerk;
  if (corrector_.is_stabilized() || start_ == BliedfStart::consistent) return;
  const VectorXd error = steps_ == 1 ? VectorXd(-0.5 * h * a) : VectorXd(h * h * (commutator / 12 - jerk / 3));
  at_start.add_normal_part(error, x.v);
  at_start.add_normal_part(error, v_before_);
}

// (BD.9) The first step with k = 1.
StepReport Bliedf::euler_step(State& x, double h) {
  const BliedfCoefficients& one = BliedfCoefficients::of(1);
  guess_ = x.v + 0.5 * h * euler_->acceleration();
  v_part_.setZero();
  ha_part_ = one.alpha[1] * x.v;
  v_now_ = x.v;
  const StepReport report = euler_->step(x, h, v_part_, ha_part_, guess_);
  if (!report.accepted()) return report;
  corrector_.continue_from(*euler_);
  first_ = false;
  v_before_ = v_now_;
  increment_before_ = corrector_.increment();
  return report;
}

// (BD.3) vₙ₊₁ = Σ γᵢ Δqₙ₋ᵢ + γ₀ Cₙᵀη,  h v̇ₙ₊₁ = Σ αᵢ vₙ₊₁₋ᵢ, as (GA.4)
StepReport Bliedf::step(State& x, double h) {
  if (first_) return euler_step(x, h);
  guess_ = x.v + 0.5 * h * corrector_.acceleration();
  v_part_ = c_.gamma[1] * increment_before_;
  ha_part_ = c_.alpha[0] * v_part_ + c_.alpha[1] * x.v + c_.alpha[2] * v_before_;
  v_now_ = x.v;
  const StepReport report = corrector_.step(x, h, v_part_, ha_part_, guess_);
  if (!report.accepted()) return report;
  v_before_ = v_now_;
  increment_before_ = corrector_.increment();
  return report;
}

void Bliedf::save(std::vector<double>& memory) const {
  MemoryWriter writer(memory);
  writer << v_before_ << increment_before_ << double(first_);
  corrector_.save(writer);
  if (euler_) euler_->save(writer);
}

void Bliedf::restore(std::span<const double> memory) {
  MemoryReader reader(memory);
  double first = 0;
  reader >> v_before_ >> increment_before_ >> first;
  corrector_.restore(reader);
  if (euler_) euler_->restore(reader);
  first_ = first != 0;
  reader.finish();
}

}  // namespace filum::integrate
