/// How HDF5 reaches the disk: files that anybody can open at any moment. User document: docs/guide/results.md, "Reading
/// while a run goes on".
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <string>
#include <string_view>

// A file in HDF5's streaming mode is consistent at any moment, in the order in which HDF5 writes, but for its first
// block. That says "being written", and ordinary readers then refuse the whole file: for good, if the writer was
// killed. It also says how long the file is; readers take nothing for valid that lies beyond, and refuse files that are
// shorter. This driver never lets the mark through, and keeps a file that grows longer than it has to be, by a hole
// that takes no room on the disk, so that readers that have opened it find what is written in the meantime. The hole
// goes when the file is closed.
namespace filum::record::driver {

/// Makes HDF5 use the driver for files that are opened with these properties.
void select(hid_t access);

/// Opens a file that is in memory, and stays there until it is closed.
hid_t open_image(const char* name, std::string_view image, hid_t access);

/// From now on until the file is closed, it is longer than it has to be.
void start_streaming(hid_t file);
/// Makes sure that this many bytes will fit on the disk. False when they do not; errno says why.
bool reserve(hid_t file, std::uint64_t bytes);
/// Everything that was written is on the disk afterwards. False: errno says why.
bool sync(hid_t file);

/// When it is closed, the file does not wait for the disk.
void leave_to_system(hid_t file);

/// Why the last call of this thread failed that opened, read or wrote a file; empty when none did since `forget`.
const std::string& last_trouble();
void forget_trouble();

}  // namespace filum::record::driver
