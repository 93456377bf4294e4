/// Dual numbers: a value and its partial derivatives by n variables, carried through any formula. They are scalars of
/// Eigen. Theory: docs/theory/bodies.md, sec. 5.
#pragma once

#include <Eigen/Core>

#include <cmath>
#include <limits>
#include <type_traits>

namespace filum::parts {

/// Comparisons look at the value only: at a kink the derivative is that of the branch taken.
template <int n>
struct Dual {
  using Partials = Eigen::Matrix<double, n, 1, Eigen::DontAlign>;

  double value = 0;
  Partials d = Partials::Zero();

  Dual() = default;
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  Dual(T constant) : value(static_cast<double>(constant)) {}
  Dual(double value_, const Partials& d_) : value(value_), d(d_) {}
  /// The k-th variable.
  static Dual variable(double value, int k) { return {value, Partials::Unit(k)}; }

  Dual& operator+=(const Dual& b) { return value += b.value, d += b.d, *this; }
  Dual& operator-=(const Dual& b) { return value -= b.value, d -= b.d, *this; }
  Dual& operator*=(const Dual& b) { return d = d * b.value + value * b.d, value *= b.value, *this; }
  Dual& operator/=(const Dual& b) { return value /= b.value, d = (d - value * b.d) / b.value, *this; }

  friend Dual operator+(Dual a, const Dual& b) { return a += b; }
  friend Dual operator-(Dual a, const Dual& b) { return a -= b; }
  friend Dual operator*(Dual a, const Dual& b) { return a *= b; }
  friend Dual operator/(Dual a, const Dual& b) { return a /= b; }
  friend Dual operator-(const Dual& a) { return {-a.value, -a.d}; }
  friend Dual operator+(const Dual& a) { return a; }
  friend bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
  friend auto operator<=>(const Dual& a, const Dual& b) { return a.value <=> b.value; }

  /// f(a) with the derivative slope = f'(a).
  Dual chain(double f, double slope) const { return {f, slope * d}; }

  friend Dual sqrt(const Dual& a) {
    const double r = std::sqrt(a.value);
    return a.chain(r, 0.5 / r);
  }
  friend Dual exp(const Dual& a) {
    const double e = std::exp(a.value);
    return a.chain(e, e);
  }
  friend Dual log(const Dual& a) { return a.chain(std::log(a.value), 1 / a.value); }
  friend Dual sin(const Dual& a) { return a.chain(std::sin(a.value), std::cos(a.value)); }
  friend Dual cos(const Dual& a) { return a.chain(std::cos(a.value), -std::sin(a.value)); }
  friend Dual tan(const Dual& a) {
    const double t = std::tan(a.value);
    return a.chain(t, 1 + t * t);
  }
  friend Dual asin(const Dual& a) { return a.chain(std::asin(a.value), 1 / std::sqrt(1 - a.value * a.value)); }
  friend Dual acos(const Dual& a) { return a.chain(std::acos(a.value), -1 / std::sqrt(1 - a.value * a.value)); }
  friend Dual atan(const Dual& a) { return a.chain(std::atan(a.value), 1 / (1 + a.value * a.value)); }
  friend Dual sinh(const Dual& a) { return a.chain(std::sinh(a.value), std::cosh(a.value)); }
  friend Dual cosh(const Dual& a) { return a.chain(std::cosh(a.value), std::sinh(a.value)); }
  friend Dual tanh(const Dual& a) {
    const double t = std::tanh(a.value);
    return a.chain(t, 1 - t * t);
  }
  friend Dual abs(const Dual& a) { return a.value < 0 ? -a : a; }
  friend Dual pow(const Dual& a, double p) {
    return a.chain(std::pow(a.value, p), p == 0 ? 0 : p * std::pow(a.value, p - 1));
  }
  friend Dual atan2(const Dual& y, const Dual& x) {
    const double r2 = x.value * x.value + y.value * y.value;
    return {std::atan2(y.value, x.value), (x.value * y.d - y.value * x.d) / r2};
  }
  friend Dual min(const Dual& a, const Dual& b) { return b < a ? b : a; }
  friend Dual max(const Dual& a, const Dual& b) { return a < b ? b : a; }
  friend bool isfinite(const Dual& a) { return std::isfinite(a.value) && a.d.allFinite(); }
};

}  // namespace filum::parts

template <int n>
struct Eigen::NumTraits<filum::parts::Dual<n>> : Eigen::NumTraits<double> {
  using Real = filum::parts::Dual<n>;
  using NonInteger = Real;
  using Nested = Real;
  using Literal = Real;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = n,
    AddCost = n,
    MulCost = 3 * n
  };
};

template <int n, class Op>
struct Eigen::ScalarBinaryOpTraits<filum::parts::Dual<n>, double, Op> {
  using ReturnType = filum::parts::Dual<n>;
};
template <int n, class Op>
struct Eigen::ScalarBinaryOpTraits<double, filum::parts::Dual<n>, Op> {
  using ReturnType = filum::parts::Dual<n>;
};
