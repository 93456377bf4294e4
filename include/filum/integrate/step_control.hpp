/// Error norms and step size proposals of the adaptive methods. Theory: docs/theory/step_control.md.
#pragma once

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <limits>

namespace filum::integrate {

struct StepControlOptions {
  double atol = 1e-8;
  double rtol = 1e-6;
  double safety = 0.8;
  double min_factor = 0.2;
  double max_factor = 5;
  double max_step = std::numeric_limits<double>::infinity();
};

/// (SC.1) A sum of squares of error components, each divided by atol + rtol max(|old|, |new|).
class ErrorNorm {
 public:
  explicit ErrorNorm(const StepControlOptions& options) : options_(options) {}
  void add(const Eigen::VectorXd& error, const Eigen::VectorXd& before, const Eigen::VectorXd& after) {
    for (Eigen::Index i = 0; i < error.size(); ++i)
      add(error[i], options_.atol + options_.rtol * std::max(std::abs(before[i]), std::abs(after[i])));
  }
  /// For increments θ that start from 0.
  void add(const Eigen::VectorXd& error, const Eigen::VectorXd& increment) {
    for (Eigen::Index i = 0; i < error.size(); ++i)
      add(error[i], options_.atol + options_.rtol * std::abs(increment[i]));
  }
  double value() const { return count_ == 0 ? 0 : std::sqrt(sum_ / count_); }

 private:
  void add(double error, double scale) {
    sum_ += (error / scale) * (error / scale);
    ++count_;
  }
  const StepControlOptions& options_;
  double sum_ = 0;
  int count_ = 0;
};

/// (SC.2) The next step after one of size h with error norm `error`, whose local error is of size h^(order+1).
class StepControl {
 public:
  StepControl(const StepControlOptions& options, int order) : options_(options), exponent_(1.0 / (order + 1)) {}
  const StepControlOptions& options() const { return options_; }
  double next(double h, double error) const {
    const double factor =
        std::isfinite(error) ? options_.safety * std::pow(std::max(error, 1e-12), -exponent_) : options_.min_factor;
    const double proposal = std::abs(h) * std::clamp(factor, options_.min_factor, options_.max_factor);
    return std::copysign(std::min(proposal, options_.max_step), h);
  }

 private:
  StepControlOptions options_;
  double exponent_;
};

}  // namespace filum::integrate
