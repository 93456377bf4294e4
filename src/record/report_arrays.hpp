/// Arrays of numbers packed into a page: float32, deflated, base64. User document: docs/guide/results.md, "The report
/// page".
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace filum::record {

/// Unpacked by viewer/src/data.ts.
class ReportArrays {
 public:
  enum class Kind {
    exact,   ///< double
    plain,   ///< float
    drawing  ///< float without invisible bits: 2⁻²⁰ of the largest number, so that it packs well
  };
  void add(const std::string& name, const std::vector<std::size_t>& shape, std::span<const double> values,
           Kind kind = Kind::plain);
  /// Name, shape, type and place of every array.
  nlohmann::ordered_json index() const { return index_; }
  /// All arrays in one text.
  std::string packed() const;

 private:
  nlohmann::ordered_json index_ = nlohmann::ordered_json::array();
  std::vector<unsigned char> bytes_;
};

}  // namespace filum::record
