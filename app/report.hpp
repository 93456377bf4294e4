/// Making report.html from the command line. User document: docs/guide/results.md, "The report page".
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace filum::app {

/// The template of the page, beside the program in a build folder or where it was installed. Empty: the page was never
/// built.
std::filesystem::path report_template();
/// What to do when there is none.
std::string missing_template_text();

/// At the end of a run: makes the page and prints where it is, or why there is none. Never fails the run.
void report_after_run(const std::filesystem::path& folder, bool quiet);

/// `filum report`: an exit code.
int make_report(const std::vector<std::string>& folders, const std::string& page);

}  // namespace filum::app
