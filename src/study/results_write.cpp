/// study.csv, the plots and study.html. User document: docs/guide/studies.md, "Results".
#include "checks.hpp"
#include "words.hpp"

#include <filum/record/marks.hpp>
#include <filum/record/replace_file.hpp>
#include <filum/record/report.hpp>
#include <filum/scenario/simulation.hpp>
#include <filum/study/page.hpp>
#include <filum/study/results.hpp>

#include <charconv>
#include <cmath>
#include <functional>

namespace filum::study {
namespace {

using std::filesystem::path;

/// Numbers that depend on the machine come last and can be left out.
const std::vector<std::string> timings{"seconds", "cpu"};

std::string number_text(double value) {
  if (!std::isfinite(value)) return "";
  char text[40];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return {text, end};
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? "\"\"" : c == '\n' || c == '\r' ? std::string(" ") : std::string(1, c);
  return result + "\"";
}

/// Columns of numbers, the same for every study with the same keys.
std::vector<std::string> columns(const Study& study) {
  std::vector<std::string> names;
  if (study.convergence) {
    for (const std::string& q : study.convergence->quantities) names.push_back("error." + q);
    if (!study.convergence->versus.empty())
      for (const std::string& q : study.convergence->quantities) names.push_back("order." + q);
  }
  for (const Measure& m : study.measures) names.push_back("measure." + m.name);
  if (study.modes) {
    for (const char* what : {"omega", "damping"})
      for (int k = 1; k <= study.modes->count; ++k) names.push_back(mode_number(what, k));
    return names;
  }
  for (const char* name : {"steps", "rejected", "newton", "jacobians", "energy.drift_max", "constraint.position_max",
                           "constraint.velocity_max"})
    names.emplace_back(name);
  if (study.timing) names.insert(names.end(), timings.begin(), timings.end());
  return names;
}

std::vector<std::string> head(const Study& study, const Results& results) {
  std::vector<std::string> names{"case", "role"};
  for (const Variable& v : results.list.variables) names.push_back(v.name);
  names.emplace_back("status");
  for (const std::string& name : columns(study)) names.push_back(name);
  names.emplace_back("reason");
  return names;
}

using Format = std::function<std::string(double)>;

/// What a case and a reference have in common.
std::vector<std::string> row(const Study& study, const std::string& hash, const char* role,
                             const std::vector<std::string>& labels, RunState state,
                             const std::map<std::string, double>& numbers, const std::string& reason,
                             const Format& format) {
  std::vector<std::string> cells{hash, role};
  cells.insert(cells.end(), labels.begin(), labels.end());
  cells.push_back(word_of(state));
  for (const std::string& name : columns(study)) {
    const auto found = numbers.find(name);
    cells.push_back(found == numbers.end() ? "" : format(found->second));
  }
  cells.push_back(reason);
  return cells;
}

/// Cases, then references.
std::vector<std::vector<std::string>> rows(const Study& study, const Results& results, const Format& format) {
  std::vector<std::vector<std::string>> all;
  const auto hash = [&](int run) { return results.list.runs[static_cast<std::size_t>(run)].hash; };
  const auto& variables = results.list.variables;
  for (std::size_t i = 0; i < results.cases.size(); ++i) {
    const Case& c = results.list.cases[i];
    const CaseResult& r = results.cases[i];
    std::vector<std::string> labels;
    for (std::size_t v = 0; v < c.choice.size(); ++v)
      labels.push_back(variables[v].labels[static_cast<std::size_t>(c.choice[v])]);
    all.push_back(row(study, hash(c.run), "case", labels, r.state, r.numbers, r.reason, format));
  }
  for (const auto& [run, outcome] : results.references)
    all.push_back(row(study, hash(run), "reference", std::vector<std::string>(variables.size()), outcome.state,
                      outcome.numbers, outcome.reason, format));
  return all;
}

std::string readable(double value) { return std::isfinite(value) ? short_number(value) : ""; }

/// The x of points that the fit leaves out.
std::string left_out(const OrderFit& fit) {
  std::string text;
  for (const double x : fit.left_out) text += (text.empty() ? "" : ", ") + readable(x);
  return text;
}

PageTable order_table(const Results& results) {
  PageTable table{
      .title = "Observed orders",
      .head = {"curve", "of", "order", "from", "to", "left out", "remark"},
      .rows = {},
      .note = "Least squares over the longest straight range; points outside the asymptotic range are left out."};
  for (const CurveOrder& o : results.orders) {
    if (!o.quantity.starts_with("error.")) continue;
    const bool has_order = std::isfinite(o.fit.order);
    table.rows.push_back({o.label, o.quantity.substr(6), readable(o.fit.order),
                          has_order ? readable(o.fit.largest_x) : "", has_order ? readable(o.fit.smallest_x) : "",
                          left_out(o.fit), o.fit.remark});
  }
  return table;
}

path report_of(const Results& results, const Writing& where, int run) {
  return where.cases / results.list.runs[static_cast<std::size_t>(run)].hash / "report.html";
}

/// Every run once: cases, then references.
std::vector<int> shown_runs(const Results& results) {
  std::vector<int> runs;
  for (const Case& c : results.list.cases) runs.push_back(c.run);
  for (const auto& [run, outcome] : results.references) runs.push_back(run);
  return runs;
}

PageTable case_table(const Study& study, const Results& results, const Writing& where) {
  PageTable table{.title = results.references.empty() ? "Cases" : "Cases and references",
                  .head = head(study, results),
                  .rows = rows(study, results, readable)};
  table.is_folded = true;
  std::error_code error;
  bool any = false;
  for (const int run : shown_runs(results)) {
    const path report = report_of(results, where, run);
    const bool is_there = std::filesystem::is_regular_file(report, error);
    table.links.push_back(is_there ? std::filesystem::proximate(report, where.folder, error).generic_string() : "");
    any = any || is_there;
  }
  table.note =
      any ? "Click the name of a case for its report."
          : "To get reports of the cases, with their motion: the same command with --resume --reports. Of one case: "
            "filum report " +
                std::filesystem::proximate(where.cases, where.folder, error).generic_string() + "/CASE";
  return table;
}

/// Writes the reports that are missing.
void write_reports(Results& results, const Writing& where) {
  std::error_code error;
  for (const int run : shown_runs(results)) {
    const path report = report_of(results, where, run), folder = report.parent_path();
    if (std::filesystem::exists(report, error) || !std::filesystem::exists(folder / "result.h5", error)) continue;
    try {
      record::write_report(report, where.page_template, {folder});
    } catch (const std::exception& trouble) {
      results.remarks.push_back("no report of case " + folder.filename().string() + ": " + trouble.what());
    }
  }
}

/// Why the first case is not done: what to try comes first, then what happened.
std::string first_reason(const Results& results) {
  const std::string& reason = results.cases.front().reason;
  const std::string first = reason.substr(0, reason.find('\n'));
  const std::size_t advice = reason.find("try: ");
  if (advice == std::string::npos) return first;
  const std::string attempt = reason.substr(advice + 5, reason.find('\n', advice) - advice - 5);
  return "Try: " + attempt + ". The first case: " + first.substr(0, std::min(first.find("; try: "), first.size()));
}

Page page_of(const Study& study, const std::string& text, const Results& results, const Writing& where) {
  Page page;
  page.title = study.title;
  page.subtitle = study.figure;
  int failures = 0;
  for (const CaseResult& r : results.cases) failures += r.state != RunState::done;
  page.facts = {{"scenario", study.scenario},
                {"cases", std::to_string(results.cases.size())},
                {"not done", std::to_string(failures)},
                {"filum", record::version()}};
  if (study.convergence) page.facts.insert(page.facts.begin() + 1, {"norm", config::word_of(study.convergence->norm)});
  if (!results.cases.empty() && failures == static_cast<int>(results.cases.size()))
    page.alarm = "None of the " + std::to_string(failures) + " cases ran to the end. " + first_reason(results);
  page.warnings = results.remarks;
  for (const CheckResult& c : results.checks) page.checks.push_back({c.check.claim, c.found, c.expected, c.holds});
  for (const NamedChart& c : results.charts) page.plots.push_back({c.name, c.title, c.chart});
  if (!results.orders.empty()) page.tables.push_back(order_table(results));
  page.tables.push_back(case_table(study, results, where));
  page.source = text;
  return page;
}

}  // namespace

std::string to_csv(const Study& study, const Results& results) {
  std::string text;
  const auto add = [&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) text += (i == 0 ? "" : ",") + quoted(cells[i]);
    text += "\n";
  };
  add(head(study, results));
  for (const std::vector<std::string>& cells : rows(study, results, number_text)) add(cells);
  return text;
}

void write_results(const Study& study, const std::string& study_text, Results& results, const Writing& where) {
  std::error_code error;
  const path& folder = where.folder;
  std::filesystem::create_directories(folder / "plots", error);
  record::replace_file(folder / "study.csv", to_csv(study, results), "the file");
  for (const NamedChart& c : results.charts)
    record::replace_file(folder / "plots" / (c.name + ".svg"), std::string(record::xml_mark) + "\n" + to_svg(c.chart),
                         "the file", record::Durability::quick);
  if (where.page_template.empty()) {
    results.remarks.push_back("study.csv and plots/ are complete, but there is no study.html: " +
                              record::missing_template_text() + "the same command with --resume");
    return;
  }
  if (where.reports) write_reports(results, where);
  record::write_page(folder / "study.html", where.page_template, "filum-study",
                     page_text(page_of(study, study_text, results, where)));
}

}  // namespace filum::study
