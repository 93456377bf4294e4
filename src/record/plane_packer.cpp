/// A deflate encoder, RFC 1951, for the numbers of results. Measurements: docs/theory/performance.md, "Output".
#include <filum/record/plane_packer.hpp>

#include <libdeflate.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace filum::record {
namespace {

constexpr std::size_t bytes_of_a_number = 8, noisy_planes = 6;
constexpr std::size_t farthest = 32768, longest_stored = 65535;
constexpr std::size_t shortest_copy = 3, longest_copy = 258;
constexpr unsigned end_of_block = 256, first_length = 257, distance_symbols = 30;

constexpr std::size_t step_bytes = 8;
std::uint64_t load(const unsigned char* bytes) {
  std::uint64_t x = 0;
  std::memcpy(&x, bytes, step_bytes);
  return x;
}
std::size_t first_difference(std::uint64_t x) {
  constexpr bool is_little = std::endian::native == std::endian::little;
  return static_cast<std::size_t>(is_little ? std::countr_zero(x) : std::countl_zero(x)) / 8;
}
std::size_t after_last_difference(std::uint64_t x) {
  constexpr bool is_little = std::endian::native == std::endian::little;
  return step_bytes - static_cast<std::size_t>(is_little ? std::countl_zero(x) : std::countr_zero(x)) / 8;
}

/// A length or a distance: a symbol and further bits.
struct Extended {
  unsigned symbol, bits;
  std::uint32_t value;
};
/// Each power of two has `1 << parts` symbols.
Extended extended(std::uint32_t x, unsigned parts) {
  if (x < (2U << parts)) return {x, 0, 0};
  const unsigned bits = static_cast<unsigned>(std::bit_width(x)) - 1 - parts;
  return {(bits << parts) + (x >> bits), bits, x & ((1U << bits) - 1)};
}
Extended extended_distance(std::size_t distance) { return extended(static_cast<std::uint32_t>(distance - 1), 1); }
Extended extended_length(std::size_t length) {
  if (length == longest_copy) return {PrefixCode::most_symbols - 1, 0, 0};
  Extended e = extended(static_cast<std::uint32_t>(length - shortest_copy), 2);
  e.symbol += first_length;
  return e;
}

/// What deflate can copy at once.
template <class F>
void for_each_piece(std::size_t copied, F&& f) {
  while (copied > longest_copy) {
    const std::size_t piece = copied >= longest_copy + shortest_copy ? longest_copy : copied - shortest_copy;
    f(piece);
    copied -= piece;
  }
  if (copied > 0) f(copied);
}

/// How many words of a plane are what they were `distance` before.
std::size_t repeated(std::span<const unsigned char> plane, std::size_t distance) {
  std::size_t n = 0;
  if (distance > farthest) return n;
  for (std::size_t i = distance; i + step_bytes <= plane.size(); i += step_bytes)
    n += load(plane.data() + i) == load(plane.data() + i - distance) ? 1 : 0;
  return n;
}

}  // namespace

/// The lower planes have the same statistics; those of exponents differ.
std::span<const unsigned char> PlanePacker::pack(std::span<const unsigned char> planes, std::size_t row,
                                                 std::size_t group) {
  const std::size_t count = planes.size() / bytes_of_a_number;
  packed_.resize(2 * planes.size() + 4096);
  packed_[0] = 0x78, packed_[1] = 0x01;
  out_ = BitWriter(packed_.data() + 2);
  std::size_t first = 0;
  for (const std::size_t n : {noisy_planes, std::size_t{1}, std::size_t{1}}) {
    tokens_.clear();
    open_ = 0;
    const Bytes bytes = planes.subspan(first * count, n * count);
    for (std::size_t k = 0; k < n; ++k) find_copies(bytes, k * count, count, row, group);
    if (open_ < bytes.size()) tokens_.push_back({static_cast<std::uint32_t>(bytes.size() - open_), 0, 0});
    first += n;
    put_block(bytes, first == bytes_of_a_number);
  }
  unsigned char* end = out_.align();
  const std::uint32_t sum = libdeflate_adler32(1, planes.data(), planes.size());
  for (unsigned k = 0; k < 4; ++k) *end++ = static_cast<unsigned char>(sum >> (24 - 8 * k));
  return {packed_.data(), end};
}

/// Copies are from the node before, or from the row before where that has more to copy.
void PlanePacker::find_copies(Bytes bytes, std::size_t at, std::size_t count, std::size_t row, std::size_t group) {
  const Bytes plane = bytes.subspan(at, count);
  const std::size_t of_rows = repeated(plane, row), of_groups = repeated(plane, group);
  const bool takes_rows = of_rows > of_groups;
  if (of_groups > 0) find_copies_from(bytes, at + group, at + (takes_rows ? row : count), group);
  if (takes_rows) find_copies_from(bytes, at + row, at + count, row);
}

void PlanePacker::find_copies_from(Bytes bytes, std::size_t from, std::size_t to, std::size_t distance) {
  const unsigned char* b = bytes.data();
  const auto difference = [&](std::size_t i) { return load(b + i) ^ load(b + i - distance); };
  for (std::size_t i = from; i + step_bytes <= to;) {
    if (const std::uint64_t x = difference(i); x != 0) {
      i += after_last_difference(x);
      continue;
    }
    std::size_t end = i + step_bytes;
    std::uint64_t x = 0;
    while (end + step_bytes <= to && (x = difference(end)) == 0) end += step_bytes;
    if (end + step_bytes <= to)
      end += first_difference(x);
    else
      while (end < to && b[end] == b[end - distance]) ++end;
    tokens_.push_back({static_cast<std::uint32_t>(i - open_), static_cast<std::uint32_t>(end - i),
                       static_cast<std::uint32_t>(distance)});
    i = open_ = end;
  }
}

