// The scalar coefficients against 50-digit values, across every switch. Theory: docs/theory/groups.md, section 7.
#include "filum/lie/coefficients.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

namespace filum::lie::coefficients {
namespace {

struct AngleReference {
  double x, c, a, f1, f2, f3, f4, f5, f6, f8, f9;
};
struct LogReference {
  double re, im2, f7, t, f6;
};
struct RealPartReference {
  double c, f7;
};

#include "coefficient_reference.inc"

constexpr double tolerance = 4e-15;
constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double half_turn_squared = std::numbers::pi * std::numbers::pi;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double relative_error(double value, double reference) {
  return value == reference ? 0.0 : std::abs(value - reference) / std::abs(reference);
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2e", value);
  return text;
}

struct ScalarCase {
  const char* name;
  double (*function)(double);
  double AngleReference::*reference;
};

class ScalarCoefficient : public testing::TestWithParam<ScalarCase> {};

TEST_P(ScalarCoefficient, AgreesWithFiftyDigitsOnTheWholeTurn) {
  double worst = 0.0;
  for (const AngleReference& row : angle_references) {
    const double error = relative_error(GetParam().function(row.x), row.*GetParam().reference);
    EXPECT_LE(error, tolerance) << "at x = " << testing::PrintToString(row.x);
    worst = std::max(worst, error);
  }
  RecordProperty("worst_relative_error", number(worst));
}

TEST_P(ScalarCoefficient, PassesNanThrough) { EXPECT_TRUE(std::isnan(GetParam().function(nan))); }

TEST_P(ScalarCoefficient, RefusesAnglesOutsideTheTurn) {
  EXPECT_DEBUG_DEATH(GetParam().function(-0.1), "is_angle");
  EXPECT_DEBUG_DEATH(GetParam().function(6.3), "is_angle");
}

INSTANTIATE_TEST_SUITE_P(
    Coefficients, ScalarCoefficient,
    testing::Values(ScalarCase{"f1", f1, &AngleReference::f1}, ScalarCase{"f2", f2, &AngleReference::f2},
                    ScalarCase{"f3", f3, &AngleReference::f3}, ScalarCase{"f4", f4, &AngleReference::f4},
                    ScalarCase{"f5", f5, &AngleReference::f5}, ScalarCase{"f6", f6, &AngleReference::f6},
                    ScalarCase{"f8", f8, &AngleReference::f8}, ScalarCase{"f9", f9, &AngleReference::f9}),
    [](const auto& scalar) { return scalar.param.name; });

TEST(Coefficients, F7AgreesWithFiftyDigits) {
  double worst = 0.0;
  for (const RealPartReference& row : real_part_references) {
    const double error = relative_error(f7(row.c), row.f7);
    EXPECT_LE(error, tolerance) << "at c = " << testing::PrintToString(row.c);
    worst = std::max(worst, error);
  }
  RecordProperty("worst_relative_error", number(worst));
  EXPECT_TRUE(std::isnan(f7(nan)));
  EXPECT_DEBUG_DEATH(f7(-1.0), "c <= -1");
}

TEST(Coefficients, ReferenceHasNeighboursOnBothSidesOfEverySwitch) {
  const auto near_switch = [](double value, double limit, int side) {
    const double distance = (value - limit) / limit;
    return side < 0 ? distance < 0.0 && distance > -1e-14 : distance >= 0.0 && distance < 1e-14;
  };
  for (const int side : {-1, 1}) {
    for (const double limit : {series::angle_limit, series::inverse_limit}) {
      EXPECT_TRUE(std::ranges::any_of(angle_references, [&](const AngleReference& row) {
        return near_switch(row.x * row.x, limit, side);
      })) << limit;
    }
    EXPECT_TRUE(std::ranges::any_of(log_references, [&](const LogReference& row) {
      return near_switch(row.im2 / (row.re * row.re), series::log_limit, side);
    }));
  }
}

/// Half a unit in the last place of t moves a function with a zero or pole of this order at `place` by so much.
double tolerance_of_t(double t, int order, double place) {
  return tolerance + order * epsilon * t / std::abs(place - t);
}

TEST(FusedCoefficients, AgreeWithFiftyDigitsUpToTheRoundingOfTheSquare) {
  double worst = 0.0;
  const auto check = [&](double value, double reference, double bound) {
    EXPECT_LE(relative_error(value, reference), bound);
    worst = std::max(worst, relative_error(value, reference) / bound);
  };
  for (const AngleReference& row : angle_references) {
    SCOPED_TRACE("x = " + testing::PrintToString(row.x));
    const double t = row.x * row.x;
    const auto with_zero = [t](int order) { return tolerance_of_t(t, order, series::pole); };
    const HalfAngle half = half_angle(t);
    check(half.c, row.c, tolerance_of_t(t, 1, half_turn_squared));
    check(half.a, row.a, with_zero(1));
    const ExpCoefficients exp = exp_coefficients(t);
    EXPECT_EQ(exp.c, half.c);
    EXPECT_EQ(exp.a, half.a);
    check(exp.f3, row.f3, tolerance);
    const TangentCoefficients tangent = tangent_coefficients(t);
    check(tangent.f2, row.f2, with_zero(2));
    check(tangent.f3, row.f3, tolerance);
    check(tangent.f4, row.f4, with_zero(1));
    check(tangent.f5, row.f5, tolerance);
    const RotationTangentCoefficients rotation = rotation_tangent_coefficients(t);
    check(rotation.f2, row.f2, with_zero(2));
    check(rotation.f3, row.f3, tolerance);
    check(inverse_coefficients<0>(t).f6, row.f6, with_zero(1));
    check(inverse_coefficients<1>(t).f6, row.f6, with_zero(1));
    check(inverse_coefficients<1>(t).f8, row.f8, with_zero(2));
    const InverseCoefficients<2> inverse = inverse_coefficients<2>(t);
    check(inverse.f6, row.f6, with_zero(1));
    check(inverse.f8, row.f8, with_zero(2));
    check(inverse.f9, row.f9, with_zero(3));
  }
  RecordProperty("worst_fraction_of_the_bound", number(worst));
}

TEST(FusedCoefficients, HalfAngleIsAUnitQuaternion) {
  for (int i = 0; i < 6280; ++i) {
    const double x = 0.001 * i;
    const HalfAngle h = half_angle(x * x);
    EXPECT_NEAR(h.c * h.c + h.a * h.a * (x * x), 1.0, x < 1.0 ? 2.0 * epsilon : 4.0 * epsilon) << x;
  }
}

TEST(FusedCoefficients, ClosedFormsContinueBeyondTheTurn) {
  for (const double x : {6.5, 8.0, 11.0}) {
    const double y = 0.5 * x, s = std::sin(y), c = std::cos(y), t = x * x;
    const TangentCoefficients tangent = tangent_coefficients(t);
    EXPECT_NEAR(tangent.f4, 2.0 * s * (2.0 * s - x * c) / (t * t), 1e-15);
    EXPECT_NEAR(tangent.f5, (x * (2.0 + std::cos(x)) - 3.0 * std::sin(x)) / (t * t * x), 1e-15);
    const InverseCoefficients<2> inverse = inverse_coefficients<2>(t);
    const double f8 = (y * y + y * s * c - 2.0 * s * s) / (s * s * t * t);
    const double f9 =
        (8.0 * s * s * s - 3.0 * y * c * s * s - y * y * (3.0 * s + 2.0 * y * c)) / (t * t * t * s * s * s);
    EXPECT_LE(relative_error(inverse.f6, (1.0 - y * c / s) / t), 1e-13);
    EXPECT_LE(relative_error(inverse.f8, f8), 1e-13);
    EXPECT_LE(relative_error(inverse.f9, f9), 1e-13);
  }
}

TEST(FusedCoefficients, PassNanThrough) {
  EXPECT_TRUE(std::isnan(half_angle(nan).c) && std::isnan(half_angle(nan).a));
  const ExpCoefficients exp = exp_coefficients(nan);
  EXPECT_TRUE(std::isnan(exp.c) && std::isnan(exp.a) && std::isnan(exp.f3));
  const TangentCoefficients tangent = tangent_coefficients(nan);
  EXPECT_TRUE(std::isnan(tangent.f2) && std::isnan(tangent.f3) && std::isnan(tangent.f4) && std::isnan(tangent.f5));
  const RotationTangentCoefficients rotation = rotation_tangent_coefficients(nan);
  EXPECT_TRUE(std::isnan(rotation.f2) && std::isnan(rotation.f3));
  const InverseCoefficients<2> inverse = inverse_coefficients<2>(nan);
  EXPECT_TRUE(std::isnan(inverse.f6) && std::isnan(inverse.f8) && std::isnan(inverse.f9));
  for (const auto& [re, im2] : {std::pair{nan, 0.1}, std::pair{0.9, nan}, std::pair{-0.9, nan}}) {
    const LogCoefficients log = log_coefficients(re, im2);
    EXPECT_TRUE(std::isnan(log.f7) && std::isnan(log.t) && std::isnan(log.f6) && std::isnan(f7_of(re, im2)));
  }
}

/// Fourth-order central difference.
template <class Function>
double derivative(const Function& f, double x, double h) {
  return (8.0 * (f(x + h) - f(x - h)) - (f(x + 2.0 * h) - f(x - 2.0 * h))) / (12.0 * h);
}

TEST(InverseCoefficients, F8AndF9AreDerivativesOverTheAngle) {
  for (const double x : {0.1, 1.0, 2.5, 3.7416, 4.5, 5.5}) {
    EXPECT_LE(relative_error(f8(x), derivative(f6, x, 1e-3) / x), 1e-8) << x;
    EXPECT_LE(relative_error(f9(x), derivative(f8, x, 1e-3) / x), 1e-8) << x;
  }
}

TEST(LogCoefficients, AgreeWithFiftyDigitsForQuaternionsOfAnyLength) {
  double worst_f7 = 0.0, worst_t = 0.0, worst_f6 = 0.0;
  for (const LogReference& row : log_references) {
    SCOPED_TRACE("re = " + testing::PrintToString(row.re) + ", im2 = " + testing::PrintToString(row.im2));
    const LogCoefficients log = log_coefficients(row.re, row.im2);
    EXPECT_LE(relative_error(log.f7, row.f7), tolerance);
    EXPECT_LE(relative_error(log.t, row.t), tolerance);
    EXPECT_LE(relative_error(log.f6, row.f6), tolerance);
    EXPECT_LE(relative_error(f7_of(row.re, row.im2), row.f7), tolerance);
    worst_f7 = std::max(worst_f7, relative_error(log.f7, row.f7));
    worst_t = std::max(worst_t, relative_error(log.t, row.t));
    worst_f6 = std::max(worst_f6, relative_error(log.f6, row.f6));
  }
  RecordProperty("worst_relative_error_f7", number(worst_f7));
  RecordProperty("worst_relative_error_t", number(worst_t));
  RecordProperty("worst_relative_error_f6", number(worst_f6));
}

TEST(LogCoefficients, DoublingTheQuaternionHalvesF7Exactly) {
  for (const LogReference& row : log_references) {
    const LogCoefficients once = log_coefficients(row.re, row.im2);
    const LogCoefficients twice = log_coefficients(2.0 * row.re, 4.0 * row.im2);
    EXPECT_EQ(twice.f7, 0.5 * once.f7);
    EXPECT_EQ(twice.t, once.t);
    EXPECT_EQ(twice.f6, once.f6);
  }
}

TEST(LogCoefficients, RecoverTheAngleThatExpWasGiven) {
  for (int i = 0; i < 300; ++i) {
    const double x = 6.2 * std::pow(10.0, -0.03 * i);
    const HalfAngle h = half_angle(x * x);
    const LogCoefficients log = log_coefficients(h.c, h.a * h.a * (x * x));
    EXPECT_NEAR(log.f7 * h.a, 1.0, 1e-14) << x;
    EXPECT_LE(relative_error(log.t, x * x), 1e-14) << x;
  }
}

}  // namespace
}  // namespace filum::lie::coefficients
