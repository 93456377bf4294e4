/// A folder that only one process writes to. User document: docs/guide/results.md, "One writer".
#pragma once

#include <filum/config/problem.hpp>

#include <filesystem>

namespace filum::record {

/// A folder that cannot be used as it is.
class FolderRefused : public config::InputError {
 public:
  FolderRefused(const std::filesystem::path& folder, const std::string& why)
      : InputError({{.place = {.source = folder.string()}, .key = {}, .message = why}}) {}
};

/// Another process is writing to the folder. The message says which.
class FolderBusy : public FolderRefused {
  using FolderRefused::FolderRefused;
};

/// Held from construction to destruction, and no longer than the process lives: the lock is flock's on a file in the
/// folder, not the file. On file systems without locks nothing is excluded.
class FolderLock {
 public:
  /// The folder must exist. Does not wait. Throws FolderBusy, and FolderRefused when nothing can be written there.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  bool try_once();

  std::filesystem::path folder_, file_;
  int descriptor_ = -1;
};

}  // namespace filum::record
