/// The folder of a study. User document: docs/guide/studies.md, "Results".
#include "study_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <fstream>

namespace filum::study {

using scenario::refuse_input;
using std::filesystem::path;

StudyFolder::StudyFolder(const StudyOptions& options, const path& cases, const std::string& text) {
  const path& folder = options.folder;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  std::filesystem::create_directories(cases, error);
  if (!std::filesystem::is_directory(folder) || !std::filesystem::is_directory(cases))
    refuse_input(folder.string(), "the folder of the study cannot be made (" + error.message() + ")");
  const path lock = folder / ".lock";
  lock_ = open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock_ < 0) refuse_input(folder.string(), "the folder of the study is not writable");
  if (flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    close(lock_);
    lock_ = -1;
    refuse_input(folder.string(), "another process is running a study in this folder");
  }
  const path file = folder / "study.toml";
  if (std::filesystem::exists(file) && !options.resume && !options.force) {
    close(lock_);
    lock_ = -1;
    refuse_input(folder.string(),
                 "the folder contains a study already; go on with --resume, replace it with --force, or choose another "
                 "one with -o");
  }
  if (options.force && !options.resume) {
    for (const char* name : {"study.csv", "study.html", "plots"}) std::filesystem::remove_all(folder / name, error);
    if (options.cases.empty()) {
      std::filesystem::remove_all(cases, error);
      std::filesystem::create_directories(cases, error);
    }
  }
  std::ofstream(file, std::ios::trunc | std::ios::binary) << text;
}

StudyFolder::~StudyFolder() {
  if (lock_ >= 0) close(lock_);
}

}  // namespace filum::study
