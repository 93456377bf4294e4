/// sensors.csv. User document: docs/guide/results.md.
#include "sensor_table.hpp"

#include <filum/record/replace_file.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>

namespace filum::record {
namespace {

void append_number(std::string& line, double value) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  line.append(text, end);
}

}  // namespace

std::string table_head(const std::vector<model::SensorChannel>& sensors) {
  std::string line = "time";
  for (const model::SensorChannel& s : sensors)
    for (const std::string& column : s.columns) line += "," + column;
  return line;
}

void add_row(std::string& rows, double time, std::span<const double> values) {
  append_number(rows, time);
  for (const double value : values) {
    rows += ',';
    append_number(rows, value);
  }
  rows += '\n';
}

SensorTable::SensorTable(const std::filesystem::path& folder, const std::vector<model::SensorChannel>& sensors)
    : path_(folder / "sensors.csv") {
  open(table_head(sensors) + "\n");
}

SensorTable::SensorTable(const std::filesystem::path& folder, const std::vector<model::SensorChannel>& sensors,
                         const Hdf5File& result, std::uint64_t frames)
    : path_(folder / "sensors.csv") {
  const std::vector<double> times = result.read("time");
  std::vector<std::vector<double>> columns;
  for (const model::SensorChannel& s : sensors) columns.push_back(result.read(s.channel.name));
  std::string text = table_head(sensors) + "\n";
  std::vector<double> values;
  for (std::uint64_t f = 0; f < frames; ++f) {
    values.clear();
    for (std::size_t i = 0; i < sensors.size(); ++i) {
      const auto size = static_cast<std::size_t>(sensors[i].channel.size());
      const auto from = columns[i].begin() + static_cast<std::ptrdiff_t>(f * size);
      values.insert(values.end(), from, from + static_cast<std::ptrdiff_t>(size));
    }
    add_row(text, times[f], values);
  }
  open(text);
}

SensorTable::~SensorTable() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void SensorTable::open(const std::string& text) {
  replace_file(path_, text, "the table of sensors", Durability::quick);
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor_ < 0) fail();
}

void SensorTable::append(std::string_view rows) const {
  while (!rows.empty()) {
    const ssize_t n = ::write(descriptor_, rows.data(), rows.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail();
    rows.remove_prefix(static_cast<std::size_t>(n));
  }
}

void SensorTable::sync() const {
  if (fdatasync(descriptor_) != 0 && errno != EINVAL) fail();
}

void SensorTable::fail() const {
  throw FileTrouble(path_.string() + ": the file cannot be written (" + std::strerror(errno) + ")");
}

}  // namespace filum::record
