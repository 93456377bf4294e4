/// Where the parts of a chart stand, in pixels. User document: docs/guide/studies.md, "Plots".
#pragma once

#include "chart_axis.hpp"

#include <filum/chart/chart.hpp>

#include <string>
#include <vector>

namespace filum::chart {

struct Rect {
  double left = 0, top = 0, right = 0, bottom = 0;

  double width() const { return right - left; }
  double height() const { return bottom - top; }
};

struct FontSizes {
  static constexpr double title = 15, label = 13, tick = 12, legend = 12;
};

/// Room that a legend takes beside the plot.
struct Reserved {
  double above = 0, right = 0, height = 0;
};

struct Frame {
  double width = 0, height = 0;
  Rect plot;
  Scale x, y;
  Ticks x_ticks, y_ticks;
  std::vector<std::string> title;                      ///< in lines
  std::vector<std::vector<std::string>> x_categories;  ///< their lines, empty when they are turned
  double x_label_height = 0;                           ///< of tick labels
};

Frame lay_out(const Chart& chart, const Reserved& reserved);

std::string svg_axes(const Chart& chart, const Frame& frame);

/// Which places of the plot are taken, in small cells.
class Occupancy {
 public:
  explicit Occupancy(const Rect& plot);

  void mark(double x, double y);
  void mark_line(double x0, double y0, double x1, double y1);
  void mark_rect(const Rect& rect);
  int count(const Rect& rect) const;

 private:
  static constexpr double cell = 4;
  int column(double x) const;
  int row(double y) const;
  std::size_t index(int r, int c) const;

  Rect plot_;
  int columns_, rows_;
  std::vector<char> taken_;
};

/// What the curves cover.
Occupancy cover(const Chart& chart, const Frame& frame);

}  // namespace filum::chart
