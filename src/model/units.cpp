/// Names of derived units. User document: docs/guide/scenarios.md, "Units".
#include <filum/model/units.hpp>

#include <cmath>
#include <optional>
#include <span>
#include <sstream>
#include <string_view>

namespace filum::model {
namespace {

std::string power(const std::string& unit, int exponent) {
  static constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  return exponent == 1 ? unit : unit + digits[exponent];
}

/// Factors with positive powers, a slash, factors with negative ones.
class Product {
 public:
  void multiply(const std::string& unit, int exponent) {
    if (exponent == 0) return;
    std::string& side = exponent > 0 ? over_ : under_;
    side += (side.empty() ? "" : " ") + power(unit, std::abs(exponent));
    below_ += exponent < 0;
  }
  std::string text() const {
    if (under_.empty()) return over_;
    return (over_.empty() ? "1" : over_) + "/" + (below_ > 1 ? "(" + under_ + ")" : under_);
  }

 private:
  std::string over_, under_;
  int below_ = 0;
};

struct Known {
  std::string_view name;
  double size;  ///< in SI
};
constexpr Known lengths[] = {{"m", 1},    {"mm", 1e-3}, {"cm", 1e-2},   {"dm", 0.1},
                             {"km", 1e3}, {"µm", 1e-6}, {"in", 0.0254}, {"ft", 0.3048}};
constexpr Known masses[] = {{"kg", 1}, {"g", 1e-3}, {"mg", 1e-6}, {"t", 1e3}, {"lb", 0.45359237}};
constexpr Known times[] = {{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}, {"min", 60}, {"h", 3600}};
constexpr Known forces[] = {{"N", 1}, {"mN", 1e-3}, {"µN", 1e-6}, {"kN", 1e3}, {"MN", 1e6}, {"lbf", 4.4482216152605}};

std::optional<double> size_of(std::span<const Known> all, std::string_view name) {
  for (const Known& known : all)
    if (known.name == name) return known.size;
  return {};
}

}  // namespace

Units si_units() { return {.length = "m", .mass = "kg", .time = "s", .force = "N"}; }
bool Units::is_si() const { return *this == si_units(); }

std::string unit_of(const Units& units, const Dimension& d) {
  if (!units.is_given()) return {};
  Product product;
  if (d.name == Dimension::Name::angle) product.multiply("rad", 1);
  // What has a mass in it is a force times something, where forces have a name.
  if (d.mass == 1 && d.time == -2 && !units.force.empty()) {
    const bool is_joule = units.is_si() && d.name == Dimension::Name::energy;
    product.multiply(is_joule ? "J" : units.force, 1);
    product.multiply(units.length, d.length - (is_joule ? 2 : 1));
    return product.text();
  }
  product.multiply(units.mass, d.mass);
  product.multiply(units.length, d.length);
  product.multiply(units.time, d.time);
  return product.text();
}

std::vector<std::string> units_of(const Units& units, const Dimensions& dimensions) {
  std::vector<std::string> names;
  for (const Dimension& d : dimensions) names.push_back(unit_of(units, d));
  return names;
}

std::string objection(const Units& u) {
  const auto L = size_of(lengths, u.length), m = size_of(masses, u.mass), t = size_of(times, u.time);
  const auto F = size_of(forces, u.force);
  if (!L || !m || !t || !F) return {};
  const double ratio = *m * *L / (*t * *t) / *F;
  if (std::abs(ratio - 1) < 1e-6) return {};
  std::ostringstream text;
  text << "1 " << u.mass << " " << u.length << "/" << u.time << "² is " << ratio << " " << u.force
       << ", not 1: these units are not consistent";
  return text.str();
}

}  // namespace filum::model
