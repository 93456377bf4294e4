/// A folder that one process alone writes to. User document: docs/guide/studies.md, "Running".
#pragma once

#include <filesystem>

namespace filum::study {

/// Held from `acquire` to destruction, and no longer than the process lives. File systems without locks hold anything.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  bool is_writable() const { return file_ >= 0; }
  /// Does not wait. False: another process has it.
  bool acquire();

 private:
  int file_ = -1;
};

}  // namespace filum::study
