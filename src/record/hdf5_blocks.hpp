/// Series of result files, block by block past the filters of HDF5. User document: docs/guide/results.md.
#pragma once

#include "packing.hpp"

#include <hdf5.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace filum::record {

/// How a dataset that grows is stored: whole frames in blocks, which may be shuffled and then deflated. Others, such as
/// those of h5repack, may leave out either.
struct BlockLayout {
  hsize_t frames = 0;                      ///< in a block
  std::uint32_t shuffle = 0, deflate = 0;  ///< the bits that stand for the filters; 0: not used
  std::string objection;                   ///< why this is not how the dataset is stored; empty: it is
};
BlockLayout block_layout(hid_t set, std::span<const hsize_t> sizes);

/// Reads the blocks of a dataset four times as fast as HDF5. Nor do HDF5's filters notice a block that unpacks to fewer
/// bytes than it should: HDF5 goes on with what lies behind them in memory.
class BlockReader {
 public:
  /// Of a dataset whose layout nothing is objected to.
  explicit BlockReader(hid_t set);
  hsize_t frames_in_block() const { return layout_.frames; }
  /// The frames from `first` on, where a block begins; false: one of the blocks is missing or damaged. A last block
  /// that has not been written yet is zero.
  bool read(hsize_t first, std::span<double> out);

 private:
  bool read_block(hsize_t first, std::span<double> out);
  bool is_written() const;

  hid_t set_;
  std::vector<hsize_t> sizes_, offset_;
  BlockLayout layout_;
  std::size_t row_ = 1;  ///< numbers of a frame
  Inflater inflater_;
  std::vector<unsigned char> packed_, bytes_;
};

}  // namespace filum::record
