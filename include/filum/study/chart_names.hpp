/// File names of charts. User document: docs/guide/studies.md, "Plots".
#pragma once

#include <filum/study/cases.hpp>

#include <string>
#include <vector>

namespace filum::study {

/// File names of charts: "NAME", or "NAME-LABEL" of a panel. Labels that differ only in what no file name should have
/// get a number.
class ChartNames {
 public:
  ChartNames(const Study& study, const CaseList& list);
  const std::string& of(std::size_t plot, const Case& c) const;

 private:
  const Study& study_;
  const CaseList& list_;
  std::vector<std::vector<std::string>> names_;  ///< of every plot and panel
};

}  // namespace filum::study
