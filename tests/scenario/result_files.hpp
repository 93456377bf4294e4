/// Folders for results, and what is in them.
#pragma once

#include <filum/record/hdf5_file.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace filum::test {

/// A folder of its own for every test, removed afterwards.
class Folder {
 public:
  Folder() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string(info->test_suite_name()) + "." + info->name() + std::to_string(count_++);
    std::replace(name.begin(), name.end(), '/', '_');
    path_ = std::filesystem::temp_directory_path() / ("filum-" + std::to_string(getpid()) + "-" + name);
    std::filesystem::remove_all(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  operator std::filesystem::path() const { return path_; }  // NOLINT
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  static inline int count_ = 0;
  std::filesystem::path path_;
};

inline std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

inline std::vector<double> series(const std::filesystem::path& folder, const std::string& name) {
  return record::Hdf5File(folder / "result.h5", record::Hdf5File::Mode::read).read(name);
}

inline bool has_series(const std::filesystem::path& folder, const std::string& name) {
  return record::Hdf5File(folder / "result.h5", record::Hdf5File::Mode::read).contains(name);
}

inline double largest(const std::vector<double>& values) {
  double size = 0;
  for (const double x : values) size = std::max(size, std::abs(x));
  return size;
}

}  // namespace filum::test
