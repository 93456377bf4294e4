/// Messages of HDF5's object headers. User document: docs/guide/security.md.
#include "hdf5_message.hpp"

#include "hdf5_cursor.hpp"
#include "hdf5_heap.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace filum::record {
namespace {

using Bytes = std::span<const unsigned char>;

constexpr unsigned shared = 2;  ///< stored elsewhere

struct Type {
  bool is_sound = false, is_variable = false;
  std::uint64_t size = 0;
};

/// Numbers, texts, and texts of any length.
Type type_of(Cursor& c, bool is_base = false) {
  const unsigned first = c.byte(), kind = first & 15U, version = first >> 4U;
  c.skip(3);
  const std::uint64_t size = c.number(4);
  constexpr unsigned integer = 0, real = 1, text = 3, variable = 9;
  constexpr std::uint64_t reference = 16;
  bool is_sound = version >= 1 && version <= 3 && size > 0;
  if (kind == integer)
    c.skip(4);
  else if (kind == real)
    c.skip(12);
  else if (kind == variable)
    is_sound = is_sound && !is_base && size == reference && type_of(c, true).is_sound;
  else
    is_sound = is_sound && kind == text;
  if (kind == integer || kind == real) is_sound = is_sound && size <= 16;
  return {is_sound && c.is_good(), kind == variable, size};
}

struct Space {
  bool is_sound = false;
  std::uint64_t numbers = 0;
};

Space space_in(Cursor& c) {
  const unsigned version = c.byte(), rank = c.byte(), flags = c.byte();
  if (version == 1)
    c.skip(5);
  else
    c.skip(1);
  constexpr unsigned most_directions = 32;
  if (version < 1 || version > 2 || rank > most_directions || flags > 1) return {};
  std::uint64_t numbers = 1;
  bool fits = true;
  for (unsigned k = 0; k < rank; ++k) fits = !__builtin_mul_overflow(numbers, c.number(8), &numbers) && fits;
  if (flags != 0) c.skip(8 * rank);
  return {fits && c.is_good(), numbers};
}

/// A text in a heap: length, place of the heap, number in it.
bool is_sound_reference(const IndexSource& file, Cursor& c) {
  const std::uint64_t length = c.number(4), at = c.number(8), number = c.number(4);
  if (!c.is_good()) return false;
  if (at == 0 || length == 0) return true;
  return heap_has(file, at, number, length);
}

bool is_sound_attribute(const IndexSource& file, Cursor c) {
  const unsigned version = c.byte(), flags = c.byte();
  const std::uint64_t name = c.number(2), type_size = c.number(2), space_size = c.number(2);
  if (version < 1 || version > 3 || (version > 1 && flags != 0)) return false;
  if (version == 3) c.skip(1);
  const auto padded = [&](std::uint64_t size) { return version == 1 ? (size + 7) / 8 * 8 : size; };
  const Bytes text = c.take(padded(name));
  Cursor type_bytes(c.take(padded(type_size))), space_bytes(c.take(padded(space_size)));
  if (!c.is_good() || name == 0 || text[name - 1] != 0) return false;
  const Type type = type_of(type_bytes);
  const Space space = space_in(space_bytes);
  std::uint64_t size = 0;
  if (!type.is_sound || !space.is_sound || __builtin_mul_overflow(type.size, space.numbers, &size)) return false;
  Cursor data(c.take(size));
  for (std::uint64_t k = 0; type.is_variable && k < space.numbers && data.is_good(); ++k)
    if (!is_sound_reference(file, data)) return false;
  return c.is_good() && data.is_good();
}

bool is_sound_link(Cursor c) {
  const unsigned version = c.byte(), flags = c.byte();
  const unsigned kind = (flags & 8U) != 0 ? c.byte() : 0;
  c.skip(((flags & 4U) != 0 ? 8 : 0) + ((flags & 16U) != 0 ? 1 : 0));
  const std::uint64_t name = c.number(std::size_t{1} << (flags & 3U));
  const Bytes text = c.take(name);
  constexpr unsigned hard = 0, soft = 1, external = 64;
  if (kind == hard)
    c.skip(8);
  else
    c.skip(c.number(2));
  return version == 1 && flags < 32 && name > 0 && std::find(text.begin(), text.end(), 0) == text.end() &&
         (kind == hard || kind == soft || kind == external) && c.is_good();
}

/// Where the blocks of a series are listed: an array that grows, with HDF5's usual numbers.
bool is_sound_chunking(Cursor c) {
  const unsigned flags = c.byte(), rank = c.byte(), width = c.byte();
  if (flags > 3 || rank < 2 || rank > 33 || width < 1 || width > 8) return false;
  c.skip(rank * width);
  static constexpr std::array<unsigned char, 6> growing{4, 32, 4, 4, 16, 10};
  const Bytes index = c.take(growing.size());
  c.skip(8);
  return c.is_good() && std::equal(growing.begin(), growing.end(), index.begin());
}

bool is_sound_layout(Cursor c) {
  const unsigned version = c.byte(), kind = c.byte();
  constexpr unsigned in_one_piece = 1, in_blocks = 2;
  if (version != 3 && version != 4) return false;
  if (kind == in_one_piece) return c.skip(16), c.is_good();
  if (kind != in_blocks) return false;
  if (version == 4) return is_sound_chunking(c);
  const unsigned rank = c.byte();
  c.skip(8 + 4 * rank);
  return rank >= 2 && rank <= 33 && c.is_good();
}

/// Filters that come with HDF5.
bool is_sound_pipeline(Cursor c) {
  const unsigned version = c.byte(), count = c.byte();
  constexpr unsigned most = 32;
  if (version < 1 || version > 2 || count > most) return false;
  if (version == 1) c.skip(6);
  for (unsigned k = 0; k < count; ++k) {
    constexpr std::uint64_t first_of_others = 256;
    if (c.number(2) >= first_of_others) return false;
    const std::uint64_t name = version == 1 ? c.number(2) : 0;
    c.skip(2);
    const std::uint64_t values = c.number(2);
    c.skip((name + 7) / 8 * 8);
    c.skip(4 * (values + (version == 1 ? values % 2 : 0)));
  }
  return c.is_good();
}

/// What series begin with where nothing was written: at most one number.
bool is_sound_fill(Cursor c) {
  const unsigned version = c.byte();
  if (version < 1 || version > 3) return false;
  bool is_given = false;
  if (version == 3) {
    is_given = (c.byte() & 32U) != 0;
  } else {
    c.skip(2);
    is_given = c.byte() != 0 || version == 1;
  }
  if (!is_given) return c.is_good();
  const std::uint64_t size = c.number(4);
  c.skip(size);
  return c.is_good() && (size == 0 || size == sizeof(double));
}

bool is_sound_link_info(Cursor c) {
  const unsigned version = c.byte(), flags = c.byte();
  c.skip(((flags & 1U) != 0 ? 8 : 0) + 16 + ((flags & 2U) != 0 ? 8 : 0));
  return version == 0 && flags < 4 && c.is_good();
}

/// Attributes in a heap of their own are more than filum writes.
bool is_sound_attribute_info(Cursor c) {
  const unsigned version = c.byte(), flags = c.byte();
  c.skip((flags & 1U) != 0 ? 2 : 0);
  const bool is_empty = c.number(8) == nowhere;
  c.skip((flags & 2U) != 0 ? 16 : 8);
  return version == 0 && flags < 4 && is_empty && c.is_good();
}

bool is_sound_group_info(Cursor c) {
  const unsigned version = c.byte(), flags = c.byte();
  c.skip(((flags & 1U) != 0 ? 4 : 0) + ((flags & 2U) != 0 ? 4 : 0));
  return version == 0 && flags < 4 && c.is_good();
}

bool is_sound_continuation(const IndexSource& file, Cursor c) {
  const std::uint64_t at = c.number(8), size = c.number(8);
  constexpr std::uint64_t mark_and_checksum = 8;
  return c.is_good() && size > mark_and_checksum && at <= file.length && size <= file.length - at;
}

}  // namespace

bool is_sound_message(const IndexSource& file, unsigned type, unsigned flags, Bytes body) {
  if ((flags & shared) != 0) return false;
  Cursor c(body);
  switch (type) {
    case 0x00: return true;  // room
    case 0x01: return space_in(c).is_sound;
    case 0x02: return is_sound_link_info(c);
    case 0x03: return type_of(c).is_sound;
    case 0x05: return is_sound_fill(c);
    case 0x06: return is_sound_link(c);
    case 0x08: return is_sound_layout(c);
    case 0x0a: return is_sound_group_info(c);
    case 0x0b: return is_sound_pipeline(c);
    case 0x0c: return is_sound_attribute(file, c);
    case 0x10: return is_sound_continuation(file, c);
    case 0x12: return body.size() >= 8;  // a time
    case 0x15: return is_sound_attribute_info(c);
    case 0x16: return body.size() >= 5;  // a count of links
    default: return false;
  }
}

}  // namespace filum::record
