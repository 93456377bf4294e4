/// Prefix codes of deflate, RFC 1951. Used by plane_packer.cpp.
#include <filum/record/prefix_code.hpp>

#include <algorithm>
#include <bit>

namespace filum::record {
namespace {

constexpr unsigned fraction = 4;  ///< bits of a logarithm behind the point

/// log2 with 16 bits behind the point, with an error of 0.01: log2(1 + m) = m + 0.344 m (1 - m).
std::uint32_t logarithm(std::uint32_t x) {
  const unsigned e = static_cast<unsigned>(std::bit_width(x | 1U)) - 1;
  const auto m = static_cast<std::uint32_t>((std::uint64_t{x} << 16 >> e) & 0xffffU);
  return (e << 16) + m + (m * (0x10000U - m) >> 16) * 88 / 256;
}

std::uint32_t reversed(std::uint32_t word, unsigned length) {
  static constexpr auto bytes = [] {
    std::array<std::uint8_t, 256> table{};
    for (unsigned b = 0; b < 256; ++b)
      for (unsigned k = 0; k < 8; ++k) table[b] = static_cast<std::uint8_t>(table[b] | ((b >> k) & 1U) << (7 - k));
    return table;
  }();
  return (std::uint32_t{bytes[word & 0xffU]} << 8 | bytes[word >> 8]) >> (16 - length);
}

}  // namespace

void PrefixCode::make(std::span<const std::uint32_t> counts, unsigned longest_word) {
  choose_lengths(counts, longest_word);
  assign();
}

/// Every symbol gets its information rounded up, which leaves room; those that were rounded up most are shortened as
/// long as there is some.
void PrefixCode::choose_lengths(std::span<const std::uint32_t> counts, unsigned longest_word) {
  std::uint32_t total = 0;
  used_ = 0;
  for (std::size_t s = 0; s < counts.size(); ++s) {
    words_[s] = 0;
    total += counts[s];
    if (counts[s] > 0) symbols_[used_++] = static_cast<std::uint16_t>(s);
  }
  lengths_[0] = 1;
  if (used_ < 2) return;
  constexpr unsigned one = 1U << fraction;
  const std::uint32_t all = std::uint32_t{1} << longest_word, log_total = logarithm(total);
  std::uint32_t taken = 0;
  for (std::size_t k = 0; k < used_; ++k) {
    const unsigned wish = (log_total - logarithm(counts[symbols_[k]])) >> (16 - fraction);
    const unsigned length = std::clamp((wish + one - 1) / one, 1U, longest_word);
    lengths_[k] = static_cast<std::uint8_t>(length);
    excess_[k] = static_cast<std::int8_t>(std::max(-1, static_cast<int>(length * one) - static_cast<int>(wish)));
    taken += all >> length;
  }
  // Rare symbols may want words that are too long: the others take too much room then.
  for (unsigned length = longest_word - 1; taken > all; --length)
    for (std::size_t k = 0; k < used_ && taken > all; ++k)
      if (lengths_[k] == length) ++lengths_[k], taken -= all >> (length + 1);
  for (int excess = one - 4; taken < all && excess >= 0; excess -= 4)
    for (std::size_t k = 0; k < used_; ++k) {
      const std::uint32_t more = all >> lengths_[k];
      if (excess_[k] < excess || taken + more > all || lengths_[k] < 2) continue;
      --lengths_[k];
      excess_[k] = -1;
      taken += more;
    }
  // Readers want no room to be left.
  for (unsigned length = longest_word; taken < all && length > 1; --length)
    for (std::size_t k = 0; k < used_ && taken < all; ++k)
      if (lengths_[k] == length) --lengths_[k], taken += all >> length;
}

void PrefixCode::assign() {
  std::array<std::uint32_t, 16> next{};
  for (std::size_t k = 0; k < used_; ++k) ++next[lengths_[k]];
  std::uint32_t first = 0, before = 0;
  for (unsigned length = 1; length < next.size(); ++length) {
    const std::uint32_t here = next[length];
    first = (first + before) << 1;
    before = here;
    next[length] = first;
  }
  for (std::size_t k = 0; k < used_; ++k) {
    const unsigned length = lengths_[k];
    words_[symbols_[k]] = length << 16 | reversed(next[length]++, length);
  }
}

}  // namespace filum::record
