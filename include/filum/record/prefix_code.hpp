/// Prefix codes of deflate, RFC 1951, and the bits that they are written to. Used by plane_packer.hpp.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace filum::record {

/// Bits from the lowest on. There is room for eight bytes more than are written.
class BitWriter {
 public:
  explicit BitWriter(unsigned char* at) : at_(at) {}
  /// At most 56 bits between two calls of `flush`.
  void put(std::uint64_t value, unsigned count) {
    bits_ |= value << count_;
    count_ += count;
  }
  void flush() {
    if constexpr (std::endian::native == std::endian::little)
      std::memcpy(at_, &bits_, sizeof bits_);
    else
      for (unsigned k = 0; k < 8; ++k) at_[k] = static_cast<unsigned char>(bits_ >> (8 * k));
    at_ += count_ / 8;
    bits_ >>= count_ & ~7U;
    count_ &= 7U;
  }
  /// Zeros up to the next whole byte. Returns where that is.
  unsigned char* align() {
    count_ = (count_ + 7) & ~7U;
    flush();
    return at_;
  }

 private:
  unsigned char* at_;
  std::uint64_t bits_ = 0;
  unsigned count_ = 0;
};

/// A code whose words are at most `longest` bits long: nearly that of Huffman, made without sorting.
class PrefixCode {
 public:
  static constexpr unsigned most_symbols = 286, longest = 14;

  /// Symbols that are counted as 0 get no word. If only one is counted, its word has one bit.
  void make(std::span<const std::uint32_t> counts, unsigned longest_word = longest);
  unsigned length(std::size_t symbol) const { return words_[symbol] >> 16; }
  void put(BitWriter& out, std::size_t symbol) const { out.put(words_[symbol] & 0xffffU, words_[symbol] >> 16); }
  /// Four symbols, which wait for each other less than one after the other would.
  void put_four(BitWriter& out, const unsigned char* symbols) const {
    const auto pair = [this, symbols](unsigned k, std::uint64_t& bits) {
      const std::uint32_t a = words_[symbols[k]], b = words_[symbols[k + 1]];
      bits = (a & 0xffffU) | std::uint64_t{b & 0xffffU} << (a >> 16);
      return (a >> 16) + (b >> 16);
    };
    std::uint64_t first = 0, second = 0;
    const unsigned count = pair(0, first), further = pair(2, second);
    out.put(first | second << count, count + further);
  }

 private:
  void choose_lengths(std::span<const std::uint32_t> counts, unsigned longest_word);
  void assign();

  std::array<std::uint32_t, most_symbols> words_{};  ///< reversed word, and its length in the upper half
  // Of the symbols that are counted:
  std::size_t used_ = 0;
  std::array<std::uint16_t, most_symbols> symbols_{};
  std::array<std::uint8_t, most_symbols> lengths_{};
  std::array<std::int8_t, most_symbols> excess_{};  ///< of the length over the information
};

}  // namespace filum::record
