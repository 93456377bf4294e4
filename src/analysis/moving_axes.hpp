/// Linearisation about motions, in axes that turn with bodies or stay in space. Theory: docs/theory/modes.md, sec. 2.
#pragma once

#include <filum/analysis/linearization.hpp>

namespace filum::analysis {

/// (MO.5) to (MO.8), whatever the motion is.
Linearization moving_linearization(const System& system, const State& x, const RowSelection& rows, Axes axes);

/// (MO.9) How much the coefficients change while the motion goes on, relative and per radian.
double unsteadiness(const Linearization& lin);

}  // namespace filum::analysis
