/// How many directions of an equilibrium are not resisted, and the one nearest to that. Theory: docs/theory/statics.md,
/// sec. 6.
#pragma once

#include "static_equations.hpp"

namespace filum::analysis {

struct Stability {
  int negative = 0;
  bool is_symmetric = true;
};

/// (EQ.14) For the K and C of the last factorize.
Stability count_negative(const StaticEquations& equations);

/// (EQ.15) The eigenvector of (K, W), on what the constraints allow, whose eigenvalue is nearest to 0.
struct CriticalMode {
  StaticIncrement z;
  double eigenvalue = 0;
};
/// By inverse iteration with the last factorisation, from `mode`; its size tells whether there is something to start
/// from.
void find_critical_mode(StaticEquations& equations, CriticalMode& mode);

}  // namespace filum::analysis
