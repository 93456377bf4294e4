/// The chain rule for numbers with derivatives: double has none, Jet two along one variable, Gradient one by many.
/// User document: docs/guide/scenarios.md, "Numbers".
#pragma once

#include <filum/config/formula.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace filum::config {

inline double value_of(double x) { return x; }
inline double value_of(const Jet& x) { return x.value; }
inline double value_of(const Gradient& x) { return x.value; }

template <class T>
T constant(double value) {
  T x{};
  if constexpr (std::is_same_v<T, double>)
    x = value;
  else
    x.value = value;
  return x;
}

/// What does not move has no derivative, even where the outer function has none (√ at 0).
inline double product(double slope, double motion) { return motion == 0 ? 0 : slope * motion; }

/// Where x goes from here, as a sign: decides at kinks. For gradients there is no one direction.
inline double direction(double) { return 0; }
inline double direction(const Jet& x) { return x.first != 0 ? x.first : x.second; }
inline double direction(const Gradient&) { return 0; }

/// f(x) from the value of f and functions for its derivatives, called only where they are needed.
template <class First, class Second>
double chain(double, double f, First&&, Second&&) {
  return f;
}
template <class First, class Second>
Jet chain(const Jet& x, double f, First&& first, Second&& second) {
  if (x.first == 0 && x.second == 0) return {f, 0, 0};
  const double slope = first();
  return {f, product(slope, x.first), product(slope, x.second) + product(second(), x.first * x.first)};
}
template <class First, class Second>
Gradient chain(const Gradient& x, double f, First&& first, Second&&) {
  Gradient result;
  result.value = f;
  const double slope = first();
  for (std::size_t i = 0; i < Gradient::most; ++i) result.by[i] = product(slope, x.by[i]);
  return result;
}

struct Slopes {
  double a, b;
};
struct Bends {
  double aa, ab, bb;
};

/// f(a, b), likewise.
template <class First, class Second>
double chain(double, double, double f, First&&, Second&&) {
  return f;
}
template <class First, class Second>
Jet chain(const Jet& a, const Jet& b, double f, First&& first, Second&& second) {
  const Slopes d = first();
  const Bends c = second();
  return {f, product(d.a, a.first) + product(d.b, b.first),
          product(d.a, a.second) + product(d.b, b.second) + product(c.aa, a.first * a.first) +
              2 * product(c.ab, a.first * b.first) + product(c.bb, b.first * b.first)};
}
template <class First, class Second>
Gradient chain(const Gradient& a, const Gradient& b, double f, First&& first, Second&&) {
  Gradient result;
  result.value = f;
  const Slopes d = first();
  for (std::size_t i = 0; i < Gradient::most; ++i) result.by[i] = product(d.a, a.by[i]) + product(d.b, b.by[i]);
  return result;
}

inline double power(double x, double y) {
  if (y == 2) return x * x;
  if (y == 3) return x * x * x;
  return std::pow(x, y);
}

/// x^y. Where x is 0 its logarithm does not count: 0^y stays 0.
template <class T>
T power_of(const T& a, const T& b) {
  const double x = value_of(a), y = value_of(b), f = power(x, y);
  const auto log = [&] { return x == 0 ? 0 : std::log(x); };
  return chain(
      a, b, f,
      [&] {
        return Slopes{y == 0 ? 0 : y * power(x, y - 1), f * log()};
      },
      [&] {
        const double l = log();
        return Bends{y == 0 || y == 1 ? 0 : y * (y - 1) * power(x, y - 2), power(x, y - 1) * (1 + y * l), f * l * l};
      });
}

template <class T>
T sum_of(const T& a, const T& b, double sign) {
  return chain(
      a, b, value_of(a) + sign * value_of(b),
      [&] {
        return Slopes{1, sign};
      },
      [] {
        return Bends{0, 0, 0};
      });
}

template <class T>
T product_of(const T& a, const T& b) {
  const double x = value_of(a), y = value_of(b);
  return chain(
      a, b, x * y,
      [&] {
        return Slopes{y, x};
      },
      [] {
        return Bends{0, 1, 0};
      });
}

template <class T>
T quotient_of(const T& a, const T& b) {
  const double y = value_of(b), f = value_of(a) / y;
  return chain(
      a, b, f,
      [&] {
        return Slopes{1 / y, -f / y};
      },
      [&] {
        return Bends{0, -1 / (y * y), 2 * f / (y * y)};
      });
}

/// The angle of (x, y); the first argument is y.
template <class T>
T angle_of(const T& a, const T& b) {
  const double y = value_of(a), x = value_of(b), r2 = x * x + y * y;
  return chain(
      a, b, std::atan2(y, x),
      [&] {
        return Slopes{x / r2, -y / r2};
      },
      [&] {
        const double u = x / r2, v = y / r2;
        return Bends{-2 * u * v, v * v - u * u, 2 * u * v};
      });
}

/// The smaller one (sign = 1) or the larger one (sign = −1); of two that are equal, the one that will be.
template <class T>
T extreme_of(const T& a, const T& b, double sign) {
  const double x = sign * value_of(a), y = sign * value_of(b);
  return y < x || (y == x && sign * direction(sum_of(b, a, -1.0)) < 0) ? b : a;
}

template <class T>
T magnitude_of(const T& a) {
  const double x = value_of(a);
  const bool falls = x < 0 || (x == 0 && direction(a) < 0);
  return chain(
      a, std::abs(x), [&] { return falls ? -1.0 : 1.0; }, [] { return 0.0; });
}

/// Points joined by lines, constant outside.
template <class T>
T interpolated(const std::vector<Function::Point>& points, const T& a) {
  const double x = value_of(a);
  auto after =
      std::upper_bound(points.begin(), points.end(), x, [](double t, const Function::Point& p) { return t < p.first; });
  if (after != points.begin() && after[-1].first == x && direction(a) < 0) --after;
  if (after == points.begin()) return constant<T>(points.front().second);
  if (after == points.end()) return constant<T>(points.back().second);
  const Function::Point &p = after[-1], &q = *after;
  return chain(
      a, p.second + (q.second - p.second) * ((x - p.first) / (q.first - p.first)),
      [&] { return (q.second - p.second) / (q.first - p.first); }, [] { return 0.0; });
}

}  // namespace filum::config
