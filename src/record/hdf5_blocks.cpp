/// Series of result files, block by block past the filters of HDF5. User document: docs/guide/results.md.
#include "hdf5_blocks.hpp"

#include "hdf5_id.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace filum::record {

BlockLayout block_layout(hid_t set, std::span<const hsize_t> sizes) {
  BlockLayout found;
  const Id made(H5Dget_create_plist(set), H5Pclose);
  std::array<hsize_t, H5S_MAX_RANK> block{};
  const int rank = H5Pget_chunk(made, H5S_MAX_RANK, block.data());
  if (rank != static_cast<int>(sizes.size()) || block[0] == 0 ||
      !std::equal(sizes.begin() + 1, sizes.end(), block.begin() + 1)) {
    found.objection = "does not consist of whole frames";
    return found;
  }
  found.frames = block[0];
  for (int k = 0; k < H5Pget_nfilters(made); ++k) {
    unsigned flags = 0;
    std::size_t none = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(made, static_cast<unsigned>(k), &flags, &none, nullptr, 0, nullptr, nullptr);
    const std::uint32_t bit = std::uint32_t{1} << k;
    if (filter == H5Z_FILTER_SHUFFLE && k == 0)
      found.shuffle = bit;
    else if (filter == H5Z_FILTER_DEFLATE && found.deflate == 0)
      found.deflate = bit;
    else
      found.objection = "is packed in an unknown way";
  }
  return found;
}

BlockReader::BlockReader(hid_t set)
    : set_(set), sizes_(extent(set)), offset_(sizes_.size(), 0), layout_(block_layout(set, sizes_)) {
  for (std::size_t k = 1; k < sizes_.size(); ++k) row_ *= sizes_[k];
  bytes_.resize(sizeof(double) * layout_.frames * row_);
}

bool BlockReader::read(hsize_t first, std::span<double> out) {
  const std::size_t step = layout_.frames * row_;
  for (; !out.empty(); first += layout_.frames) {
    const std::size_t count = std::min(step, out.size());
    if (!read_block(first, out.first(count))) return false;
    out = out.subspan(count);
  }
  return true;
}

/// HDF5 1.10 gives no size either where the index cannot be read.
bool BlockReader::is_written() const {
  unsigned skipped = 0;
  haddr_t at = HADDR_UNDEF;
  hsize_t size = 0;
  return H5Dget_chunk_info_by_coord(set_, offset_.data(), &skipped, &at, &size) < 0 || at != HADDR_UNDEF;
}

bool BlockReader::read_block(hsize_t first, std::span<double> out) {
  offset_[0] = first;
  hsize_t size = 0;
  // HDF5 1.10 fails where nothing is stored, later versions say 0.
  if (H5Dget_chunk_storage_size(set_, offset_.data(), &size) < 0) size = 0;
  if (size > 2 * bytes_.size() + 64) return false;
  if (size == 0) {
    std::fill(out.begin(), out.end(), 0.0);
    return first + layout_.frames >= sizes_[0] && !is_written();
  }
  packed_.resize(size);
  std::uint32_t skipped = 0;  // filters that were of no use for this block
  if (H5Dread_chunk(set_, H5P_DEFAULT, offset_.data(), &skipped, packed_.data()) < 0) return false;
  const bool is_deflated = (layout_.deflate & ~skipped) != 0, is_shuffled = (layout_.shuffle & ~skipped) != 0;
  if (is_deflated ? !inflater_.unpack(packed_, bytes_) : packed_.size() != bytes_.size()) return false;
  const unsigned char* bytes = is_deflated ? bytes_.data() : packed_.data();
  if (is_shuffled)
    unshuffle(bytes, bytes_.size() / sizeof(double), out);
  else
    std::memcpy(out.data(), bytes, out.size_bytes());
  return true;
}

}  // namespace filum::record
