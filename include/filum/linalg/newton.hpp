/// Newton's method with weighted increments: simplified by default, and honest about how it went.
/// Theory: docs/theory/newton.md.
#pragma once

#include <filum/linalg/kkt_solver.hpp>

#include <Eigen/Core>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>

namespace filum::linalg {

struct NewtonOptions {
  double atol = 1e-8;  ///< the solution is wanted with an error of atol + rtol |x| in every component
  double rtol = 1e-6;
  int max_iterations = 20;
  bool full = false;  ///< a new matrix in every iteration
};

enum class NewtonOutcome { converged, too_slow, diverged, singular, not_finite };

/// What happened in one solve. Norms are largest weighted increments: 1 means as large as the tolerance.
struct NewtonReport {
  static constexpr int remembered = 24;
  NewtonOutcome outcome = NewtonOutcome::too_slow;
  int iterations = 0;
  int matrices = 0;
  std::array<double, remembered> norms{};  ///< of the first iterations
  int worst_unknown = -1;                  ///< with the largest weighted increment, last iteration
  FactorReport factor;                     ///< of the last matrix
  bool converged() const { return outcome == NewtonOutcome::converged; }
};

/// Equations F(x) = 0 have
///   FactorReport linearize(const VectorXd& x)            factors (an approximation of) F'(x)
///   bool correction(const VectorXd& x, VectorXd& dx)     dx = −F'⁻¹ F(x) with that matrix; false when F is not finite
/// and may have
///   bool residual_is_rounding()                          the F of the last correction consists of rounding errors
///   bool correction_is_rounding()                        so does the last correction
///   bool accepts(double rate)                            what is left of F, about `rate` times that of the last
///   correction, is small enough
template <class P>
concept NewtonEquations = requires(P& equations, const VectorXd& x, VectorXd& dx) {
  { equations.linearize(x) } -> std::same_as<FactorReport>;
  { equations.correction(x, dx) } -> std::same_as<bool>;
};

template <class P>
concept KnowsItsRounding = NewtonEquations<P> && requires(P& equations) {
  { equations.residual_is_rounding() } -> std::same_as<bool>;
};

template <class P>
concept KnowsItsResolution = KnowsItsRounding<P> && requires(P& equations) {
  { equations.correction_is_rounding() } -> std::same_as<bool>;
};

template <class P>
concept JudgesItsResidual = NewtonEquations<P> && requires(P& equations, double rate) {
  { equations.accepts(rate) } -> std::same_as<bool>;
};

class Newton {
 public:
  Newton(int size, NewtonOptions options) : options_(options), dx_(size), x0_(size), direction_(size) {}
  const NewtonOptions& options() const { return options_; }

  /// Improves x in place. The matrix is taken at the start (`linearize_first`) or left from an earlier solve, renewed
  /// when convergence is slow; steps are shortened as a last resort. Unless `persistent`, slow convergence is the end.
  template <NewtonEquations Equations>
  NewtonReport solve(Equations& equations, VectorXd& x, bool linearize_first = true, bool persistent = true) {
    NewtonReport report;
    double previous = 0;
    bool renew = linearize_first;
    int age = 1;  // corrections since the matrix was taken; 0: it belongs to this x
    for (; report.iterations < options_.max_iterations; ++report.iterations, ++age) {
      if (renew || options_.full) {
        report.factor = equations.linearize(x);
        ++report.matrices;
        if (!report.factor.ok) return fail(report, NewtonOutcome::singular, x);
        age = 0;
      }
      renew = false;
      if (!equations.correction(x, dx_)) return fail(report, NewtonOutcome::not_finite, x);
      const double norm = weighted_norm(x);
      if (!std::isfinite(norm)) return fail(report, NewtonOutcome::not_finite, x);
      const double rate = previous > 0 ? norm / previous : 0;
      remember(report, norm);
      if (rate > slow_rate &&
          (at_rounding_level(x) || (residual_is_rounding(equations) &&
                                    (norm <= 1 || is_within(tiny, x) || correction_is_rounding(equations, x))))) {
        x += dx_;  // (NW.4)
        ++report.iterations;
        report.outcome = NewtonOutcome::converged;
        return report;
      }
      if (rate > slow_rate && !persistent) return fail(report, NewtonOutcome::too_slow, x);
      if (rate > slow_rate && age > 0) {  // slow or worse, but with the matrix of another x: once more with a new one
        if (rate < 1) x += dx_, previous = norm;
        renew = true;
        continue;
      }
      if (rate > slow_rate) renew = true;
      if (rate >= 1 && norm > 1) {
        if (!shorten(equations, x, norm)) return fail(report, NewtonOutcome::diverged, x);
      } else {
        x += dx_;
      }
      // The error left behind is about rate/(1 − rate) of the last increment; nothing is known of it the first time.
      // Increments below the tolerance that no longer shrink are rounding errors.
      const bool done = previous == 0 ? norm <= safety * first_norm
                        : rate < 1    ? rate / (1 - rate) * norm <= safety
                                      : norm <= 1;
      if (done && accepts(equations, rate)) {
        ++report.iterations;
        report.outcome = NewtonOutcome::converged;
        return report;
      }
      previous = norm;
    }
    return fail(report, NewtonOutcome::too_slow, x);
  }

