/// The report page of result folders. User document: docs/guide/results.md, "The report page".
#pragma once

#include <filum/record/report.hpp>
#include <filum/scenario/scenario.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace filum::scenario {

/// How the objects of a scenario look and what holds and pushes them, as JSON.
std::string scene_text(const Scenario& scenario);

/// A result folder with what its scenario says about it. Throws ScenarioError when the folder has no results.
record::ReportRun report_run(const std::filesystem::path& folder);

/// Writes the page of one folder, or the comparison of two.
void write_report(const std::filesystem::path& page, const std::filesystem::path& page_template,
                  const std::vector<std::filesystem::path>& folders);

}  // namespace filum::scenario
