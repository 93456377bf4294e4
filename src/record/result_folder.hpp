/// The folder of a run. User document: docs/guide/results.md.
#pragma once

#include <filum/record/folder_lock.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace filum::record {

/// Makes the folder, unless it is there. Throws FolderRefused.
void make_folder(const std::filesystem::path& folder);

/// Makes room in a folder that is locked: results that are there are refused, or removed when `force` is set. Only
/// files that filum wrote are removed, and never `input`, the file that is being run. Throws FolderRefused.
void prepare_folder(const std::filesystem::path& folder, bool force, const std::filesystem::path& input);

/// A folder while something writes its results into it: made, locked, free of earlier results, with scenario.toml in it
/// if there is a `source`; whoever writes a checkpoint makes it lasting before. An empty path: nothing happens. Throws
/// FolderRefused and FolderBusy.
class RunFolder {
 public:
  RunFolder(const std::filesystem::path& folder, bool force, const std::filesystem::path& input,
            const std::string& source);

 private:
  std::optional<FolderLock> lock_;
};

/// Removes what runs left in this folder that were killed while they wrote.
void clean_up(const std::filesystem::path& folder);

}  // namespace filum::record
