/// One run as the report page wants it. User document: docs/guide/results.md, "The report page".
#pragma once

#include "report_arrays.hpp"

#include <filum/record/facts_json.hpp>
#include <filum/record/report.hpp>

namespace filum::record {

/// A series of the result file: `size` numbers per frame.
struct ReadSeries {
  std::size_t size = 1;
  std::vector<double> values;
  std::span<const double> frame(std::size_t f) const { return std::span(values).subspan(f * size, size); }
};

/// The result file of a run, series by series; every series ends with the last frame that all of them have. Whatever
/// the facts name is there and has the right size.
class RunReader {
 public:
  explicit RunReader(const std::filesystem::path& folder);
  const std::filesystem::path& folder() const { return folder_; }
  const Facts& facts() const { return facts_; }
  std::size_t frames() const { return time_.size(); }
  const std::vector<double>& time() const { return time_; }
  ReadSeries series(const std::string& name) const;
  /// Numbers per frame.
  std::size_t size_of(const std::string& name) const;
  std::vector<double> array(const std::string& name) const { return file_.read(name); }
  bool has(const std::string& name) const { return file_.contains(name); }
  /// A list of modes of small motions, or null.
  const nlohmann::ordered_json& modes() const { return modes_; }
  /// Every series that the page plots, drift included.
  std::vector<std::string> plotted() const;

 private:
  /// What every run records: numbers that the page plots.
  std::vector<std::string> common_series() const;
  void check_object(const ObjectFacts& object);
  void check_series(const std::string& name, const std::vector<std::size_t>& shape);
  void take_frames_of(const std::string& name);
  [[noreturn]] void refuse(const std::string& what) const;

  std::filesystem::path folder_;
  Hdf5File file_;
  Facts facts_;
  std::vector<double> time_;
  nlohmann::ordered_json modes_;
};

/// Adds the arrays of a run, names beginning with `prefix`, and returns what the page has to know besides.
nlohmann::ordered_json add_run(ReportArrays& arrays, const std::string& prefix, const RunReader& run,
                               const ReportLimits& limits);

/// Adds the differences between two runs at the times that both have.
nlohmann::ordered_json add_differences(ReportArrays& arrays, const std::string& prefix, const RunReader& a,
                                       const RunReader& b, const ReportLimits& limits);

/// About `most` frames out of `frames`, evenly, the last one among them.
std::vector<std::size_t> thinned(std::size_t frames, std::size_t most);

}  // namespace filum::record
