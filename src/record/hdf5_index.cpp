/// Blocks of HDF5's index. User document: docs/guide/security.md.
#include "hdf5_index.hpp"

#include "hdf5_cursor.hpp"
#include "hdf5_heap.hpp"
#include "hdf5_message.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace filum::record {
namespace {

using Bytes = std::span<const unsigned char>;

constexpr std::size_t mark_size = 4, checksum_size = 4;

/// Messages up to the end. What is too short for one is room.
bool are_sound_messages(const IndexSource& file, Cursor c) {
  constexpr std::size_t head = 4;
  while (c.size() >= head) {
    const unsigned type = c.byte();
    const std::uint64_t size = c.number(2);
    const unsigned flags = c.byte();
    const Bytes body = c.take(size);
    if (!c.is_good() || !is_sound_message(file, type, flags, body)) return false;
  }
  return true;
}

/// What stands before the messages of an object header; `size` is that of the messages.
bool read_head(Cursor& c, std::uint64_t& size) {
  constexpr unsigned known = 0x33, times = 0x20, limits = 0x10;
  c.skip(mark_size);
  const unsigned version = c.byte(), flags = c.byte();
  c.skip(((flags & times) != 0 ? 16 : 0) + ((flags & limits) != 0 ? 4 : 0));
  size = c.number(std::size_t{1} << (flags & 3U));
  return version == 2 && (flags & ~known) == 0 && c.is_good();
}

/// The oldest kind of object header, which others may add.
bool is_sound_old_header(const IndexSource& file, Cursor c) {
  constexpr unsigned continuation = 0x10;
  const unsigned version = c.byte();
  c.skip(1);
  std::uint64_t count = c.number(2);
  c.skip(4);
  const std::uint64_t size = c.number(4);
  c.skip(4);
  Cursor messages(c.take(size));
  if (version != 1 || !c.is_good()) return false;
  for (; count > 0 && messages.size() > 0; --count) {
    const auto type = static_cast<unsigned>(messages.number(2));
    const std::uint64_t length = messages.number(2);
    const unsigned flags = messages.byte();
    messages.skip(3);
    const Bytes body = messages.take(length);
    if (!messages.is_good() || type == continuation || !is_sound_message(file, type, flags, body)) return false;
  }
  return count == 0;
}

/// The tree of the links of a large group: how many links every block has is said by the one above it.
class LinkTree {
 public:
  explicit LinkTree(const IndexSource& file) : file_(file) {}

  bool is_sound(Cursor c) {
    constexpr unsigned links = 5, splits = 100, merges = 40;
    c.skip(mark_size);
    const unsigned version = c.byte(), type = c.byte();
    const bool is_usual = c.number(4) == node && c.number(2) == record;
    const auto depth = static_cast<unsigned>(c.number(2));
    const bool is_balanced = c.byte() == splits && c.byte() == merges;
    const std::uint64_t root = c.number(8), count = c.number(2);
    left_ = c.number(8);
    return c.is_good() && version == 0 && type == links && is_usual && is_balanced && depth < most.size() &&
           (left_ == 0 || (has(root, count, depth) && left_ == 0));
  }

 private:
  static constexpr std::uint64_t node = 512, record = 11, before = 6;
  /// Records of a leaf, and of the blocks above it, which have a place and counts for every child.
  static constexpr std::array<std::uint64_t, 5> most{45, 24, 22, 22, 21};
  static constexpr std::array<std::size_t, 5> count_width{0, 0, 2, 2, 3};

  bool has(std::uint64_t at, std::uint64_t count, unsigned depth) {
    if (count > most[depth] || count > left_ || at > file_.length || node > file_.length - at) return false;
    left_ -= count;
    std::vector<unsigned char> bytes(node);
    if (!file_.read(at, bytes)) return false;
    Cursor c(bytes);
    if (!c.begins_with(depth == 0 ? "BTLF" : "BTIN")) return false;
    c.skip(before + record * count);
    for (std::uint64_t k = 0; depth > 0 && k <= count; ++k) {
      const std::uint64_t child = c.number(8), own = c.number(1);
      c.skip(count_width[depth]);
      if (!has(child, own, depth - 1)) return false;
    }
    return c.is_good();
  }

