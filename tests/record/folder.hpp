#pragma once
/// A folder of its own for each test, empty or not there yet.

#include <unistd.h>

#include <filesystem>
#include <string>

namespace filum::record {

inline std::filesystem::path folder(const std::string& name) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("filum-record-" + std::to_string(getpid()) + name);
  std::filesystem::remove_all(path);
  return path;
}

}  // namespace filum::record
