/// Differences of spring laws without formulas. Theory: docs/theory/bodies.md, sec. 3.
#include "central_difference.hpp"

#include <filum/parts/spring_law.hpp>

#include <cmath>

namespace filum::parts {

SpringLaw SpringLaw::of(Value tension, bool sees_rate) {
  const auto derivatives = [tension, sees_rate](double l, double r, double t) -> SpringForce {
    const double hl = relative_step * (1 + std::abs(l)), hr = relative_step * (1 + std::abs(r));
    return {tension(l, r, t), (tension(l + hl, r, t) - tension(l - hl, r, t)) / (2 * hl),
            sees_rate ? (tension(l, r + hr, t) - tension(l, r - hr, t)) / (2 * hr) : 0};
  };
  return {std::move(tension), derivatives, sees_rate};
}

SpringLaw SpringLaw::with_derivatives(WithDerivatives force, bool sees_rate) {
  const auto tension = [force](double l, double r, double t) { return force(l, r, t).tension; };
  return {tension, std::move(force), sees_rate};
}

}  // namespace filum::parts
