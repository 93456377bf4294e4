/// The decisions of formulas. Theory: docs/theory/events.md, sec. 1.
#include <filum/config/formula.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace filum::config {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<Switch> switches(const std::string& text, double t, const Symbols& symbols = {}) {
  std::vector<Switch> out;
  const double values[] = {t};
  Formula(text, {"t"}, symbols).switches(values, out);
  return out;
}

void expect(const std::vector<Switch>& found, const std::vector<Switch>& expected, const std::string& text) {
  ASSERT_EQ(found.size(), expected.size()) << text;
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_DOUBLE_EQ(found[i].value, expected[i].value) << text;
    EXPECT_EQ(found[i].low, expected[i].low) << text;
    EXPECT_EQ(found[i].high, expected[i].high) << text;
    EXPECT_EQ(found[i].jumps, expected[i].jumps) << text;
  }
}

TEST(FormulaSwitches, AreWhatAFormulaDecidesBy) {
  expect(switches("t < 2 ? 1 : 0", 1.5), {{-0.5, -infinity, 0, true}}, "<");
  expect(switches("t <= 2 ? 1 : 0", 2), {{0, 0, infinity, true}}, "<=");
  expect(switches("t > 2 ? 1 : 0", 2.5), {{-0.5, -infinity, 0, true}}, ">");
  expect(switches("t >= 2 ? 1 : 0", 2.5), {{0.5, 0, infinity, true}}, ">=");
  expect(switches("abs(t - 1)", 0.25), {{-0.75, -infinity, 0, false}}, "abs");
  expect(switches("sign(t - 1)", 3), {{2, 0, infinity, true}}, "sign");
  expect(switches("rint(t)", 1.25), {{1.25, 0.5, 1.5, true}}, "rint");
  expect(switches("max(t, 1, 3)", 2), {{1, 0, infinity, false}, {-1, -infinity, 0, false}}, "max");
  expect(switches("sin(t)*t^2", 2), {}, "smooth");
  EXPECT_FALSE(Formula("sin(t)*t^2 + max(1, 2)", {"t"}, {}).has_switches());
  EXPECT_TRUE(Formula("min(t, 1)", {"t"}, {}).has_switches());
}

// The value of a comparison must not change within its interval.
TEST(FormulaSwitches, HoldTheValueOfAComparisonWithinTheirInterval) {
  for (const char* op : {"<", "<=", ">", ">="}) {
    const Formula f(std::string("t ") + op + " 1", {"t"}, {});
    for (const double t : {0.0, 1.0, 2.0, std::nextafter(1.0, 0.0), std::nextafter(1.0, 2.0)})
      for (const double u : {0.0, 1.0, 2.0, std::nextafter(1.0, 0.0), std::nextafter(1.0, 2.0)}) {
        const Switch at_t = switches(f.text(), t)[0], at_u = switches(f.text(), u)[0];
        const bool same = at_u.value >= at_t.low && at_u.value < at_t.high;
        EXPECT_EQ(same, f(t) == f(u)) << op << ' ' << t << ' ' << u;
      }
  }
}

TEST(FormulaSwitches, FollowTheBranchThatIsTakenAndFunctionsThatAreCalled) {
  Symbols symbols;
  symbols.functions.emplace("ramp", Function(std::vector<Function::Point>{{0, 0}, {1, 2}, {3, 2}}));
  symbols.functions.emplace("late", Function(Formula("t > 5 ? ramp(t) : 0", {"t"}, symbols)));
  expect(switches("ramp(2*t)", 0.25, symbols), {{0.5, 0, 1, false}}, "points");
  expect(switches("ramp(t)", 7, symbols), {{7, 3, infinity, false}}, "behind the points");
  expect(switches("late(t)", 4, symbols), {{1, 0, infinity, true}}, "not taken");
  expect(switches("late(t)", 6, symbols), {{-1, -infinity, 0, true}, {6, 3, infinity, false}}, "taken");
  EXPECT_TRUE(Formula("late(t)", {"t"}, symbols).has_switches());
}

}  // namespace
}  // namespace filum::config
