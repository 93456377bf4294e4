/// Charts for tests, and reading them back from their drawing.
#pragma once

#include "markup.hpp"

#include <filum/chart/chart.hpp>

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace filum::chart {

using filum::testing::all_between;
using filum::testing::all_matches;
using filum::testing::between;
using filum::testing::numbers_in;

inline ChartCurve power_law(const std::string& label, double factor, double order, int first = 4, int last = 10) {
  ChartCurve curve{label, {}};
  for (int i = first; i <= last; ++i) curve.points.push_back({std::exp2(-i), factor * std::pow(std::exp2(-i), order)});
  return curve;
}

inline Chart log_log(std::vector<ChartCurve> curves, std::vector<double> slopes = {}) {
  Chart chart{"Errors", {"h", true}, {"error", true}, std::move(curves)};
  chart.slopes = std::move(slopes);
  return chart;
}

struct DrawnTick {
  double at;          ///< in pixels
  std::string label;  ///< an exponent follows ^
};

inline std::vector<DrawnTick> ticks_of(const std::string& svg, char axis) {
  const std::string group = between(svg, std::string("<g class=\"") + axis + "-ticks\"", "</g>");
  std::vector<DrawnTick> ticks;
  const std::regex text(R"re(<text x="([-\d.]+)" y="([-\d.]+)"[^>]*>(.*?)</text>)re"), exponent("<tspan[^>]*>");
  for (std::sregex_iterator m(group.begin(), group.end(), text), end; m != end; ++m) {
    std::string label =
        std::regex_replace(std::regex_replace((*m)[3].str(), exponent, "^"), std::regex("</tspan>"), "");
    label = std::regex_replace(label, std::regex("−"), "-");
    ticks.push_back({std::stod((*m)[axis == 'x' ? 1 : 2]) - (axis == 'y' ? 4.2 : 0), label});
  }
  return ticks;
}

/// Left, top, right, bottom of the plot.
inline std::array<double, 4> plot_of(const std::string& svg) {
  const std::string path = between(svg, "class=\"frame\" d=\"", "z\"");
  const auto n = numbers_in(path.substr(path.rfind('M')));
  return {n.at(0), n.at(1), n.at(0) + n.at(2), n.at(1) + n.at(3)};
}

inline std::vector<std::string> curve_groups(const std::string& svg) {
  return all_between(svg, "<g class=\"curve ", "</g>\n");
}

inline std::vector<std::array<double, 2>> markers_in(const std::string& svg) {
  std::vector<std::array<double, 2>> out;
  for (const std::string& start : all_matches(svg, R"re(class="(?:open|filled)" d="M([-\d.]+ [-\d.]+)m)re")) {
    const auto n = numbers_in(start);
    out.push_back({n[0], n[1]});
  }
  return out;
}

inline std::string line_of(const std::string& group) { return between(group, "class=\"line\" d=\"", "\""); }

inline std::vector<std::string> triangles_of(const std::string& svg) {
  std::vector<std::string> out;
  for (const std::string& group : all_between(svg, "<g class=\"slope\"", "</g>"))
    out.push_back(between(group, " d=\"", "\""));
  return out;
}

}  // namespace filum::chart
