/// sensors.csv: one row per frame. User document: docs/guide/results.md.
#pragma once

#include <filum/model/layout.hpp>
#include <filum/record/hdf5_file.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace filum::record {

/// The first line, without its end.
std::string table_head(const std::vector<model::SensorChannel>& sensors);
/// Adds one row.
void add_row(std::string& rows, double time, std::span<const double> values);

/// A file that grows. Throws FileTrouble.
class SensorTable {
 public:
  /// Starts again.
  SensorTable(const std::filesystem::path& folder, const std::vector<model::SensorChannel>& sensors);
  /// Begins with the first frames of a result file, which has every number of the table.
  SensorTable(const std::filesystem::path& folder, const std::vector<model::SensorChannel>& sensors,
              const Hdf5File& result, std::uint64_t frames);
  ~SensorTable();
  SensorTable(const SensorTable&) = delete;
  SensorTable& operator=(const SensorTable&) = delete;

  void append(std::string_view rows) const;
  void sync() const;

 private:
  void open(const std::string& text);
  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  int descriptor_ = -1;
};

}  // namespace filum::record
