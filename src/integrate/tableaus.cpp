/// Coefficients of Runge-Kutta methods. Theory: docs/theory/half_explicit_rk.md, sec. 2.
#include <filum/integrate/tableaus.hpp>

#include <numbers>
#include <stdexcept>
#include <string>

namespace filum::integrate {
namespace {

using std::numbers::sqrt3;

constexpr Tableau half_explicit_2{
    .name = "half-explicit, order 2",
    .order = 2,
    .stages = 2,
    .rows = 3,
    .c = {0, 1, 1},
    .a = {{{}, {1}, {1.0 / 2, 1.0 / 2}}},
    .multiplier_weights = {1.0 / 2, 1.0 / 2},
};

constexpr Tableau half_explicit_3{
    .name = "half-explicit, order 3",
    .order = 3,
    .stages = 3,
    .rows = 4,
    .c = {0, 1.0 / 2, 2.0 / 3, 1},
    .a = {{{}, {1.0 / 2}, {2.0 / 9, 4.0 / 9}, {1.0 / 4, 0, 3.0 / 4}}},
    .multiplier_weights = {0, -2, 3},
};

constexpr Tableau half_explicit_4{
    .name = "half-explicit, order 4",
    .order = 4,
    .stages = 4,
    .rows = 6,
    .c = {0, 1, 1.0 / 2, 1, 1, 1.0 / 2 - sqrt3 / 6},
    .a = {{{},
           {1},
           {3.0 / 8, 1.0 / 8},
           {-1.0 / 2, -1.0 / 2, 2},
           {1.0 / 6, 0, 2.0 / 3, 1.0 / 6},
           {1.0 / 6 - sqrt3 / 108, 0, 1.0 / 3 - 4 * sqrt3 / 27, -7 * sqrt3 / 108, sqrt3 / 18}}},
    .multiplier_weights = {0, 0, 0, 0, 1},
};

/// Dormand and Prince, and a row of Arnold's.
constexpr Tableau half_explicit_5{
    .name = "half-explicit, order 5(4)",
    .order = 5,
    .stages = 6,
    .rows = 8,
    .c = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1, 19.0 / 20},
    .a = {{{},
           {1.0 / 5},
           {3.0 / 40, 9.0 / 40},
           {44.0 / 45, -56.0 / 15, 32.0 / 9},
           {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
           {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
           {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
           {-18611506045861.0 / 19738176307200.0, 59332529.0 / 14479296, -2509441598627.0 / 893904224850.0,
            2763523204159.0 / 3289696051200.0, -41262869588913.0 / 116235927142400.0, 46310205821.0 / 287848404480.0,
            -3280.0 / 75413}}},
    .multiplier_weights = {0, 0, 0, 0, 0, 0, 1},
    .embedded_order = 4,
    .embedded = {5179.0 / 57600, 0, 7571.0 / 16695, 393.0 / 640, -92097.0 / 339200, 187.0 / 2100, 1.0 / 40},
};

constexpr Tableau classical_4{
    .name = "classical, order 4",
    .order = 4,
    .stages = 4,
    .rows = 5,
    .c = {0, 1.0 / 2, 1.0 / 2, 1, 1},
    .a = {{{}, {1.0 / 2}, {0, 1.0 / 2}, {0, 0, 1}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}}},
};

}  // namespace

const Tableau& half_explicit_tableau(int order) {
  switch (order) {
    case 2: return half_explicit_2;
    case 3: return half_explicit_3;
    case 4: return half_explicit_4;
    case 5: return half_explicit_5;
    default:
      throw std::invalid_argument("Runge-Kutta methods exist for orders 2 to 5, not for " + std::to_string(order));
  }
}

const Tableau& explicit_tableau(int order) { return order == 4 ? classical_4 : half_explicit_tableau(order); }

}  // namespace filum::integrate
