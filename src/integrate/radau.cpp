/// One step of Radau IIA: first guess, error estimate, multipliers. Theory: docs/theory/radau.md.
#include "possible.hpp"

#include <filum/integrate/radau.hpp>

#include <algorithm>
#include <cmath>

namespace filum::integrate {

using Table = RadauTableau;

namespace {

/// (RA.17) is of order 3.
constexpr int estimated_order = 3;

/// (RA.19) The method is two orders better than its estimate.
double share(const StepControlOptions& options) {
  return std::pow(std::min(1.0, options.atol + options.rtol), -1.0 / Table::order);
}

// (RA.13)
NewtonOptions newton_of(const RadauOptions& o) {
  constexpr double fraction = 1e-2;
  NewtonOptions newton = o.newton;
  if (!o.adaptive) return newton;
  newton.atol = std::min(newton.atol, fraction * o.control.atol);
  newton.rtol = std::min(newton.rtol, fraction * o.control.rtol);
  return newton;
}

}  // namespace

std::optional<OptionProblem> objection(const RadauOptions& o) {
  if (o.adaptive)
    if (auto problem = objection(o.control)) return problem;
  return objection(o.newton);
}

Radau::Radau(const System& system, const RadauOptions& options, const RowSelection& rows)
    : Integrator(rows),
      system_(system),
      options_(checked(options)),
      control_(options.control, estimated_order, system.space(), share(options.control)),
      stages_(system, rows, newton_of(options)),
      index_1_(system, rows),
      q_before_(system.space().identity()),
      q_(q_before_) {
  refuse_unless_possible(system, word, can(options));
  for (VectorXd* x : {&a_, &v_before_, &increment_, &error_p_, &error_v_}) *x = VectorXd::Zero(system.size_v());
  lambda_ = VectorXd::Zero(system.size_rows());
  eta_ = VectorXd::Zero(system.size_lambda());
  for (StageValues* x : {&before_, &values_}) {
    x->p.fill(a_);
    x->V.fill(a_);
    x->h_lambda.fill(lambda_);
    x->eta = eta_;
  }
}

void Radau::start(State& x, double h) {
  index_1_.evaluate_accelerations(x);
  a_ = index_1_.a();
  lambda_ = index_1_.lambda();
  selected().clear_inactive(lambda_);
  eta_.setZero();
  history_ = {};
  h_before_ = 0;
  stages_.start(x, h, lambda_);
}

// (RA.15) The polynomials of the last step, continued; at the start positions move on with constant velocity.
void Radau::guess(const State& x, double h) {
  values_.eta.setZero();
  if (h_before_ == 0) {
    for (int i = 0; i < Table::stages; ++i) {
      values_.p[i] = Table::c[i] * x.v;
      values_.V[i] = x.v;
      values_.h_lambda[i] = h * lambda_;
    }
    return;
  }
  const auto& space = system_.space();
  for (int i = 0; i < Table::stages; ++i) {
    const double s = 1 + Table::c[i] * h / h_before_;
    const auto l = Table::lagrange<Table::stages + 1>({0, Table::c[0], Table::c[1], Table::c[2]}, s);
    const auto m = Table::lagrange<Table::stages>(Table::c, s);
    increment_ = l[1] * before_.p[0] + l[2] * before_.p[1] + l[3] * before_.p[2];
    space.advance(q_before_, h_before_, increment_, q_);
    space.difference(x.q, q_, increment_);
    values_.p[i] = increment_ / h;
    values_.V[i] = l[0] * v_before_ + l[1] * before_.V[0] + l[2] * before_.V[1] + l[3] * before_.V[2];
    values_.h_lambda[i] =
        (h / h_before_) * (m[0] * before_.h_lambda[0] + m[1] * before_.h_lambda[1] + m[2] * before_.h_lambda[2]);
  }
}

StepReport Radau::step(State& x, double h) {
  guess(x, h);
  StepReport report = stages_.solve(x, h, values_);
  if (!report.accepted()) return report;
  if (options_.adaptive) {
    report.error = local_error(x, h);
    if (!(report.error <= 1)) {
      report.next_step = control_.next(h, report.error);
      report.trouble = std::isfinite(report.error) ? StepTrouble::error_too_large : StepTrouble::not_finite;
      return report;
    }
    report.next_step = control_.next(h, report.error, history_);
    if (stages_.is_hard()) report.next_step = std::copysign(std::min(std::abs(report.next_step), std::abs(h)), h);
  }
  stages_.accept();
  stages_.acceleration(Table::stages - 1, a_);
  lambda_ = values_.h_lambda.back() / h;
  eta_ = values_.eta;
  h_before_ = h;
  q_before_ = x.q;
  v_before_ = x.v;
  std::swap(before_, values_);
  x.t += h;
  x.q = stages_.end();
  x.v = before_.V.back();
  return report;
}

// (RA.17) e = vₙ + Σ eᵢ pᵢ and h v̇ₙ + Σ eᵢ (Vᵢ − vₙ), filtered by (RA.18)
double Radau::local_error(const State& x, double h) {
  const Table::Row& e = Table::error;
  error_p_ = x.v + e[0] * values_.p[0] + e[1] * values_.p[1] + e[2] * values_.p[2];
  error_v_ = h * a_ + e[0] * (values_.V[0] - x.v) + e[1] * (values_.V[1] - x.v) + e[2] * (values_.V[2] - x.v);
  stages_.filter(error_p_, error_v_);
  error_p_ *= h;
  increment_ = h * values_.p.back();
  ErrorNorm norm = control_.norm();
  norm.add(error_v_, x.v, values_.V.back());
  norm.add(error_p_, increment_);
  return norm.value() / control_.share();
}

// (RA.20) The multipliers that belong to q and v: what violates the constraint on accelerations is taken out.
void Radau::complete(State& x) {
  x.a = a_;
  x.lambda = lambda_;
  index_1_.project_acceleration(x);
}

void Radau::save(std::vector<double>& memory) const {
  MemoryWriter writer(memory);
  writer << h_before_ << history_.error_rate << a_ << lambda_ << eta_ << q_before_ << v_before_;
  for (const StageVectors* x : {&before_.p, &before_.V, &before_.h_lambda})
    for (const VectorXd& y : *x) writer << y;
  writer << index_1_;
  stages_.save(writer);
}

void Radau::restore(std::span<const double> memory) {
  MemoryReader reader(memory);
  reader >> h_before_ >> history_.error_rate >> a_ >> lambda_ >> eta_ >> q_before_ >> v_before_;
  for (StageVectors* x : {&before_.p, &before_.V, &before_.h_lambda})
    for (VectorXd& y : *x) reader >> y;
  reader >> index_1_;
  stages_.restore(reader);
  reader.finish();
}

}  // namespace filum::integrate
