/// report.html: one page that shows a run, or compares two. User document: docs/guide/results.md, "The report page".
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace filum::record {

/// Numbers that follow from the time alone, such as loads; they are evaluated at the frames that the page shows.
struct ReportSeries {
  std::string name;
  int size = 3;
  std::function<void(double t, double* out)> read;
};

/// A result folder, and what its files do not say about themselves.
struct ReportRun {
  std::filesystem::path folder;
  std::string scene;  ///< JSON: how objects look, what joints and loads they have
  std::vector<std::string> bodies, beams, joints, sensors;
  std::vector<ReportSeries> series = {};
};

/// How much goes into a page.
struct ReportLimits {
  std::size_t motion_frames = 1500;
  std::size_t motion_numbers = 8'000'000;  ///< 32 MB in the browser
  std::size_t plot_frames = 4000;
};

/// Reads the results of one run, or of two to compare, and writes the page; the template is what the viewer was bundled
/// to. Throws FileTrouble when a file cannot be read or written.
void write_report(const std::filesystem::path& page, const std::filesystem::path& page_template,
                  const std::vector<ReportRun>& runs, const ReportLimits& limits = {});

}  // namespace filum::record
