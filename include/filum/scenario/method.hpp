/// The integrator and the grid that a scenario asks for. User document: docs/guide/integrators.md.
#pragma once

#include <filum/integrate/run.hpp>
#include <filum/scenario/scenario.hpp>

#include <memory>

namespace filum::scenario {

std::unique_ptr<integrate::Integrator> make_integrator(const Scenario& scenario, const mechanics::System& system);
integrate::RunOptions run_options(const Scenario& scenario);

/// Whether the method iterates with Newton's method; the others use no [newton].
bool is_implicit(Method method);

}  // namespace filum::scenario
