/// One run as the report page wants it. User document: docs/guide/results.md, "The report page".
#pragma once

#include "report_arrays.hpp"

#include <filum/record/hdf5_file.hpp>
#include <filum/record/report.hpp>

namespace filum::record {

/// A series of the result file: `size` numbers a frame.
struct ReadSeries {
  std::size_t size = 1;
  std::vector<double> values;
  std::span<const double> frame(std::size_t f) const { return std::span(values).subspan(f * size, size); }
};

/// The result file of a run, series by series; every series ends with the last frame that all of them have.
class RunReader {
 public:
  explicit RunReader(const ReportRun& run);
  const ReportRun& run() const { return *run_; }
  std::size_t frames() const { return time_.size(); }
  const std::vector<double>& time() const { return time_; }
  bool contains(const std::string& name) const { return file_.contains(name); }
  ReadSeries series(const std::string& name) const;
  /// Numbers a frame.
  std::size_t size_of(const std::string& name) const;
  std::vector<double> array(const std::string& name) const { return file_.read(name); }
  std::string attribute(const std::string& object, const std::string& name) const {
    return file_.text_attribute(object, name);
  }
  /// Every series that the page plots, drift included.
  std::vector<std::string> plotted() const;

 private:
  const ReportRun* run_;
  Hdf5File file_;
  std::vector<double> time_;
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
