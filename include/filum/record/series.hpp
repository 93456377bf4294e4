/// A recorded series in memory. User document: docs/guide/cpp.md, "Results".
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace filum::record {

/// Numbers of all frames: `shape` of one frame, the first index changing slowest.
struct Series {
  std::vector<int> shape;
  std::vector<double> values;

  std::size_t size() const {  ///< numbers per frame
    std::size_t product = 1;
    for (const int n : shape) product *= static_cast<std::size_t>(n);
    return product;
  }
  std::size_t frames() const { return values.size() / size(); }
  std::span<const double> frame(std::size_t f) const { return std::span(values).subspan(f * size(), size()); }
  std::span<const double> last() const { return frame(frames() - 1); }
};

}  // namespace filum::record
