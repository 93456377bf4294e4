/// HDF5's heap of texts, which has no checksum. User document: docs/guide/security.md.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace filum::record {

inline constexpr std::string_view heap_mark = "GCOL";

/// Bytes that HDF5 is about to read from a file with `left` bytes from there on: false when they begin a heap of texts
/// whose entries do not fit into it. HDF5 follows their sizes without a look at the end of the heap.
inline bool is_sound_heap(std::span<const unsigned char> bytes, std::uint64_t left) {
  constexpr std::uint64_t head = 16, entry = 16, smallest = 4096, alignment = 8;
  const auto number = [&](std::uint64_t at) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  };
  if (bytes.size() < head || std::memcmp(bytes.data(), heap_mark.data(), heap_mark.size()) != 0) return true;
  const std::uint64_t size = number(8);
  if (size < smallest || size > left) return false;
  if (size > bytes.size()) return true;  // its beginning; the whole of it will be read next
  for (std::uint64_t at = head; size - at >= entry;) {
    const bool is_free = bytes[at] == 0 && bytes[at + 1] == 0;
    const std::uint64_t own = number(at + 8);
    if (own > size - at) return false;
    const std::uint64_t all = is_free ? own : entry + (own + alignment - 1) / alignment * alignment;
    if (all < entry || all > size - at) return false;
    at += all;
  }
  return true;
}

/// The same for every heap in a file that is in memory.
inline bool has_sound_heaps(std::string_view image) {
  for (std::size_t at = image.find(heap_mark); at != std::string_view::npos; at = image.find(heap_mark, at + 1)) {
    const std::string_view rest = image.substr(at);
    if (!is_sound_heap({reinterpret_cast<const unsigned char*>(rest.data()), rest.size()}, rest.size())) return false;
  }
  return true;
}

}  // namespace filum::record
