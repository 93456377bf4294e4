/// Charts with a point for every case: errors over steps, errors over time spent, costs. User document:
/// docs/guide/studies.md, "Plots".
#include "charts.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace filum::study {
namespace {

std::string described(const std::string& value, const Study& study) {
  if (!value.starts_with("error.")) return value.starts_with("measure.") ? value.substr(8) : value;
  static const char* const norms[] = {"", "relative ", "final ", "mean ", "final maximum ", "maximum "};
  return std::string(norms[static_cast<int>(study.convergence->norm)]) + "error in " + value.substr(6);
}

class CasePlot {
 public:
  CasePlot(const Study& study, const Results& results, const Plot& plot)
      : study_(study),
        results_(results),
        list_(results.list),
        plot_(plot),
        names_(study, list_),
        x_variable_(list_.variable(plot.x)) {}

  std::vector<NamedChart> charts() {
    for (std::size_t i = 0; i < list_.cases.size(); ++i)
      if (list_.matches(list_.cases[i], plot_.where)) add(i);
    for (NamedChart& c : charts_) finish(c.chart);
    return std::move(charts_);
  }

 private:
  /// The axis of a zip group stands for all of its variables. A curve of numbers over numbers, such as error over
  /// seconds, runs along the variable of [convergence].
  bool is_along(std::size_t v) const {
    const int along = x_variable_ >= 0     ? x_variable_
                      : study_.convergence ? list_.variable(study_.convergence->versus)
                                           : -1;
    if (along < 0) return false;
    const std::string& zip = study_.vary[static_cast<std::size_t>(along)].zip;
    return static_cast<int>(v) == along || (!zip.empty() && study_.vary[v].zip == zip);
  }

  double x_of(std::size_t i) const {
    if (x_variable_ < 0) return results_.number(i, plot_.x);
    const auto v = static_cast<std::size_t>(x_variable_);
    const auto choice = static_cast<std::size_t>(list_.cases[i].choice[v]);
    return has_categories() ? static_cast<double>(choice) : list_.variables[v].numbers[choice];
  }
  bool has_categories() const {
    if (x_variable_ < 0) return false;
    const auto& numbers = list_.variables[static_cast<std::size_t>(x_variable_)].numbers;
    return std::any_of(numbers.begin(), numbers.end(), [](double x) { return std::isnan(x); });
  }

  void add(std::size_t i) {
    const Case& c = list_.cases[i];
    std::vector<int> others = c.choice;
    for (std::size_t v = 0; v < others.size(); ++v)
      if (is_along(v)) others[v] = -1;
    if (!plot_.panel.empty()) others[static_cast<std::size_t>(list_.variable(plot_.panel))] = -1;
    for (const Setting& s : plot_.where) others[static_cast<std::size_t>(list_.variable(s.key))] = -1;
    const std::string label = curve_label(list_, others);
    Chart& target = chart(c);
    for (std::size_t k = 0; k < plot_.y.size(); ++k) {
      const std::string& y = plot_.y[k];
      std::string text = label;
      const std::string shown = k < plot_.y_names.size() ? plot_.y_names[k] : described(y, study_);
      if (plot_.y.size() > 1) text += (text.empty() ? "" : ", ") + shown;
      const double value = results_.number(i, y, plot_.over);
      // A logarithmic axis that was asked for shows sizes; one chosen here has no negative numbers.
      curve(target, text).points.push_back({x_of(i), target.y.logarithmic ? std::abs(value) : value, note(i)});
    }
  }

  std::string note(std::size_t i) const {
    const CaseResult& r = results_.cases[i];
    return r.state == RunState::done ? curve_label(list_, list_.cases[i].choice) : word_of(r.state) + ": " + r.reason;
  }

  static ChartCurve& curve(Chart& chart, const std::string& label) {
    for (ChartCurve& c : chart.curves)
      if (c.label == label) return c;
    ChartCurve& made = chart.curves.emplace_back();
    made.label = label;
    return made;
  }

