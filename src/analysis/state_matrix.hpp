/// First-order equations in minimal coordinates. Theory: docs/theory/modes.md, (MO.23).
#pragma once

#include <filum/analysis/linearization.hpp>

namespace filum::analysis {

/// (y, w)˙ = A (y, w) with ζ = position y and ζ̇ = velocity w + drift y; both bases orthonormal. `inverse_mass` maps
/// forces to ẇ.
struct StateMatrix {
  Eigen::MatrixXd A, position, velocity, drift;
  Eigen::MatrixXd inverse_mass;
};

/// Throws NoModes when the mass matrix is singular for velocities that the constraints allow.
StateMatrix state_matrix(const Linearization& lin);

}  // namespace filum::analysis
