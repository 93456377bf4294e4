/// Words for a run that has stopped: what happened, where, and what to try. User document:
/// docs/guide/error-messages.md.
#pragma once

#include <filum/integrate/run.hpp>
#include <filum/scenario/model.hpp>

namespace filum::scenario {

/// `x` is the last good state.
std::string describe_failure(const Scenario& scenario, const Model& model, const State& x,
                             const integrate::IntegrationStopped& failure);

}  // namespace filum::scenario
