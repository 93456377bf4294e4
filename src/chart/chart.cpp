/// A chart as SVG. User document: docs/guide/studies.md, "Plots".
#include "chart_frame.hpp"
#include "chart_parts.hpp"
#include "chart_style.hpp"
#include "chart_text.hpp"

#include <filum/chart/chart.hpp>
#include <filum/config/fingerprint.hpp>

#include <algorithm>
#include <cstring>

namespace filum::chart {
namespace {

/// The same chart has the same id in every run, and another chart another one.
class Hash {
 public:
  void add(std::string_view text) {
    state_.add(text);
    state_.add("\xFF");
  }
  void add(double value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    state_.add({bytes, sizeof bytes});
  }
  std::string id() const {
    std::string out = "chart-";
    for (int i = 0; i < 48; i += 4) out += "0123456789abcdef"[(state_.value() >> i) & 15U];
    return out;
  }

 private:
  config::Fingerprint state_;
};

void add_axis(Hash& hash, const ChartAxis& axis) {
  hash.add(axis.label);
  hash.add(axis.logarithmic ? 1.0 : 0.0);
  for (const double bound : axis.range.value_or(std::array<double, 2>{0, 0})) hash.add(bound);
  for (const std::string& name : axis.categories) hash.add(name);
}

std::string id_of(const Chart& chart) {
  Hash hash;
  hash.add(chart.title);
  add_axis(hash, chart.x);
  add_axis(hash, chart.y);
  for (const double slope : chart.slopes) hash.add(slope);
  hash.add(chart.equal_axes ? 1.0 : 0.0);
  for (const ChartCurve& curve : chart.curves) {
    hash.add(curve.label);
    hash.add(curve.style + 8.0 * curve.has_line + 16.0 * curve.has_markers + 32.0 * curve.is_reference);
    for (const ChartPoint& point : curve.points) {
      hash.add(point.x);
      hash.add(point.y);
      hash.add(point.note);
    }
  }
  return hash.id();
}

std::string describe_axis(std::string_view name, const ChartAxis& axis, const Scale& scale) {
  std::string out(name);
  if (!axis.label.empty()) out += ", " + axis.label;
  if (!axis.categories.empty()) return out + ": " + std::to_string(axis.categories.size()) + " names. ";
  if (scale.logarithmic)
    return out + ": decimal logarithm from " + printed_number(scale.lo) + " to " + printed_number(scale.hi) + ". ";
  return out + ": from " + printed_number(scale.lo) + " to " + printed_number(scale.hi) + ". ";
}

bool has_data(const Chart& chart, const Frame& frame) {
  for (const ChartCurve& curve : chart.curves)
    for (const ChartPoint& point : curve.points)
      if (frame.x.is_inside(point.x) && frame.y.is_inside(point.y)) return true;
  return false;
}

std::string describe(const Chart& chart, const Frame& frame, const Legend& legend) {
  std::string out =
      describe_axis("Horizontal axis", chart.x, frame.x) + describe_axis("Vertical axis", chart.y, frame.y);
  out += "Curves: " + std::to_string(chart.curves.size());
  for (std::size_t i = 0; i < legend.entries.size(); ++i) out += (i == 0 ? ": " : ", ") + legend.entries[i].label;
  return out + ".";
}

/// Frame, legend and order triangles depend on each other: a legend that finds no free place in the plot goes beside
/// it.
struct Drawing {
  Frame frame;
  std::string legend, slopes;
};

Drawing draw_with_legend_inside(const Chart& chart, const Legend& legend, bool& has_place) {
  Drawing drawing;
  drawing.frame = lay_out(chart, {});
  Occupancy taken = cover(chart, drawing.frame);
  drawing.slopes = svg_slopes(chart, drawing.frame, taken);
  has_place = legend.entries.empty();
  // Between the columns of a chart of names a legend would look like one more.
  const bool has_names = !chart.x.categories.empty() || !chart.y.categories.empty();
  if (has_place || has_names || legend.entries.size() > 6) return drawing;
  const LegendBox box = stack_legend(legend, 210);
  const auto place = free_place(box, drawing.frame.plot, taken);
  has_place = place.has_value();
  if (place) drawing.legend = svg_legend(legend, box, place->left, place->top, true);
  return drawing;
}

Drawing draw(const Chart& chart, const Legend& legend) {
  bool has_place = false;
  Drawing drawing = draw_with_legend_inside(chart, legend, has_place);
  if (has_place) return drawing;
  const double room = drawing.frame.plot.width();
  const LegendBox above = spread_legend(legend, room);
  const bool goes_above = legend.entries.size() <= 6 && above.width <= room && above.height < 40;
  const LegendBox box = goes_above ? above : stack_legend(legend, 190);
  drawing.frame = lay_out(chart, goes_above ? Reserved{box.height + 10, 0, 0} : Reserved{0, box.width, box.height});
  const Rect& plot = drawing.frame.plot;
  const double top = 12 + static_cast<double>(drawing.frame.title.size()) * FontSizes::title * 1.3 + 6;
  drawing.legend = goes_above ? svg_legend(legend, box, plot.left, top, false)
                              : svg_legend(legend, box, plot.right + 12, plot.top - 5, false);
  Occupancy taken = cover(chart, drawing.frame);
  drawing.slopes = svg_slopes(chart, drawing.frame, taken);
  return drawing;
}

}  // namespace

std::string to_svg(const Chart& chart) {
  const std::string id = id_of(chart);
  const std::vector<Look> looks = looks_of(chart);
  const Legend legend = collect_legend(chart, looks);
  const Drawing drawing = draw(chart, legend);
  const Frame& frame = drawing.frame;
  const std::string size = pixels(frame.width) + "\" height=\"" + pixels(frame.height);
  const Rect& plot = frame.plot;
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"" + id +
                    "\" class=\"chart\" role=\"img\" aria-labelledby=\"" + id + "-title " + id + "-desc\" width=\"" +
                    size + "\" viewBox=\"0 0 " + pixels(frame.width) + " " + pixels(frame.height) + "\">\n";
  out += "<title id=\"" + id + "-title\">" + escape_xml(chart.title.empty() ? "Chart" : chart.title) + "</title>\n";
  out += "<desc id=\"" + id + "-desc\">" + escape_xml(describe(chart, frame, legend)) + "</desc>\n";
  out += style_sheet(id, looks);
  // Markers may stand on the edge; curves that leave a given range end there.
  const double rim = chart.x.range || chart.y.range ? 0.5 : 6;
  out += "<clipPath id=\"" + id + "-clip\"><rect x=\"" + pixels(plot.left - rim) + "\" y=\"" + pixels(plot.top - rim) +
         "\" width=\"" + pixels(plot.width() + 2 * rim) + "\" height=\"" + pixels(plot.height() + 2 * rim) +
         "\"/></clipPath>\n";
  out += "<rect class=\"page\" width=\"" + size + "\"/>\n";
  out += svg_axes(chart, frame);
  out += "<g clip-path=\"url(#" + id + "-clip)\">\n" + svg_curves(chart, frame, looks, legend) + "</g>\n";
  if (!has_data(chart, frame))
    out += "<text class=\"empty\" text-anchor=\"middle\" font-size=\"" + pixels(FontSizes::label) + "\" x=\"" +
           pixels((plot.left + plot.right) / 2) + "\" y=\"" + pixels((plot.top + plot.bottom) / 2) +
           "\">no data</text>\n";
  return out + drawing.slopes + drawing.legend + "</svg>\n";
}

}  // namespace filum::chart
