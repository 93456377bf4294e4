/// The folder of a run. User document: docs/guide/results.md.
#pragma once

#include <filesystem>
#include <string>

namespace filum::scenario {

/// Makes the folder, and room in it: results that are there are refused, or removed when `force` is set. Throws
/// ScenarioError.
void prepare_folder(const std::filesystem::path& folder, bool force);
/// Throws record::FileTrouble.
void write_text(const std::filesystem::path& file, const std::string& text);

}  // namespace filum::scenario
