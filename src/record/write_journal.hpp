/// Writes that a kill could tear, kept beside a file until they are done. User document: docs/guide/results.md,
/// "Reading while a run goes on".
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace filum::record {

/// When a process is killed, the kernel ends a write between two pages. What overwrites more than one page is written
/// here first, so that the next process to open the file can complete it.
class WriteJournal {
 public:
  using Bytes = std::span<const unsigned char>;

  /// The journal of a file. Nothing is made before it is needed.
  explicit WriteJournal(const std::filesystem::path& file) : path_(path_of(file)) {}
  ~WriteJournal();
  WriteJournal(const WriteJournal&) = delete;
  WriteJournal& operator=(const WriteJournal&) = delete;

  /// To be called before a write, with what it replaces. A disk that has no room for it does not stop the run: then the
  /// write is as safe as it would be without a journal.
  void begin(std::uint64_t at, Bytes before, Bytes after);
  /// The write is done.
  void end();

  static std::filesystem::path path_of(const std::filesystem::path& file);

 private:
  bool open();

  std::filesystem::path path_;
  int descriptor_ = -1;
};

struct UnfinishedWrite {
  std::uint64_t at = 0;
  std::vector<unsigned char> bytes;
};

/// What a process had begun to write to this file when it was killed. Nothing while the process is alive, or when the
/// file contains anything but the bytes before the write and those after it: then the journal is not of this file.
std::optional<UnfinishedWrite> unfinished_write(const std::filesystem::path& file, int descriptor);

/// Completes such a write and removes the journal. The caller must hold the lock of the folder. False: errno
/// says why.
bool complete_write(const std::filesystem::path& file, int descriptor);
bool complete_write(const std::filesystem::path& file);

}  // namespace filum::record
