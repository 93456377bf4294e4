/// When a residual consists of rounding errors. Theory: docs/theory/newton.md.
#pragma once

#include <limits>

namespace filum::integrate {

inline constexpr double unit_roundoff = std::numeric_limits<double>::epsilon();
/// Of Φ against |q|: a few operations with numbers of that size.
inline constexpr double position_rounding = 32 * unit_roundoff;
/// Of a balance of momenta against its terms: forces of stiff segments are differences of nearly equal positions.
inline constexpr double momentum_rounding = 1e5 * unit_roundoff;
/// Of C v against |v|.
inline constexpr double velocity_rounding = 1e4 * unit_roundoff;

}  // namespace filum::integrate
