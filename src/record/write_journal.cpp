/// The journal of a file that is written in place. User document: docs/guide/results.md, "Reading while a run goes on".
#include "write_journal.hpp"

#include "whole_io.hpp"

#include <filum/config/fingerprint.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstring>

namespace filum::record {
namespace {

using Bytes = WriteJournal::Bytes;

/// In front of the bytes before and those after the write.
struct Head {
  std::array<char, 8> mark{};
  std::uint64_t at = 0, size = 0, checksum = 0;
};
constexpr std::array<char, 8> is_begun{'f', 'i', 'l', 'u', 'm', ' ', 'w', '1'};

std::string_view text_of(const void* bytes, std::size_t size) { return {static_cast<const char*>(bytes), size}; }

std::uint64_t checksum(const Head& head, Bytes contents) {
  config::Fingerprint sum;
  sum.add(text_of(&head.at, sizeof head.at));
  sum.add(text_of(&head.size, sizeof head.size));
  sum.add(text_of(contents.data(), contents.size()));
  return sum.value();
}

/// The bytes of an abandoned journal; empty when there is none.
std::vector<unsigned char> abandoned(const std::filesystem::path& journal) {
  std::vector<unsigned char> bytes;
  const int descriptor = ::open(journal.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return bytes;
  struct stat status {};
  constexpr off_t largest = off_t{1} << 32;
  if (flock(descriptor, LOCK_SH | LOCK_NB) == 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
      status.st_size > static_cast<off_t>(sizeof(Head)) && status.st_size < largest) {
    bytes.resize(static_cast<std::size_t>(status.st_size));
    if (!read_whole(descriptor, bytes.data(), bytes.size(), 0)) bytes.clear();
  }
  ::close(descriptor);
  return bytes;
}

}  // namespace

std::filesystem::path WriteJournal::path_of(const std::filesystem::path& file) {
  return file.parent_path() / (".filum-journal-" + file.filename().string());
}

WriteJournal::~WriteJournal() {
  if (descriptor_ < 0) return;
  unlink(path_.c_str());
  ::close(descriptor_);
}

bool WriteJournal::open() {
  if (descriptor_ >= 0) return true;
  unlink(path_.c_str());
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor_ >= 0) flock(descriptor_, LOCK_EX | LOCK_NB);  // not abandoned
  return descriptor_ >= 0;
}

void WriteJournal::begin(std::uint64_t at, Bytes before, Bytes after) {
  if (!open()) return;
  std::vector<unsigned char> record(sizeof(Head));
  record.insert(record.end(), before.begin(), before.end());
  record.insert(record.end(), after.begin(), after.end());
  Head head{is_begun, at, after.size(), 0};
  head.checksum = checksum(head, Bytes(record).subspan(sizeof head));
  std::memcpy(record.data(), &head, sizeof head);
  write_whole(descriptor_, record.data(), record.size(), 0);
}

void WriteJournal::end() {
  const Head nothing;
  if (descriptor_ >= 0) write_whole(descriptor_, reinterpret_cast<const unsigned char*>(&nothing), sizeof nothing, 0);
}

std::optional<UnfinishedWrite> unfinished_write(const std::filesystem::path& file, int descriptor) {
  const std::vector<unsigned char> record = abandoned(WriteJournal::path_of(file));
  Head head;
  if (record.size() < sizeof head) return {};
  std::memcpy(&head, record.data(), sizeof head);
  Bytes contents = Bytes(record).subspan(sizeof head);
  if (head.mark != is_begun || head.size == 0 || head.size > contents.size() / 2) return {};
  contents = contents.first(2 * head.size);
  if (checksum(head, contents) != head.checksum) return {};  // killed before it was begun
  const Bytes before = contents.first(head.size), after = contents.last(head.size);
  std::vector<unsigned char> found(head.size);
  if (!read_whole(descriptor, found.data(), found.size(), head.at)) return {};
  for (std::size_t k = 0; k < found.size(); ++k)
    if (found[k] != before[k] && found[k] != after[k]) return {};
  return UnfinishedWrite{head.at, {after.begin(), after.end()}};
}

bool complete_write(const std::filesystem::path& file, int descriptor) {
  if (const auto w = unfinished_write(file, descriptor);
      w && !write_whole(descriptor, w->bytes.data(), w->bytes.size(), w->at))
    return false;
  unlink(WriteJournal::path_of(file).c_str());
  return true;
}

bool complete_write(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return false;
  const bool is_done = complete_write(file, descriptor);
  ::close(descriptor);
  return is_done;
}

}  // namespace filum::record
