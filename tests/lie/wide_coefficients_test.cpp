/// Coefficients in several lanes at once against those of one angle, across every switch. Theory:
/// docs/theory/groups.md, section 7.
#include <filum/lie/wide_coefficients.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace filum::lie::wide {
namespace {

using Number = Wide<linalg::native_lanes>;
constexpr double tolerance = 4e-15;

void expect_near(const Number& found, double expected, double x) {
  for (int lane = 0; lane < Number::lanes; ++lane)
    EXPECT_LE(std::abs(found[lane] - expected), tolerance * std::abs(expected)) << "at angle " << x;
}

/// Angles from 0 to 6, tiny ones and those beside the switches.
template <class F>
void for_each_angle(F&& f) {
  namespace series = coefficients::series;
  for (const double x : {0.0, 1e-12, 1e-8, 1e-4}) f(x);
  for (int k = 1; k <= 600; ++k) f(0.01 * k);
  for (const double limit : {series::angle_limit, series::inverse_limit})
    for (const double side : {-1e-9, 1e-9}) f(std::sqrt(limit) + side);
}

TEST(WideCoefficients, AgreeWithThoseOfOneAngle) {
  for_each_angle([](double x) {
    const double t = x * x;
    const auto exp = exp_coefficients(Number(t));
    const auto exp_1 = coefficients::exp_coefficients(t);
    expect_near(exp.c, exp_1.c, x), expect_near(exp.a, exp_1.a, x), expect_near(exp.f3, exp_1.f3, x);
    const auto inverse = inverse_coefficients(Number(t));
    const auto inverse_1 = coefficients::inverse_coefficients<2>(t);
    expect_near(inverse.f6, inverse_1.f6, x), expect_near(inverse.f8, inverse_1.f8, x);
    expect_near(inverse.f9, inverse_1.f9, x);
  });
}

TEST(WideCoefficients, OfLogarithmsAgreeForQuaternionsOfAnyLength) {
  for (const double length : {0.5, 1.0, 1.0 + 1e-8})
    for_each_angle([&](double x) {
      const double re = length * std::cos(0.5 * x), im2 = std::pow(length * std::sin(0.5 * x), 2);
      if (x == 0 || re == 0) return;
      const auto log = log_coefficients(Number(re), Number(im2));
      const auto log_1 = coefficients::log_coefficients(re, im2);
      expect_near(log.f7, log_1.f7, x), expect_near(log.t, log_1.t, x), expect_near(log.f6, log_1.f6, x);
    });
}

}  // namespace
}  // namespace filum::lie::wide
