/// Derivatives by differences, and functions of a program that need them.
#include <filum/config/differentiate.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace filum::config {
namespace {

TEST(Differentiate, IsExactToTenDigitsForSmoothFunctions) {
  const Jet d = differentiate([](double t) { return std::sin(3 * t) * std::exp(t); }, 0.4, 1e-3);
  const double s = std::sin(1.2), c = std::cos(1.2), e = std::exp(0.4);
  EXPECT_NEAR(d.first, e * (s + 3 * c), 1e-11);
  EXPECT_NEAR(d.second, e * (-8 * s + 6 * c), 1e-8);
}

TEST(Differentiate, ThreeNumbersNeedAsManyCallsAsOne) {
  int calls = 0;
  const auto f = [&](double t, std::span<double> out) {
    ++calls;
    out[0] = std::sin(t), out[1] = t * t, out[2] = 5;
  };
  std::array<Jet, 3> d;
  differentiate(f, 0.7, 1e-3, d);
  EXPECT_EQ(calls, 15);
  const Jet alone = differentiate([](double t) { return std::sin(t); }, 0.7, 1e-3);
  EXPECT_EQ(d[0].first, alone.first);
  EXPECT_EQ(d[0].second, alone.second);
  EXPECT_NEAR(d[1].first, 1.4, 1e-11);
  EXPECT_NEAR(d[1].second, 2, 1e-8);
  EXPECT_EQ(d[2].first, 0);
}

/// Bound to the time; fills (sin t, t²) and, if it returns rates, their derivatives.
BoundCallable counted(int& calls, bool rates) {
  auto f = std::make_shared<Callable>();
  f->name = "f";
  f->arguments = {"t"};
  f->returns_rates = rates;
  f->call = [&calls](std::size_t, std::span<const CallArgument> arguments, std::span<double> out) {
    ++calls;
    const double t = *arguments[0].at;
    const std::array<double, 6> all{std::sin(t), t * t, std::cos(t), 2 * t, -std::sin(t), 2};
    std::copy_n(all.begin(), out.size(), out.begin());
  };
  return {f, {"t"}, {}};
}

TEST(CallableEntry, DerivativesAtOneTimeAreFoundOnce) {
  for (const bool rates : {false, true}) {
    int calls = 0;
    const BoundCallable f = counted(calls, rates);
    const CallableEntry first{f, 0, 2}, second{f, 1, 2};
    const std::array<double, 1> t{0.4}, later{0.5};
    const Jet a = first.jet(t, 0), b = second.jet(t, 0), again = first.jet(t, 0);
    EXPECT_EQ(calls, rates ? 1 : 15);
    EXPECT_EQ(a.second, again.second);
    EXPECT_NEAR(a.first, std::cos(0.4), 1e-11);
    EXPECT_NEAR(a.second, -std::sin(0.4), rates ? 0 : 1e-8);
    EXPECT_NEAR(b.first, 0.8, 1e-11);
    EXPECT_EQ(second.value(later), 0.25);
    EXPECT_NEAR(first.jet(later, 0).first, std::cos(0.5), 1e-11);
    int others = 0;
    EXPECT_NEAR((CallableEntry{counted(others, rates), 1, 2}.jet(later, 0).first), 1, 1e-11);
    EXPECT_GT(others, 0);
  }
}

TEST(BoundCallable, GivesManyPointsAtOnceToThoseWhoTakeThem) {
  for (const bool many : {false, true}) {
    int calls = 0;
    auto f = std::make_shared<Callable>();
    f->arguments = {"y", "x"};
    f->takes_many = many;
    f->call = [&](std::size_t points, std::span<const CallArgument> in, std::span<double> out) {
      ++calls;
      for (std::size_t k = 0; k < points; ++k) out[k] = in[0].at[k * in[0].stride] + 10 * in[1].at[k * in[1].stride];
    };
    const BoundCallable bound(f, {"x", "y"}, {});
    const std::array<double, 6> variables{1, 2, 3, 4, 5, 6};
    std::array<double, 3> out{};
    bound.at_points(3, variables, out);
    EXPECT_EQ(calls, many ? 1 : 3);
    EXPECT_EQ(out, (std::array<double, 3>{12, 34, 56}));
  }
}

}  // namespace
}  // namespace filum::config
