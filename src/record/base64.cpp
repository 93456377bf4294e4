/// Bytes as text. User document: docs/guide/results.md.
#include "base64.hpp"

#include <algorithm>
#include <cstdint>

namespace filum::record {

namespace {
constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
}

std::string base64(std::span<const unsigned char> bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k) word = word << 8 | (k < count ? bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? base64_digits[word >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::optional<std::vector<unsigned char>> bytes_of_base64(std::string_view text) {
  if (text.size() % 4 != 0) return {};
  const std::size_t padding = text.empty() ? 0 : text.size() - std::min(text.find('='), text.size());
  if (padding > 2) return {};
  std::vector<unsigned char> bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const bool is_padding = i + k + padding >= text.size();
      const std::size_t digit = is_padding ? 0 : base64_digits.find(text[i + k]);
      if (digit == base64_digits.npos) return {};
      word = word << 6 | static_cast<std::uint32_t>(digit);
    }
    for (int shift = 16; shift >= 0; shift -= 8) bytes.push_back(static_cast<unsigned char>(word >> shift & 255));
  }
  bytes.resize(bytes.size() - padding);
  return bytes;
}

}  // namespace filum::record
