/// Messages of runs that stopped: what happened, where, and what to try. User document:
/// docs/guide/error-messages.md.
#pragma once

#include <filum/integrate/run.hpp>
#include <filum/record/simulate.hpp>

namespace filum::record {

/// `x` is the last good state.
std::string describe_failure(const model::BuiltModel& model, const integrate::MethodOptions& method,
                             const SimulateOptions& options, const mechanics::State& x,
                             const integrate::IntegrationStopped& failure);

}  // namespace filum::record
