/// A folder that only one process writes to. User document: docs/guide/results.md, "One writer".
#include <filum/record/folder_lock.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace filum::record {
namespace {

/// The text left by the holder of the lock: "4711 on host".
std::string holder(int descriptor) {
  std::array<char, 80> text{};
  const ssize_t n = pread(descriptor, text.data(), text.size() - 1, 0);
  std::string word(text.data(), static_cast<std::size_t>(n > 0 ? n : 0));
  word.resize(std::min(word.find('\n'), word.size()));
  for (const char c : word)
    if (c < ' ' || c > '~') return {};
  return word;
}

void sign(int descriptor) {
  std::array<char, 64> host{};
  if (gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  const std::string text = std::to_string(getpid()) + " on " + host.data() + "\n";
  // Only for messages: a disk that is full does not matter here.
  if (ftruncate(descriptor, 0) == 0 && pwrite(descriptor, text.data(), text.size(), 0) < 0) return;
}

bool is_same_file(int descriptor, const std::filesystem::path& file) {
  struct stat open {
  }, named{};
  return fstat(descriptor, &open) == 0 && lstat(file.c_str(), &named) == 0 && open.st_ino == named.st_ino &&
         open.st_dev == named.st_dev;
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder) : folder_(folder), file_(folder / ".filum-lock") {
  while (!try_once()) {
  }
}

/// False when the previous holder has removed its file in the meantime: then another file has to be locked.
bool FolderLock::try_once() {
  descriptor_ = open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644);
  struct stat status {};
  if (descriptor_ < 0 || fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
    const std::string reason = descriptor_ < 0 ? std::strerror(errno) : ".filum-lock is not a file";
    if (descriptor_ >= 0) close(descriptor_);
    throw FolderRefused(folder_, "the folder is not writable (" + reason + ")");
  }
  if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    const std::string who = holder(descriptor_);
    close(descriptor_);
    throw FolderBusy(folder_, "another process" + (who.empty() ? "" : " (" + who + ")") +
                                  " is writing to this folder; wait until it has ended, or choose another folder");
  }
  if (!is_same_file(descriptor_, file_)) {
    close(descriptor_);
    return false;
  }
  sign(descriptor_);
  return true;
}

FolderLock::~FolderLock() {
  unlink(file_.c_str());  // while it is locked, so that no other process can have taken it
  close(descriptor_);
}

}  // namespace filum::record
