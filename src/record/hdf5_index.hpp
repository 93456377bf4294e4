/// Blocks of HDF5's index, before HDF5 sees them: it follows the sizes and counts in them without a look at their end.
/// User document: docs/guide/security.md.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace filum::record {

/// A file as far as HDF5 takes it to be one.
struct IndexSource {
  std::uint64_t length = 0;
  /// False: it cannot be read.
  std::function<bool(std::uint64_t at, std::span<unsigned char> out)> read;
};

/// What is left of the block that was looked at last: HDF5 reads its beginning first and the rest of it next.
struct SoundBlock {
  std::uint64_t begin = 0, end = 0;
};

/// Whether bytes of the index at a place can be handed to HDF5: they begin a block such as filum writes, or continue
/// the last one.
bool is_sound_block(const IndexSource& file, std::uint64_t at, std::span<const unsigned char> bytes, SoundBlock& last);

}  // namespace filum::record