  const IndexSource& file_;
  std::uint64_t left_ = 0;  ///< records that have not been met yet
};

/// The heap of the links of a large group, with HDF5's usual numbers.
bool is_sound_link_heap(Cursor c) {
  c.skip(mark_size);
  const bool is_usual = c.byte() == 0 && c.number(2) == 7 && c.number(2) == 0;
  c.skip(1);
  const bool has_small = c.number(4) == 4096;
  c.skip(8);
  const std::uint64_t huge = c.number(8);
  c.skip(8 + 8 + 4 * 8);
  const std::uint64_t huge_size = c.number(8), huge_count = c.number(8);
  const std::uint64_t tiny_size = c.number(8), tiny_count = c.number(8);
  const bool has_usual_table =
      c.number(2) == 4 && c.number(8) == 512 && c.number(8) == 65536 && c.number(2) == 32 && c.number(2) == 1;
  c.skip(8);
  constexpr std::uint64_t most_rows = 32;
  return c.number(2) <= most_rows && c.is_good() && is_usual && has_small && has_usual_table && huge == nowhere &&
         huge_size == 0 && huge_count == 0 && tiny_size == 0 && tiny_count == 0;
}

/// The list of the blocks of a series: as many as fit into the file.
bool is_sound_block_list(const IndexSource& file, Cursor c) {
  c.skip(mark_size);
  const unsigned version = c.byte(), kind = c.byte();
  const std::uint64_t size = c.number(1);
  static constexpr std::array<unsigned char, 5> usual{32, 4, 16, 4, 10};
  const Bytes numbers = c.take(usual.size());
  c.skip(4 * 8);
  const std::uint64_t last = c.number(8);
  c.skip(8 + 8);
  return c.is_good() && version == 0 && kind <= 1 && size >= 8 && size <= 20 &&
         std::equal(usual.begin(), usual.end(), numbers.begin()) && last <= file.length / size;
}

/// A page of a long list of blocks has no mark, only its checksum.
bool can_be_page(std::size_t size) {
  constexpr std::size_t entries = 1024, largest_entry = 20;
  return size > entries && (size - checksum_size) % entries == 0 && (size - checksum_size) / entries <= largest_entry;
}

/// The length of the block that begins with these bytes; 0: there is none. Without a length of its own it is as long
/// as HDF5 thinks.
std::uint64_t length_of(Bytes bytes) {
  Cursor c(bytes);
  std::uint64_t size = 0;
  if (c.begins_with("OHDR")) {
    const std::size_t all = c.size();
    return read_head(c, size) && size < nowhere / 2 ? all - c.size() + size + checksum_size : 0;
  }
  if (c.begins_with("GCOL")) return heap_length(bytes);
  constexpr std::size_t old_head = 16;
  if (bytes.size() >= old_head && bytes[0] == 1 && !can_be_page(bytes.size())) {
    c.skip(8);
    return old_head + c.number(4);
  }
  return bytes.size();
}

bool is_sound_whole(const IndexSource& file, Bytes block) {
  Cursor c(block);
  const auto is = [&](std::string_view mark) { return c.begins_with(mark); };
  if (is("OHDR")) {
    std::uint64_t size = 0;
    return read_head(c, size) && are_sound_messages(file, Cursor(c.take(size)));
  }
  if (is("OCHK")) {
    if (block.size() < mark_size + checksum_size) return false;
    return are_sound_messages(file, Cursor(block.subspan(mark_size, block.size() - mark_size - checksum_size)));
  }
  if (is("GCOL")) return is_sound_heap(block);
  if (is("BTHD")) return LinkTree(file).is_sound(c);
  if (is("FRHP")) return is_sound_link_heap(c);
  if (is("EAHD")) return is_sound_block_list(file, c);
  if (is("BTIN") || is("BTLF") || is("FHIB") || is("FHDB") || is("EAIB") || is("EASB") || is("EADB")) return true;
  return can_be_page(block.size()) || is_sound_old_header(file, c);
}

}  // namespace

bool is_sound_block(const IndexSource& file, std::uint64_t at, Bytes bytes, SoundBlock& last) {
  if (at == last.begin && bytes.size() == last.end - at && at < last.end) return true;
  const std::uint64_t length = length_of(bytes);
  if (length == 0 || at > file.length || length > file.length - at) return false;
  last = {at + bytes.size(), at + length};
  if (length <= bytes.size()) return is_sound_whole(file, bytes.first(static_cast<std::size_t>(length)));
  std::vector<unsigned char> whole(static_cast<std::size_t>(length));
  return file.read(at, whole) && is_sound_whole(file, whole);
}

}  // namespace filum::record
