/// The one interpreter of compiled formulas, for every kind of number. User document: docs/guide/scenarios.md,
/// "Numbers".
#pragma once

#include "calculus.hpp"
#include "code.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <numbers>

namespace filum::config {

/// Storage for one number that is not initialised before it is used.
template <class T>
union Slot {
  Slot() {}  // NOLINT: doing nothing is what it is for
  T x;
};

template <class T>
T applied(Op op, const T& a) {
  using std::numbers::ln10, std::numbers::ln2;
  const double x = value_of(a);
  const auto zero = [] { return 0.0; };
  const auto logarithm = [&](double f, double scale) {
    return chain(
        a, f, [&] { return 1 / (x * scale); }, [&] { return -1 / (x * x * scale); });
  };
  switch (op) {
    case Op::negate:
      return chain(
          a, -x, [] { return -1.0; }, zero);
    case Op::invert: return constant<T>(x == 0 ? 1 : 0);
    case Op::sin:
      return chain(
          a, std::sin(x), [&] { return std::cos(x); }, [&] { return -std::sin(x); });
    case Op::cos:
      return chain(
          a, std::cos(x), [&] { return -std::sin(x); }, [&] { return -std::cos(x); });
    case Op::tan: {
      const double f = std::tan(x);
      return chain(
          a, f, [&] { return 1 + f * f; }, [&] { return 2 * f * (1 + f * f); });
    }
    case Op::asin:
    case Op::acos: {
      const double sign = op == Op::asin ? 1 : -1, c = (1 - x) * (1 + x);
      return chain(
          a, op == Op::asin ? std::asin(x) : std::acos(x), [&] { return sign / std::sqrt(c); },
          [&] { return sign * x / (c * std::sqrt(c)); });
    }
    case Op::atan: {
      const double c = 1 + x * x;
      return chain(
          a, std::atan(x), [&] { return 1 / c; }, [&] { return -2 * (x / c) / c; });
    }
    case Op::sinh:
      return chain(
          a, std::sinh(x), [&] { return std::cosh(x); }, [&] { return std::sinh(x); });
    case Op::cosh:
      return chain(
          a, std::cosh(x), [&] { return std::sinh(x); }, [&] { return std::cosh(x); });
    case Op::tanh: {
      const double f = std::tanh(x);
      const auto slope = [&] { return 1 / (std::cosh(x) * std::cosh(x)); };  // 1 − f² would cancel
      return chain(a, f, slope, [&] { return -2 * f * slope(); });
    }
    case Op::asinh: {
      const double c = 1 + x * x;
      return chain(
          a, std::asinh(x), [&] { return 1 / std::sqrt(c); }, [&] { return -x / (c * std::sqrt(c)); });
    }
    case Op::acosh: {
      const double c = (x - 1) * (x + 1);
      return chain(
          a, std::acosh(x), [&] { return 1 / std::sqrt(c); }, [&] { return -x / (c * std::sqrt(c)); });
    }
    case Op::atanh: {
      const double c = (1 - x) * (1 + x);
      return chain(
          a, std::atanh(x), [&] { return 1 / c; }, [&] { return 2 * x / (c * c); });
    }
    case Op::exp: {
      const double f = std::exp(x);
      return chain(
          a, f, [&] { return f; }, [&] { return f; });
    }
    case Op::ln: return logarithm(std::log(x), 1);
    case Op::log10: return logarithm(std::log10(x), ln10);
    case Op::log2: return logarithm(std::log2(x), ln2);
    case Op::sqrt: {
      const double f = std::sqrt(x);
      return chain(
          a, f, [&] { return 0.5 / f; }, [&] { return -0.25 / (x * f); });
    }
    case Op::abs: return magnitude_of(a);
    case Op::sign: return constant<T>(x < 0 ? -1 : x > 0 ? 1 : 0);
    case Op::rint: return constant<T>(std::floor(x + 0.5));
    default: return a;
  }
}

template <class T>
T applied(Op op, const T& a, const T& b) {
  const double x = value_of(a), y = value_of(b);
  switch (op) {
    case Op::add: return sum_of(a, b, 1.0);
    case Op::subtract: return sum_of(a, b, -1.0);
    case Op::multiply: return product_of(a, b);
    case Op::divide: return quotient_of(a, b);
    case Op::power: return power_of(a, b);
    case Op::atan2: return angle_of(a, b);
    case Op::min: return extreme_of(a, b, 1.0);
    case Op::max: return extreme_of(a, b, -1.0);
    case Op::less: return constant<T>(x < y);
    case Op::less_equal: return constant<T>(x <= y);
    case Op::greater: return constant<T>(x > y);
    case Op::greater_equal: return constant<T>(x >= y);
    case Op::equal: return constant<T>(x == y);
    case Op::not_equal: return constant<T>(x != y);
    case Op::both: return constant<T>(x != 0 && y != 0);
    case Op::either: return constant<T>(x != 0 || y != 0);
    default: return a;
  }
}

/// The only variable of a function that is called.
template <class T>
struct Argument {
  T x;
  const T& operator()(int) const { return x; }
};

/// Does not want to know about decisions.
struct NoNotes {};

/// Lists the decisions of an evaluation.
struct SwitchNotes {
  std::vector<Switch>& out;

