/// Drawings as JSON. User document: docs/guide/results.md, "Facts".
#pragma once

#include "json_reader.hpp"

#include <filum/record/facts_json.hpp>

namespace filum::record {

template <class V>
nlohmann::ordered_json list(const V& v) {
  auto json = nlohmann::ordered_json::array();
  for (Eigen::Index i = 0; i < v.size(); ++i) json.push_back(v[i]);
  return json;
}
template <class V>
V vector(const JsonReader& json) {
  json.expect_size(static_cast<std::size_t>(V::SizeAtCompileTime));
  V v;
  for (Eigen::Index i = 0; i < v.size(); ++i) v[i] = json.at(static_cast<std::size_t>(i)).number();
  return v;
}

nlohmann::ordered_json drawing_json(const Drawing& drawing);
/// Those of a type that is not known here are left out.
std::vector<Drawing> read_drawings(const JsonReader& json);

}  // namespace filum::record
