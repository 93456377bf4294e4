/// Formulas in scenario files: numbers that may depend on parameters, on the time t and on the arc length s.
/// User document: docs/guide/scenarios.md, "Numbers".
#pragma once

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace filum::scenario {

class Symbols;

/// Which variables a formula may contain.
struct Variables {
  bool t = false, s = false;
};

/// A formula that does not compile. `position` counts characters from 0; `unknown` is the name that nobody knows, if
/// any.
class FormulaError : public std::runtime_error {
 public:
  FormulaError(const std::string& what, int at, std::string unknown_name = {})
      : std::runtime_error(what), position(at), unknown(std::move(unknown_name)) {}
  int position;
  std::string unknown;
};

/// A compiled formula. Copies share the compiled form. Evaluation is thread-safe.
class Formula {
 public:
  /// Throws FormulaError.
  Formula(const std::string& text, Variables variables, const Symbols& symbols);
  double operator()(double t, double s = 0) const;
  const std::string& text() const { return text_; }
  bool uses_t() const;
  bool uses_s() const;

 private:
  struct Compiled;
  std::string text_;
  std::shared_ptr<Compiled> compiled_;
};

/// A function of time: points joined by lines and constant outside, or a formula.
class TimeFunction {
 public:
  using Point = std::pair<double, double>;
  /// Times must ascend.
  explicit TimeFunction(std::vector<Point> points);
  explicit TimeFunction(Formula formula) : formula_(std::make_shared<Formula>(std::move(formula))) {}
  double operator()(double t) const;
  const std::vector<Point>& points() const { return points_; }
  const Formula* formula() const { return formula_.get(); }

 private:
  std::vector<Point> points_;
  std::shared_ptr<const Formula> formula_;
};

/// The names that formulas know besides pi, e and the usual functions.
class Symbols {
 public:
  std::map<std::string, double> parameters;
  std::map<std::string, std::shared_ptr<const TimeFunction>> functions;

  /// Every word a formula may contain, for suggestions.
  std::vector<std::string> words(Variables variables) const;
};

/// Empty when a parameter or function may have this name, otherwise the reason why not.
std::string objection_to_symbol(std::string_view name);

/// A number of a scenario that may be a formula of t or s.
class Number {
 public:
  Number(double value = 0) : value_(value) {}  // NOLINT: a number is a Number
  explicit Number(Formula formula) : formula_(std::make_shared<Formula>(std::move(formula))) {}
  double operator()(double t, double s = 0) const { return formula_ ? (*formula_)(t, s) : value_; }
  bool is_constant() const { return formula_ == nullptr; }
  const Formula* formula() const { return formula_.get(); }

 private:
  double value_ = 0;
  std::shared_ptr<const Formula> formula_;
};

}  // namespace filum::scenario
