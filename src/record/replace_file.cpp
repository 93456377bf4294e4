/// Writing a file in one stroke. User document: docs/guide/security.md.
#include <filum/record/hdf5_file.hpp>
#include <filum/record/replace_file.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <deque>

namespace filum::record {
namespace {

constexpr std::string_view draft_prefix = ".filum-draft-";

std::filesystem::path folder_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

std::string random_word() {
  std::array<unsigned char, 8> random{};  // the system's, not a sequence that can be guessed
  if (getentropy(random.data(), random.size()) != 0)
    throw FileTrouble(std::string("the system has no random numbers (") + std::strerror(errno) + ")");
  std::string word;
  for (const unsigned char byte : random) {
    word += "0123456789abcdef"[byte >> 4];
    word += "0123456789abcdef"[byte & 15U];
  }
  return word;
}

}  // namespace

Draft::Draft(std::filesystem::path target, std::string what)
    : target_(std::move(target)),
      path_(unguessable_name(target_)),
      what_(std::move(what)),
      descriptor_(open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) fail("written");
  flock(descriptor_, LOCK_SH | LOCK_NB);  // not abandoned
}

Draft::~Draft() {
  if (descriptor_ < 0) return;
  unlink(path_.c_str());
  close(descriptor_);
}

void Draft::fail(const char* action) const {
  throw FileTrouble(target_.string() + ": " + what_ + " cannot be " + action + " (" + std::strerror(errno) + ")");
}

void Draft::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(descriptor_, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("written");
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

void Draft::sync() const {
  if (fsync(descriptor_) != 0 && errno != EINVAL) fail("written");
}

void Draft::put_in_place() {
  if (rename(path_.c_str(), target_.c_str()) != 0) fail("replaced");
  close(descriptor_);
  descriptor_ = -1;
}

void replace_file(const std::filesystem::path& file, std::string_view text, const std::string& what,
                  Durability durability) {
  Draft draft(file, what);
  draft.write(text);
  if (durability == Durability::lasting) draft.sync();
  draft.put_in_place();
  if (durability == Durability::lasting) sync_folder(folder_of(file));
}

void replace_files(const std::vector<NewFile>& files, Durability durability) {
  std::deque<Draft> drafts;
  for (const NewFile& f : files) f.write(drafts.emplace_back(f.file, f.what));
  if (durability == Durability::lasting)
    for (const Draft& draft : drafts) draft.sync();
  for (Draft& draft : drafts) draft.put_in_place();
  if (!files.empty() && durability == Durability::lasting) sync_folder(folder_of(files.front().file));
}

std::filesystem::path unguessable_name(const std::filesystem::path& target) {
  return folder_of(target) / (std::string(draft_prefix) + random_word());
}

void rename_file(const std::filesystem::path& draft, const std::filesystem::path& target, const std::string& what) {
  if (rename(draft.c_str(), target.c_str()) != 0)
    throw FileTrouble(target.string() + ": " + what + " cannot be replaced (" + std::strerror(errno) + ")");
}

void sync_file(const std::filesystem::path& file, const std::string& what) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return;
  const bool is_good = fsync(descriptor) == 0 || errno == EINVAL;
  const int trouble = errno;
  close(descriptor);
  if (!is_good) throw FileTrouble(file.string() + ": " + what + " cannot be written (" + std::strerror(trouble) + ")");
}

void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

void remove_abandoned_drafts(const std::filesystem::path& folder) {
  std::error_code error;
  if (!std::filesystem::is_directory(std::filesystem::symlink_status(folder, error))) return;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::filesystem::path file = at->path();
    if (!file.filename().string().starts_with(draft_prefix) || !at->is_regular_file(error) || at->is_symlink(error))
      continue;
    const int descriptor = open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0) continue;
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) unlink(file.c_str());
    close(descriptor);
  }
}

}  // namespace filum::record