void PlanePacker::put_block(Bytes bytes, bool is_last) {
  count_symbols(bytes);
  code_.make(counts_);
  distance_code_.make(distances_);
  std::size_t bits = 0;
  for (std::size_t s = 0; s < counts_.size(); ++s) bits += std::size_t{counts_[s]} * code_.length(s);
  constexpr std::size_t of_a_copy = 10, of_the_codes = 600;
  bits += of_a_copy * tokens_.size() + of_the_codes;
  if (bits >= 8 * bytes.size()) return store(bytes, is_last);
  out_.put(is_last ? 1 : 0, 1);
  out_.put(2, 2);
  put_codes();
  put_tokens(bytes.data());
}

void PlanePacker::count_symbols(Bytes bytes) {
  std::array<std::array<std::uint32_t, 256>, 4> literals{};  // counting in one place would wait for itself
  counts_.fill(0);
  distances_.fill(0);
  const unsigned char* at = bytes.data();
  for (const Token& t : tokens_) {
    const unsigned char* end = at + t.literals;
    for (; at + 4 <= end; at += 4)
      for (unsigned k = 0; k < 4; ++k) ++literals[k][at[k]];
    for (; at < end; ++at) ++literals[0][*at];
    if (t.copied == 0) continue;
    at += t.copied;
    ++distances_[extended_distance(t.distance).symbol];
    for_each_piece(t.copied, [&](std::size_t n) { ++counts_[extended_length(n).symbol]; });
  }
  for (std::size_t s = 0; s < 256; ++s) counts_[s] = literals[0][s] + literals[1][s] + literals[2][s] + literals[3][s];
  counts_[end_of_block] = 1;
}

void PlanePacker::store(Bytes bytes, bool is_last) {
  while (!bytes.empty()) {
    const std::size_t n = std::min(bytes.size(), longest_stored);
    out_.put(is_last && n == bytes.size() ? 1 : 0, 3);
    unsigned char* at = out_.align();
    for (const std::size_t x : {n, ~n})
      for (unsigned k = 0; k < 2; ++k) *at++ = static_cast<unsigned char>(x >> (8 * k));
    std::memcpy(at, bytes.data(), n);
    out_ = BitWriter(at + n);
    bytes = bytes.subspan(n);
  }
}

/// Lengths of the words of both codes, packed by a third: RFC 1951, 3.2.7.
void PlanePacker::put_codes() {
  unsigned literals = PrefixCode::most_symbols, copies = distance_symbols;
  while (literals > first_length && code_.length(literals - 1) == 0) --literals;
  while (copies > 1 && distance_code_.length(copies - 1) == 0) --copies;
  const auto length = [&](unsigned i) { return i < literals ? code_.length(i) : distance_code_.length(i - literals); };
  std::array<std::uint32_t, 19> counts{};
  items_.clear();
  const auto add = [&](unsigned symbol, unsigned value, unsigned bits) {
    items_.push_back({symbol, bits, value});
    ++counts[symbol];
  };
  for (unsigned i = 0; i < literals + copies;) {
    const unsigned begin = i, here = length(i);
    while (i < literals + copies && length(i) == here) ++i;
    unsigned same = i - begin;
    if (here > 0) add(here, 0, 0), --same;
    while (same >= 3) {
      const unsigned piece = std::min(same, here > 0 ? 6U : 138U);
      here > 0 ? add(16, piece - 3, 2) : piece > 10 ? add(18, piece - 11, 7) : add(17, piece - 3, 3);
      same -= piece;
    }
    for (; same > 0; --same) add(here, 0, 0);
  }
  length_code_.make(counts, 7);
  static constexpr std::array<std::uint8_t, 19> order{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  unsigned named = 19;
  while (named > 4 && length_code_.length(order[named - 1]) == 0) --named;
  out_.put(literals - first_length, 5);
  out_.put(copies - 1, 5);
  out_.put(named - 4, 4);
  out_.flush();
  for (unsigned k = 0; k < named; ++k) out_.put(length_code_.length(order[k]), 3), out_.flush();
  for (const Item& item : items_) {
    length_code_.put(out_, item.symbol);
    out_.put(item.value, item.bits);
    out_.flush();
  }
}

void PlanePacker::put_tokens(const unsigned char* at) {
  BitWriter out = out_;  // in registers
  for (const Token& t : tokens_) {
    const unsigned char* end = at + t.literals;
    for (; at + 4 <= end; at += 4) code_.put_four(out, at), out.flush();
    for (; at < end; ++at) code_.put(out, *at), out.flush();
    if (t.copied == 0) continue;
    at += t.copied;
    const Extended distance = extended_distance(t.distance);
    for_each_piece(t.copied, [&](std::size_t n) {
      const Extended length = extended_length(n);
      code_.put(out, length.symbol);
      out.put(length.value, length.bits);
      distance_code_.put(out, distance.symbol);
      out.put(distance.value, distance.bits);
      out.flush();
    });
  }
  code_.put(out, end_of_block);
  out.flush();
  out_ = out;
}

}  // namespace filum::record
