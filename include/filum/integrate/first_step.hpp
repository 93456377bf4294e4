/// The first step of an adaptive method, where none is given. Theory:
/// docs/theory/step_control.md, (SC.6).
#pragma once

#include <filum/integrate/integrator.hpp>
#include <filum/integrate/step_control.hpp>

namespace filum::integrate {

/// For a run of length `span` from x. Where forces are stiff it is small; the control lets it grow soon.
double first_step(const System& system, const RowSelection& rows, const State& x, const StepControl& control,
                  double span);

}  // namespace filum::integrate
