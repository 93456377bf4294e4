/// Coefficients of explicit and half-explicit Runge-Kutta methods, as data. Theory: docs/theory/half_explicit_rk.md,
/// sec. 2.
#pragma once

#include <array>
#include <string_view>

namespace filum::integrate {

/// Row i of `a` makes stage i from the stages before it, counted from 0. The result of a step is one more stage:
/// a[stages] are the weights. Unused entries are 0.
struct Tableau {
  static constexpr int capacity = 8;
  using Row = std::array<double, capacity>;

  std::string_view name;
  int order = 0;
  int stages = 0;  ///< s
  int rows = 0;    ///< s + 1, and one more for each stage that only serves the multipliers, (HE.7)
  Row c{};
  std::array<Row, capacity> a{};
  Row multiplier_weights{};  ///< d, (HE.7)
  int embedded_order = 0;    ///< 0: none
  Row embedded{};            ///< weights over stages + 1 stages, the last one at the result

  constexpr const Row& weights() const { return a[stages]; }
};

/// Orders 2 to 5. Throws std::invalid_argument for others.
const Tableau& half_explicit_tableau(int order);
/// For ordinary differential equations: the classical method for order 4, and the explicit methods that underlie the
/// half-explicit ones for orders 2, 3 and 5. Throws std::invalid_argument for others.
const Tableau& explicit_tableau(int order);

}  // namespace filum::integrate
