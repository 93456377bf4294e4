/// The legend of a chart and the place where it covers nothing. User document: docs/guide/studies.md, "Plots".
#include "chart_parts.hpp"
#include "chart_text.hpp"

#include <algorithm>
#include <cmath>

namespace filum::chart {
namespace {

constexpr double sample = 30, gap = 7, line_height = 15, row_gap = 4, margin = 7;

double widest(const std::vector<std::string>& lines) {
  double width = 0;
  for (const std::string& line : lines) width = std::max(width, text_width(line, FontSizes::legend));
  return width;
}

std::string svg_sample(const LegendEntry& entry, double x, double y) {
  std::string out;
  if (entry.has_line) {
    out += "<path class=\"line\" stroke-width=\"" + std::string(entry.look.is_reference ? "1" : "1.8") + "\"";
    if (const auto dashes = dashes_of(entry.look); !dashes.empty())
      out.append(" stroke-dasharray=\"").append(dashes).append("\"");
    out += " d=\"M" + pixels(x) + " " + pixels(y) + "h" + pixels(sample) + "\"/>";
  }
  if (entry.has_markers) out += svg_marker(entry.look, x + sample / 2, y);
  return out;
}

}  // namespace

Legend collect_legend(const Chart& chart, const std::vector<Look>& looks) {
  Legend legend;
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    const ChartCurve& curve = chart.curves[i];
    if (curve.label.empty()) continue;
    auto entry = std::find_if(legend.entries.begin(), legend.entries.end(),
                              [&](const LegendEntry& e) { return e.look == looks[i] && e.label == curve.label; });
    if (entry == legend.entries.end()) entry = legend.entries.insert(entry, {looks[i], curve.label});
    entry->has_line = entry->has_line || curve.has_line;
    entry->has_markers = entry->has_markers || curve.has_markers;
  }
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    const std::string& label = chart.curves[i].label;
    const auto entry = std::find_if(legend.entries.begin(), legend.entries.end(), [&](const LegendEntry& e) {
      return e.look == looks[i] && (label.empty() || e.label == label);
    });
    const bool has_entry = entry != legend.entries.end();
    legend.entry_of_curve.push_back(has_entry ? static_cast<int>(entry - legend.entries.begin()) : -1);
  }
  return legend;
}

LegendBox stack_legend(const Legend& legend, double text_width) {
  LegendBox box;
  double y = margin;
  for (const LegendEntry& entry : legend.entries) {
    LegendBox::Row row{margin, y, 0, wrap(entry.label, FontSizes::legend, text_width)};
    row.width = sample + gap + widest(row.lines);
    box.width = std::max(box.width, row.width + 2 * margin);
    y += static_cast<double>(row.lines.size()) * line_height + row_gap;
    box.rows.push_back(std::move(row));
  }
  box.height = y - row_gap + margin;
  return box;
}

LegendBox spread_legend(const Legend& legend, double width) {
  LegendBox box;
  double x = 0, y = 0;
  for (const LegendEntry& entry : legend.entries) {
    LegendBox::Row row{x, y, 0, {entry.label}};
    row.width = sample + gap + widest(row.lines);
    if (x > 0 && x + row.width > width) {
      row.x = x = 0;
      row.y = y = y + line_height + row_gap;
    }
    x += row.width + 20;
    box.width = std::max(box.width, row.x + row.width);
    box.rows.push_back(std::move(row));
  }
  box.height = y + line_height;
  return box;
}

std::optional<Rect> free_place(const LegendBox& box, const Rect& plot, const Occupancy& taken) {
  constexpr double inset = 9;
  const double free_x = plot.width() - box.width - 2 * inset, free_y = plot.height() - box.height - 2 * inset;
  if (free_x < 0 || free_y < 0 || box.width > 0.55 * plot.width() || box.height > 0.6 * plot.height()) return {};
  std::optional<Rect> best;
  double least = 0;
  constexpr int places = 12;
  for (int i = 0; i <= places; ++i)
    for (int k = 0; k <= places; ++k) {
      const double left = plot.left + inset + free_x * i / places, top = plot.top + inset + free_y * k / places;
      const Rect rect{left, top, left + box.width, top + box.height};
      if (taken.count({rect.left - 3, rect.top - 3, rect.right + 3, rect.bottom + 3}) > 0) continue;
      // Corners first, then edges; the upper right where all are free.
      const double from_edges = std::min(i, places - i) + std::min(k, places - k);
      const double cost = from_edges + 0.2 * (i < places) + 0.1 * (k > 0);
      if (best && cost >= least) continue;
      least = cost;
      best = rect;
    }
  return best;
}

std::string svg_legend(const Legend& legend, const LegendBox& box, double left, double top, bool has_background) {
  std::string out = "<g class=\"legend\" font-size=\"" + pixels(FontSizes::legend) + "\">\n";
  if (has_background)
    out += "<rect class=\"box\" rx=\"3\" x=\"" + pixels(left) + "\" y=\"" + pixels(top) + "\" width=\"" +
           pixels(box.width) + "\" height=\"" + pixels(box.height) + "\"/>\n";
  for (std::size_t i = 0; i < box.rows.size(); ++i) {
    const LegendBox::Row& row = box.rows[i];
    const LegendEntry& entry = legend.entries[i];
    const double x = left + row.x, y = top + row.y, rows = static_cast<double>(row.lines.size());
    out += "<g class=\"entry " + css_class(entry.look) + "\" data-curve=\"" + std::to_string(i) + "\">";
    // Takes the click between sample and text.
    out += "<rect fill=\"none\" pointer-events=\"all\" x=\"" + pixels(x) + "\" y=\"" + pixels(y) + "\" width=\"" +
           pixels(row.width) + "\" height=\"" + pixels(rows * line_height) + "\"/>";
    out += svg_sample(entry, x, y + line_height / 2);
    for (std::size_t k = 0; k < row.lines.size(); ++k)
      out += "<text x=\"" + pixels(x + sample + gap) + "\" y=\"" +
             pixels(y + line_height * (static_cast<double>(k) + 0.5) + 4.2) + "\">" + escape_xml(row.lines[k]) +
             "</text>";
    out += "</g>\n";
  }
  return out + "</g>\n";
}

}  // namespace filum::chart
