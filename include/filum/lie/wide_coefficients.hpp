/// The coefficients of coefficients.hpp in several lanes at once: polynomials without a branch, and the closed forms
/// for the rare lanes beyond their range. Theory: docs/theory/groups.md, section 7.
#pragma once

#include <filum/lie/coefficients.hpp>
#include <filum/linalg/wide.hpp>

namespace filum::lie::wide {

using linalg::Wide;

/// As coefficients::ExpCoefficients, LogCoefficients and InverseCoefficients<2>.
template <class S>
struct ExpCoefficients {
  S c, a, f3;
};
template <class S>
struct LogCoefficients {
  S f7, t, f6;
};
template <class S>
struct InverseCoefficients {
  S f6, f8, f9;
};

namespace detail {

namespace series = coefficients::series;

/// Even and odd powers in two chains, as coefficients::detail::polynomial.
template <int n, std::size_t size>
[[gnu::always_inline]] inline Wide<n> polynomial(const std::array<double, size>& p, const Wide<n>& t) {
  constexpr int last = static_cast<int>(size) - 1;
  const Wide<n> t2 = t * t;
  Wide<n> even = p[last - last % 2], odd = p[last - 1 + last % 2];
  for (int k = last - last % 2 - 2; k > 0; k -= 2) even = p[k] + t2 * even;
  for (int k = last - 3 + last % 2; k > 0; k -= 2) odd = p[k] + t2 * odd;
  return p[0] + t * (odd + t * even);
}

/// `near`, with what `far(lane)` gives in the lanes where `is_near(lane)` does not hold. One number in registers at a
/// time: structures would pass through memory, on the common path, too.
template <int n, class IsNear, class Far>
[[gnu::noinline, gnu::cold]] Wide<n> with_far_lanes(Wide<n> near, IsNear is_near, Far far) {
  for (int i = 0; i < n; ++i)
    if (!is_near(i)) near.v[i] = far(i);
  return near;
}

}  // namespace detail

template <int n>
[[gnu::always_inline]] inline ExpCoefficients<Wide<n>> exp_coefficients(const Wide<n>& t) {
  using namespace detail;
  ExpCoefficients<Wide<n>> f{polynomial(series::half_cosine, t), polynomial(series::half_sine, t),
                             polynomial(series::f3, t)};
  if (!all_less(t, series::angle_limit)) [[unlikely]] {
    const auto is_near = [t](int i) { return t[i] < series::angle_limit; };
    f.c = with_far_lanes(f.c, is_near, [t](int i) { return coefficients::exp_coefficients(t[i]).c; });
    f.a = with_far_lanes(f.a, is_near, [t](int i) { return coefficients::exp_coefficients(t[i]).a; });
    f.f3 = with_far_lanes(f.f3, is_near, [t](int i) { return coefficients::exp_coefficients(t[i]).f3; });
  }
  return f;
}

/// f9 is wanted by second derivatives only; the compiler drops what nobody uses.
template <int n>
[[gnu::always_inline]] inline InverseCoefficients<Wide<n>> inverse_coefficients(const Wide<n>& t) {
  using namespace detail;
  const Wide<n> u = 1.0 / (series::pole - t), uu = u * u;
  InverseCoefficients<Wide<n>> f{2.0 * u + polynomial(series::f6_rest, t), 4.0 * uu + polynomial(series::f8_rest, t),
                                 16.0 * uu * u + polynomial(series::f9_rest, t)};
  if (!all_less(t, series::inverse_limit)) [[unlikely]] {
    const auto is_near = [t](int i) { return t[i] < series::inverse_limit; };
    f.f6 = with_far_lanes(f.f6, is_near, [t](int i) { return coefficients::inverse_coefficients<0>(t[i]).f6; });
    f.f8 = with_far_lanes(f.f8, is_near, [t](int i) { return coefficients::inverse_coefficients<1>(t[i]).f8; });
    f.f9 = with_far_lanes(f.f9, is_near, [t](int i) { return coefficients::inverse_coefficients<2>(t[i]).f9; });
  }
  return f;
}

template <int n>
[[gnu::always_inline]] inline LogCoefficients<Wide<n>> log_coefficients(const Wide<n>& re, const Wide<n>& im2) {
  using namespace detail;
  const Wide<n> inverse = 1.0 / re, r = im2 * (inverse * inverse);
  const Wide<n> d = polynomial(series::log_denominator, r), a = polynomial(series::log_arctangent, r);
  const Wide<n> quotient = 1.0 / (a * d), a_inverse = quotient * d;
  LogCoefficients<Wide<n>> f;
  f.f7 = 2.0 * inverse * (a * a * quotient);
  f.t = f.f7 * f.f7 * im2;
  f.f6 = polynomial(series::log_remainder, r) * d * (a_inverse * a_inverse);
  if (!(all_less(0.0, re) && all_less(r, series::log_limit))) [[unlikely]] {
    const auto is_near = [re, r](int i) { return re[i] > 0.0 && r[i] < series::log_limit; };
    f.f7 = with_far_lanes(f.f7, is_near, [=](int i) { return coefficients::log_coefficients(re[i], im2[i]).f7; });
    f.t = with_far_lanes(f.t, is_near, [=](int i) { return coefficients::log_coefficients(re[i], im2[i]).t; });
    f.f6 = with_far_lanes(f.f6, is_near, [=](int i) { return coefficients::log_coefficients(re[i], im2[i]).f6; });
  }
  return f;
}

}  // namespace filum::lie::wide
