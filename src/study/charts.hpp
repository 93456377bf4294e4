/// From numbers to charts. User document: docs/guide/studies.md, "Plots".
#pragma once

#include <filum/study/chart_names.hpp>
#include <filum/study/results.hpp>
#include <filum/study/run_data.hpp>

#include <functional>
#include <optional>
#include <set>

namespace filum::study {

/// The variables of a choice in words; those that are −1 or have one label are left out.
std::string curve_label(const CaseList& list, const std::vector<int>& choice);

/// Charts that need the series of runs: they are fed case by case, so that no two runs are in memory.
class SeriesCharts {
 public:
  SeriesCharts(const Study& study, const CaseList& list) : study_(study), list_(list) {}

  /// Whether there are any.
  bool has_any() const;
  using Read = std::function<TimeSeries(const std::string& name)>;
  void add(int index, const RunData& data, const RunData* reference, const Read& read);
  std::vector<NamedChart> finished();
  const std::set<std::string>& remarks() const { return remarks_; }  ///< what could not be drawn, and why

 private:
  Chart& chart(const Plot& plot, const Case& c);
  void add_series(const Plot& plot, const Case& c, const RunData* reference, const Read& read);
  void add_shapes(const Plot& plot, const Case& c, const RunData& data);
  std::size_t number(const Plot& plot) const { return static_cast<std::size_t>(&plot - study_.plots.data()); }

  const Study& study_;
  const CaseList& list_;
  std::optional<ChartNames> names_;
  std::vector<NamedChart> charts_;
  std::set<std::string> remarks_;
};

/// Charts with a point for every case.
std::vector<NamedChart> case_charts(const Study& study, const Results& results);

std::string chart_title(const Plot& plot, const CaseList& list, const Case& c);

}  // namespace filum::study
