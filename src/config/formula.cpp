/// Formulas, functions and the names they know. User document: docs/guide/scenarios.md, "Numbers".
#include "interpreter.hpp"

#include <filum/config/differentiate.hpp>
#include <filum/config/problem.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

namespace filum::config {
namespace {

/// Whether there is a value for every variable that is used.
[[maybe_unused]] bool are_enough(const Code& code, std::span<const double> values) {
  const auto end = code.uses.begin() + static_cast<std::ptrdiff_t>(std::min(values.size(), code.uses.size()));
  return std::find(end, code.uses.end(), true) == code.uses.end();
}

}  // namespace

Formula::Formula(std::string text, Variables variables, const Symbols& symbols)
    : text_(std::move(text)),
      variables_(std::move(variables)),
      code_(std::make_shared<const Code>(compiled(text_, variables_, symbols))) {}

double Formula::value(std::span<const double> values) const {
  assert(are_enough(*code_, values));
  return evaluated<double>(*code_, [&](int i) { return values[static_cast<std::size_t>(i)]; });
}

Jet Formula::jet(std::span<const double> values, std::size_t along) const {
  assert(are_enough(*code_, values));
  return evaluated<Jet>(*code_, [&](int i) {
    const auto at = static_cast<std::size_t>(i);
    return Jet{values[at], at == along ? 1.0 : 0.0, 0};
  });
}

Gradient Formula::gradient(std::span<const double> values) const {
  assert(are_enough(*code_, values) && variables_.size() <= Gradient::most);
  return evaluated<Gradient>(*code_, [&](int i) {
    const auto at = static_cast<std::size_t>(i);
    Gradient x{values[at], {}};
    x.by[at] = 1;
    return x;
  });
}

bool Formula::has_switches() const { return code_->decides; }

void Formula::switches(std::span<const double> values, std::vector<Switch>& out) const {
  assert(are_enough(*code_, values));
  Slot<double> stack[most_depth];
  run(
      *code_, [&](int i) { return values[static_cast<std::size_t>(i)]; }, stack, SwitchNotes{out});
}

bool Formula::uses(std::string_view variable) const {
  const auto at = std::find(variables_.begin(), variables_.end(), variable);
  return at != variables_.end() && code_->uses[static_cast<std::size_t>(at - variables_.begin())];
}

bool Formula::is_constant() const {
  return std::find(code_->uses.begin(), code_->uses.end(), true) == code_->uses.end();
}

Function::Function(std::vector<Point> points) : points_(std::make_shared<const std::vector<Point>>(std::move(points))) {
  const auto by_time = [](const Point& a, const Point& b) { return !(a.first < b.first); };
  if (points_->empty()) throw std::invalid_argument("a function needs at least one point");
  if (std::adjacent_find(points_->begin(), points_->end(), by_time) != points_->end())
    throw std::invalid_argument("the times of the points must increase");
}

Function::Function(Formula formula)
    : points_(std::make_shared<const std::vector<Point>>()), formula_(std::make_shared<Formula>(std::move(formula))) {
  const std::vector<bool>& uses = formula_->code().uses;
  if (uses.size() > 1 && std::find(uses.begin() + 1, uses.end(), true) != uses.end())
    throw std::invalid_argument("a function has one variable");
}

double Function::operator()(double t) const { return formula_ ? (*formula_)(t) : interpolated(*points_, t); }

Jet Function::jet(double t) const {
  const double values[] = {t};
  return formula_ ? formula_->jet(values) : interpolated(*points_, Jet{t, 1, 0});
}

std::vector<std::string> Symbols::words(const Variables& variables) const {
  std::vector<std::string> words;  // the user's own first: of two words equally near the first is suggested
  for (const auto& [name, value] : parameters) words.push_back(name);
  for (const auto& [name, function] : functions) words.push_back(name);
  words.insert(words.end(), variables.begin(), variables.end());
  words.insert(words.end(), {"pi", "e"});
  for (const UsualFunction& f : usual_functions) words.emplace_back(f.name);
  return words;
}

std::string objection_to_symbol(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_part = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  if (name.empty() || !is_letter(name[0]) || !std::all_of(name.begin(), name.end(), is_part) || name.size() > 60)
    return "expected a name of at most 60 letters, digits and _, not beginning with a digit";
  for (const std::string_view taken : {"t", "s", "pi", "e", "_pi", "_e"})
    if (name == taken) return "the name '" + std::string(name) + "' already has a meaning in formulas";
  for (const UsualFunction& f : usual_functions)
    if (f.name == name) return "the name '" + std::string(name) + "' is already a function of formulas";
  return {};
}

double CallableEntry::value(std::span<const double> values) const {
  if (size == 1) {
    double single = 0;
    function(values, std::span(&single, 1));
    return single;
  }
  std::vector<double> all(size);
  function(values, all);
  return all[index];
}

namespace {

constexpr std::size_t most_numbers = 3;  ///< of functions that are differentiated along a variable

/// Derivatives of a function of one variable where it was last asked for them: those who solve ask for the same again,
/// number by number and iteration by iteration.
struct Remembered {
  std::uint64_t id = 0;
  double at = 0;
  std::array<Jet, most_numbers> jets{};
};

Remembered jets_of(const BoundCallable& f, double at, std::size_t size) {
  Remembered r{f.id(), at, {}};
  if (f.returns_rates()) {
    std::array<double, 3 * most_numbers> all{};
    f.with_rates(std::span(&at, 1), std::span(all).first(3 * size));
    for (std::size_t k = 0; k < size; ++k) r.jets[k] = {all[k], all[size + k], all[2 * size + k]};
  } else {
    differentiate([&f](double x, std::span<double> out) { f(std::span(&x, 1), out); }, at,
                  1e-3 * std::max(1.0, std::abs(at)), std::span(r.jets).first(size));
  }
  return r;
}

}  // namespace

Jet CallableEntry::jet(std::span<const double> values, std::size_t along) const {
  if (values.size() == 1 && size <= most_numbers) {
    thread_local std::array<Remembered, 16> memory;
    Remembered& r = memory[function.id() % memory.size()];
    if (r.id != function.id() || r.at != values[0]) r = jets_of(function, values[0], size);
    return r.jets[index];
  }
  std::vector<double> moved(values.begin(), values.end());
  const auto f = [&](double x) {
    moved[along] = x;
    return value(moved);
  };
  return differentiate(f, values[along], 1e-3 * std::max(1.0, std::abs(values[along])));
}

Gradient CallableEntry::gradient(std::span<const double> values) const {
  constexpr double relative_step = 6e-6;  // cube root of the unit roundoff: truncation and rounding errors balance
  Gradient g{value(values), {}};
  std::vector<double> moved(values.begin(), values.end());
  for (std::size_t k = 0; k < values.size() && k < Gradient::most; ++k) {
    if (!function.uses(k)) continue;
    const double h = relative_step * (1 + std::abs(values[k]));
    moved[k] = values[k] + h;
    const double above = value(moved);
    moved[k] = values[k] - h;
    g.by[k] = (above - value(moved)) / (2 * h);
    moved[k] = values[k];
  }
  return g;
}

const BoundCallable* whole_callable(std::span<const Number> numbers) {
  const CallableEntry* first = numbers.empty() ? nullptr : numbers[0].entry();
  if (!first) return nullptr;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const CallableEntry* entry = numbers[k].entry();
    if (!entry || !(entry->function == first->function) || entry->index != k || entry->size != numbers.size())
      return nullptr;
  }
  return &first->function;
}

double number_of(const std::string& text) {
  try {
    return Formula(text, {}, {})();
  } catch (const FormulaError&) {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace filum::config
