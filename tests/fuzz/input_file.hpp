/// A file for targets that read one.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

namespace filum::fuzz {

/// A folder of this process in memory, with the input as a file in it.
inline std::filesystem::path folder_with(const char* name, const std::uint8_t* data, std::size_t size) {
  const std::filesystem::path memory = "/dev/shm";
  const auto base = std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path();
  const auto folder = base / ("filum-fuzz-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / name, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  return folder;
}

}  // namespace filum::fuzz
