/// The results of a study: numbers of every case, orders, checks, charts. User document: docs/guide/studies.md.
#pragma once

#include <filum/chart/chart.hpp>
#include <filum/study/cases.hpp>
#include <filum/study/execute.hpp>
#include <filum/study/order.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace filum::study {

using chart::Chart;
using chart::ChartAxis;
using chart::ChartCurve;
using chart::ChartPoint;

struct CaseResult {
  RunState state = RunState::missing;
  std::string reason;
  std::map<std::string, double> numbers;  ///< "error.position", "order.position", "measure.NAME", "seconds", ...
};

/// A curve of errors: the cases that differ in `versus` alone.
struct CurveOrder {
  std::vector<int> cases;
  std::string label;     ///< the other variables
  std::string quantity;  ///< "error.position" or "measure.NAME"
  OrderFit fit;
};

struct CheckResult {
  Check check;
  bool holds = false;
  std::vector<double> values;
  std::string found;     ///< in words
  std::string expected;  ///< the range, in words
};

struct NamedChart {
  std::size_t plot = 0;  ///< of the study that it belongs to
  std::string name;      ///< of its file; unique
  std::string title;
  Chart chart;
};

struct Results {
  CaseList list;
  std::vector<CaseResult> cases;
  std::vector<std::pair<int, RunOutcome>> references;  ///< run and its outcome
  std::vector<CurveOrder> orders;
  std::vector<CheckResult> checks;
  std::vector<NamedChart> charts;
  std::vector<std::string> remarks;  ///< what could not be compared or drawn, and why

  /// A number of a case, NaN where there is none; relative to that of the case that differs in `over` alone.
  double number(std::size_t i, const std::string& name, const Selection& over = {}) const;
};

/// Reads the folders of all runs.
Results analyse(const Study& study, CaseList list, const std::filesystem::path& cases);

/// study.csv: one row per case, references last.
std::string to_csv(const Study& study, const Results& results);

/// Where a study is written, and how much of it.
struct Writing {
  std::filesystem::path folder, cases;
  std::filesystem::path page_template = {};  ///< as record::report_template(); empty: no study.html
  bool reports = false;                      ///< report.html of every case, if it is missing
};

/// Writes study.csv, study.html and the plots. What could not be made is added to the remarks.
void write_results(const Study& study, const std::string& study_text, Results& results, const Writing& where);

}  // namespace filum::study
