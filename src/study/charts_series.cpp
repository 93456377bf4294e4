/// Charts over time, of one series over another, and of shapes. User document: docs/guide/studies.md, "Plots".
#include "charts.hpp"
#include "checks.hpp"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace filum::study {
namespace {

/// The variable name behind its last dot is enough beside a number.
std::string last_word(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos ? name : name.substr(dot + 1);
}

/// Residuals and errors are read in powers of ten.
bool is_small_quantity(const std::string& name) {
  return name.starts_with("error.") || name.starts_with("constraint/");
}

Eigen::Vector2d projected(const double* x, const std::string& view) {
  if (view == "x") return {x[1], x[2]};
  if (view == "y") return {x[0], x[2]};
  if (view == "z") return {x[0], x[1]};
  constexpr double c = 0.8660254037844386, s = 0.5;  // 30°
  return {c * (x[0] - x[1]), x[2] - s * (x[0] + x[1])};
}

}  // namespace

std::string curve_label(const CaseList& list, const std::vector<int>& choice) {
  std::string text;
  for (std::size_t v = 0; v < choice.size(); ++v) {
    const Variable& variable = list.variables[v];
    if (choice[v] < 0 || variable.labels.size() < 2 || variable.follows) continue;
    const auto at = static_cast<std::size_t>(choice[v]);
    if (!text.empty()) text += ", ";
    if (!std::isnan(variable.numbers[at])) text += last_word(variable.name) + " = ";
    text += variable.labels[at];
  }
  return text;
}

std::string chart_title(const Plot& plot, const CaseList& list, const Case& c) {
  const std::string title = plot.title.empty() ? plot.name : plot.title;
  if (plot.panel.empty()) return title;
  std::vector<int> choice(list.variables.size(), -1);
  const auto v = static_cast<std::size_t>(list.variable(plot.panel));
  choice[v] = c.choice[v];
  return title + ": " + curve_label(list, choice);
}

Chart& SeriesCharts::chart(const Plot& plot, const Case& c) {
  if (!names_) names_.emplace(study_, list_);
  const std::string& name = names_->of(number(plot), c);
  const auto known = std::find_if(charts_.begin(), charts_.end(), [&](const NamedChart& n) { return n.name == name; });
  if (known != charts_.end()) return known->chart;
  NamedChart& made = charts_.emplace_back();
  made.plot = number(plot);
  made.name = name;
  made.title = made.chart.title = chart_title(plot, list_, c);
  ChartAxis &x = made.chart.x, &y = made.chart.y;
  x.label = plot.x_label;
  y.label = plot.y_label;
  x.range = plot.x_range;
  y.range = plot.y_range;
  if (plot.kind == PlotKind::shapes) {
    made.chart.equal_axes = true;
    const auto label = [&](const char* text, ChartAxis& axis) {
      if (axis.label.empty()) axis.label = text;
    };
    if (plot.view != "oblique") {
      label(plot.view == "x" ? "y" : "x", x);
      label(plot.view == "z" ? "y" : "z", y);
    }
    return made.chart;
  }
  if (x.label.empty()) x.label = plot.x.empty() || plot.x == "time" ? "t" : plot.x;
  if (y.label.empty()) y.label = plot.y.size() == 1 ? plot.y.front() : "";
  x.logarithmic = plot.x_axis == AxisKind::logarithmic;
  y.logarithmic = plot.y_axis == AxisKind::logarithmic ||
                  (plot.y_axis == AxisKind::automatic && std::all_of(plot.y.begin(), plot.y.end(), is_small_quantity));
  made.chart.equal_axes = !plot.x.empty() && plot.x != "time" && !x.logarithmic && !y.logarithmic;
  return made.chart;
}

