/// Parts of a chart: curves, legend, order triangles. User document: docs/guide/studies.md, "Plots".
#pragma once

#include "chart_frame.hpp"
#include "chart_style.hpp"

#include <filum/chart/chart.hpp>

#include <optional>
#include <string>
#include <vector>

namespace filum::chart {

struct LegendEntry {
  Look look;
  std::string label;
  bool has_line = false, has_markers = false;
};

struct Legend {
  std::vector<LegendEntry> entries;
  std::vector<int> entry_of_curve;  ///< −1: none
};

/// Curves that look and are called alike share an entry; a curve without a name belongs to the first that looks like
/// it.
Legend collect_legend(const Chart& chart, const std::vector<Look>& looks);

/// Rows, as wide as their labels, in lines no wider than `text_width`.
struct LegendBox {
  struct Row {
    double x = 0, y = 0;  ///< upper left, from the corner of the box
    double width = 0;
    std::vector<std::string> lines;
  };
  std::vector<Row> rows;
  double width = 0, height = 0;
};

LegendBox stack_legend(const Legend& legend, double text_width);
LegendBox spread_legend(const Legend& legend, double width);

/// The corner of the box where it covers nothing, if there is such a place.
std::optional<Rect> free_place(const LegendBox& box, const Rect& plot, const Occupancy& taken);

std::string svg_legend(const Legend& legend, const LegendBox& box, double left, double top, bool has_background);

/// All curves, references first.
std::string svg_curves(const Chart& chart, const Frame& frame, const std::vector<Look>& looks, const Legend& legend);

/// A right triangle with its number for each order, beside the curve that fits it best; marks the places it takes.
std::string svg_slopes(const Chart& chart, const Frame& frame, Occupancy& taken);

}  // namespace filum::chart
