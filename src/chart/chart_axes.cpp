/// Title, grid, ticks and labels of a chart. User document: docs/guide/studies.md, "Plots".
#include "chart_frame.hpp"
#include "chart_text.hpp"

#include <algorithm>
#include <cmath>

namespace filum::chart {
namespace {

std::string move_to(double x, double y) { return "M" + pixels(x) + " " + pixels(y); }

std::string text_at(double x, double y, std::string_view attributes, std::string_view content) {
  std::string out = "<text x=\"" + pixels(x) + "\" y=\"" + pixels(y) + "\"";
  if (!attributes.empty()) out.append(" ").append(attributes);
  return out.append(">").append(content).append("</text>\n");
}

std::string centred_lines(double x, double y, double step, const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) {
    out += text_at(x, y, "", escape_xml(line));
    y += step;
  }
  return out;
}

std::string svg_grid(const Frame& frame) {
  std::string d;
  for (const Tick& tick : frame.x_ticks.major)
    d += move_to(frame.x.pixel(tick.value), frame.plot.top) + "v" + pixels(frame.plot.height());
  for (const Tick& tick : frame.y_ticks.major)
    d += move_to(frame.plot.left, frame.y.pixel(tick.value)) + "h" + pixels(frame.plot.width());
  return "<path class=\"grid\" d=\"" + d + "\"/>\n";
}

std::string svg_tick_marks(const Frame& frame) {
  std::string d;
  for (const Tick& tick : frame.x_ticks.major) d += move_to(frame.x.pixel(tick.value), frame.plot.bottom) + "v5";
  for (const double value : frame.x_ticks.minor) d += move_to(frame.x.pixel(value), frame.plot.bottom) + "v3";
  for (const Tick& tick : frame.y_ticks.major) d += move_to(frame.plot.left, frame.y.pixel(tick.value)) + "h-5";
  for (const double value : frame.y_ticks.minor) d += move_to(frame.plot.left, frame.y.pixel(value)) + "h-3";
  const Rect& p = frame.plot;
  return "<path class=\"frame\" d=\"" + d + move_to(p.left, p.top) + "h" + pixels(p.width()) + "v" +
         pixels(p.height()) + "h" + pixels(-p.width()) + "z\"/>\n";
}

std::string svg_x_labels(const Frame& frame) {
  const double y = frame.plot.bottom + 8 + 0.85 * FontSizes::tick;
  std::string out = "<g class=\"x-ticks\" text-anchor=\"middle\" font-size=\"" + pixels(FontSizes::tick) + "\">\n";
  const bool has_names = !frame.x_categories.empty();
  const bool is_turned = !has_names && frame.x_label_height > 2 * FontSizes::tick;
  for (std::size_t i = 0; i < frame.x_ticks.major.size(); ++i) {
    const Tick& tick = frame.x_ticks.major[i];
    const double x = frame.x.pixel(tick.value);
    if (has_names)
      out += centred_lines(x, y, 1.3 * FontSizes::tick, frame.x_categories[i]);
    else if (is_turned)
      out += text_at(x + 4, y, "text-anchor=\"end\" transform=\"rotate(-35 " + pixels(x + 4) + " " + pixels(y) + ")\"",
                     svg_of(tick.label));
    else
      out += text_at(x, y, "", svg_of(tick.label));
  }
  return out + "</g>\n";
}

std::string svg_y_labels(const Frame& frame) {
  std::string out = "<g class=\"y-ticks\" text-anchor=\"end\" font-size=\"" + pixels(FontSizes::tick) + "\">\n";
  for (const Tick& tick : frame.y_ticks.major)
    out += text_at(frame.plot.left - 8, frame.y.pixel(tick.value) + 4.2, "", svg_of(tick.label));
  return out + "</g>\n";
}

std::string svg_notes(const Frame& frame) {
  std::string out;
  const std::string size = "font-size=\"" + pixels(FontSizes::tick) + "\"";
  if (const std::string note = svg_of(frame.y_ticks.note); !note.empty())
    out += text_at(frame.plot.left, frame.plot.top - 7, size, note);
  if (const std::string note = svg_of(frame.x_ticks.note); !note.empty())
    out += text_at(frame.plot.right, frame.plot.bottom + 8 + frame.x_label_height + 14, size + " text-anchor=\"end\"",
                   note);
  return out;
}

std::string svg_axis_labels(const Chart& chart, const Frame& frame) {
  const Rect& p = frame.plot;
  std::string out = "<g text-anchor=\"middle\" font-size=\"" + pixels(FontSizes::label) + "\">\n";
  const auto first_line = [](const std::string& label, double room) {
    const auto lines = wrap(label, FontSizes::label, room);
    return escape_xml(lines.size() > 1 ? lines.front() + " …" : lines.front());
  };
  if (!chart.x.label.empty())
    out += text_at((p.left + p.right) / 2, p.bottom + 8 + frame.x_label_height + 18, "",
                   first_line(chart.x.label, frame.width - 2 * width_of(frame.x_ticks.note, FontSizes::tick) - p.left));
  if (!chart.y.label.empty()) {
    const double y = (p.top + p.bottom) / 2;
    out +=
        text_at(22, y, "transform=\"rotate(-90 22 " + pixels(y) + ")\"", first_line(chart.y.label, frame.height - 24));
  }
  return out + "</g>\n";
}

}  // namespace

std::string svg_axes(const Chart& chart, const Frame& frame) {
  std::string out;
  if (!frame.title.empty())
    out += "<g class=\"heading\" text-anchor=\"middle\" font-weight=\"600\" font-size=\"" + pixels(FontSizes::title) +
           "\">\n" + centred_lines(frame.width / 2, 12 + FontSizes::title, 1.3 * FontSizes::title, frame.title) +
           "</g>\n";
  return out + svg_grid(frame) + svg_tick_marks(frame) + svg_x_labels(frame) + svg_y_labels(frame) + svg_notes(frame) +
         svg_axis_labels(chart, frame);
}

}  // namespace filum::chart
