/// report.html: one page that shows a run, or compares two. User document: docs/guide/results.md, "The report page".
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace filum::record {

/// How much goes into a page.
struct ReportLimits {
  std::size_t motion_frames = 1500;
  std::size_t motion_numbers = 8'000'000;  ///< 32 MB in the browser
  std::size_t plot_frames = 4000;
};

/// The template of all pages, beside this program or in share/filum of its prefix. Empty: the page was never bundled.
std::filesystem::path report_template_of_program();
/// The same, or where this library was built or installed.
std::filesystem::path report_template();
/// What to do when there is none.
std::string missing_template_text();

/// Writes a page that shows some JSON: the viewer finds it in an element with this id. Throws FileTrouble.
void write_page(const std::filesystem::path& page, const std::filesystem::path& page_template, const std::string& id,
                const std::string& json, const std::string& more_elements = {});

/// Reads the result folder of one run, or of two to compare, and writes the page; the template is what the viewer was
/// bundled to. A folder needs result.h5; summary.json and scenario.toml are shown if they are there. Throws FileTrouble
/// when a file cannot be read or written, or is not what it should be.
void write_report(const std::filesystem::path& page, const std::filesystem::path& page_template,
                  const std::vector<std::filesystem::path>& folders, const ReportLimits& limits = {});

}  // namespace filum::record
