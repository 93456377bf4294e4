/// How laws without formulas for their derivatives are differenced. Theory: docs/theory/bodies.md, sec. 5.
#pragma once

namespace filum::parts {

/// Relative step of central differences, the cube root of the unit roundoff: truncation and rounding errors balance.
inline constexpr double relative_step = 6e-6;

}  // namespace filum::parts
