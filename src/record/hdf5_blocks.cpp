/// Series of result files, block by block past the filters of HDF5. User document: docs/guide/results.md.
#include "hdf5_blocks.hpp"

#include "hdf5_id.hpp"
#include "packing.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace filum::record {
namespace {

/// Frames in a block of a dataset of doubles that are shuffled, then deflated, all numbers of a frame together; 0 for
/// all others.
hsize_t frames_in_block(hid_t set, const std::vector<hsize_t>& sizes) {
  const Id type(H5Dget_type(set), H5Tclose), layout(H5Dget_create_plist(set), H5Pclose);
  if (H5Tequal(type, H5T_NATIVE_DOUBLE) <= 0 || H5Pget_layout(layout) != H5D_CHUNKED || H5Pget_nfilters(layout) != 2)
    return 0;
  constexpr H5Z_filter_t filters[] = {H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE};
  for (unsigned k = 0; k < 2; ++k) {
    unsigned flags = 0, config = 0;
    std::size_t values = 0;
    if (H5Pget_filter2(layout, k, &flags, &values, nullptr, 0, nullptr, &config) != filters[k]) return 0;
  }
  std::array<hsize_t, H5S_MAX_RANK> block{};
  const int rank = H5Pget_chunk(layout, H5S_MAX_RANK, block.data());
  const bool fits = rank == static_cast<int>(sizes.size()) && std::equal(sizes.begin() + 1, sizes.end(), &block[1]);
  return fits ? block[0] : 0;
}

}  // namespace

bool read_blocks(hid_t set, std::span<double> out) {
  const std::vector<hsize_t> sizes = extent(set);
  const hsize_t length = sizes.empty() ? 0 : frames_in_block(set, sizes);
  if (length == 0 || out.empty()) return false;
  const std::size_t row = out.size() / sizes[0], count = length * row;
  constexpr std::size_t largest = 1 << 23;  // a file may say anything
  if (length > 1 && count > largest) return false;
  Inflater inflater;
  std::vector<unsigned char> packed, bytes(8 * count);
  std::vector<hsize_t> offset(sizes.size(), 0);
  for (; offset[0] < sizes[0]; offset[0] += length) {
    hsize_t size = 0;
    std::uint32_t skipped = 0;
    if (H5Dget_chunk_storage_size(set, offset.data(), &size) < 0 || size == 0 || size > 2 * bytes.size() + 64)
      return false;
    packed.resize(size);
    if (H5Dread_chunk(set, H5P_DEFAULT, offset.data(), &skipped, packed.data()) < 0 || skipped != 0) return false;
    if (!inflater.unpack(packed, bytes)) return false;
    const std::size_t first = offset[0] * row;
    unshuffle(bytes.data(), count, out.subspan(first, std::min(count, out.size() - first)));
  }
  return true;
}

}  // namespace filum::record
