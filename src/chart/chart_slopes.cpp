/// Order triangles of a chart. User document: docs/guide/studies.md, "Plots".
#include "chart_parts.hpp"
#include "chart_text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace filum::chart {
namespace {

/// A right triangle: its long side from a to b, left to right, has the slope.
struct Triangle {
  double ax = 0, ay = 0, bx = 0, by = 0;
  bool corner_is_right = true;
  double label_width = 0;

  double corner_x() const { return corner_is_right ? bx : ax; }
  double corner_y() const { return corner_is_right ? ay : by; }
  double label_x() const { return corner_is_right ? bx + 5 : ax - 5; }
  double label_y() const { return (ay + by) / 2; }
  Rect label() const {
    const double left = corner_is_right ? bx + 3 : ax - 5 - label_width;
    return {left, label_y() - 7, left + label_width + 2, label_y() + 7};
  }
  Rect bounds() const {
    const Rect text = label();
    return {std::min(ax, text.left), std::min({ay, by, text.top}), std::max(bx, text.right),
            std::max({ay, by, text.bottom})};
  }
};

struct Size {
  double run = 0, fall = 0;  ///< fall: downwards, as pixels count
};

Size size_of(double slope, const Frame& frame) {
  const double pixels_per_pixel = slope * frame.y.pixels_per_unit() / frame.x.pixels_per_unit();
  const double run = std::min({56.0, 0.2 * frame.plot.width(), 78 / std::abs(pixels_per_pixel)});
  return {run, run * pixels_per_pixel};
}

/// Beside the point x, y of a curve, at some distance; below the curve or above it.
Triangle beside(double x, double y, Size size, double distance, bool is_below, double label_width) {
  const double length = std::hypot(size.run, size.fall);
  const double side = is_below ? 1 : -1;
  const double mx = x - side * distance * size.fall / length, my = y + side * distance * size.run / length;
  const bool corner_is_right = (size.fall < 0) == is_below;
  return {mx - size.run / 2, my - size.fall / 2, mx + size.run / 2, my + size.fall / 2, corner_is_right, label_width};
}

/// How many places under the triangle, its rim and its label are taken.
int collisions(const Triangle& t, const Occupancy& taken) {
  int sum = taken.count(t.label());
  constexpr int strips = 8;
  for (int i = 0; i < strips; ++i) {
    const double from = static_cast<double>(i) / strips, to = from + 1.0 / strips;
    const double y0 = t.ay + from * (t.by - t.ay), y1 = t.ay + to * (t.by - t.ay), leg = t.corner_y();
    const double x0 = t.ax + from * (t.bx - t.ax), x1 = t.ax + to * (t.bx - t.ax);
    sum += taken.count({x0, std::min({y0, y1, leg}) - 2, x1, std::max({y0, y1, leg}) + 2});
  }
  return sum;
}

bool fits(const Triangle& t, const Rect& plot) {
  const Rect r = t.bounds();
  return r.left > plot.left + 3 && r.right < plot.right - 3 && r.top > plot.top + 3 && r.bottom < plot.bottom - 3;
}

class Search {
 public:
  Search(const Frame& frame, const Occupancy& taken) : frame_(frame), taken_(taken) {}

  void offer(const Triangle& t, double cost) {
    if (!fits(t, frame_.plot)) return;
    cost += 3 * collisions(t, taken_);
    if (cost >= least_) return;
    least_ = cost;
    best_ = t;
  }
  bool has_found() const { return std::isfinite(least_); }
  const Triangle& best() const { return best_; }

 private:
  const Frame& frame_;
  const Occupancy& taken_;
  Triangle best_;
  double least_ = std::numeric_limits<double>::infinity();
};

/// Beside every segment of every curve: the better its slope fits, the cheaper.
void offer_beside_curves(Search& search, const Chart& chart, const Frame& frame, double slope, double label_width) {
  const Size size = size_of(slope, frame);
  for (const ChartCurve& curve : chart.curves) {
    if (curve.is_reference || curve.points.size() > 400) continue;
    for (std::size_t i = 1; i < curve.points.size(); ++i) {
      const ChartPoint &p = curve.points[i - 1], &q = curve.points[i];
      if (!frame.x.is_inside(p.x) || !frame.y.is_inside(p.y) || !frame.x.is_inside(q.x) || !frame.y.is_inside(q.y))
        continue;
      const double run = frame.x.coordinate(q.x) - frame.x.coordinate(p.x);
      if (run == 0) continue;
      const double local = (frame.y.coordinate(q.y) - frame.y.coordinate(p.y)) / run;
      const double misfit = std::min(std::abs(local - slope) / std::max(1.0, std::abs(slope)), 2.0);
      for (const double part : {0.25, 0.5, 0.75, 1.0})
        for (const double distance : {9.0, 15.0, 23.0, 34.0})
          for (const bool is_below : {true, false}) {
            const double x = frame.x.pixel(p.x) + part * (frame.x.pixel(q.x) - frame.x.pixel(p.x));
            const double y = frame.y.pixel(p.y) + part * (frame.y.pixel(q.y) - frame.y.pixel(p.y));
            search.offer(beside(x, y, size, distance, is_below, label_width),
                         6 * misfit + distance / 30 + (is_below ? 0 : 0.4));
          }
    }
  }
}

void offer_anywhere(Search& search, const Frame& frame, double slope, double label_width) {
  const Size size = size_of(slope, frame);
  for (int i = 1; i < 20; ++i)
    for (int k = 1; k < 20; ++k) {
      const double x = frame.plot.left + frame.plot.width() * i / 20, y = frame.plot.top + frame.plot.height() * k / 20;
      search.offer(beside(x, y, size, 0, true, label_width), 0.01 * (20 - k));
    }
}

std::string svg_triangle(const Triangle& t, double slope) {
  std::string out = "<g class=\"slope\" data-slope=\"" + plain_number(slope) + "\"><path d=\"M" + pixels(t.ax) + " " +
                    pixels(t.ay) + "L" + pixels(t.corner_x()) + " " + pixels(t.corner_y()) + "L" + pixels(t.bx) + " " +
                    pixels(t.by) + "z\"/><text x=\"" + pixels(t.label_x()) + "\" y=\"" + pixels(t.label_y() + 4.2) +
                    "\"";
  if (!t.corner_is_right) out += " text-anchor=\"end\"";
  return out + " font-size=\"" + pixels(FontSizes::tick) + "\">" + printed_number(slope) + "</text></g>\n";
}

}  // namespace

std::string svg_slopes(const Chart& chart, const Frame& frame, Occupancy& taken) {
  std::string out;
  if (!frame.x.logarithmic || !frame.y.logarithmic) return out;
  for (const double slope : chart.slopes) {
    if (!std::isfinite(slope) || slope == 0) continue;
    const double label_width = text_width(printed_number(slope), FontSizes::tick);
    Search search(frame, taken);
    offer_beside_curves(search, chart, frame, slope, label_width);
    if (!search.has_found()) offer_anywhere(search, frame, slope, label_width);
    if (!search.has_found()) continue;
    const Triangle& t = search.best();
    taken.mark_rect(t.bounds());
    out += svg_triangle(t, slope);
  }
  return out;
}

}  // namespace filum::chart
