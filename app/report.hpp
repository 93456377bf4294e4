/// Making report.html from the command line. User document: docs/guide/results.md, "The report page".
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace filum::app {

/// At the end of a run: writes the page and prints where it is, or why there is none. Never fails the run.
void report_after_run(const std::filesystem::path& folder, bool quiet);

/// `filum report`. Returns the exit code.
int make_report(const std::vector<std::string>& folders, const std::string& page);

}  // namespace filum::app
