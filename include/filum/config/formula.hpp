/// Formulas in text files: compiled once, evaluated with exact derivatives from any number of threads. User document:
/// docs/guide/scenarios.md, "Numbers".
#pragma once

#include <filum/config/callable.hpp>

#include <array>
#include <concepts>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace filum::config {

class Symbols;
struct Code;  // the compiled form, private to the layer

/// Names of the variables that a formula may contain; it is given their values in this order.
using Variables = std::vector<std::string>;

/// A value with its first and second derivative along one variable. At kinks: the derivatives towards larger values of
/// the variable.
struct Jet {
  double value = 0, first = 0, second = 0;
};

/// A value with its partial derivatives by the variables of its formula, zero behind the last of them. At kinks: the
/// derivative towards larger values of what has the kink.
struct Gradient {
  static constexpr int most = 12;
  double value = 0;
  std::array<double, most> by{};
};

/// A decision that an evaluation takes: a quantity, and the interval low ≤ value < high within which the formula is
/// smooth as far as this decision goes.
struct Switch {
  double value, low, high;
  bool jumps;  ///< false: at the ends of the interval only derivatives jump
};

/// A formula that does not compile. `position` counts characters from 0; `unknown` is the name that nobody knows, if
/// any.
class FormulaError : public std::runtime_error {
 public:
  FormulaError(const std::string& what, std::size_t at, std::string unknown_name = {})
      : std::runtime_error(what), position(static_cast<int>(at)), unknown(std::move(unknown_name)) {}
  int position;
  std::string unknown;
};

/// A compiled formula; copies share the compiled form. Evaluation neither locks nor allocates. Values are given in the
/// order of the variables; those behind the last one that the formula uses may be left out.
class Formula {
 public:
  /// Throws FormulaError. A parameter hides a variable of the same name.
  Formula(std::string text, Variables variables, const Symbols& symbols);

  double value(std::span<const double> values) const;
  Jet jet(std::span<const double> values, std::size_t along = 0) const;
  /// Of formulas with at most Gradient::most variables.
  Gradient gradient(std::span<const double> values) const;
  /// Whether it decides at all: comparisons, abs, sign, rint, min, max, functions of points.
  bool has_switches() const;
  /// Appends the decisions of an evaluation, in the order in which they are taken.
  void switches(std::span<const double> values, std::vector<Switch>& out) const;
  template <std::convertible_to<double>... X>
  double operator()(X... x) const {
    const std::array<double, sizeof...(X)> values{static_cast<double>(x)...};
    return value(values);
  }

  const std::string& text() const { return text_; }
  const Variables& variables() const { return variables_; }
  bool uses(std::string_view variable) const;
  /// Whether it uses no variable at all.
  bool is_constant() const;
  const Code& code() const { return *code_; }

 private:
  std::string text_;
  Variables variables_;
  std::shared_ptr<const Code> code_;
};

/// A function of one variable, the time: points joined by lines and constant outside, or a formula. Cheap to copy.
class Function {
 public:
  using Point = std::pair<double, double>;
  /// Times must ascend; otherwise throws std::invalid_argument.
  explicit Function(std::vector<Point> points);
  /// Of the first variable of the formula.
  explicit Function(Formula formula);

  double operator()(double t) const;
  Jet jet(double t) const;
  /// Empty when it is a formula.
  const std::vector<Point>& points() const { return *points_; }
  /// Nothing when it consists of points.
  const Formula* formula() const { return formula_.get(); }

 private:
  std::shared_ptr<const std::vector<Point>> points_;
  std::shared_ptr<const Formula> formula_;
};

/// The names that formulas know besides pi, e and the usual functions.
class Symbols {
 public:
  std::map<std::string, double> parameters;
  std::map<std::string, Function> functions;

  /// Every word a formula may contain, for suggestions.
  std::vector<std::string> words(const Variables& variables) const;
};

/// Empty when a parameter or function may have this name, otherwise the reason why not.
std::string objection_to_symbol(std::string_view name);

/// A formula without variables, or NaN.
double number_of(const std::string& text);

/// One of the numbers that a function of a program returns.
struct CallableEntry {
  BoundCallable function;
  std::size_t index, size;  ///< this one, of so many

  double value(std::span<const double> values) const;
  /// Derivatives by differences.
  Jet jet(std::span<const double> values, std::size_t along) const;
  Gradient gradient(std::span<const double> values) const;
};

/// A number that may be a formula, or what a function of a program returns.
class Number {
 public:
  Number(double value = 0) : value_(value) {}  // NOLINT: a number is a Number
  explicit Number(Formula formula) : formula_(std::make_shared<Formula>(std::move(formula))) {}
  explicit Number(CallableEntry entry) : entry_(std::make_shared<CallableEntry>(std::move(entry))) {}

  double value(std::span<const double> values) const {
    return formula_ ? formula_->value(values) : entry_ ? entry_->value(values) : value_;
  }
  Jet jet(std::span<const double> values, std::size_t along = 0) const {
    return formula_ ? formula_->jet(values, along) : entry_ ? entry_->jet(values, along) : Jet{value_, 0, 0};
  }
  Gradient gradient(std::span<const double> values) const {
    return formula_ ? formula_->gradient(values) : entry_ ? entry_->gradient(values) : Gradient{value_, {}};
  }
  template <std::convertible_to<double>... X>
  double operator()(X... x) const {
    const std::array<double, sizeof...(X)> values{static_cast<double>(x)...};
    return value(values);
  }
  bool uses(std::string_view variable) const {
    return formula_ ? formula_->uses(variable) : entry_ && entry_->function.uses(variable);
  }
  bool is_constant() const { return !formula_ && !entry_; }
  bool has_switches() const { return formula_ && formula_->has_switches(); }
  /// Nothing when it is no formula, or no function.
  const Formula* formula() const { return formula_.get(); }
  const CallableEntry* entry() const { return entry_.get(); }

 private:
  double value_ = 0;
  std::shared_ptr<const Formula> formula_;
  std::shared_ptr<const CallableEntry> entry_;
};

/// The function whose numbers these are, all of them in their order; otherwise nothing. One call then gives them all.
const BoundCallable* whole_callable(std::span<const Number> numbers);

}  // namespace filum::config