 private:
  // newton.md says where these come from.
  static constexpr double slow_rate =
      0.5;                               ///< a simplified iteration that gains less than a factor 2 wants a new matrix
  static constexpr double safety = 0.1;  ///< of the tolerance may be left as error
  static constexpr double first_norm =
      1e-2;  ///< times `safety`: increments this small are accepted without knowing the rate
  static constexpr double rounding = 1e-11;  ///< of the largest unknown
  static constexpr double tiny = 1e-9;       ///< of the largest unknown, or of 1
  static constexpr double coarse = 1e-3;  ///< likewise: larger ones are no rounding errors, whatever the equations say
  static constexpr double shortest = 1e-3;  ///< of a step that is shortened

  auto weighted(const VectorXd& x) const {
    return dx_.array().abs() / (options_.atol + options_.rtol * x.array().abs());
  }

  NewtonReport fail(NewtonReport& report, NewtonOutcome outcome, const VectorXd& x) const {
    Eigen::Index worst = -1;
    if (x.size() > 0 && report.iterations > 0) weighted(x).template maxCoeff<Eigen::PropagateNaN>(&worst);
    report.worst_unknown = static_cast<int>(worst);
    report.outcome = outcome;
    return report;
  }
  static void remember(NewtonReport& report, double norm) {
    if (report.iterations < NewtonReport::remembered) report.norms[report.iterations] = norm;
  }

  /// Increments that no longer shrink and are tiny: a tighter tolerance cannot be met. Constraints divided by a small
  /// step magnify rounding errors, 1e-16/h of them, so the bound is far above the last place.
  bool at_rounding_level(const VectorXd& x) const {
    return dx_.lpNorm<Eigen::Infinity>() <= rounding * x.lpNorm<Eigen::Infinity>();
  }

  bool is_within(double part, const VectorXd& x) const {
    return dx_.lpNorm<Eigen::Infinity>() <= part * std::max(1.0, x.lpNorm<Eigen::Infinity>());
  }

  template <NewtonEquations Equations>
  static bool residual_is_rounding(Equations& equations) {
    if constexpr (KnowsItsRounding<Equations>)
      return equations.residual_is_rounding();
    else
      return false;
  }

  template <NewtonEquations Equations>
  bool correction_is_rounding(Equations& equations, const VectorXd& x) const {
    if constexpr (KnowsItsResolution<Equations>)
      return is_within(coarse, x) && equations.correction_is_rounding();
    else
      return false;
  }

  template <NewtonEquations Equations>
  static bool accepts(Equations& equations, double rate) {
    if constexpr (JudgesItsResidual<Equations>)
      return equations.accepts(rate);
    else
      return true;
  }

  double weighted_norm(const VectorXd& x) const {
    return x.size() == 0 ? 0 : weighted(x).template maxCoeff<Eigen::PropagateNaN>();
  }

  /// Takes a shortened step along dx: the next increment with the same matrix must be smaller (natural monotonicity).
  template <NewtonEquations Equations>
  bool shorten(Equations& equations, VectorXd& x, double norm) {
    x0_ = x;
    direction_ = dx_;
    for (double step = 1; step > shortest; step *= 0.5) {
      x = x0_ + step * direction_;
      if (equations.correction(x, dx_) && weighted_norm(x) <= (1 - step / 4) * norm) return true;
    }
    x = x0_;
    return false;
  }

  NewtonOptions options_;
  VectorXd dx_, x0_, direction_;
};

}  // namespace filum::linalg
