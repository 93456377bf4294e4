/// Numbers of every case, and the orders of curves. User document: docs/guide/studies.md.
#include "charts.hpp"
#include "checks.hpp"

#include <filum/study/comparison.hpp>
#include <filum/study/results.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>

namespace filum::study {
namespace {

class Analysis {
 public:
  Analysis(const Study& study, CaseList list, const std::filesystem::path& cases)
      : study_(study), folder_(cases), series_charts_(study, results_.list) {
    results_.list = std::move(list);
  }

  Results run() {
    const std::size_t count = results_.list.cases.size();
    results_.cases.resize(count);
    for (std::size_t i = 0; i < count; ++i) read_case(static_cast<int>(i));
    read_references();
    if (study_.convergence && !study_.convergence->versus.empty()) find_orders();
    results_.checks = evaluate_checks(study_, results_);
    results_.charts = series_charts_.finished();
    for (NamedChart& c : case_charts(study_, results_)) results_.charts.push_back(std::move(c));
    sort_charts();
    remarks_.insert(series_charts_.remarks().begin(), series_charts_.remarks().end());
    results_.remarks.assign(remarks_.begin(), remarks_.end());
    return std::move(results_);
  }

 private:
  const Run& run_of(int i) const { return results_.list.runs[static_cast<std::size_t>(i)]; }

  void read_case(int index) {
    const Case& c = results_.list.cases[static_cast<std::size_t>(index)];
    CaseResult& result = results_.cases[static_cast<std::size_t>(index)];
    const RunOutcome outcome = inspect(run_of(c.run), folder_);
    result.state = outcome.state;
    result.reason = outcome.reason;
    result.numbers = outcome.numbers;
    if (outcome.state != RunState::done && outcome.state != RunState::stopped) return;
    if (!study_.convergence && study_.measures.empty() && !series_charts_.has_any())
      return;  // a file takes time to open
    try {
      const RunData data(run_of(c.run), folder_);
      errors_.clear();
      if (study_.convergence) compare_case(c, data, result);
      // Measures of a run that ended early are left out.
      if (result.state == RunState::done)
        for (const Measure& m : study_.measures) measure(m, data, reference_of(c), result);
      const RunData* reference = reference_of(c);
      series_charts_.add(index, data, reference,
                         [&](const std::string& name) { return series(name, data, reference); });
    } catch (const record::FileTrouble& error) {
      remarks_.insert(error.what());
    } catch (const std::invalid_argument& error) {
      remarks_.insert(error.what());
    }
  }

  /// Errors of a run that stopped early would be those of its beginning: they are left out.
  void compare_case(const Case& c, const RunData& data, CaseResult& result) {
    const RunData* reference = reference_of(c);
    if (!reference) return;
    const Convergence& how = *study_.convergence;
    for (const std::string& quantity : how.quantities) {
      double& error = result.numbers["error." + quantity];
      error = std::numeric_limits<double>::quiet_NaN();
      try {
        const ErrorSeries& found = errors_[quantity] = compare(data, *reference, quantity, how.points);
        if (found.times.size() < 2)
          remarks_.insert("a case and its reference have no times in common: set time.output_every");
        if (result.state == RunState::done) error = norm_of(found, how.norm, how.from);
      } catch (const std::invalid_argument& trouble) {
        remarks_.insert(quantity + " is not compared: " + trouble.what());
      }
    }
  }

  /// Times and values of "error.Q", a [[series]] or an entry of result.h5.
  TimeSeries series(const std::string& name, const RunData& data, const RunData* reference) const {
    if (!name.starts_with("error.")) return evaluate(name, study_, data, reference);
    const auto found = errors_.find(name.substr(6));
    if (found == errors_.end()) return {};
    return {found->second.times, values_of(found->second, study_.convergence->norm)};
  }

  void measure(const Measure& m, const RunData& data, const RunData* reference, CaseResult& result) {
    try {
      const TimeSeries s = series(m.series, data, reference);
      result.numbers["measure." + m.name] = take(m, s.times, s.values);
    } catch (const std::invalid_argument& trouble) {
      remarks_.insert("measure '" + m.name + "': " + trouble.what());
    }
  }

  /// Nothing when the reference is not complete.
  const RunData* reference_of(const Case& c) {
    if (c.reference < 0) return nullptr;
    if (!data_.contains(c.reference)) {
      if (data_.size() > 8) data_.clear();  // cases come in order: few references are needed at a time
      const RunOutcome outcome = inspect(run_of(c.reference), folder_);
      std::unique_ptr<RunData> data;
      if (outcome.state == RunState::done)
        data = std::make_unique<RunData>(run_of(c.reference), folder_);
      else
        remarks_.insert("a reference is not complete (" + word_of(outcome.state) + "): " + outcome.reason);
      data_[c.reference] = std::move(data);
    }
    return data_[c.reference].get();
  }

