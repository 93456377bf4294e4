/// Parts of HDF5 files that are not what filum writes. User document: docs/guide/security.md.
#include "hdf5_check.hpp"

#include "hdf5_blocks.hpp"
#include "hdf5_id.hpp"

#include <cstdint>

namespace filum::record {
namespace {

/// Numbers of a file take room in it: deflate shrinks by a factor of about a thousand at most, and blocks that were
/// never written take none.
bool is_plausible(std::uint64_t numbers, std::uint64_t stored) {
  constexpr std::uint64_t most_shrinking = 1100, never_written = 64 << 20, largest = std::uint64_t{1} << 50;
  if (stored > largest / most_shrinking) return numbers <= largest;
  return numbers <= (stored * most_shrinking + never_written) / sizeof(double);
}

std::string objection_to_layout(hid_t set, const std::vector<hsize_t>& sizes) {
  const Id made(H5Dget_create_plist(set), H5Pclose);
  const H5D_layout_t layout = H5Pget_layout(made);
  if (layout != H5D_CHUNKED && layout != H5D_CONTIGUOUS) return "is stored in other files";
  if (H5Pget_external_count(made) != 0) return "is stored in other files";
  if (layout != H5D_CHUNKED) return {};
  const BlockLayout blocks = block_layout(set, sizes);
  if (!blocks.objection.empty()) return blocks.objection;
  std::uint64_t numbers = blocks.frames;
  for (std::size_t k = 1; k < sizes.size(); ++k)
    if (__builtin_mul_overflow(numbers, std::uint64_t{sizes[k]}, &numbers)) return "has impossible blocks";
  return is_plausible(numbers, H5Dget_storage_size(set)) ? "" : "claims blocks that are larger than the file";
}

}  // namespace

std::string objection_to_name(hid_t file, const std::string& name) {
  if (name.empty() || name == "/" || name.find('\0') != std::string::npos) return "has no name";
  for (std::size_t cut = name.find('/', 1);; cut = name.find('/', cut + 1)) {
    const std::string part = name.substr(0, cut);
    H5L_info_t link{};
    if (H5Lexists(file, part.c_str(), H5P_DEFAULT) <= 0) return "is missing";
    if (H5Lget_info(file, part.c_str(), &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD)
      return "is a link to somewhere else";
    if (cut == std::string::npos) return {};
  }
}

std::string objection_to_dataset(hid_t set) {
  const Id type(H5Dget_type(set), H5Tclose), space(H5Dget_space(set), H5Sclose);
  if (H5Tequal(type, H5T_NATIVE_DOUBLE) <= 0) return "does not consist of numbers";
  constexpr int most_directions = 8;
  const int rank = H5Sget_simple_extent_ndims(space);
  if (H5Sget_simple_extent_type(space) != H5S_SIMPLE || rank < 1 || rank > most_directions)
    return "is not an array of numbers";
  std::uint64_t numbers = 1;
  const std::vector<hsize_t> sizes = extent(set);
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    if (k > 0 && sizes[k] == 0) return "has entries without numbers";
    if (__builtin_mul_overflow(numbers, std::uint64_t{sizes[k]}, &numbers)) return "claims to be endless";
  }
  if (!is_plausible(numbers, H5Dget_storage_size(set))) return "claims to be larger than the file";
  return objection_to_layout(set, sizes);
}

std::string objection_to_text(hid_t attribute) {
  const Id type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
  const bool is_text = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0;
  const bool is_one = H5Sget_simple_extent_type(space) == H5S_SCALAR;
  return is_text && is_one ? "" : "is not text";
}

}  // namespace filum::record
