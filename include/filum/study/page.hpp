/// What study.html shows, as JSON for the page of viewer/. User document: docs/guide/studies.md.
#pragma once

#include <filum/chart/chart.hpp>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace filum::study {

using chart::Chart;

struct PageTable {
  std::string title;
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
  std::string note = {};
  bool is_folded = false;
  std::vector<std::string> links = {};  ///< where the first cell of each row leads; empty: nowhere
};

struct PageCheck {
  std::string claim, found, expected;
  bool holds = false;
};

struct PagePlot {
  std::string name;  ///< of the files it is saved as
  std::string title;
  Chart chart;
};

/// In the order in which it is shown.
struct Page {
  std::string title, subtitle;
  std::vector<std::pair<std::string, std::string>> facts;  ///< cases, failures, versions, seconds
  std::string alarm = {};                                  ///< in red, before everything else
  std::vector<std::string> warnings;                       ///< up front
  std::vector<PageCheck> checks;
  std::vector<PagePlot> plots;
  std::vector<PageTable> tables;  ///< orders, cases
  std::string source;             ///< the study file, folded
};

/// JSON, in ASCII and UTF-8.
std::string page_text(const Page& page);

}  // namespace filum::study
