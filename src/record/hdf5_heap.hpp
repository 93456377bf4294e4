/// HDF5's heap of texts, which has no checksum. User document: docs/guide/security.md.
#pragma once

#include "hdf5_index.hpp"

namespace filum::record {

/// Whether the entries of a whole heap fit into it. HDF5 follows their sizes without a look at the end of the heap.
bool is_sound_heap(std::span<const unsigned char> heap);
bool begins_heap(std::span<const unsigned char> bytes);
/// How long the heap says that it is; 0 when that cannot be.
std::uint64_t heap_length(std::span<const unsigned char> beginning);
/// Whether the heap at a place has an entry of this number and at least this length.
bool heap_has(const IndexSource& file, std::uint64_t at, std::uint64_t number, std::uint64_t length);

}  // namespace filum::record
