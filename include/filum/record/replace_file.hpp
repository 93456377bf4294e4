/// Writing a file so that readers see the old one or the new one, never half of it. User document:
/// docs/guide/security.md.
#pragma once

#include <filum/record/durability.hpp>

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace filum::record {

/// A new file beside the one that it will replace, under an unpredictable name. Removed unless it is put in place.
/// Throws FileTrouble; `what` is how messages call it, such as "the summary".
class Draft {
 public:
  Draft(std::filesystem::path target, std::string what);
  ~Draft();
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void write(std::string_view text);
  /// What was written is on the disk.
  void sync() const;
  /// Takes the place of the target. A link there is replaced, not followed.
  void put_in_place();

 private:
  [[noreturn]] void fail(const char* action) const;

  std::filesystem::path target_, path_;
  std::string what_;
  int descriptor_ = -1;
};

void replace_file(const std::filesystem::path& file, std::string_view text, const std::string& what,
                  Durability durability = Durability::lasting);

struct NewFile {
  std::filesystem::path file;
  std::string what;
  std::function<void(Draft&)> write;  ///< called once
};
/// Several files of one folder, one after the other. Where they are to last, none of them is in place before all are on
/// the disk, and the folder is waited for once.
void replace_files(const std::vector<NewFile>& files, Durability durability);

/// An unpredictable name beside the target, for drafts written by other code.
std::filesystem::path unguessable_name(const std::filesystem::path& target);
/// Puts such a draft in place. Throws FileTrouble.
void rename_file(const std::filesystem::path& draft, const std::filesystem::path& target, const std::string& what);

/// A file that somebody has written in haste is on the disk afterwards. Throws FileTrouble; no file is no trouble.
void sync_file(const std::filesystem::path& file, const std::string& what);
/// Names in a folder are on the disk afterwards. File systems that cannot do that are left alone.
void sync_folder(const std::filesystem::path& folder);

/// Removes drafts of processes that were killed. Drafts still being written stay.
void remove_abandoned_drafts(const std::filesystem::path& folder);

}  // namespace filum::record
