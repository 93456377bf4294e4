/// Property lists of a file, made once: making one takes longer than making many a dataset. User document:
/// docs/guide/results.md.
#pragma once

#include "hdf5_id.hpp"

#include <optional>

namespace filum::record {

class Properties {
 public:
  /// Of names: groups on the way are made, too.
  hid_t of_links() {
    return made(links_, H5P_LINK_CREATE, [](hid_t list) { H5Pset_create_intermediate_group(list, 1); });
  }
  /// Of series with these blocks.
  hid_t of_series(const std::vector<hsize_t>& block) {
    const hid_t list = made(series_, H5P_DATASET_CREATE, [](hid_t fresh) {
      H5Pset_shuffle(fresh);
      H5Pset_deflate(fresh, 1);
    });
    H5Pset_chunk(list, static_cast<int>(block.size()), block.data());
    return list;
  }
  /// Of a series that is opened: one block is in work.
  hid_t of_access() {
    return made(access_, H5P_DATASET_ACCESS, [](hid_t list) {
      H5Pset_chunk_cache(list, 1, H5D_CHUNK_CACHE_NBYTES_DEFAULT, H5D_CHUNK_CACHE_W0_DEFAULT);
    });
  }

 private:
  template <class F>
  static hid_t made(std::optional<Id>& list, hid_t kind, F&& set_up) {
    if (!list) {
      list.emplace(property(kind));
      set_up(*list);
    }
    return *list;
  }

  std::optional<Id> links_, series_, access_;
};

}  // namespace filum::record
