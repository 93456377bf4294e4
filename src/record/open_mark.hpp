/// The first block of HDF5 files that are being written. User document: docs/guide/results.md.
#pragma once

#include <filum/record/hdf5_file.hpp>

namespace filum::record {

/// After a flush: the file is an ordinary one of this length; what was reserved in vain is given back.
void take_off_mark(const std::filesystem::path& path, std::uint64_t length);
/// Before frames are written: room for them on the disk, within the length that the file says it has.
void reserve_space(const std::filesystem::path& path, std::uint64_t bytes);

}  // namespace filum::record