  void add_sign(double y, bool jumps) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    out.push_back(y < 0 ? Switch{y, -infinity, 0, jumps} : Switch{y, 0, infinity, jumps});
  }
  void operator()(Op op, double x) const {
    if (op == Op::abs || op == Op::sign) add_sign(x, op == Op::sign);
    if (op == Op::rint) {
      const double n = std::floor(x + 0.5);
      out.push_back({x, n - 0.5, n + 0.5, true});
    }
  }
  /// x < y and x ≥ y have changed when x − y < 0 has; the other two when y − x < 0 has.
  void operator()(Op op, double x, double y) const {
    if (op == Op::min || op == Op::max) add_sign(x - y, false);
    if (op == Op::less || op == Op::greater_equal) add_sign(x - y, true);
    if (op == Op::greater || op == Op::less_equal) add_sign(y - x, true);
  }
  void operator()(const std::vector<Function::Point>& points, double x) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (points.size() < 2) return;
    const auto after = std::upper_bound(points.begin(), points.end(), x,
                                        [](double t, const Function::Point& p) { return t < p.first; });
    out.push_back({x, after == points.begin() ? -infinity : after[-1].first,
                   after == points.end() ? infinity : after->first, false});
  }
};

/// Runs the code; `load` gives the variables by number. The result is in the first place of the stack, which has room
/// for code.depth numbers.
template <class T, class Load, class Notes = NoNotes>
void run(const Code& code, const Load& load, Slot<T>* stack, const Notes& notes = {}) {
  constexpr bool takes_notes = !std::is_same_v<Notes, NoNotes>;
  Slot<T>* top = stack;  // the next free place
  const auto push = [&](const T& x) { std::construct_at(&(top++)->x, x); };
  const Instruction* const first = code.instructions.data();
  const Instruction* const end = first + code.instructions.size();
  for (const Instruction* at = first; at != end; ++at) {
    switch (at->op) {
      case Op::constant: push(constant<T>(at->value)); break;
      case Op::variable: push(load(at->index)); break;
      case Op::jump: at = first + at->index - 1; break;
      case Op::jump_if_zero:
        if (value_of((--top)->x) == 0) at = first + at->index - 1;
        break;
      case Op::call: {
        const Function& function = code.functions[static_cast<std::size_t>(at->index)];
        if (const Formula* formula = function.formula()) {
          run(formula->code(), Argument<T>{top[-1].x}, top - 1, notes);
        } else {
          if constexpr (takes_notes) notes(function.points(), value_of(top[-1].x));
          top[-1].x = interpolated(function.points(), top[-1].x);
        }
        break;
      }
      default:
        if (at->op < Op::add) {
          if constexpr (takes_notes) notes(at->op, value_of(top[-1].x));
          top[-1].x = applied(at->op, top[-1].x);
        } else {
          --top;
          if constexpr (takes_notes) notes(at->op, value_of(top[-1].x), value_of(top->x));
          top[-1].x = applied(at->op, top[-1].x, top->x);
        }
    }
  }
}

template <class T, class Load>
T evaluated(const Code& code, const Load& load) {
  Slot<T> stack[most_depth];
  run(code, load, stack);
  return stack[0].x;
}

}  // namespace filum::config
