/// Messages of HDF5's object headers: what a dataset, a group or an attribute is. User document:
/// docs/guide/security.md.
#pragma once

#include "hdf5_index.hpp"

namespace filum::record {

/// Whether a message is one that filum writes, or that others add to its files, and fits into its room.
bool is_sound_message(const IndexSource& file, unsigned type, unsigned flags, std::span<const unsigned char> body);

}  // namespace filum::record
