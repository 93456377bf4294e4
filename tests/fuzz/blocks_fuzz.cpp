/// Fuzz target: a series whose blocks contain anything is read as HDF5 reads it, or refused with a message. User
/// document: docs/guide/security.md, "Files".
#include "input_file.hpp"

#include <filum/record/hdf5_file.hpp>

#include <hdf5.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>

namespace {

using filum::record::FileTrouble;
using filum::record::Hdf5File;

/// Takes numbers off the input; zeros behind its end.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : rest_(data, size) {}
  std::uint8_t byte() { return rest_.empty() ? 0 : bytes(1)[0]; }
  std::span<const std::uint8_t> bytes(std::size_t count) {
    const auto taken = rest_.first(std::min(count, rest_.size()));
    rest_ = rest_.subspan(taken.size());
    return taken;
  }

 private:
  std::span<const std::uint8_t> rest_;
};

/// A file with one series, whose layout and blocks come from the input.
void make_file(const std::filesystem::path& path, Input& in) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  const hsize_t sizes[] = {in.byte(), hsize_t{1} + in.byte() % 8}, largest[] = {H5S_UNLIMITED, sizes[1]};
  const std::uint8_t how = in.byte();
  const hsize_t block[] = {hsize_t{1} + in.byte() % 32, how % 16 == 15 ? hsize_t{1} : sizes[1]};
  const hid_t layout = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, sizes, largest);
  H5Pset_chunk(layout, 2, block);
  if ((how & 16) != 0) H5Pset_shuffle(layout);
  if ((how & 32) != 0) H5Pset_deflate(layout, 1);
  if ((how & 64) != 0) H5Pset_shuffle(layout);
  const hid_t type = (how & 128) != 0 ? H5T_IEEE_F64BE : H5T_NATIVE_DOUBLE;
  const hid_t set = H5Dcreate2(file, "x", type, space, H5P_DEFAULT, layout, H5P_DEFAULT);
  const std::vector<double> values(block[0] * sizes[1], 1.5);
  for (hsize_t first = 0; first < sizes[0]; first += block[0]) {
    const hsize_t offset[] = {first, 0};
    const std::uint8_t what = in.byte();
    if (what < 16) continue;  // never written
    if (what < 96) {          // written by HDF5
      const hsize_t count[] = {std::min(block[0], sizes[0] - first), sizes[1]};
      const hid_t memory = H5Screate_simple(2, count, nullptr), target = H5Dget_space(set);
      H5Sselect_hyperslab(target, H5S_SELECT_SET, offset, nullptr, count, nullptr);
      H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, target, H5P_DEFAULT, values.data());
      H5Sclose(memory), H5Sclose(target);
      continue;
    }
    const std::uint32_t skipped = in.byte() % 8;
    const auto packed = in.bytes(in.byte() + 16U * in.byte());
    if (!packed.empty()) H5Dwrite_chunk(set, H5P_DEFAULT, skipped, offset, packed.size(), packed.data());
  }
  H5Dclose(set), H5Sclose(space), H5Pclose(layout), H5Pclose(access), H5Fclose(file);
}

/// What HDF5 makes of it. Only asked where every block is as long as it should be: it does not look.
std::vector<double> as_hdf5_reads(const std::filesystem::path& path, std::size_t count) {
  std::vector<double> values(count);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), set = H5Dopen2(file, "x", H5P_DEFAULT);
  if (H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) std::abort();
  H5Dclose(set), H5Fclose(file);
  return values;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  static const std::filesystem::path folder = filum::fuzz::folder_with("blocks.h5", nullptr, 0);
  Input in(data, size);
  make_file(folder / "blocks.h5", in);
  try {
    const std::vector<double> values = Hdf5File(folder / "blocks.h5", Hdf5File::Mode::read).read("x");
    const std::vector<double> expected = as_hdf5_reads(folder / "blocks.h5", values.size());
    if (!values.empty() && std::memcmp(values.data(), expected.data(), sizeof(double) * values.size()) != 0)
      std::abort();
  } catch (const FileTrouble& error) {
    if (std::string(error.what()).empty()) std::abort();
  }
  return 0;
}
