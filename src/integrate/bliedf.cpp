/// One step and the start of BLieDF. Theory: docs/theory/bliedf.md.
#include "option_text.hpp"
#include "possible.hpp"

#include <filum/integrate/bliedf.hpp>

#include <cmath>

namespace filum::integrate {

// (BD.10) with w = h/hₙ₋₁
BliedfCoefficients BliedfCoefficients::of(int steps, double w) {
  checked(BliedfOptions{.steps = steps});
  if (steps == 1) return {.alpha = {1, -1, 0}, .gamma = {1, 0}, .rate = -0.5, .bracket = 0};
  const double first = (1 + 2 * w) / (1 + w);
  return {.alpha = {first, -(1 + w), w * w / (1 + w)},
          .gamma = {first, -w / (1 + w)},
          .rate = -(1 + w) / (6 * w),
          .bracket = (2 - 1 / w) / 12};
}

std::optional<OptionProblem> objection(const BliedfOptions& o) {
  if (o.steps != 1 && o.steps != 2) return OptionProblem{"steps", "must be 1 or 2, got " + text_of(o.steps)};
  if (o.start == BliedfStart::euler && o.steps == 1)
    return OptionProblem{"start", "with steps = 1 there is nothing to start: leave it out, or take steps = 2"};
  if (o.adaptive)
    if (auto problem = objection(o.control)) return problem;
  return objection(o.newton);
}

Bliedf::Bliedf(const System& system, const BliedfOptions& options, const RowSelection& rows)
    : Integrator(rows),
      system_(system),
      options_(checked(options)),
      control_(options.control, options.steps, system.space(), local_share(options.control, options.steps)),
      corrector_(system, rows, {options.formulation, options.matrix, options.newton}),
      index_1_(system, rows) {
  refuse_unless_possible(system, word, can(options));
  for (VectorXd* x : {&v_before_, &increment_before_, &u_before_, &v_now_, &v_old_, &v_part_, &ha_part_, &guess_,
                      &error_, &increment_, &commutator_})
    *x = VectorXd::Zero(system.size_v());
  for (VectorXd* x : {&hidden_, &bracket_rows_}) *x = VectorXd::Zero(system.size_rows());
}

// (BD.6) Δq₋₁ = v − h v̇/2 + h² (v̈/6 + v̂v̇/12),  v₋₁ = v − h v̇ + h² v̈/2
// (BD.7) v₀ and v₋₁ also get the normal part of the formula's own error (BD.5), index 3 only
void Bliedf::begin(State& x, double h, bool only_ahead) {
  index_1_.evaluate(x, h, only_ahead);
  corrector_.start(index_1_.a(), index_1_.lambda());
  c_ = BliedfCoefficients::of(options_.steps);
  corrector_.prepare(x, h, c_.gamma[0], c_.alpha[0] * c_.gamma[0]);
  h_ = h;
  ratio_ = 1;
  history_ = {};
  fell_back_ = options_.start != BliedfStart::euler && !index_1_.is_valid();
  remarked_step_ = fell_back_ ? h : 0;
  first_ = options_.steps > 1 && (fell_back_ || options_.start == BliedfStart::euler);
  u_before_ = index_1_.a();
  if (fell_back_) {  // (GA.21) for the first guess and the first estimate
    corrector_.smooth(x, h, c_.gamma[0], c_.alpha[0] * c_.gamma[0], u_before_);
    corrector_.start(u_before_, index_1_.lambda());
  }
  if (fell_back_ || first_) return;
  const VectorXd &a = index_1_.a(), &jerk = index_1_.jerk(), &commutator = index_1_.commutator();
  u_before_ -= h * jerk;
  increment_before_ = x.v - 0.5 * h * a + h * h * (jerk / 6 + commutator / 12);
  v_before_ = x.v - h * a + 0.5 * h * h * jerk;
  if (corrector_.is_stabilized() || options_.start == BliedfStart::consistent) return;
  if (options_.steps == 1)
    error_ = c_.rate * h * a;
  else
    error_ = h * h * (c_.rate * jerk + c_.bracket * commutator);
  index_1_.add_normal_part(error_, x.v);
  index_1_.add_normal_part(error_, v_before_);
}

// Index 3: what violates the hidden constraint belongs to the steps before, and `begin` adds its own.
void Bliedf::restart(State& x, double h) {
  const double remarked_step = remarked_step_;
  if (corrector_.is_index_3()) index_1_.project_velocity(x);
  begin(x, h, true);
  if (remarked_step > 0) remarked_step_ = remarked_step;
}

// (BD.11) C v ← C v + the difference of the formula's own errors, index 3 only
void Bliedf::move_to_step(const State& x, double h, int steps) {
  v_now_ = x.v;
  v_old_ = v_before_;
  const double ratio = h / h_;
  c_ = BliedfCoefficients::of(steps, ratio);
  const bool same = h == h_ && (steps == 1 || ratio == ratio_);
  if (same || first_ || !corrector_.is_index_3() || !index_1_.place(x.t, x.q)) return;
  index_1_.hidden_residual(x.t, x.q, x.v, hidden_);
  if (steps == 1) {
    hidden_ *= ratio - 1;
  } else {
    const BliedfCoefficients old = BliedfCoefficients::of(2, ratio_);
    const double growth = c_.rate / old.rate;
    system_.space().bracket(x.v, corrector_.acceleration(), commutator_);
    index_1_.times_rows(commutator_, bracket_rows_);
    hidden_ *= ratio * ratio * growth - 1;
    hidden_ += (h * h * (c_.bracket - growth * old.bracket)) * bracket_rows_;
  }
  index_1_.add_normal(hidden_, v_now_);
  index_1_.add_normal(hidden_, v_old_);
}

// (BD.3) vₙ₊₁ = Σ γᵢ Δqₙ₋ᵢ + γ₀ Cₙᵀη,  h v̇ₙ₊₁ = Σ αᵢ vₙ₊₁₋ᵢ, as (GA.4)
StepReport Bliedf::step(State& x, double h) {
  const int steps = first_ ? 1 : options_.steps;
  move_to_step(x, h, steps);
  guess_ = v_now_ + 0.5 * h * corrector_.acceleration();
  if (options_.matrix == NewtonMatrix::paper_000 && !first_) guess_ = increment_before_;  // (GA.15d)
  v_part_ = c_.gamma[1] * increment_before_;
  ha_part_ = c_.alpha[0] * v_part_ + c_.alpha[1] * v_now_ + c_.alpha[2] * v_old_;
  StepReport report = corrector_.solve(x, h, {c_.gamma[0], c_.alpha[0] * c_.gamma[0], v_part_, ha_part_}, guess_);
  if (!report.accepted()) return report;
  if (options_.adaptive) {
    report.error = local_error(x, h, steps);
    if (!(report.error <= 1)) {
      report.next_step = control_.next(h, report.error);
      report.trouble = std::isfinite(report.error) ? StepTrouble::error_too_large : StepTrouble::not_finite;
      return report;
    }
    report.next_step = control_.next(h, report.error, history_);
  }
  ratio_ = first_ ? 1 : h / h_;
  h_ = h;
  first_ = false;
  u_before_ = corrector_.acceleration();
  v_before_.swap(v_now_);
  increment_before_ = corrector_.increment();
  corrector_.accept(x);
  return report;
}

// (BD.12) The formula's own errors, with derivatives from differences of accelerations
double Bliedf::local_error(const State& x, double h, int steps) {
  const VectorXd &u = corrector_.acceleration(), &u_new = corrector_.new_acceleration();
  ErrorNorm norm = control_.norm();
  if (steps == 1)
    error_ = (0.5 * h) * (u_new - u);
  else
    error_ = (-2 * c_.rate * h * h * h / c_.alpha[0] / (h + h_)) * ((u_new - u) / h - (u - u_before_) / h_);
  corrector_.filter(error_);
  increment_ = h * corrector_.increment();
  norm.add(error_, increment_, h);

  if (steps == 1) {
    error_ = (0.5 * h * h) * u_new;
  } else {
    system_.space().bracket(x.v, u, commutator_);
    error_ = (-h * h / c_.gamma[0]) * (c_.rate * (u_new - u) + (h * c_.bracket) * commutator_);
  }
  corrector_.filter(error_);
  norm.add(error_, increment_);
  return norm.value() / control_.share();
}

void Bliedf::complete(State& x) {
  corrector_.complete(x);
  if (fell_back_) index_1_.project_acceleration(x);
}

std::string Bliedf::remark() const {
  return remarked_step_ > 0 ? remark_on_filtered_start(remarked_step_) : std::string();
}

void Bliedf::save(std::vector<double>& memory) const {
  MemoryWriter writer(memory);
  writer << h_ << remarked_step_ << ratio_ << double(first_) << double(fell_back_) << history_.error_rate << v_before_
         << increment_before_ << u_before_ << index_1_;
  corrector_.save(writer);
}

void Bliedf::restore(std::span<const double> memory) {
  MemoryReader reader(memory);
  double first = 0, fell_back = 0;
  reader >> h_ >> remarked_step_ >> ratio_ >> first >> fell_back >> history_.error_rate >> v_before_ >>
      increment_before_ >> u_before_ >> index_1_;
  corrector_.restore(reader);
  reader.finish();
  first_ = first != 0;
  fell_back_ = fell_back != 0;
}

}  // namespace filum::integrate
