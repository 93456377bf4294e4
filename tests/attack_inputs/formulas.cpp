/// Random formulas: refused with a position, or evaluated with derivatives that do not depend on the kind of number.
#include "campaigns.hpp"

#include <filum/config/formula.hpp>

#include <cmath>

namespace filum::attack {
namespace {

config::Symbols symbols() {
  config::Symbols known;
  known.parameters = {{"p", 1.5}, {"q", -2}};
  known.functions.emplace("f", config::Function({{0, 0}, {1, 2}, {2, -1}}));
  known.functions.emplace("g", config::Function(config::Formula("sin(t) + p*t", {"t"}, known)));
  return known;
}

/// The same bits, or both not numbers.
bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

std::string judge(const config::Formula& formula) {
  for (const double t : {0.0, 0.3, -1.7, 1e6}) {
    const double at[] = {t, 0.25, 2.0};
    const double value = formula.value(at);
    const config::Jet jet = formula.jet(at);
    const config::Gradient gradient = formula.gradient(at);
    if (!same(value, jet.value) || !same(value, gradient.value)) return "the value depends on the kind of number";
    if (!same(formula.value(at), value)) return "two evaluations differ";
    // At kinks a gradient has no direction to look in.
    const bool is_smooth = formula.text().find_first_of("?<>=&|") == std::string::npos &&
                           formula.text().find("max") == std::string::npos &&
                           formula.text().find("abs") == std::string::npos &&
                           formula.text().find('f') == std::string::npos;
    if (is_smooth && !same(jet.first, gradient.by[0])) return "two ways to a derivative differ";
  }
  return {};
}

}  // namespace

Campaign formula_campaign() {
  return {"formulas", "random formulas are refused at a position, or have one value and one derivative",
          [known = symbols()](std::size_t, Draw& draw, Attempt& attempt, const std::function<void()>& written) {
            attempt.input = random_formula(draw, 1 + static_cast<int>(draw(7)));
            for (std::size_t n = draw(3); n > 0; --n) {
              const std::size_t at = draw(attempt.input.size());
              attempt.input[at] = "()+-*/^?:,. t9e<=!&|\"\xff"[draw(22)];
            }
            written();
            try {
              const config::Formula formula(attempt.input, {"t", "s", "x"}, known);
              attempt.is_accepted = true;
              attempt.failure = judge(formula);
            } catch (const config::FormulaError& error) {
              if (error.position < 0 || error.position > static_cast<int>(attempt.input.size()))
                attempt.failure = "a position outside of the formula";
              else
                attempt.failure = objection_to_message(error.what(), false);
            }
          }};
}

}  // namespace filum::attack
