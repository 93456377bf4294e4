/// Fuzz target: no text may crash the compiler of formulas or what it has compiled, and every kind of number gives the
/// same value. User document: docs/guide/scenarios.md, "Numbers".
#include <filum/config/formula.hpp>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace filum::config;
  static const Symbols symbols = [] {
    Symbols known;
    known.parameters = {{"p", 1.5}};
    known.functions.emplace("f", Function({{0, 0}, {1, 2}, {2, -1}}));
    known.functions.emplace("g", Function(Formula("sin(t) + p*f(t)", {"t"}, known)));
    return known;
  }();
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const Formula formula(text, {"t", "s", "x"}, symbols);
    for (const double t : {0.0, 0.3, -1e300}) {
      const double at[] = {t, 0.25, 2.0};
      const double value = formula.value(at);
      if (!same(value, formula.jet(at).value) || !same(value, formula.gradient(at).value)) std::abort();
    }
  } catch (const FormulaError& error) {
    if (error.position < 0 || error.position > static_cast<int>(size) || std::string(error.what()).empty())
      std::abort();
  }
  return 0;
}
