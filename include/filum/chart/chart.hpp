/// A chart as data, and its drawing as SVG, for documents; pages draw the same data themselves (viewer/). User
/// document: docs/guide/studies.md, "Plots".
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace filum::chart {

struct ChartPoint {
  double x = 0, y = 0;
  std::string note = {};  ///< shown when the pointer rests on the point
};

/// Points in their order; a point that is not finite, or not positive on a logarithmic axis, breaks the line.
/// More than 400 points: a thinned line that keeps its peaks, and only a few markers along it.
struct ChartCurve {
  std::string label;  ///< empty: not in the legend, but hidden with a curve that looks alike
  std::vector<ChartPoint> points;
  bool has_markers = true;
  bool has_line = true;
  bool is_reference = false;  ///< drawn behind the others, thin and grey
  int style = -1;             ///< curves with the same number look alike; −1: the next free one
};

struct ChartAxis {
  std::string label;
  bool logarithmic = false;
  std::optional<std::array<double, 2>> range = {};  ///< default, and if it is no interval: what the curves need
  std::vector<std::string> categories = {};         ///< names instead of numbers: 0, 1, 2, ... on this axis
};

struct Chart {
  std::string title;
  ChartAxis x, y;
  std::vector<ChartCurve> curves = {};
  std::vector<double> slopes = {};  ///< a triangle for each of these orders, on logarithmic axes
  bool equal_axes = false;          ///< the same scale on both: paths and shapes
};

/// A complete SVG file: legible at 640 pixels, in print without colours (markers and dashes
/// differ), and on dark pages (colours follow `prefers-color-scheme` when it stands in a page).
std::string to_svg(const Chart& chart);

}  // namespace filum::chart