  Chart& chart(const Case& c) {
    const auto number = static_cast<std::size_t>(&plot_ - study_.plots.data());
    const std::string& name = names_.of(number, c);
    for (NamedChart& known : charts_)
      if (known.name == name) return known.chart;
    NamedChart& made = charts_.emplace_back();
    made.plot = number;
    made.name = name;
    made.title = made.chart.title = chart_title(plot_, list_, c);
    ChartAxis &x = made.chart.x, &y = made.chart.y;
    static const std::map<std::string, std::string> axis_names{
        {"cpu", "processor time [s]"}, {"seconds", "wall time [s]"}, {"steps", "steps"}};
    const auto named = axis_names.find(plot_.x);
    x.label = !plot_.x_label.empty() ? plot_.x_label : named != axis_names.end() ? named->second : plot_.x;
    y.label = !plot_.y_label.empty() ? plot_.y_label
              : plot_.y.size() == 1  ? described(plot_.y.front(), study_)
              : study_.modes         ? plot_.y.front().substr(0, plot_.y.front().find('.'))
                                     : "error";
    x.range = plot_.x_range;
    y.range = plot_.y_range;
    x.logarithmic = plot_.x_axis == AxisKind::logarithmic ||
                    (plot_.x_axis == AxisKind::automatic && !has_categories() && !study_.modes &&
                     fits_logarithm([&](std::size_t i) { return x_of(i); }));
    y.logarithmic = plot_.y_axis == AxisKind::logarithmic || (plot_.y_axis == AxisKind::automatic && is_logarithmic());
    if (has_categories()) x.categories = list_.variables[static_cast<std::size_t>(x_variable_)].labels;
    return made.chart;
  }

  /// Errors and times are read in powers of ten; orders, ratios and modes are not.
  bool is_logarithmic() const {
    return plot_.over.empty() &&
           std::none_of(plot_.y.begin(), plot_.y.end(), [](const std::string& y) { return y.starts_with("order."); }) &&
           !study_.modes && std::all_of(plot_.y.begin(), plot_.y.end(), [&](const std::string& y) {
             return fits_logarithm([&](std::size_t i) { return results_.number(i, y, plot_.over); });
           });
  }

  /// No number of the cases is negative, and not all of them are 0.
  template <class Value>
  bool fits_logarithm(const Value& value) const {
    bool any_number = false, any_positive = false;
    for (std::size_t i = 0; i < list_.cases.size(); ++i) {
      if (!list_.matches(list_.cases[i], plot_.where)) continue;
      const double x = value(i);
      if (x < 0) return false;
      any_number = any_number || std::isfinite(x);
      any_positive = any_positive || x > 0;
    }
    return any_positive || !any_number;
  }

  void finish(Chart& chart) const {
    for (ChartCurve& c : chart.curves) {
      std::stable_sort(c.points.begin(), c.points.end(),
                       [](const ChartPoint& a, const ChartPoint& b) { return a.x < b.x; });
      if (has_categories()) c.has_line = false;
    }
    if (!chart.x.logarithmic || !chart.y.logarithmic || x_variable_ < 0) return;
    chart.slopes = plot_.slopes;
    if (chart.slopes.empty()) chart.slopes = observed_slopes();
  }

  /// Whole numbers near the observed orders of what is drawn.
  std::vector<double> observed_slopes() const {
    std::set<double> slopes;
    for (const CurveOrder& o : results_.orders) {
      const bool is_drawn = std::find(plot_.y.begin(), plot_.y.end(), o.quantity) != plot_.y.end() &&
                            std::any_of(o.cases.begin(), o.cases.end(), [&](int i) {
                              return list_.matches(list_.cases[static_cast<std::size_t>(i)], plot_.where);
                            });
      const double whole = std::round(o.fit.order);
      if (is_drawn && study_.convergence->versus == plot_.x && whole >= 1 && std::abs(o.fit.order - whole) < 0.35)
        slopes.insert(is_count(o) ? -whole : whole);
    }
    return {slopes.begin(), slopes.end()};
  }

  /// Errors that shrink as x grows: segments, not steps.
  bool is_count(const CurveOrder& o) const {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    double low = none, high = none, low_x = std::numeric_limits<double>::infinity(), high_x = 0;
    for (std::size_t k = 0; k < o.cases.size(); ++k) {
      if (!o.fit.used[k]) continue;
      const auto i = static_cast<std::size_t>(o.cases[k]);
      if (x_of(i) < low_x) low_x = x_of(i), low = results_.number(i, o.quantity);
      if (x_of(i) > high_x) high_x = x_of(i), high = results_.number(i, o.quantity);
    }
    return std::abs(low) > std::abs(high);
  }

  const Study& study_;
  const Results& results_;
  const CaseList& list_;
  const Plot& plot_;
  ChartNames names_;
  int x_variable_;
  std::vector<NamedChart> charts_;
};

}  // namespace

std::vector<NamedChart> case_charts(const Study& study, const Results& results) {
  std::vector<NamedChart> all;
  for (const Plot& plot : study.plots)
    if (plot.kind == PlotKind::cases)
      for (NamedChart& c : CasePlot(study, results, plot).charts()) all.push_back(std::move(c));
  return all;
}

}  // namespace filum::study
