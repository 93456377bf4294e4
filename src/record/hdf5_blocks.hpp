/// Series of result files, block by block past the filters of HDF5. User document: docs/guide/results.md.
#pragma once

#include <hdf5.h>

#include <span>

namespace filum::record {

/// Reads a whole dataset as `Hdf5File::make_series` makes them: four times as fast as HDF5. False when it is another
/// one or a block is missing or damaged: HDF5 can read it, or say why not.
bool read_blocks(hid_t set, std::span<double> out);

}  // namespace filum::record
