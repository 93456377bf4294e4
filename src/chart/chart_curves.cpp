/// Curves of a chart: lines, thinned where points are many, and markers. User document: docs/guide/studies.md, "Plots".
#include "chart_parts.hpp"
#include "chart_text.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace filum::chart {
namespace {

constexpr std::size_t most_markers = 400;

struct Dot {
  double x = 0, y = 0;
};
using Piece = std::vector<Dot>;

/// Left of the frame, in it, or right of it.
int side_of(const Frame& frame, const ChartPoint& p) {
  const double x = frame.x.pixel(p.x);
  return x < frame.plot.left - 1 ? -1 : x > frame.plot.left + frame.plot.width() + 1 ? 1 : 0;
}

/// The curve in pixels, cut where a point cannot be shown. What runs beside the frame alone is left out.
std::vector<Piece> pieces_of(const ChartCurve& curve, const Frame& frame) {
  std::vector<Piece> pieces;
  bool is_open = false;
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const ChartPoint& point = curve.points[i];
    bool shows = frame.x.can_show(point.x) && frame.y.can_show(point.y);
    if (const int side = shows ? side_of(frame, point) : 0; side != 0) {
      const bool comes_in = i > 0 && side_of(frame, curve.points[i - 1]) != side;
      const bool goes_in = i + 1 < curve.points.size() && side_of(frame, curve.points[i + 1]) != side;
      shows = comes_in || goes_in;
    }
    if (shows && !is_open) pieces.emplace_back();
    if (shows) pieces.back().push_back({frame.x.pixel(point.x), frame.y.pixel(point.y)});
    is_open = shows;
  }
  return pieces;
}

/// Of consecutive points in one column of pixels: the first, the lowest, the highest, the last.
Piece thinned_by_columns(const Piece& piece) {
  Piece out;
  for (std::size_t begin = 0; begin < piece.size();) {
    std::size_t end = begin, low = begin, high = begin;
    for (; end < piece.size() && std::floor(piece[end].x) == std::floor(piece[begin].x); ++end) {
      if (piece[end].y < piece[low].y) low = end;
      if (piece[end].y > piece[high].y) high = end;
    }
    for (const std::size_t i : std::set<std::size_t>{begin, low, high, end - 1}) out.push_back(piece[i]);
    begin = end;
  }
  return out;
}

/// Without points that are nearer than half a pixel to the one before: a path that turns would look straight in
/// columns.
Piece thinned_by_distance(const Piece& piece) {
  Piece out;
  for (const Dot& dot : piece)
    if (out.empty() || std::hypot(dot.x - out.back().x, dot.y - out.back().y) >= 0.5) out.push_back(dot);
  if (!piece.empty()) out.push_back(piece.back());
  return out;
}

Piece thinned(const Piece& piece) {
  const bool runs_right =
      std::is_sorted(piece.begin(), piece.end(), [](const Dot& a, const Dot& b) { return a.x < b.x; });
  return runs_right ? thinned_by_columns(piece) : thinned_by_distance(piece);
}

std::string path_of(const Piece& piece) {
  std::string out, last;
  for (const Dot& dot : piece) {
    std::string here = pixels(dot.x) + " " + pixels(dot.y);
    if (here == last) continue;
    out += (last.empty() ? "M" : "L") + here;
    last = std::move(here);
  }
  // A lone point shows as a dot, by its round ends.
  return out.find('L') == out.npos ? out + "h0" : out;
}

double length_of(const Piece& piece) {
  double sum = 0;
  for (std::size_t i = 1; i < piece.size(); ++i)
    sum += std::hypot(piece[i].x - piece[i - 1].x, piece[i].y - piece[i - 1].y);
  return sum;
}

std::string svg_line(const ChartCurve& curve, const Frame& frame, const Look& look) {
  const bool is_dense = curve.points.size() > most_markers;
  std::string path;
  double length = 0;
  for (Piece& piece : pieces_of(curve, frame)) {
    if (is_dense) piece = thinned(piece);
    length += length_of(piece);
    path += path_of(piece);
  }
  if (path.empty()) return {};
  std::string out = "<path class=\"line\" d=\"" + path + "\" stroke-width=\"";
  out += look.is_reference ? "1" : is_dense ? "1.3" : "1.8";
  // Dashes along a wild curve would cut its peaks, and could not be seen as dashes.
  const bool is_wild = is_dense && length > 5 * frame.plot.width();
  if (const auto dashes = dashes_of(look); !dashes.empty() && !is_wild)
    out.append("\" stroke-dasharray=\"").append(dashes);
  return out + "\"/>\n";
}

