/// Values that may vary: a number, a callable, or a formula. User document: docs/guide/cpp.md, "Values".
#pragma once

#include <filum/config/formula.hpp>
#include <filum/parts/joint.hpp>

#include <Eigen/Core>

#include <array>
#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

namespace filum::model {

using config::Number;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Matrix6d = Eigen::Matrix<double, 6, 6>;
using Vector6d = Eigen::Matrix<double, 6, 1>;

/// The variables that formulas of each kind of value may contain, in the order in which they are passed.
inline config::Variables variables_of_time() { return {"t"}; }
inline config::Variables variables_of_length() { return {"s"}; }
inline config::Variables variables_of_load() {
  return {"t", "s", "x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz", "s1", "s2"};
}
/// Those of a load that functions may take together.
inline std::vector<config::VariableVector> vectors_of_load() {
  return {{"position", 2, 3}, {"velocity", 5, 3}, {"angular_velocity", 8, 3}};
}
inline config::Variables variables_of_spring() { return {"t", "length", "rate"}; }

/// Lists the decisions that a number takes where its variables have these values, as a separate law, (EV.1).
void add_switches(const Number& number, std::span<const double> values, mechanics::SwitchList& out);

/// A function of time with its first two derivatives. Formulas are exact, and so is a callable that returns a
/// parts::DriveValue; a callable that returns a number is differenced, with an error near 1e-11 in the first and 1e-8
/// in the second derivative relative to the size of the function.
class OfTime {
 public:
  OfTime(double value = 0) : OfTime(Number(value)) {}  // NOLINT: a number is constant in time
  OfTime(Number number);                               // NOLINT: a formula of t
  template <class F>
  requires std::is_invocable_r_v<parts::DriveValue, const F&, double> &&
      (!std::is_convertible_v<std::invoke_result_t<const F&, double>, double>)OfTime(F f)
      : value_(std::move(f)) {}  // NOLINT: a callable is a function of time
  template <class F>
  requires std::is_invocable_r_v<double, const F&, double> OfTime(F f) : value_(differenced(std::move(f))) {}  // NOLINT

  parts::DriveValue operator()(double t) const { return value_(t); }
  /// The number or formula it was made of, for files; nothing for a callable.
  const Number* number() const { return number_ ? &*number_ : nullptr; }
  /// The decisions of a formula; nothing when there are none. What is prescribed with a kink has a velocity that jumps.
  parts::TimeSwitches switches() const;

 private:
  static std::function<parts::DriveValue(double)> differenced(const std::function<double(double)>& f);

  std::optional<Number> number_;
  std::function<parts::DriveValue(double)> value_;
};

/// A value along a beam: constant, or a callable of the arc length s.
template <class T>
class Along {
 public:
  Along(T value = {}) : value_(std::move(value)) {}  // NOLINT: a value is constant along the beam
  template <class F>
  requires std::invocable<const F&, double> && std::convertible_to<std::invoke_result_t<const F&, double>, T> &&
      (!std::convertible_to<F, T>)Along(F f)
      : value_(), function_([f](double s) { return T(f(s)); }) {}  // NOLINT: a callable of s
  /// `numbers` are the entries that f evaluates, row by row, for files.
  template <class F>
  Along(F f, std::vector<Number> numbers) : Along(std::move(f)) {
    numbers_ = std::make_shared<const std::vector<Number>>(std::move(numbers));
  }

  T operator()(double s) const { return function_ ? function_(s) : value_; }
  bool is_constant() const { return !function_; }
  /// Its entries, row by row; nothing for a callable that is not made of formulas.
  std::optional<std::vector<Number>> numbers() const {
    if (numbers_) return *numbers_;
    if (function_) return {};
    std::vector<Number> entries;
    if constexpr (std::is_same_v<T, double>)
      entries.emplace_back(value_);
    else
      for (Eigen::Index i = 0; i < value_.rows(); ++i)
        for (Eigen::Index j = 0; j < value_.cols(); ++j) entries.emplace_back(value_(i, j));
    return entries;
  }

 private:
  T value_;
  std::function<T(double)> function_;
  std::shared_ptr<const std::vector<Number>> numbers_;
};

/// Numbers of a file as values along a beam: constant when all of them are. Entries stand row by row.
Along<double> along(const Number& number);
Along<Vector3d> along(const std::array<Number, 3>& numbers);
/// Nine or three entries: a matrix or its diagonal.
Along<Matrix3d> along_matrix3(const std::vector<Number>& numbers);
/// Thirty-six or six entries.
Along<Matrix6d> along_matrix6(const std::vector<Number>& numbers);

}  // namespace filum::model
