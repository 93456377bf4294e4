/// Where results go by default. User document: docs/guide/results.md.
#pragma once

#include <filesystem>
#include <string>

namespace filum::app {

/// results/NAME, or results/NAME-2 and so on: created here, so that no two processes take the same one. Removed again
/// at the end if it is empty.
class NewFolder {
 public:
  explicit NewFolder(const std::string& file_or_name);
  ~NewFolder();
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace filum::app
