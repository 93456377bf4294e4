/// The state of a system at one time. Theory: docs/theory/mechanics.md, sec. 2.
#pragma once

#include <Eigen/Core>

namespace filum::mechanics {

/// `a` is v̇. Multipliers: rows of λ (holonomic) first, then μ (nonholonomic). Integrators advance q and v; a and
/// lambda belong to the same time whenever an integrator or the index-1 solve has set them.
struct State {
  double t = 0;
  Eigen::VectorXd q, v, a, lambda;
};

}  // namespace filum::mechanics
