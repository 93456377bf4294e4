/// Where results go when nobody says so. User document: docs/guide/results.md.
#include "folders.hpp"

#include <filum/config/problem.hpp>

namespace filum::app {

NewFolder::NewFolder(const std::string& file_or_name) {
  const std::string stem = "results/" + std::filesystem::path(file_or_name).stem().string();
  std::error_code error;
  std::filesystem::create_directories("results", error);
  path_ = stem;
  // Whoever makes a folder has it: there is no moment between looking and making.
  for (int n = 2; !error && !std::filesystem::create_directory(path_, error); ++n) {
    if (!std::filesystem::exists(std::filesystem::symlink_status(path_))) break;
    error.clear();  // somebody has it, whatever it is
    path_ = stem + "-" + std::to_string(n);
  }
  if (error) config::refuse_input(path_, "the result folder cannot be made (" + error.message() + ")");
}

NewFolder::~NewFolder() {
  std::error_code error;
  std::filesystem::remove(path_, error);  // an empty folder; no other can be removed
}

}  // namespace filum::app
