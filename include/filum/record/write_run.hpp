/// Results that were kept in memory as the files of a run. User document: docs/python/README.md, "Results".
#pragma once

#include <filum/record/run.hpp>

#include <filesystem>

namespace filum::record {

/// Writes result.h5 and summary.json into a folder that does not have them: enough for the report page and for
/// read_run. Throws FileTrouble, and std::invalid_argument when the series were not kept.
void write_run(const std::filesystem::path& folder, const Run& run);

}  // namespace filum::record