std::string tooltip(const Chart& chart, const ChartCurve& curve, const ChartPoint& point) {
  const auto value = [](const ChartAxis& axis, double v) {
    const bool is_name = v >= 0 && v == std::floor(v) && v < static_cast<double>(axis.categories.size());
    const std::string text = is_name ? axis.categories[static_cast<std::size_t>(v)] : printed_number(v);
    return axis.label.empty() ? text : axis.label + ": " + text;
  };
  std::string out = curve.label.empty() ? "" : curve.label + "\n";
  out += value(chart.x, point.x) + "\n" + value(chart.y, point.y);
  return point.note.empty() ? out : out + "\n" + point.note;
}

bool is_inside(const Frame& frame, const ChartPoint& p) { return frame.x.is_inside(p.x) && frame.y.is_inside(p.y); }

std::string svg_markers(const Chart& chart, const ChartCurve& curve, const Frame& frame, const Look& look) {
  std::string out;
  for (const ChartPoint& p : curve.points)
    if (is_inside(frame, p))
      out += svg_marker(look, frame.x.pixel(p.x), frame.y.pixel(p.y), tooltip(chart, curve, p)) + "\n";
  return out;
}

/// A few markers along a line of many points, so that it is known in print; no two curves at the same places.
std::string svg_signposts(const ChartCurve& curve, const Frame& frame, const Look& look) {
  std::string out;
  double walked = 20.0 * (look.style % 5 + 1);
  const ChartPoint* last = nullptr;
  for (const ChartPoint& p : curve.points) {
    if (!is_inside(frame, p)) continue;
    const double x = frame.x.pixel(p.x), y = frame.y.pixel(p.y);
    if (last) {
      // Sideways only, unless the axes are space: a noisy curve is long.
      const double step = std::abs(x - frame.x.pixel(last->x));
      walked +=
          frame.x.pixels_per_unit() == -frame.y.pixels_per_unit() ? std::hypot(step, y - frame.y.pixel(last->y)) : step;
    }
    last = &p;
    if (walked < 110) continue;
    walked = 0;
    out += svg_marker(look, x, y) + "\n";
  }
  return out;
}

/// Many points without a line: dots, each place once.
std::string svg_cloud(const ChartCurve& curve, const Frame& frame) {
  std::set<std::pair<long, long>> places;
  std::string path;
  for (const ChartPoint& p : curve.points) {
    if (!is_inside(frame, p)) continue;
    const double x = frame.x.pixel(p.x), y = frame.y.pixel(p.y);
    if (places.insert({std::lround(2 * x), std::lround(2 * y)}).second)
      path += "M" + pixels(x) + " " + pixels(y) + "h0";
  }
  return path.empty() ? path : "<path class=\"line\" stroke-width=\"2.6\" d=\"" + path + "\"/>\n";
}

std::string svg_curve(const Chart& chart, const ChartCurve& curve, const Frame& frame, const Look& look) {
  const bool is_dense = curve.points.size() > most_markers;
  std::string out;
  if (curve.has_line) out += svg_line(curve, frame, look);
  if (!curve.has_markers) return out;
  if (!is_dense) return out + svg_markers(chart, curve, frame, look);
  return out + (curve.has_line ? svg_signposts(curve, frame, look) : svg_cloud(curve, frame));
}

}  // namespace

std::string svg_curves(const Chart& chart, const Frame& frame, const std::vector<Look>& looks, const Legend& legend) {
  std::string out;
  for (const bool references : {true, false})
    for (std::size_t i = 0; i < chart.curves.size(); ++i) {
      const ChartCurve& curve = chart.curves[i];
      if (curve.is_reference != references) continue;
      out += "<g class=\"curve " + css_class(looks[i]) + "\"";
      if (legend.entry_of_curve[i] >= 0) out += " data-curve=\"" + std::to_string(legend.entry_of_curve[i]) + "\"";
      out += ">\n" + svg_curve(chart, curve, frame, looks[i]) + "</g>\n";
    }
  return out;
}

}  // namespace filum::chart
