/// Whether a run has ended, by what is in its folder. User document: docs/guide/results.md, "Resuming".
#pragma once

#include <filesystem>
#include <string>

namespace filum::record {

struct Completion {
  std::string status;   ///< "done", "stopped", "interrupted"; empty when the run has not ended
  std::string summary;  ///< the text of summary.json; empty when the run has not ended
};

/// A run has ended if summary.json says so, and result.h5 has every frame that it mentions.
Completion completion_of(const std::filesystem::path& folder);

}  // namespace filum::record
