/// A folder that one process alone writes to. User document: docs/guide/studies.md, "Running".
#include "folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

namespace filum::study {

FolderLock::FolderLock(const std::filesystem::path& folder)
    : file_(open((folder / ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {}

FolderLock::~FolderLock() {
  if (file_ >= 0) close(file_);
}

bool FolderLock::acquire() { return flock(file_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; }

}  // namespace filum::study
