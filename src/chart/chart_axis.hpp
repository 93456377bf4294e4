/// Axes of a chart: ranges, the map to pixels, ticks and their labels. User document: docs/guide/studies.md, "Plots".
#pragma once

#include <filum/chart/chart.hpp>

#include <array>
#include <string>
#include <vector>

namespace filum::chart {

/// From values to pixels. `lo` and `hi` are decimal logarithms on a logarithmic axis.
struct Scale {
  bool logarithmic = false;
  double lo = 0, hi = 1;
  double first_pixel = 0, last_pixel = 1;

  bool can_show(double value) const;  ///< finite, and positive on a logarithmic axis
  bool is_inside(double value) const;
  double coordinate(double value) const;
  double pixel(double value) const;
  double pixels_per_unit() const { return (last_pixel - first_pixel) / (hi - lo); }
};

/// What the curves need, with a margin; pixels are not set yet.
std::array<Scale, 2> fit_scales(const Chart& chart);

/// "10" with an exponent above it, or any text.
struct TickLabel {
  std::string text;
  std::string exponent = {};
  std::string after = {};
};

struct Tick {
  double value = 0;
  TickLabel label;
};

struct Ticks {
  std::vector<Tick> major;
  std::vector<double> minor = {};
  TickLabel note = {};  ///< a factor and an offset that all labels share: "×10⁻⁵ + 1234.5"
};

/// Labels stand at least `spacing` pixels apart.
Ticks find_ticks(const ChartAxis& axis, const Scale& scale, double spacing);

double width_of(const TickLabel& label, double font_size);
std::string svg_of(const TickLabel& label);

}  // namespace filum::chart
