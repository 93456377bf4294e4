/// Formulas of scenario files. User document: docs/guide/scenarios.md, "Numbers".
#include <filum/scenario/expression.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <thread>

namespace filum::scenario {
namespace {

double value(const std::string& text, const Symbols& symbols = {}) { return Formula(text, {}, symbols)(0); }

TEST(Formula, KnowsNumbersPowersAndConstants) {
  EXPECT_EQ(value("2^-10"), std::ldexp(1.0, -10));
  EXPECT_DOUBLE_EQ(value("2*pi"), 2 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(value("ln(e)"), 1);
  EXPECT_EQ(value("1 < 2 ? 3 : 4"), 3);
}

TEST(Formula, KnowsParametersAndTheVariablesThatAreAllowed) {
  Symbols symbols;
  symbols.parameters = {{"EI", 500}};
  EXPECT_EQ(value("EI/2", symbols), 250);
  const Formula f("EI*t + s", {.t = true, .s = true}, symbols);
  EXPECT_EQ(f(2, 3), 1003);
  EXPECT_TRUE(f.uses_t() && f.uses_s());
  EXPECT_THROW(Formula("s", {.t = true}, symbols), FormulaError);
}

TEST(Formula, CallsFunctionsOfTimeAlsoInsideEachOther) {
  Symbols symbols;
  symbols.functions["g"] = std::make_shared<TimeFunction>(std::vector<TimeFunction::Point>{{0, 0}, {2, 4}, {3, 0}});
  symbols.functions["w"] = std::make_shared<TimeFunction>(Formula("g(t)^2", {.t = true}, symbols));
  const Formula f("w(t) + g(g(t)/4)", {.t = true}, symbols);
  EXPECT_DOUBLE_EQ(f(1), 4 + 1);
  EXPECT_DOUBLE_EQ(f(-7), 0);
  EXPECT_DOUBLE_EQ(f(99), 0);
}

TEST(Formula, NamesWhatItDoesNotKnowAndWhere) {
  try {
    value("2*EJ + 1");
    FAIL();
  } catch (const FormulaError& error) {
    EXPECT_EQ(error.unknown, "EJ");
    EXPECT_EQ(error.position, 2);
  }
}

TEST(Formula, RefusesAssignmentsListsTextsAndNothing) {
  for (const char* text : {"t=5", "1,2", "\"a\"", "", "  ", "2*", "(1", "1)", "sin()", "sin(1,2)", "\xc3\xa4"})
    EXPECT_THROW(value(text), FormulaError) << text;
}

TEST(Formula, GivesTheSameInManyThreads) {
  const Formula f("sin(t)*t", {.t = true}, {});
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([&, k] {
      for (int i = 0; i < 5000; ++i) {
        const double t = 0.1 * i + k;
        if (f(t) != std::sin(t) * t) ++wrong[static_cast<std::size_t>(k)];
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

TEST(TimeFunction, WantsTimesThatAscend) {
  EXPECT_THROW(TimeFunction(std::vector<TimeFunction::Point>{{0, 1}, {0, 2}}), std::invalid_argument);
  EXPECT_THROW(TimeFunction(std::vector<TimeFunction::Point>{}), std::invalid_argument);
}

TEST(Symbols, MayNotHideWhatFormulasKnow) {
  for (const char* name : {"t", "s", "pi", "e", "sin", "2a", "a b", ""})
    EXPECT_NE(objection_to_symbol(name), "") << name;
  for (const char* name : {"EI", "x1", "_a"}) EXPECT_EQ(objection_to_symbol(name), "") << name;
}

}  // namespace
}  // namespace filum::scenario
