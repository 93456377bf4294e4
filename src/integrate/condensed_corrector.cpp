/// Residual, Newton matrix and step of the condensed corrector. Theory: docs/theory/generalized_alpha.md, sec. 2 and 3.
#include "rounding.hpp"

#include <filum/integrate/condensed_corrector.hpp>
#include <filum/mechanics/node_operations.hpp>

#include <algorithm>

namespace filum::integrate {

using linalg::FactorReport;
using linalg::Structure;

CondensedCorrector::CondensedCorrector(const System& system, const RowSelection& rows, const CorrectorOptions& options)
    : system_(system),
      selected_(rows),
      options_(options),
      stabilized_(options.formulation == Formulation::stabilized_index_2 && system.size_lambda() > 0),
      blocks_(system.holonomic_blocks()),
      newton_(system.size_v() + (stabilized_ ? 2 : 1) * system.size_lambda(), options.newton),
      dynamics_(system.pattern(), rows),
      projection_(system.pattern(), rows),
      H_(system.pattern()),
      M_(system),
      rows_(system.pattern()),
      rows_tangent_(system.pattern()),
      rows_curvature_(system.pattern()),
      rows_old_(system.pattern()),
      unknowns_(VectorXd::Zero(system.size_v() + (stabilized_ ? 2 : 1) * system.size_lambda())),
      first_guess_(unknowns_),
      q_(system.space().identity()),
      q_shifted_(q_) {
  for (VectorXd* x : {&v_, &ha_, &increment_, &p_, &force_, &inertia_, &a_trial_, &residual_, &change_, &a_, &a_new_})
    *x = VectorXd::Zero(system.size_v());
  for (VectorXd* x : {&h_lambda_, &eta_trial_, &rate_, &position_, &velocity_, &h_lambda_change_, &eta_change_,
                      &curvature_change_, &lambda_, &eta_})
    *x = VectorXd::Zero(system.size_lambda());
  if (stabilized_) {
    for (int i = 0; i < system.space().nodes(); ++i) H_.block(i, i).setIdentity();
    projection_.set_nodes(H_, Structure::separable);
  }
  if (options.matrix == NewtonMatrix::paper_000) {
    correction_ = unknowns_;
    q_before_ = q_;
  }
  if (!keeps()) return;
  for (Place* place : {&kept_, &latest_}) {
    place->from.q = q_;
    place->unknowns = unknowns_;
    place->v_part = place->ha_part = a_;
  }
}

void CondensedCorrector::save(MemoryWriter& memory) const {
  memory << a_ << lambda_ << eta_ << double(patience_) << dynamics_ << projection_;
  if (!keeps()) return;
  memory << double(kept_.valid) << double(kept_.steps) << double(kept_.iterations) << kept_.h << kept_.sigma
         << kept_.kappa << kept_.from.t << kept_.from.q << kept_.unknowns << kept_.v_part << kept_.ha_part;
}

void CondensedCorrector::restore(MemoryReader& memory) {
  double patience = 0, valid = 0, steps = 0, iterations = 0;
  memory >> a_ >> lambda_ >> eta_ >> patience >> dynamics_ >> projection_;
  patience_ = static_cast<int>(patience);
  if (!keeps()) return;
  memory >> valid >> steps >> iterations >> kept_.h >> kept_.sigma >> kept_.kappa >> kept_.from.t >> kept_.from.q >>
      kept_.unknowns >> kept_.v_part >> kept_.ha_part;
  kept_.valid = valid != 0;
  kept_.steps = static_cast<int>(steps);
  kept_.iterations = static_cast<int>(iterations);
  loaded_ = false;
}

void CondensedCorrector::remake_kept_matrix() {
  system_.constraint_jacobian(kept_.from.t, kept_.from.q, rows_old_);
  const AffineVelocity velocity{kept_.sigma, kept_.kappa, kept_.v_part, kept_.ha_part};
  Equations{*this, kept_.from, kept_.h, velocity}.linearize(kept_.unknowns);
  loaded_ = true;
}

void CondensedCorrector::start(const VectorXd& a, const VectorXd& lambda) {
  a_ = a;
  lambda_ = lambda;
  selected_.clear_inactive(lambda_);
  eta_.setZero();
  patience_ = 0;
  kept_.valid = loaded_ = false;
}

// (GA.3) q = qₙ ∘ exp(hΔq)     (GA.4) v = σ p + v_part, h v̇ = κ p + ha_part, p = Δq + Cₙᵀ η
void CondensedCorrector::Equations::place(const VectorXd& unknowns) {
  const int n = c.system_.size_v(), m = c.system_.size_lambda();
  c.increment_ = unknowns.head(n);
  c.h_lambda_ = unknowns.segment(n, m);
  c.p_ = c.increment_;
  if (c.stabilized_) {
    c.eta_trial_ = unknowns.tail(m);
    c.rows_old_.add_transpose_times(c.eta_trial_, 1, c.p_, c.blocks_);
  }
  c.v_ = velocity.sigma * c.p_ + velocity.v_part;
  c.ha_ = velocity.kappa * c.p_ + velocity.ha_part;
  c.system_.space().advance(x.q, h, c.increment_, c.q_);
}

// (GA.5) r = M h v̇ − h (v̂ᵀMv + f) + Cᵀ hλ = 0     (GA.6) Φ/h = 0     (GA.7) C v + rate = 0
bool CondensedCorrector::Equations::correction(const VectorXd& unknowns, VectorXd& change) {
  const System& s = c.system_;
  const double t = x.t + h;
  if (!placed) {
    place(unknowns);
    s.constraint_jacobian(t, c.q_, c.rows_);
  }
  placed = false;
  s.mass_times(c.q_, c.ha_, c.residual_);
  s.forces(t, c.q_, c.v_, c.force_);
  s.inertia_forces(c.q_, c.v_, c.inertia_);
  c.residual_ = h * (c.force_ + c.inertia_) - c.residual_;
  c.rows_.add_transpose_times(c.h_lambda_, -1, c.residual_, c.blocks_);
  s.constraint(t, c.q_, c.position_);
  c.position_ *= -1 / h;
  c.selected_.clear_inactive(c.position_);
  if (!c.residual_.allFinite() || !c.position_.allFinite()) return false;

  if (c.stabilized_) {
    s.constraint_rate(t, c.q_, c.rate_);
    c.rows_.times(c.v_, c.velocity_, c.blocks_);
    c.velocity_ = (-1 / velocity.sigma) * (c.velocity_ + c.rate_);
    c.selected_.clear_inactive(c.velocity_);
    solve_decoupled();
    change.tail(s.size_lambda()) = c.eta_change_;
  } else {
    c.dynamics_.solve(c.residual_, c.position_, c.change_, c.h_lambda_change_);  // (GA.10)
  }
  change.head(s.size_v()) = c.change_;
  change.segment(s.size_v(), s.size_lambda()) = c.h_lambda_change_;
  return true;
}

// (NW.2) Rounding errors of q are those of a velocity of this size, and make elastic forces uncertain by H times it.
bool CondensedCorrector::Equations::residual_is_rounding() const {
  // At rest all terms vanish, but forces of stiff segments are uncertain all the same: momenta of velocities of size 1
  // count, too.
  const double v = std::max(1.0, largest(c.v_)), q = std::max(1.0, largest(c.q_));
  const double momenta = std::abs(velocity.kappa) * largest(c.M_.current().values()) * v;
  const double terms = std::abs(h) * (largest(c.force_) + largest(c.inertia_)) + largest(c.h_lambda_) + momenta;
  const double stiff = largest(c.H_.values()) * smallest_velocity(c.q_, h);
  return std::abs(h) * largest(c.position_) <= position_rounding * q &&
         largest(c.residual_) <= momentum_rounding * terms + stiff &&
         (!c.stabilized_ ||
          std::abs(velocity.sigma) * largest(c.velocity_) <= std::max(velocity_rounding, position_rounding * q) * v);
}

// (NW.3)
bool CondensedCorrector::Equations::correction_is_rounding() {
  return is_lost_in_rounding(c.system_, c.q_, h, c.M_.current(), c.change_, c.inertia_);
}

// (GA.12) δp and δ(hλ) from the dynamics with C δp = −d/σ, then δΔq = δp − Cₙᵀ δη on the linearised position constraint
// (GA.13) once more with d + hZT δΔq in place of d, unless that is the same to within a tenth of Newton's tolerance
void CondensedCorrector::Equations::solve_decoupled() {
  for (int sweep = 0; sweep <= (exact ? 1 : 0); ++sweep) {
    if (sweep > 0) {
      c.rows_curvature_.times(c.change_, c.curvature_change_, c.blocks_);
      if (largest(c.curvature_change_) <= 0.1 * c.newton_.options().atol) return;
      c.velocity_ -= c.curvature_change_;
    }
    c.dynamics_.solve(c.residual_, c.velocity_, c.change_, c.h_lambda_change_);
    c.projection_.solve(c.change_, c.position_, c.change_, c.eta_change_);
  }
}

// (GA.9) H = κM + hσD + h²KT
void CondensedCorrector::Equations::assemble_nodes() {
  const System& s = c.system_;
  const double t = x.t + h;
  c.H_.set_zero();
  if (exact) {
    s.add_force_derivatives(t, c.q_, c.v_, -h * h, 0, c.H_);
    s.add_constraint_force_derivatives(t, c.q_, c.h_lambda_, h, c.H_);
    if (s.has_varying_mass()) {
      c.a_trial_ = c.ha_ / h;
      s.add_inertia_force_derivatives(c.q_, c.v_, c.a_trial_, -h * h, 0, c.H_);
    }
    multiply_columns_by_tangent(s.space(), h, c.increment_, structure(), c.H_);
    s.add_inertia_force_derivatives(c.q_, c.v_, c.a_trial_, 0, -h * velocity.sigma, c.H_);
    if (s.forces_depend_on_velocity()) s.add_force_derivatives(t, c.q_, c.v_, 0, -h * velocity.sigma, c.H_);
  }
  c.H_.add(velocity.kappa, c.M_.at(c.q_));
}

// (GA.14) hZT/σ with hZ = hĊ − hC v̂; the difference of rows for hĊ has a relative error of h²
void CondensedCorrector::Equations::assemble_curvature() {
  const auto& space = c.system_.space();
  const double t = x.t + h;
  space.advance(c.q_, -0.5 * h, c.v_, c.q_shifted_);
  c.system_.constraint_jacobian(t, c.q_shifted_, c.rows_tangent_);
  space.advance(c.q_, 0.5 * h, c.v_, c.q_shifted_);
  c.system_.constraint_jacobian(t, c.q_shifted_, c.rows_curvature_);
  c.rows_curvature_.values() -= c.rows_tangent_.values();
  add_rows_times_hat(space, -h, c.v_, c.rows_, c.rows_curvature_, c.blocks_);
  multiply_rows_by_tangent(space, h, c.increment_, c.rows_curvature_, c.blocks_);
  c.rows_curvature_.values() /= velocity.sigma;
}

FactorReport CondensedCorrector::Equations::linearize(const VectorXd& unknowns) {
  c.loaded_ = false;
  if (c.keeps() && exact && &unknowns != &c.kept_.unknowns) {
    Place& latest = c.latest_;
    latest.valid = true;
    latest.steps = latest.iterations = 0;
    latest.h = h;
    latest.sigma = velocity.sigma;
    latest.kappa = velocity.kappa;
    latest.from.t = x.t;
    latest.from.q = x.q;
    latest.unknowns = unknowns;
    latest.v_part = velocity.v_part;
    latest.ha_part = velocity.ha_part;
  }
  place(unknowns);
  c.system_.constraint_jacobian(x.t + h, c.q_, c.rows_);
  placed = true;
  assemble_nodes();
  if (c.stabilized_ && exact) assemble_curvature();
  c.rows_tangent_.values() = c.rows_.values();
  multiply_rows_by_tangent(c.system_.space(), h, c.increment_, c.rows_tangent_, c.blocks_);
  if (const FactorReport nodes = c.dynamics_.set_nodes(c.H_, structure()); !nodes.ok) return nodes;
  if (!c.stabilized_) return c.dynamics_.set_rows(c.rows_tangent_, c.rows_, c.blocks_);
  const FactorReport dynamics = c.dynamics_.set_rows(c.rows_, c.rows_, c.blocks_);
  if (!dynamics.ok) return dynamics;
  FactorReport projection = c.projection_.set_rows(c.rows_tangent_, c.rows_old_, c.blocks_);
  projection.rcond = std::min(projection.rcond, dynamics.rcond);
  return projection;
}

void CondensedCorrector::prepare(const State& x, double h, double sigma, double kappa) {
  if (options_.matrix != NewtonMatrix::automatic && !keeps()) return;
  system_.constraint_jacobian(x.t, x.q, rows_old_);
  unknowns_.setZero();
  unknowns_.head(system_.size_v()) = x.v;
  a_new_.setZero();
  Equations{*this, x, h, {sigma, kappa, a_new_, a_new_}}.linearize(unknowns_);
}

void CondensedCorrector::smooth(const State& x, double h, double sigma, double kappa, VectorXd& u) {
  system_.constraint_jacobian(x.t, x.q, rows_old_);
  unknowns_.setZero();
  unknowns_.head(system_.size_v()) = x.v;
  unknowns_.segment(system_.size_v(), system_.size_lambda()) = h * lambda_;
  a_new_.setZero();
  if (!Equations{*this, x, h, {sigma, kappa, a_new_, a_new_}}.linearize(unknowns_).ok) return;
  system_.mass_times(x.q, u, residual_);
  residual_ *= kappa;
  (stabilized_ ? rows_ : rows_tangent_).times(u, position_, blocks_);
  selected_.clear_inactive(position_);
  dynamics_.solve(residual_, position_, u, h_lambda_change_);
}

// (GA.15d)
NewtonReport CondensedCorrector::iterate_as_paper_000(Equations& equations) {
  const NewtonOptions& newton = options_.newton;
  NewtonReport report;
  equations.exact = false;
  report.factor = equations.linearize(unknowns_);
  report.matrices = 1;
  report.outcome = linalg::NewtonOutcome::singular;
  if (!report.factor.ok) return report;
  report.outcome = linalg::NewtonOutcome::too_slow;
  while (report.iterations < newton.max_iterations) {
    const bool finite = equations.correction(unknowns_, correction_) && correction_.allFinite();
    if (!finite) report.outcome = linalg::NewtonOutcome::not_finite;
    if (!finite) return report;
    ++report.iterations;
    const auto weights = newton.atol + newton.rtol * unknowns_.array().abs();
    const bool done = (correction_.array() / weights).square().mean() <= 1;
    unknowns_ += correction_;
    if (done) report.outcome = linalg::NewtonOutcome::converged;
    if (done) break;
  }
  q_before_ = q_;
  return report;
}

StepReport CondensedCorrector::solve(const State& x, double h, const AffineVelocity& velocity, const VectorXd& guess) {
  const int n = system_.size_v(), m = system_.size_lambda();
  const bool tries = options_.matrix == NewtonMatrix::automatic && patience_ == 0;
  const bool as_paper_000 = options_.matrix == NewtonMatrix::paper_000;
  const bool begins_with_kept = !tries && kept_fits(h);
  if (begins_with_kept && !loaded_) remake_kept_matrix();
  unknowns_.head(n) = guess;
  unknowns_.segment(n, m) = h * lambda_;
  if (stabilized_) {
    system_.constraint_jacobian(x.t, x.q, rows_old_);
    unknowns_.tail(m) = eta_;
  }
  Equations equations{*this, x, h, velocity};
  StepReport report;
  const auto count = [&](const NewtonReport& newton) {
    report.newton = newton;
    report.newton_iterations += newton.iterations;
    report.matrices += newton.matrices;
    return newton.converged();
  };
  const auto iterate = [&](bool exact, bool linearize_first, bool persistent) {
    equations.exact = exact;
    equations.placed = false;
    return count(newton_.solve(equations, unknowns_, linearize_first, persistent));
  };
  if (as_paper_000) {
    count(iterate_as_paper_000(equations));
  } else if (!tries && !begins_with_kept) {
    iterate(options_.matrix != NewtonMatrix::simplified, true, true);
  } else if (first_guess_ = unknowns_; !iterate(!tries, tries, false)) {
    unknowns_ = first_guess_;  // where a poor matrix has led is no place to go on from
    iterate(true, true, true);
  }
  trial_ = {.h = h,
            .kappa = velocity.kappa,
            .matrices = report.newton.matrices,
            .iterations = report.newton.iterations,
            .tried_simplified = tries,
            .exact = equations.exact};
  report.trouble = trouble_of(report.newton);
  // A matrix of NaNs is no singular matrix.
  if (report.trouble == StepTrouble::singular_matrix && !(H_.values().allFinite() && rows_.values().allFinite()))
    report.trouble = StepTrouble::not_finite;
  if (!report.accepted()) return report;
  equations.place(unknowns_);
  if (as_paper_000) q_ = q_before_;
  a_new_ = ha_ / h;
  return report;
}

// A matrix that couples nodes is expensive; that of single bodies is not, and is out of date after a few steps.
bool CondensedCorrector::keeps() const {
  return options_.matrix == NewtonMatrix::kept || (options_.matrix == NewtonMatrix::automatic && system_.couples());
}

// With another step stiff terms are off by (h/h_kept)²: beyond this change Newton would converge too slowly.
bool CondensedCorrector::kept_fits(double h) const {
  constexpr double alike = 0.2;
  return keeps() && kept_.valid && std::abs(h - kept_.h) <= alike * std::abs(h);
}

void CondensedCorrector::accept(State& x) {
  choose_matrix();
  x.t += trial_.h;
  x.q = q_;
  x.v = v_;
  a_ = a_new_;
  lambda_ = h_lambda_ / trial_.h;
  if (stabilized_) eta_ = unknowns_.tail(system_.size_lambda());
}

// (GA.15a) Measured on beams and chains: a step with the simplified matrix in more iterations than these costs more
// than one with a kept exact matrix.
void CondensedCorrector::choose_matrix() {
  constexpr int worth_simplifying = 6, pause = 50;
  if (trial_.exact && keeps())
    keep_matrix();
  else
    kept_.valid = false;
  if (trial_.tried_simplified)
    patience_ = trial_.exact || trial_.iterations > worth_simplifying ? pause : 0;
  else if (patience_ > 0)
    --patience_;
}

// (GA.15b) `kept` until convergence slows down, (GA.15c) `automatic` as long as a step costs less than the average
// since the matrix was made.
void CondensedCorrector::keep_matrix() {
  constexpr int worth_keeping = 6;
  constexpr int cost_of_matrix = 3;  // in iterations; measured: 2.5 to 3.5 on beams and chains of rods
  if (trial_.matrices > 0) {
    std::swap(kept_, latest_);
    loaded_ = true;
  }
  ++kept_.steps;
  kept_.iterations += trial_.iterations;
  kept_.valid = options_.matrix == NewtonMatrix::kept
                    ? trial_.iterations <= worth_keeping
                    : kept_.steps * trial_.iterations <= kept_.iterations + cost_of_matrix;
}

// (SC.4) [H Cᵀ; C 0] (e, ·) = (κM e, 0) with the matrix of the last Newton iteration.
void CondensedCorrector::filter(VectorXd& e) {
  system_.mass_times(q_, e, residual_);
  residual_ *= trial_.kappa;
  position_.setZero();
  dynamics_.solve(residual_, position_, e, h_lambda_change_);
}

void CondensedCorrector::complete(State& x) const {
  x.a = a_;
  x.lambda = lambda_;
}

}  // namespace filum::integrate
