/// HDF5's heap of texts. User document: docs/guide/security.md.
#include "hdf5_heap.hpp"

#include "hdf5_cursor.hpp"

#include <vector>

namespace filum::record {
namespace {

constexpr std::uint64_t heap_head = 16, entry_head = 16, smallest_heap = 4096, entry_alignment = 8;

struct Entry {
  std::uint64_t number = 0, length = 0;
};

/// Calls see(entry) until it says true: then true. False at the end, with `is_sound` false when there is none.
template <class See>
bool find_entry(std::span<const unsigned char> heap, bool& is_sound, const See& see) {
  Cursor c(heap);
  c.skip(heap_head);
  is_sound = c.is_good();
  while (is_sound && c.size() >= entry_head) {
    Cursor e(c.take(entry_head));
    const std::uint64_t number = e.number(2);
    e.skip(6);
    const std::uint64_t own = e.number(8), left = c.size() + entry_head;
    is_sound = own <= left;
    if (!is_sound) break;
    const std::uint64_t all =
        number == 0 ? own : entry_head + (own + entry_alignment - 1) / entry_alignment * entry_alignment;
    is_sound = all >= entry_head && all <= left;
    if (!is_sound) break;
    if (number != 0 && see(Entry{number, own})) return true;
    c.skip(all - entry_head);
  }
  return false;
}

}  // namespace

bool begins_heap(std::span<const unsigned char> bytes) { return Cursor(bytes).begins_with("GCOL"); }

std::uint64_t heap_length(std::span<const unsigned char> beginning) {
  Cursor c(beginning);
  const bool is_heap = begins_heap(beginning);
  c.skip(8);
  const std::uint64_t size = c.number(8);
  return is_heap && c.is_good() && size >= smallest_heap ? size : 0;
}

bool is_sound_heap(std::span<const unsigned char> heap) {
  bool is_sound = false;
  find_entry(heap, is_sound, [](const Entry&) { return false; });
  return is_sound;
}

bool heap_has(const IndexSource& file, std::uint64_t at, std::uint64_t number, std::uint64_t length) {
  std::vector<unsigned char> bytes(heap_head);
  if (at > file.length || heap_head > file.length - at || !file.read(at, bytes)) return false;
  const std::uint64_t size = heap_length(bytes);
  if (size == 0 || size > file.length - at) return false;
  bytes.resize(size);
  bool is_sound = false;
  return file.read(at, bytes) &&
         find_entry(bytes, is_sound, [&](const Entry& e) { return e.number == number && e.length >= length; });
}

}  // namespace filum::record
