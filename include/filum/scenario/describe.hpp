/// The model in words, for `filum check`. User document: docs/guide/scenarios.md, "Checking".
#pragma once

#include <filum/scenario/model.hpp>

#include <string>

namespace filum::scenario {

/// Objects, degrees of freedom, constraints, consistency of the start, solver, and hints about the step.
std::string describe_model(const Scenario& scenario, const Model& model);

}  // namespace filum::scenario
