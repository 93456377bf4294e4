/// Objects of HDF5 that close themselves. User document: docs/guide/results.md.
#pragma once

#include <hdf5.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace filum::record {

class Id {
 public:
  Id(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Id(Id&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Id(const Id&) = delete;
  Id& operator=(const Id&) = delete;
  ~Id() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }  // NOLINT: stands for the id

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

inline Id property(hid_t of) { return {H5Pcreate(of), H5Pclose}; }
inline Id space_of(const std::vector<hsize_t>& shape, const std::vector<hsize_t>& largest) {
  return {H5Screate_simple(static_cast<int>(shape.size()), shape.data(), largest.empty() ? nullptr : largest.data()),
          H5Sclose};
}

inline std::vector<hsize_t> extent(hid_t set) {
  const Id space(H5Dget_space(set), H5Sclose);
  std::vector<hsize_t> sizes(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
  H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
  return sizes;
}

}  // namespace filum::record
