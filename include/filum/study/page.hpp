/// study.html: one page about a study that works from disk. User document: docs/guide/studies.md.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace filum::study {

struct PageTable {
  std::string title;
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
  std::string note = {};
  bool is_folded = false;
};

struct PageCheck {
  std::string claim, found, expected;
  bool holds = false;
};

struct PagePlot {
  std::string name;   ///< of the files it is saved as
  std::string title;  ///< shown where the chart does not carry it
  std::string svg;
  std::string narrow = {};  ///< the same for narrow screens, if there is one
};

/// What a page shows, in this order.
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

std::string to_html(const Page& page);

}  // namespace filum::study
