/// The folder of a study. User document: docs/guide/studies.md, "Results".
#include "study_folder.hpp"

#include <fstream>

namespace filum::study {

using config::refuse_input;
using std::filesystem::path;

namespace {

/// Makes the folders, too: a lock needs one.
path made(const path& folder, const path& cases) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  std::filesystem::create_directories(cases, error);
  if (!std::filesystem::is_directory(folder) || !std::filesystem::is_directory(cases))
    refuse_input(folder.string(), "the folder of the study cannot be made (" + error.message() + ")");
  return folder;
}

}  // namespace

StudyFolder::StudyFolder(const StudyOptions& options, const path& cases, const std::string& text)
    : lock_(made(options.folder, cases)) {
  const path& folder = options.folder;
  if (!lock_.is_writable()) refuse_input(folder.string(), "the folder of the study is not writable");
  if (!lock_.acquire()) refuse_input(folder.string(), "another process is running a study in this folder");
  const path file = folder / "study.toml";
  if (std::filesystem::exists(file) && !options.resume && !options.force)
    refuse_input(folder.string(),
                 "the folder contains a study already; go on with --resume, replace it with --force, or choose another "
                 "one with -o");
  std::error_code error;
  if (options.force && !options.resume) {
    for (const char* name : {"study.csv", "study.html", "plots"}) std::filesystem::remove_all(folder / name, error);
    if (options.cases.empty()) {
      std::filesystem::remove_all(cases, error);
      std::filesystem::create_directories(cases, error);
    }
  }
  std::ofstream(file, std::ios::trunc | std::ios::binary) << text;
}

}  // namespace filum::study
