/// Derivatives of formulas against differences in 50 digits, and random formulas against a second evaluator.
/// User document: docs/guide/scenarios.md, "Numbers".
#include <filum/config/formula.hpp>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace filum::config {
namespace {

using Real = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<60>, boost::multiprecision::et_off>;

/// Value and derivatives, each good to 20 digits or more.
struct Exact {
  double value, first, second;
};
template <class F>
Exact differences(const F& f, double x) {
  const Real h("1e-12"), at(x);
  const Real p = f(Real(at + h)), m = f(Real(at - h)), o = f(at);
  return {static_cast<double>(o), static_cast<double>(Real((p - m) / (2 * h))),
          static_cast<double>(Real((p - 2 * o + m) / (h * h)))};
}

void expect_near(double found, double expected, double scale, const std::string& what) {
  EXPECT_NEAR(found, expected, 1e-14 * (std::abs(expected) + scale)) << what;
}

struct Case {
  const char* text;
  std::function<Real(Real)> f;
  double low, high;
};

TEST(Derivatives, OfEveryFunctionAreExact) {
  const std::vector<Case> cases = {
      {"sin(x)", [](Real x) { return Real(sin(x)); }, -10, 10},
      {"cos(x)", [](Real x) { return Real(cos(x)); }, -10, 10},
      {"tan(x)", [](Real x) { return Real(tan(x)); }, -1.5, 1.5},
      {"asin(x)", [](Real x) { return Real(asin(x)); }, -0.99, 0.99},
      {"acos(x)", [](Real x) { return Real(acos(x)); }, -0.99, 0.99},
      {"atan(x)", [](Real x) { return Real(atan(x)); }, -20, 20},
      {"sinh(x)", [](Real x) { return Real(sinh(x)); }, -5, 5},
      {"cosh(x)", [](Real x) { return Real(cosh(x)); }, -5, 5},
      {"tanh(x)", [](Real x) { return Real(tanh(x)); }, -9, 9},
      {"asinh(x)", [](Real x) { return Real(log(x + sqrt(x * x + 1))); }, -5, 5},
      {"acosh(x)", [](Real x) { return Real(log(x + sqrt(x * x - 1))); }, 1.01, 9},
      {"atanh(x)", [](Real x) { return Real(log((1 + x) / (1 - x)) / 2); }, -0.99, 0.99},
      {"exp(x)", [](Real x) { return Real(exp(x)); }, -5, 5},
      {"ln(x)", [](Real x) { return Real(log(x)); }, 0.1, 9},
      {"log(x)", [](Real x) { return Real(log(x)); }, 0.1, 9},
      {"log10(x)", [](Real x) { return Real(log(x) / log(Real(10))); }, 0.1, 9},
      {"log2(x)", [](Real x) { return Real(log(x) / log(Real(2))); }, 0.1, 9},
      {"sqrt(x)", [](Real x) { return Real(sqrt(x)); }, 0.01, 9},
      {"abs(x)", [](Real x) { return Real(abs(x)); }, -3, 3},
      {"sign(x)", [](Real x) { return Real(x < 0 ? -1 : 1); }, -3, 3},
      {"rint(x)", [](Real x) { return Real(floor(x + 0.5)); }, -3, 3},
      {"x^2", [](Real x) { return Real(x * x); }, -3, 3},
      {"x^3", [](Real x) { return Real(x * x * x); }, -3, 3},
      {"x^-3", [](Real x) { return Real(1 / (x * x * x)); }, 0.5, 3},
      {"x^2.5", [](Real x) { return Real(pow(x, Real(2.5))); }, 0.5, 3},
      {"2^x", [](Real x) { return Real(pow(Real(2), x)); }, -3, 3},
      {"x^x", [](Real x) { return Real(pow(x, x)); }, 0.5, 3},
      {"1/x", [](Real x) { return Real(1 / x); }, 0.5, 3},
      {"(x+1)/(x^2+2)", [](Real x) { return Real((x + 1) / (x * x + 2)); }, -3, 3},
      {"-x*(2-x)", [](Real x) { return Real(-x * (2 - x)); }, -3, 3},
      {"atan2(x, 1-x)", [](Real x) { return Real(atan2(x, Real(1 - x))); }, -3, 3},
      {"min(x, x^2, 1)", [](Real x) { return Real(std::min(x, std::min(Real(x * x), Real(1)))); }, -3, 3},
      {"max(x, x^2, 1)", [](Real x) { return Real(std::max(x, std::max(Real(x * x), Real(1)))); }, -3, 3},
      {"sum(x, x^2, 1)", [](Real x) { return Real(x + x * x + 1); }, -3, 3},
      {"avg(x, x^2, 1)", [](Real x) { return Real((x + x * x + 1) / 3); }, -3, 3},
      {"x < 1 ? sin(x) : x", [](Real x) { return x < 1 ? Real(sin(x)) : x; }, -3, 3},
      {"(x < 1) + (x >= 0 && x != 5) + !x + (x > 0 || x == 7)",
       [](Real x) { return Real((x < 1 ? 1 : 0) + (x >= 0 ? 1 : 0) + (x > 0 ? 1 : 0)); }, -3, 3}};
  for (const Case& c : cases) {
    const Formula f(c.text, {"x"}, {});
    for (int i = 0; i <= 40; ++i) {
      const double x = c.low + (c.high - c.low) * (i + 0.313) / 41, at[] = {x};
      const Exact expected = differences(c.f, x);
      const Jet jet = f.jet(at);
      const std::string what = std::string(c.text) + " at " + std::to_string(x);
      const double scale = std::abs(expected.value) + std::abs(expected.first) + std::abs(expected.second);
      expect_near(f(x), expected.value, scale, what);
      EXPECT_EQ(jet.value, f(x)) << what;
      expect_near(jet.first, expected.first, scale, what + ", first");
      expect_near(jet.second, expected.second, scale, what + ", second");
      const Gradient gradient = f.gradient(at);
      EXPECT_EQ(gradient.value, f(x)) << what;
      EXPECT_DOUBLE_EQ(gradient.by[0], jet.first) << what;
      EXPECT_EQ(gradient.by[1], 0) << what;
    }
  }
}

TEST(Derivatives, ByTwelveVariables) {
  Variables names;
  std::string text;
  std::array<double, 12> at{};
  for (std::size_t i = 0; i < 12; ++i) {
    names.push_back("x" + std::to_string(i));
    text += (i == 0 ? "" : "*") + names.back();
    at[i] = 1 + 0.1 * static_cast<double>(i);
  }
  const Gradient g = Formula(text, names, {}).gradient(at);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(g.by[i], g.value / at[i], 1e-13 * g.value) << i;
}

TEST(Derivatives, AlongTheVariableThatIsAskedFor) {
  const Formula f("x^2*y^3", {"x", "y"}, {});
  const double at[] = {2, 3};
  EXPECT_EQ(f.jet(at, 0).first, 108);
  EXPECT_EQ(f.jet(at, 1).first, 108);
  EXPECT_EQ(f.jet(at, 1).second, 72);
}

TEST(Derivatives, AtKinksAreThoseToTheRight) {
  Symbols symbols;
  symbols.functions.emplace("g", Function({{0, 0}, {1, 2}, {3, 0}}));
  const auto slope = [&](const char* text, double t) {
    const double at[] = {t};
    return Formula(text, {"t"}, symbols).jet(at).first;
  };
  EXPECT_EQ(slope("g(t)", -1), 0);
  EXPECT_EQ(slope("g(t)", 0), 2);
  EXPECT_EQ(slope("g(t)", 0.5), 2);
  EXPECT_EQ(slope("g(t)", 1), -1);
  EXPECT_EQ(slope("g(t)", 3), 0);
  EXPECT_EQ(slope("g(-t)", -1), -2) << "t grows, -t falls: the piece before the point counts";
  EXPECT_EQ(slope("g(-t)", 0), 0);
  EXPECT_EQ(slope("abs(t)", 0), 1);
  EXPECT_EQ(slope("abs(-2*t)", 0), 2);
  EXPECT_EQ(slope("min(t, 0)", 0), 0);
  EXPECT_EQ(slope("min(0, -t)", 0), -1);
  EXPECT_EQ(slope("max(0, t)", 0), 1);
  EXPECT_EQ(slope("max(t, 2*t)", 0), 2);
  EXPECT_EQ(symbols.functions.at("g").jet(1).first, -1);
}

TEST(Derivatives, DoNotSufferFromWhatDoesNotMove) {
  const Formula f("sqrt(s)*t + s^0.5 + s^1.5*t + asin(1 + s)", {"t", "s"}, {});
  const double at[] = {2, 0};
  const Jet jet = f.jet(at);
  EXPECT_EQ(jet.first, 0);
  EXPECT_EQ(jet.second, 0);
  const double zero[] = {0};
  EXPECT_EQ(Formula("t^2", {"t"}, {}).jet(zero).second, 2);
  EXPECT_EQ(Formula("t^1", {"t"}, {}).jet(zero).first, 1);
  EXPECT_EQ(Formula("t^0", {"t"}, {}).jet(zero).first, 0);
  EXPECT_EQ(Formula("t^1.0 + t^3", {"t"}, {}).jet(zero).second, 0);
  EXPECT_EQ(Formula("sin(t)^4", {"t"}, {}).jet(zero).second, 0);
}

// A second, independent way to evaluate: a tree, any type of number, text with as few parentheses as the rules allow.
struct Tree {
  std::string op;
  std::vector<Tree> of;
  double number = 0;

