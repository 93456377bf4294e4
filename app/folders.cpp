/// Where results go by default. User document: docs/guide/results.md.
#include "folders.hpp"

#include <filum/config/problem.hpp>

namespace filum::app {

NewFolder::NewFolder(const std::string& file_or_name) {
  const std::string stem = "results/" + std::filesystem::path(file_or_name).stem().string();
  std::error_code error;
  std::filesystem::create_directories("results", error);
  path_ = stem;
  // Creating the folder is the test: nothing can happen between looking and creating.
  for (int n = 2; !error && !std::filesystem::create_directory(path_, error); ++n) {
    if (!std::filesystem::exists(std::filesystem::symlink_status(path_))) break;
    error.clear();  // the name is taken, whatever it is
    path_ = stem + "-" + std::to_string(n);
  }
  if (error) config::refuse_input(path_, "cannot create the result folder (" + error.message() + ")");
}

NewFolder::~NewFolder() {
  std::error_code error;
  std::filesystem::remove(path_, error);  // only an empty folder can be removed
}

}  // namespace filum::app
