/// summary.json as a tree, for those who add to it. User document: docs/guide/results.md.
#pragma once

#include <filum/record/summary.hpp>

#include <nlohmann/json.hpp>

#include <functional>
#include <string_view>
#include <vector>

namespace filum::record {

/// A tree in which long lists stay where they are: their place is taken by a binary value whose subtype is their
/// number.
struct JsonTree {
  nlohmann::ordered_json json;
  std::vector<const std::vector<std::vector<double>>*> lists;
};

/// Valid as long as the summary is.
JsonTree summary_json(const Summary& summary);

using TextSink = std::function<void(std::string_view)>;
/// Numbers with 17 significant digits; lists and objects of numbers alone in one line. The text goes out in pieces:
/// that of a long beam is larger than the beam.
void print(const JsonTree& tree, const TextSink& sink);

}  // namespace filum::record
