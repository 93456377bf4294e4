/// Where results go when nobody says so. User document: docs/guide/results.md.
#pragma once

#include <filesystem>
#include <string>

namespace filum::app {

/// results/NAME, or results/NAME-2 and so on: never one that is taken.
inline std::string free_folder(const std::string& file_or_name) {
  const std::string stem = "results/" + std::filesystem::path(file_or_name).stem().string();
  std::string folder = stem;
  for (int n = 2; std::filesystem::exists(folder); ++n) folder = stem + "-" + std::to_string(n);
  return folder;
}

}  // namespace filum::app
