/// Whether parts of an HDF5 file are what filum writes: files may come from anywhere. User document:
/// docs/guide/security.md.
#pragma once

#include <hdf5.h>

#include <string>

namespace filum::record {

/// Why this name is not followed; empty when it leads to something in the same file.
std::string objection_to_name(hid_t file, const std::string& name);
/// Why these numbers are not read; empty when they can be.
std::string objection_to_dataset(hid_t set);
/// Why this attribute is not one text.
std::string objection_to_text(hid_t attribute);

}  // namespace filum::record