void SeriesCharts::add_series(const Plot& plot, const Case& c, const RunData* reference, const Read& read) {
  std::vector<int> others = c.choice;
  if (!plot.panel.empty()) others[static_cast<std::size_t>(list_.variable(plot.panel))] = -1;
  for (const Setting& s : plot.where) others[static_cast<std::size_t>(list_.variable(s.key))] = -1;
  const std::string label = curve_label(list_, others);
  const auto add = [&](const TimeSeries& x, const TimeSeries& y, std::string text, bool is_reference) {
    ChartCurve curve;
    curve.label = std::move(text);
    curve.has_markers = false;
    curve.is_reference = is_reference;
    for (std::size_t n = 0; n < y.values.size() && n < x.values.size(); ++n)
      curve.points.push_back({x.values[n], y.values[n]});
    chart(plot, c).curves.push_back(std::move(curve));
  };
  for (std::size_t k = 0; k < plot.y.size(); ++k) {
    const std::string& name = plot.y[k];
    const TimeSeries y = read(name);
    const TimeSeries x = plot.x.empty() || plot.x == "time" ? TimeSeries{y.times, y.times} : read(plot.x);
    std::string text = label;
    const std::string shown = k < plot.y_names.size() ? plot.y_names[k] : name;
    if (plot.y.size() > 1) text += (text.empty() ? "" : ", ") + shown;
    add(x, y, text, false);
    if (!plot.with_reference || !reference || name.starts_with("error.")) continue;
    const auto& charts = chart(plot, c).curves;
    const std::string reference_label = plot.y.size() > 1 ? "reference, " + shown : "reference";
    if (std::any_of(charts.begin(), charts.end(),
                    [&](const ChartCurve& known) { return known.label == reference_label; }))
      continue;
    add(evaluate(plot.x.empty() ? "time" : plot.x, study_, *reference, reference),
        evaluate(name, study_, *reference, reference), reference_label, true);
  }
}

void SeriesCharts::add_shapes(const Plot& plot, const Case& c, const RunData& data) {
  const Recorded& x = data.series(plot.object + "/position");
  const int nodes = x.shape.front();
  Chart& target = chart(plot, c);
  constexpr std::size_t most_labels = 8;
  for (std::size_t k = 0; k < plot.times.size(); ++k) {
    const auto after = std::lower_bound(data.times().begin(), data.times().end(), plot.times[k] - 1e-9);
    if (after == data.times().end()) continue;
    ChartCurve curve;
    if (plot.times.size() <= most_labels) curve.label = "t = " + short_number(*after);
    for (int i = 0; i < nodes; ++i) {
      const auto p = projected(x.frame(static_cast<std::size_t>(after - data.times().begin())) + 3 * i, plot.view);
      curve.points.push_back({p[0], p[1], "t = " + short_number(*after)});
    }
    target.curves.push_back(std::move(curve));
  }
  for (const int end : {0, nodes - 1}) {
    ChartCurve path;
    path.is_reference = true;
    path.has_markers = false;
    for (std::size_t n = 0; n < data.frames(); ++n) {
      const auto p = projected(x.frame(n) + 3 * end, plot.view);
      path.points.push_back({p[0], p[1]});
    }
    target.curves.push_back(std::move(path));
  }
}

bool SeriesCharts::has_any() const {
  return std::any_of(study_.plots.begin(), study_.plots.end(),
                     [](const Plot& plot) { return plot.kind != PlotKind::cases; });
}

void SeriesCharts::add(int index, const RunData& data, const RunData* reference, const Read& read) {
  const Case& c = list_.cases[static_cast<std::size_t>(index)];
  for (const Plot& plot : study_.plots) {
    if (plot.kind == PlotKind::cases || !list_.matches(c, plot.where)) continue;
    try {
      if (plot.kind == PlotKind::series)
        add_series(plot, c, reference, read);
      else
        add_shapes(plot, c, data);
    } catch (const std::invalid_argument& trouble) {
      remarks_.insert("plot '" + plot.name + "': " + trouble.what());
    }
  }
}

std::vector<NamedChart> SeriesCharts::finished() { return std::move(charts_); }

}  // namespace filum::study
