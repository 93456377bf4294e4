/// Parts that are written in Python. User document: docs/python/parts.md.
#pragma once

#include "convert.hpp"

#include <filum/scenario/scenario.hpp>

namespace filum::python {

/// Adds a filum.Part to the model of a scenario. Throws config::InputError.
void add_own_part(scenario::Scenario& scenario, const py::object& part);

}  // namespace filum::python
