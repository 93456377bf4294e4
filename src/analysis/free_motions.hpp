/// Motions that nothing resists. Theory: docs/theory/statics.md, sec. 4.
#pragma once

#include "static_equations.hpp"

namespace filum::analysis {

/// (EQ.8) A basis of all z with K z + Cᵀy = 0 and C z = 0 up to rounding errors, at p; columns of length 1.
Eigen::MatrixXd free_motions(StaticEquations& equations, const StaticPoint& p);

}  // namespace filum::analysis
