/// summary.json as a tree, for those who add to it. User document: docs/guide/results.md.
#pragma once

#include <filum/record/summary.hpp>

#include <nlohmann/json.hpp>

namespace filum::record {

nlohmann::ordered_json summary_json(const Summary& summary);

/// Numbers with 17 significant digits; lists and objects of numbers alone in one line.
std::string json_text(const nlohmann::ordered_json& json);

}  // namespace filum::record
