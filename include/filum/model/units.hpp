/// Units for titles of axes and tables. Nothing is converted. User document: docs/guide/scenarios.md, "Units".
#pragma once

#include <string>
#include <vector>

namespace filum::model {

/// What a number measures, as powers of length, mass and time.
struct Dimension {
  enum class Name { none, angle, energy };  ///< an angle is a pure number, an energy is no moment
  int length = 0, mass = 0, time = 0;
  Name name = Name::none;

  constexpr Dimension per(const Dimension& other) const {
    return {length - other.length, mass - other.mass, time - other.time, name};
  }
  bool operator==(const Dimension&) const = default;
};

namespace dimension {
inline constexpr Dimension number{}, length{.length = 1}, area{.length = 2}, mass{.mass = 1}, time{.time = 1};
inline constexpr Dimension angle{.name = Dimension::Name::angle}, angular_velocity = angle.per(time);
inline constexpr Dimension velocity = length.per(time), curvature = number.per(length);
inline constexpr Dimension force{1, 1, -2}, moment{2, 1, -2}, energy{2, 1, -2, Dimension::Name::energy};
}  // namespace dimension

/// One for all numbers of something, or one per number; none: not given.
using Dimensions = std::vector<Dimension>;

/// The units of a model, as text. Empty: not given.
struct Units {
  std::string length = {}, mass = {}, time = {};
  std::string force = {};  ///< empty: mass·length/time²

  bool is_given() const { return !length.empty(); }
  bool is_si() const;
  bool operator==(const Units&) const = default;
};
Units si_units();

/// "m/s", "N m", "rad"; empty for pure numbers, and when no units are given.
std::string unit_of(const Units& units, const Dimension& dimension);
/// The same for several numbers.
std::vector<std::string> units_of(const Units& units, const Dimensions& dimensions);

/// Why the force cannot belong to the other three, as far as their names are known; empty: no objection.
std::string objection(const Units& units);

}  // namespace filum::model
