/// HDF5 files that are made or changed in one stroke. User document: docs/guide/security.md.
#pragma once

#include <filum/record/hdf5_file.hpp>

#include <functional>

namespace filum::record {

/// Creates a file under an unpredictable name, then puts it in place: readers never see half of it.
void make_file(const std::filesystem::path& file, const std::function<void(Hdf5File&)>& make);
/// Changes a copy, which then takes the place of the file.
void change_file(const std::filesystem::path& file, const std::function<void(Hdf5File&)>& change);

}  // namespace filum::record
