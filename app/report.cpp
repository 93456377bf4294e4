/// Making report.html from the command line. User document: docs/guide/results.md, "The report page".
#include "report.hpp"

#include <filum/record/hdf5_file.hpp>
#include <filum/record/report.hpp>

#include <cstdio>
#include <iostream>

namespace filum::app {

void report_after_run(const std::filesystem::path& folder, bool quiet) {
  const std::filesystem::path page_template = record::report_template_of_program(), page = folder / "report.html";
  if (page_template.empty()) {
    if (!quiet)
      std::printf("no report page: %s`filum report %s`\n", record::missing_template_text().c_str(), folder.c_str());
    return;
  }
  try {
    record::write_report(page, page_template, {folder});
    if (!quiet) std::printf("report: %s\n", page.c_str());
  } catch (const std::exception& error) {
    std::cerr << "filum: no report page: " << error.what() << "\n";
  }
}

int make_report(const std::vector<std::string>& folders, const std::string& page) {
  const std::filesystem::path page_template = record::report_template_of_program();
  if (page_template.empty()) {
    std::cerr << "filum: " << record::missing_template_text() << "`filum report DIR`\n";
    return 2;
  }
  const std::filesystem::path first = folders.front();
  const std::filesystem::path target =
      !page.empty() ? std::filesystem::path(page) : first / (folders.size() == 2 ? "comparison.html" : "report.html");
  try {
    record::write_report(target, page_template, {folders.begin(), folders.end()});
  } catch (const record::FileTrouble& trouble) {
    std::cerr << "filum: " << trouble.what() << "\n";
    return 2;
  }
  std::printf("report: %s\n", target.c_str());
  return 0;
}

}  // namespace filum::app