  void read_references() {
    std::set<int> numbers;
    for (const Case& c : results_.list.cases)
      if (c.reference >= 0) numbers.insert(c.reference);
    for (const int i : numbers) results_.references.push_back({i, inspect(run_of(i), folder_)});
  }

  /// Cases that differ in `versus`, and in what is zipped with it, alone.
  void find_orders() {
    const int versus = results_.list.variable(study_.convergence->versus);
    const std::string& zip = study_.vary[static_cast<std::size_t>(versus)].zip;
    std::map<std::vector<int>, std::vector<int>> curves;
    for (std::size_t i = 0; i < results_.list.cases.size(); ++i) {
      std::vector<int> others = results_.list.cases[i].choice;
      for (std::size_t v = 0; v < others.size(); ++v)
        if (static_cast<int>(v) == versus || (!zip.empty() && study_.vary[v].zip == zip)) others[v] = -1;
      curves[others].push_back(static_cast<int>(i));
    }
    std::vector<std::string> quantities;
    for (const std::string& q : study_.convergence->quantities) quantities.push_back("error." + q);
    for (const Measure& m : study_.measures) quantities.push_back("measure." + m.name);
    for (const auto& [others, cases] : curves)
      for (const std::string& quantity : quantities) add_order(versus, others, cases, quantity);
  }

  void add_order(int versus, const std::vector<int>& others, const std::vector<int>& cases,
                 const std::string& quantity) {
    const Variable& variable = results_.list.variables[static_cast<std::size_t>(versus)];
    std::vector<double> x, y;
    for (const int i : cases) {
      const auto at = static_cast<std::size_t>(i);
      x.push_back(
          variable.numbers[static_cast<std::size_t>(results_.list.cases[at].choice[static_cast<std::size_t>(versus)])]);
      y.push_back(std::abs(results_.number(at, quantity)));
    }
    const bool is_error = quantity.starts_with("error.");
    CurveOrder curve{
        cases, curve_label(results_.list, others), quantity,
        observed_order(x, y, is_error ? study_.convergence->below : std::numeric_limits<double>::infinity())};
    const std::string of = is_error ? quantity.substr(6) : quantity;
    const double left_out = static_cast<double>(curve.fit.left_out.size());
    for (const int i : cases) {
      auto& numbers = results_.cases[static_cast<std::size_t>(i)].numbers;
      numbers["order." + of] = curve.fit.order;
      numbers["left_out." + of] = left_out;
    }
    add_ratios(cases, x, y, "ratio." + of);
    results_.orders.push_back(std::move(curve));
  }

  /// (ST.7) Each value over that of its neighbour in the list: half the step, a quarter of the error.
  void add_ratios(const std::vector<int>& cases, const std::vector<double>& x, const std::vector<double>& y,
                  const std::string& name) {
    std::vector<std::size_t> order(cases.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    const bool is_count = std::all_of(x.begin(), x.end(), [](double h) { return h >= 1 && h == std::floor(h); });
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return is_count ? x[a] < x[b] : x[a] > x[b]; });
    for (std::size_t k = 1; k < order.size(); ++k)
      results_.cases[static_cast<std::size_t>(cases[order[k]])].numbers[name] = y[order[k]] / y[order[k - 1]];
  }

  /// As the study file lists them.
  void sort_charts() {
    std::stable_sort(results_.charts.begin(), results_.charts.end(),
                     [&](const NamedChart& a, const NamedChart& b) { return a.plot < b.plot; });
  }

  const Study& study_;
  std::filesystem::path folder_;
  Results results_;
  SeriesCharts series_charts_;
  std::map<int, std::unique_ptr<RunData>> data_;
  std::map<std::string, ErrorSeries> errors_;  ///< of the case that is being read
  std::set<std::string> remarks_;
};

}  // namespace

double Results::number(std::size_t i, const std::string& name, const Selection& over) const {
  const auto of = [&](std::size_t at) {
    const auto found = cases[at].numbers.find(name);
    return found == cases[at].numbers.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
  };
  if (over.empty()) return of(i);
  const int partner = list.partner(list.cases[i], over);
  return partner < 0 ? std::numeric_limits<double>::quiet_NaN() : of(i) / of(static_cast<std::size_t>(partner));
}

Results analyse(const Study& study, CaseList list, const std::filesystem::path& cases) {
  return Analysis(study, std::move(list), cases).run();
}

}  // namespace filum::study
