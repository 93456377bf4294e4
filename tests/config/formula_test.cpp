/// The language of formulas: operators, names, messages, limits. User document: docs/guide/scenarios.md, "Numbers".
#include "support/allocation_counter.hpp"

#include <filum/config/formula.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <thread>

namespace filum::config {
namespace {

using testing::HasSubstr;

double value(const std::string& text, const Symbols& symbols = {}) { return Formula(text, {}, symbols)(); }

/// "POSITION: message", or nothing.
std::string complaint(const std::string& text, const Variables& variables = {}, const Symbols& symbols = {}) {
  try {
    const Formula formula(text, variables, symbols);
    return {};
  } catch (const FormulaError& error) {
    return std::to_string(error.position) + ": " + error.what();
  }
}

TEST(Formula, KnowsNumbersPowersAndConstants) {
  EXPECT_EQ(value("2^-10"), std::ldexp(1.0, -10));
  EXPECT_DOUBLE_EQ(value("2*pi"), 2 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(value("ln(e)"), 1);
  EXPECT_EQ(value("1 < 2 ? 3 : 4"), 3);
  for (const char* text : {"1000", "1e3", "1.e3", "1E+3", "1000.", "10000e-1"}) EXPECT_EQ(value(text), 1000) << text;
  EXPECT_EQ(value(".5"), 0.5);
  EXPECT_EQ(value("0.1"), 0.1);
  EXPECT_EQ(value("1e-400"), 0);
}

// The values are those of muParser 2.3.3, which this language had before; `!` is new.
TEST(Formula, BindsOperatorsAsBefore) {
  const std::pair<const char*, double> cases[] = {{"-2^2", -4},
                                                  {"2^-3^2", std::ldexp(1.0, -9)},
                                                  {"2^3^2", 512},
                                                  {"2*-2^2", -8},
                                                  {"2--3", 5},
                                                  {"2-+3", -1},
                                                  {"2*-3+4", -2},
                                                  {"2^-3+4", 4.125},
                                                  {"2^-2*3", 0.75},
                                                  {"-2^2*3", -12},
                                                  {"-2/4^2", -0.125},
                                                  {"1/2/4", 0.125},
                                                  {"1-2-3", -4},
                                                  {"1-2+3", 2},
                                                  {"2*3^2", 18},
                                                  {"2^+1", 2},
                                                  {"1<2<3", 1},
                                                  {"3>2>1", 0},
                                                  {"1 < 2 == 1", 1},
                                                  {"2 == 1 < 2", 1},
                                                  {"1 + 2 == 3", 1},
                                                  {"3 != 3", 0},
                                                  {"1 >= 1", 1},
                                                  {"1 <= 0", 0},
                                                  {"1||1&&0", 1},
                                                  {"0 || 0 && 1", 0},
                                                  {"1 == 1 && 2 == 2", 1},
                                                  {"-1 < 0", 1},
                                                  {"0?1:0?2:3", 3},
                                                  {"1?0?4:5:6", 5},
                                                  {"1?2:3+1", 2},
                                                  {"1?1:0||1", 1},
                                                  {"(1?2:3)*2", 4},
                                                  {"0?1:2 + 3", 5},
                                                  {"!0", 1},
                                                  {"!2 == 0", 1},
                                                  {"!(1 > 2) && 1", 1},
                                                  {"!2^2", 0},
                                                  {"--3", 3},
                                                  {"0^0", 1},
                                                  {"rint(2.5)", 3},
                                                  {"rint(-2.5)", -2},
                                                  {"sign(-3)", -1},
                                                  {"sign(0)", 0},
                                                  {"min(3,1,2)", 1},
                                                  {"max(3,1,2)", 3},
                                                  {"sum(1,2,3)", 6},
                                                  {"avg(1,2,6)", 3},
                                                  {"min(1)", 1},
                                                  {"atan2(0, 1)", 0},
                                                  {"log(e^2)", 2},
                                                  {"log10(1000)", 3},
                                                  {"log2(8)", 3},
                                                  {"abs(-3)", 3}};
  for (const auto& [text, expected] : cases) EXPECT_DOUBLE_EQ(value(text), expected) << text;
}

TEST(Formula, DoesNotMixBranchesWithConstantsBehindThem) {
  const Formula f("(t > 0 ? 1 : 2) + 3", {"t"}, {});
  EXPECT_EQ(f(1), 4);
  EXPECT_EQ(f(-1), 5);
  const Formula g("-(t > 0 ? t > 1 ? 1 : 2 : 3)^2", {"t"}, {});
  EXPECT_EQ(g(2), -1);
  EXPECT_EQ(g(0.5), -4);
  EXPECT_EQ(g(-1), -9);
}

TEST(Formula, KnowsParametersAndTheVariablesThatAreAllowed) {
  Symbols symbols;
  symbols.parameters = {{"EI", 500}};
  EXPECT_EQ(value("EI/2", symbols), 250);
  const Formula f("EI*t + s", {"t", "s"}, symbols);
  EXPECT_EQ(f(2, 3), 1003);
  EXPECT_TRUE(f.uses("t") && f.uses("s") && !f.uses("x") && !f.is_constant());
  EXPECT_THROW(Formula("s", {"t"}, symbols), FormulaError);
  EXPECT_TRUE(Formula("EI", {"t"}, symbols).is_constant());
  EXPECT_EQ(Formula("t", {"t", "s"}, {})(7), 7) << "values behind the last variable in use may be left out";
}

TEST(Formula, LetsAParameterHideAVariable) {
  Symbols symbols;
  symbols.parameters = {{"x", 5}};
  const Formula f("x*t", {"t", "x"}, symbols);
  EXPECT_EQ(f(2, 100), 10);
  EXPECT_FALSE(f.uses("x"));
}

TEST(Formula, CallsFunctionsOfTimeAlsoInsideEachOther) {
  Symbols symbols;
  symbols.functions.emplace("g", Function({{0, 0}, {2, 4}, {3, 0}}));
  symbols.functions.emplace("w", Function(Formula("g(t)^2", {"t"}, symbols)));
  const Formula f("w(t) + g(g(t)/4)", {"t"}, symbols);
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

TEST(Formula, SaysWhatIsWrongAndWhere) {
  Symbols symbols;
  symbols.functions.emplace("g", Function({{0, 0}}));
  const std::pair<const char*, const char*> cases[] = {
      {"", "0: expected a number or a formula, found nothing"},
      {" ", "0: expected a number or a formula, found nothing"},
      {"t=5", "1: a formula cannot assign; compare with =="},
      {"1,2", "1: a formula gives one number, but this one gives several"},
      {"\"a\"", "0: this character cannot be part of a formula"},
      {"1 + \xc3\xa4", "4: this character cannot be part of a formula"},
      {"2*", "2: the formula is not complete"},
      {"sin(", "4: the formula is not complete"},
      {"1 ? 2", "2: the formula is not complete: after '?' there is no ':'"},
      {"1 ? 2 : ", "8: the formula is not complete"},
      {"2*(1", "2: a parenthesis is missing"},
      {"sin(1", "3: a parenthesis is missing"},
      {"1)", "1: unexpected parenthesis"},
      {"()", "1: unexpected parenthesis"},
      {"2(3)", "1: unexpected parenthesis"},
      {"sin()", "4: too few arguments for 'sin'"},
      {"atan2(1)", "7: too few arguments for 'atan2'"},
      {"min()", "4: too few arguments for 'min'"},
      {"sin(1,2)", "6: too many arguments for 'sin'"},
      {"g(1,2)", "4: too many arguments for 'g'"},
      {"min(1,)", "6: unexpected parenthesis"},
      {"min(1,,2)", "6: ',' makes no sense here"},
      {"1*/2", "2: unexpected operator '/'"},
      {"2 pi", "2: an operator is missing before 'pi'"},
      {"2e", "1: an operator is missing before 'e'"},
      {"1.2.3", "3: an operator is missing before '.3'"},
      {"1e400", "0: the number '1e400' is too large"},
      {"1 % 2", "2: '%' makes no sense here"},
      {"1 & 2", "2: '&' makes no sense here"},
      {"pi(1)", "0: 'pi' is not a function"},
      {"2*foo(1)", "2: unknown name 'foo'"},
      {"_pi", "0: unknown name '_pi'"},
      {"2*sin", "2: 'sin' is a function: its arguments go in parentheses, as in sin(...)"},
      {"g + 1", "0: 'g' is a function: its arguments go in parentheses, as in g(...)"}};
  for (const auto& [text, expected] : cases) EXPECT_EQ(complaint(text, {}, symbols), expected) << text;
}

TEST(Formula, ShortensLongNamesInMessages) { EXPECT_LT(complaint(std::string(5000, 'a')).size(), 100u); }

// Hostile texts must be refused, quickly and without exhausting the stack.
TEST(Formula, RefusesWhatIsTooLongOrTooDeep) {
  EXPECT_THAT(complaint(std::string(10001, '1')), HasSubstr("longer than 10000 characters"));
  const auto repeated = [](const std::string& text, int n) {
    std::string all;
    for (int i = 0; i < n; ++i) all += text;
    return all;
  };
  for (const char* piece : {"(", "-", "!", "2^", "sin(", "1+(", "1?", "1?2:(", "min(1,"})
    EXPECT_THAT(complaint(repeated(piece, 1600) + "1"), HasSubstr("nested too deeply")) << piece;
  EXPECT_EQ(complaint(repeated("(", 90) + "1" + repeated(")", 90)), "");
}

TEST(Formula, TakesLongSumsAndLongListsOfCases) {
  std::string sum = "t", cases;
  for (int i = 1; i < 2000; ++i) sum += "+t";
  EXPECT_EQ(Formula(sum, {"t"}, {})(1), 2000);
  for (int i = 0; i < 400; ++i) cases += "t<" + std::to_string(i) + "?" + std::to_string(i) + ":";
  EXPECT_EQ(Formula(cases + "0", {"t"}, {})(250.5), 251);
}

TEST(Formula, RefusesFunctionsThatCallEachOtherTooOften) {
  Symbols symbols;
  symbols.functions.emplace("f0", Function(Formula("t+1", {"t"}, symbols)));
  std::string found;
  for (int i = 1; i < 60 && found.empty(); ++i) {
    const std::string before = "f" + std::to_string(i - 1) + "(t)";
    found = complaint(before + "+" + before, {"t"}, symbols);
    if (found.empty())
      symbols.functions.emplace("f" + std::to_string(i), Function(Formula(before + "+" + before, {"t"}, symbols)));
  }
  EXPECT_THAT(found, HasSubstr("more than a million operations"));
}

TEST(Formula, RefusesLongChainsOfFunctions) {
  Symbols symbols;
  symbols.functions.emplace("f0", Function(Formula("t+1", {"t"}, symbols)));
  std::string found;
  for (int i = 1; i < 1000 && found.empty(); ++i) {
    const std::string text = "f" + std::to_string(i - 1) + "(t)";
    found = complaint(text, {"t"}, symbols);
    if (found.empty()) symbols.functions.emplace("f" + std::to_string(i), Function(Formula(text, {"t"}, symbols)));
  }
  EXPECT_THAT(found, HasSubstr("more than 64 levels deep"));
  EXPECT_EQ(symbols.functions.at("f50")(1), 2);
}

TEST(Formula, RefusesFunctionsWhoseStacksAddUp) {
  Symbols symbols;
  symbols.functions.emplace("f0", Function(Formula("t+1", {"t"}, symbols)));
  std::string nest = "x", found;
  for (int i = 0; i < 50; ++i) nest = "1+(" + nest + ")*t";
  for (int i = 1; i < 20 && found.empty(); ++i) {
    std::string text = nest;
    text.replace(text.find('x'), 1, "f" + std::to_string(i - 1) + "(t)");
    found = complaint(text, {"t"}, symbols);
    if (found.empty()) symbols.functions.emplace("f" + std::to_string(i), Function(Formula(text, {"t"}, symbols)));
  }
  EXPECT_THAT(found, HasSubstr("nested too deeply"));
}

TEST(Formula, GivesTheSameInManyThreads) {
  Symbols symbols;
  symbols.functions.emplace("g", Function({{0, 0}, {500, 500}}));
  const Formula f("sin(t)*g(t)", {"t"}, symbols);
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([&, k] {
      for (int i = 0; i < 4000; ++i) {
        const double t = 0.1 * i + k, at[] = {t};
        const Jet jet = f.jet(at);
        if (std::abs(f(t) - std::sin(t) * t) > 1e-11 * t || jet.value != f(t) || f.gradient(at).by[0] != jet.first)
          ++wrong[static_cast<std::size_t>(k)];
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

TEST(Formula, AllocatesNothingInAnEvaluation) {
  Symbols symbols;
  symbols.functions.emplace("g", Function({{0, 0}, {1, 2}}));
  symbols.functions.emplace("w", Function(Formula("g(t)^2 + exp(t)", {"t"}, symbols)));
  const Formula f("t > 0 ? w(t) + min(t, s, 3) : atan2(t, s)^t", {"t", "s"}, symbols);
  const double at[] = {0.5, 0.25};
  double sum = 0;
  const std::size_t before = test::allocations();
  for (int i = 0; i < 10; ++i) sum += f(0.5, 0.25) + f.value(at) + f.jet(at).second + f.gradient(at).by[1];
  EXPECT_EQ(test::allocations(), before);
  EXPECT_TRUE(std::isfinite(sum));
}

TEST(Function, WantsTimesThatAscend) {
  EXPECT_THROW(Function(std::vector<Function::Point>{{0, 1}, {0, 2}}), std::invalid_argument);
  EXPECT_THROW(Function(std::vector<Function::Point>{}), std::invalid_argument);
}

TEST(Function, HasOneVariable) { EXPECT_THROW(Function(Formula("t*s", {"t", "s"}, {})), std::invalid_argument); }

TEST(Symbols, MayNotHideWhatFormulasKnow) {
  for (const char* name : {"t", "s", "pi", "e", "_pi", "_e", "sin", "2a", "a b", ""})
    EXPECT_NE(objection_to_symbol(name), "") << name;
  for (const char* name : {"EI", "x1", "_a"}) EXPECT_EQ(objection_to_symbol(name), "") << name;
}

TEST(Number, IsAConstantOrAFormula) {
  const double at[] = {3};
  EXPECT_EQ(Number(5)(1, 2), 5);
  EXPECT_EQ(Number(5).jet(at).first, 0);
  EXPECT_EQ(Number(Formula("t^2", {"t"}, {})).jet(at).first, 6);
  EXPECT_EQ(number_of("2^3"), 8);
  EXPECT_TRUE(std::isnan(number_of("two")));
}

}  // namespace
}  // namespace filum::config
