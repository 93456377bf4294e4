/// Bytes of a file that may contain anything.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace filum::record {

/// A place that is none.
inline constexpr std::uint64_t nowhere = ~std::uint64_t{0};

/// Reads little-endian numbers from the front. Beyond the end everything is 0, and `is_good` is false from then on.
class Cursor {
 public:
  explicit Cursor(std::span<const unsigned char> bytes) : left_(bytes) {}

  bool is_good() const { return is_good_; }
  std::size_t size() const { return left_.size(); }
  std::uint64_t number(std::size_t width) {
    std::uint64_t value = 0;
    const auto bytes = take(width);
    for (std::size_t k = 0; k < bytes.size(); ++k) value |= std::uint64_t{bytes[k]} << (8 * k);
    return value;
  }
  unsigned byte() { return static_cast<unsigned>(number(1)); }
  std::span<const unsigned char> take(std::uint64_t count) {
    if (count > left_.size()) {
      is_good_ = false;
      left_ = {};
      return {};
    }
    const auto taken = left_.first(static_cast<std::size_t>(count));
    left_ = left_.subspan(static_cast<std::size_t>(count));
    return taken;
  }
  void skip(std::uint64_t count) { take(count); }
  bool begins_with(std::string_view mark) const {
    return left_.size() >= mark.size() && std::memcmp(left_.data(), mark.data(), mark.size()) == 0;
  }

 private:
  std::span<const unsigned char> left_;
  bool is_good_ = true;
};

}  // namespace filum::record
