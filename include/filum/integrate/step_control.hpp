/// Error norms and step size proposals of the adaptive methods. Theory: docs/theory/step_control.md.
#pragma once

#include <filum/mechanics/configuration_space.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace filum::integrate {

struct StepControlOptions {
  double atol = 1e-8;
  double rtol = 1e-6;
  double length = 1;  ///< unit of length in which atol counts: translations have atol · length, rotations atol
  double safety = 0.8;
  double min_factor = 0.2;
  double max_factor = 5;
  double max_step = std::numeric_limits<double>::infinity();
};

/// The unit of every component of a derivative vector: 1 of rotations, `length` of translations.
Eigen::VectorXd tolerance_units(const mechanics::ConfigurationSpace& space, double length);

/// (SC.1) A sum of squares of error components, each divided by atol · unit + rtol max(|old|, |new|).
class ErrorNorm {
 public:
  /// Both must outlive the norm.
  ErrorNorm(const StepControlOptions& options, const Eigen::VectorXd& units) : options_(options), units_(units) {}
  void add(const Eigen::VectorXd& error, const Eigen::VectorXd& before, const Eigen::VectorXd& after) {
    for (Eigen::Index i = 0; i < error.size(); ++i)
      add(error[i], absolute(i) + options_.rtol * std::max(std::abs(before[i]), std::abs(after[i])));
  }
  /// For increments θ that start from 0; the error is multiplied by `factor`.
  void add(const Eigen::VectorXd& error, const Eigen::VectorXd& increment, double factor = 1) {
    for (Eigen::Index i = 0; i < error.size(); ++i)
      add(factor * error[i], absolute(i) + options_.rtol * std::abs(increment[i]));
  }
  double value() const { return count_ == 0 ? 0 : std::sqrt(sum_ / count_); }

 private:
  double absolute(Eigen::Index i) const { return options_.atol * units_[i]; }
  void add(double error, double scale) {
    sum_ += (error / scale) * (error / scale);
    ++count_;
  }
  const StepControlOptions& options_;
  const Eigen::VectorXd& units_;
  double sum_ = 0;
  int count_ = 0;
};

/// (SC.3) What a method of this order without local extrapolation may do wrong in one step, as a fraction of atol +
/// rtol |y|, if the error in the end is to be proportional to the tolerances.
inline double local_share(const StepControlOptions& options, int order) {
  return std::pow(std::min(1.0, options.atol + options.rtol), 1.0 / order);
}

/// (SC.2) The next step after one of size h with error norm `error`, whose local error is of size h^(order+1).
class StepControl {
 public:
  /// An error of 1 is `share` of the tolerances.
  StepControl(const StepControlOptions& options, int order, const mechanics::ConfigurationSpace& space,
              double share = 1)
      : options_(options),
        units_(tolerance_units(space, options.length)),
        order_(order),
        exponent_(1.0 / (order + 1)),
        share_(share) {}
  ErrorNorm norm() const { return {options_, units_}; }
  const StepControlOptions& options() const { return options_; }
  int order() const { return order_; }
  double share() const { return share_; }
  double next(double h, double error) const {
    const double factor =
        std::isfinite(error) ? options_.safety * std::pow(std::max(error, 1e-12), -exponent_) : options_.min_factor;
    const double proposal = std::abs(h) * std::clamp(factor, options_.min_factor, options_.max_factor);
    return std::copysign(std::min(proposal, options_.max_step), h);
  }

  /// What (SC.5) remembers of the last accepted step: error/h^(order+1). Negative: there was none.
  struct Memory {
    double error_rate = -1;
  };
  /// (SC.5) After an accepted step. The step stays as it is unless a change is worth a new matrix.
  double next(double h, double error, Memory& memory) const {
    constexpr double integral = 0.3, proportional = 0.4;  // Gustafsson
    constexpr double worth_growing = 1.2, worth_shrinking = 0.9;
    const double least = 1e-10;  // errors below are rounding
    const double scaled = std::max(error, least), rate = scaled / std::pow(std::abs(h), 1 / exponent_);
    const double before = memory.error_rate > 0 ? memory.error_rate : rate;
    memory.error_rate = rate;
    const double target = std::pow(options_.safety, 1 / exponent_);
    double factor = std::pow(target / scaled, integral * exponent_) * std::pow(before / rate, proportional * exponent_);
    factor = std::clamp(factor, options_.min_factor, options_.max_factor);
    if (factor < 1)
      factor = std::min(factor, worth_shrinking);
    else if (factor < worth_growing)
      factor = 1;
    return std::copysign(std::min(std::abs(h) * factor, options_.max_step), h);
  }

 private:
  StepControlOptions options_;
  Eigen::VectorXd units_;
  int order_;
  double exponent_, share_;
};

}  // namespace filum::integrate