  int strength() const {
    if (op == "<") return 1;
    if (op == "+" || op == "-") return 2;
    if (op == "*" || op == "/") return 3;
    if (op == "negative") return 4;
    if (op == "^") return 5;
    return op == "?" ? 0 : 9;
  }
  std::string inside(std::size_t i, int least) const {
    return of[i].strength() < least ? "(" + of[i].text() + ")" : of[i].text();
  }
  std::string text() const {
    if (op == "number") return std::to_string(number);
    if (of.empty()) return op;
    if (op == "negative") return "-" + inside(0, 5);
    if (op == "^") return inside(0, 6) + "^" + inside(1, 4);
    if (op == "?") return inside(0, 1) + " ? " + inside(1, 0) + " : " + inside(2, 0);
    if (strength() < 9) return inside(0, strength()) + op + inside(1, strength() + 1);
    return op + "(" + of[0].text() + (of.size() > 1 ? ", " + of[1].text() : "") + ")";
  }
  template <class T>
  T value(const T& x, const T& y) const {
    using std::atan2, std::cos, std::exp, std::pow, std::sin, std::sqrt, std::tanh;
    if (op == "number") return T(number);
    if (op == "x") return x;
    if (op == "y") return y;
    const T a = of[0].value(x, y);
    if (op == "?") return a != 0 ? of[1].value(x, y) : of[2].value(x, y);
    if (op == "negative") return T(-a);
    if (op == "sin") return T(sin(a));
    if (op == "cos") return T(cos(a));
    if (op == "tanh") return T(tanh(a));
    const T b = of[1].value(x, y);
    if (op == "+") return T(a + b);
    if (op == "-") return T(a - b);
    if (op == "*") return T(a * b);
    if (op == "/") return T(a / b);
    if (op == "<") return T(a < b ? 1 : 0);
    if (op == "min") return b < a ? b : a;
    if (op == "max") return a < b ? b : a;
    if (b == 2) return T(a * a);
    if (b == 3) return T(a * a * a);
    return T(pow(a, b));
  }
};

Tree random_tree(std::mt19937& random, int depth) {
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  if (depth == 0 || pick(8) == 0) {
    const int kind = pick(3);
    if (kind == 0) return {"number", {}, 0.25 * (1 + pick(12))};
    return {kind == 1 ? "x" : "y", {}};
  }
  static const char* const ops[] = {"+", "-", "*", "/", "<", "min", "max", "^", "sin", "cos", "tanh", "negative", "?"};
  const std::string op = ops[pick(13)];
  Tree tree{op, {random_tree(random, depth - 1)}};
  // Powers of and divisions by what cannot vanish, so that all derivatives exist.
  const auto positive = [](const Tree& x) { return Tree{"+", {Tree{"sin", {x}}, {"number", {}, 2}}}; };
  if (op == "^") return {"^", {positive(tree.of[0]), random_tree(random, depth - 1)}};
  if (op == "/") return {"/", {tree.of[0], positive(random_tree(random, depth - 1))}};
  if (op == "?") tree.of.push_back(random_tree(random, depth - 1));
  if (tree.strength() < 4 || op == "min" || op == "max") tree.of.push_back(random_tree(random, depth - 1));
  return tree;
}

TEST(RandomFormulas, HaveTheValueOfTheirTree) {
  std::mt19937 random(7);
  for (int n = 0; n < 3000; ++n) {
    const Tree tree = random_tree(random, 6);
    const std::string text = tree.text();
    const double at[] = {0.37 + 0.001 * n, 1.91 - 0.0007 * n};
    const Formula f(text, {"x", "y"}, {});
    const double expected = tree.value<double>(at[0], at[1]), found = f.value(at);
    if (std::isnan(expected)) continue;
    ASSERT_TRUE(found == expected || std::abs(found - expected) <= 1e-12 * std::abs(expected))
        << text << ": " << found << " and " << expected;
    ASSERT_EQ(f.jet(at).value, found) << text;
    ASSERT_EQ(f.gradient(at).value, found) << text;
  }
}

TEST(RandomFormulas, HaveTheDerivativesOfTheirTree) {
  std::mt19937 random(11);
  int compared = 0;
  for (int n = 0; n < 400; ++n) {
    const Tree tree = random_tree(random, 4);
    const double at[] = {0.3712 + 0.001 * n, 1.9134 - 0.0007 * n};
    const Formula f(tree.text(), {"x", "y"}, {});
    const Gradient gradient = f.gradient(at);
    for (std::size_t along = 0; along < 2; ++along) {
      const Exact e = differences(
          [&](const Real& x) {
            return along == 0 ? tree.value<Real>(x, Real(at[1])) : tree.value<Real>(Real(at[0]), x);
          },
          at[along]);
      const double scale = std::abs(e.value) + std::abs(e.first) + std::abs(e.second);
      if (!(scale < 1e4)) continue;  // near a pole
      ++compared;
      const Jet jet = f.jet(at, along);
      ASSERT_NEAR(jet.first, e.first, 1e-11 * (1 + scale)) << tree.text();
      ASSERT_NEAR(jet.second, e.second, 1e-10 * (1 + scale)) << tree.text();
      ASSERT_NEAR(gradient.by[along], e.first, 1e-11 * (1 + scale)) << tree.text();
    }
  }
  EXPECT_GT(compared, 600);
}

}  // namespace
}  // namespace filum::config
