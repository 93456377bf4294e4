/// Writing a file so that readers see the old one or the new one, never half of it. User document: docs/guide/results.md.
#pragma once

#include <filesystem>
#include <string>

namespace filum::record {

/// Writes beside the old file and puts the new one in its place. `what` is how messages call it, such as "the summary".
/// Throws FileTrouble.
void replace_file(const std::filesystem::path& file, const std::string& text, const std::string& what);

}  // namespace filum::record
