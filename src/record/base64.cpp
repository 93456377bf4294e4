/// Bytes as text. User document: docs/guide/results.md.
#include "base64.hpp"

#include <algorithm>
#include <cstdint>

namespace filum::record {

std::string base64(std::span<const unsigned char> bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k) word = word << 8 | (k < count ? bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? digits[word >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

}  // namespace filum::record
