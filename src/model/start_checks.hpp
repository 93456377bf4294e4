/// Whether a run can start from the initial state. User document: docs/guide/error-messages.md.
#pragma once

#include "built_data.hpp"

namespace filum::model {

/// Throws ModelError, naming the object, when a force, an acceleration or the energy at the start is not finite.
void refuse_infinite_start(const BuiltModel::Data& built);

/// Throws ModelError when so many constraints meet in one node that solving for them would take minutes.
void refuse_crowded_nodes(const BuiltModel::Data& built);

}  // namespace filum::model
