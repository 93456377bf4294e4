/// The folder of a run. User document: docs/guide/results.md.
#pragma once

#include <filesystem>
#include <string>

namespace filum::record {

/// Makes the folder, and room in it: results that are there are refused, or removed when `force` is set. Throws
/// config::InputError.
void prepare_folder(const std::filesystem::path& folder, bool force);

}  // namespace filum::record
