/// Results of a run in a folder, read back. User document: docs/python/README.md, "Results".
#pragma once

#include <filum/record/run.hpp>

#include <filesystem>
#include <map>
#include <string>

namespace filum::record {

struct StoredResults {
  std::map<std::string, Series, std::less<>>
      series;           ///< as Run::all; of arrays that do not change the first index counts as frame
  std::string summary;  ///< the text of summary.json, empty when there is none
};

/// All series have as many frames as "time" has: a run that was killed may have written more of some. Throws
/// FileTrouble.
StoredResults read_run(const std::filesystem::path& folder);

}  // namespace filum::record
