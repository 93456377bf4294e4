/// Whether everything that facts refer to exists. User document: docs/guide/results.md, "Facts".
#pragma once

#include <filum/record/facts_json.hpp>

namespace filum::record {

/// Throws FileTrouble that names the object.
void check_facts(const Facts& facts);

}  // namespace filum::record
