/// Where the parts of a chart stand, in pixels. User document: docs/guide/studies.md, "Plots".
#include "chart_frame.hpp"

#include "chart_text.hpp"

#include <algorithm>
#include <cmath>

namespace filum::chart {
namespace {

constexpr double chart_width = 640, chart_height = 440;
constexpr double least_height = 170, largest_height = 540;  // of a plot with equal axes
constexpr double line_spacing = 1.3;

double least_x_spacing(const Chart& chart) { return chart.x.logarithmic ? 44 : 70; }

/// The same number of pixels per unit, by showing more of one axis.
void make_equal(Scale& x, Scale& y, double width, double& height) {
  double per_unit = width / (x.hi - x.lo);
  height = std::clamp(per_unit * (y.hi - y.lo), least_height, largest_height);
  per_unit = std::min(per_unit, height / (y.hi - y.lo));
  const auto widen = [](Scale& s, double span) {
    const double middle = s.lo + (s.hi - s.lo) / 2;
    s.lo = middle - span / 2;
    s.hi = middle + span / 2;
  };
  widen(x, width / per_unit);
  widen(y, height / per_unit);
}

double widest(const Ticks& ticks) {
  double width = 0;
  for (const Tick& tick : ticks.major) width = std::max(width, width_of(tick.label, FontSizes::tick));
  return width;
}

/// Names below the axis: in lines where they fit between the ticks, turned where not.
void lay_out_categories(Frame& frame) {
  const double room = std::abs(frame.x.pixels_per_unit()) - 8;
  std::size_t lines = 1;
  bool fits = true;
  for (const Tick& tick : frame.x_ticks.major) {
    const std::string& name = tick.label.text;
    frame.x_categories.push_back(wrap(name, FontSizes::tick, room));
    lines = std::max(lines, frame.x_categories.back().size());
    std::size_t words = 1 + static_cast<std::size_t>(std::count(name.begin(), name.end(), ' '));
    fits = fits && frame.x_categories.back().size() <= std::min<std::size_t>(words, 3);
  }
  frame.x_label_height = static_cast<double>(lines) * FontSizes::tick * line_spacing;
  if (fits) return;
  frame.x_categories.clear();
  frame.x_label_height = std::min(0.6 * widest(frame.x_ticks) + 14, 130.0);
}

void shorten(Ticks& ticks, double width) {
  for (Tick& tick : ticks.major)
    if (const auto lines = wrap(tick.label.text, FontSizes::tick, width); lines.size() > 1)
      tick.label.text = lines.front() + "…";
}

/// Of labels that would run into each other, the first stays.
void drop_overlaps(Ticks& ticks, const Scale& scale, double extent_of_line) {
  double end = -1e9;
  for (Tick& tick : ticks.major) {
    const double width = extent_of_line > 0 ? extent_of_line : width_of(tick.label, FontSizes::tick) + 6;
    const double at = std::abs(scale.pixel(tick.value) - scale.first_pixel);
    if (at - width / 2 < end)
      tick.label = {};
    else
      end = at + width / 2;
  }
}

bool is_turned(const Frame& frame) { return frame.x_categories.empty() && frame.x_label_height > 2 * FontSizes::tick; }

/// Turned names reach to the left of their ticks.
double room_for_turned(const Frame& frame) {
  double room = 0;
  for (const Tick& tick : frame.x_ticks.major)
    room = std::max(room,
                    0.82 * width_of(tick.label, FontSizes::tick) + 8 - (frame.x.pixel(tick.value) - frame.plot.left));
  return room;
}

}  // namespace

Frame lay_out(const Chart& chart, const Reserved& reserved) {
  Frame frame;
  frame.width = chart_width + std::clamp(reserved.right - 40, 0.0, 110.0);
  if (!chart.title.empty()) frame.title = wrap(chart.title, FontSizes::title, frame.width - 48);
  const auto [x, y] = fit_scales(chart);
  const double title_height = static_cast<double>(frame.title.size()) * FontSizes::title * line_spacing;
  const double right = 22 + reserved.right;
  double left = 70, bottom_of_ticks = FontSizes::tick * line_spacing;
  // Tick labels decide the margins, and the margins decide the ticks.
  for (int round = 0; round < 2; ++round) {
    frame.x = x;
    frame.y = y;
    frame.x_categories.clear();
    const double above = 12 + title_height + (title_height > 0 ? 6 : 0) + reserved.above +
                         (frame.y_ticks.note.text.empty() && frame.y_ticks.note.after.empty() ? 0 : 16);
    const double below = 8 + bottom_of_ticks + 8 + (chart.x.label.empty() ? 2 : FontSizes::label * line_spacing + 6);
    const double width = frame.width - left - right;
    double height = std::max(chart_height - above - below, 260.0);
    if (chart.equal_axes) make_equal(frame.x, frame.y, width, height);
    height = std::max(height, reserved.height);
    if (chart.equal_axes) make_equal(frame.x, frame.y, width, height);
    frame.plot = {left, above, left + width, above + height};
    frame.height = above + height + below;
    frame.x.first_pixel = frame.plot.left;
    frame.x.last_pixel = frame.plot.right;
    frame.y.first_pixel = frame.plot.bottom;
    frame.y.last_pixel = frame.plot.top;
    frame.x_ticks = find_ticks(chart.x, frame.x, least_x_spacing(chart));
    frame.y_ticks = find_ticks(chart.y, frame.y, 40);
    if (!chart.y.categories.empty()) shorten(frame.y_ticks, 170);
    frame.x_label_height = FontSizes::tick * line_spacing;
    if (!chart.x.categories.empty()) {
      shorten(frame.x_ticks, 190);
      lay_out_categories(frame);
    }
    const bool has_lines = !chart.x.categories.empty();
    if (!has_lines || is_turned(frame)) drop_overlaps(frame.x_ticks, frame.x, has_lines ? 15 : 0);
    drop_overlaps(frame.y_ticks, frame.y, 14);
    bottom_of_ticks = frame.x_label_height;
    left = 12 + (chart.y.label.empty() ? 0 : FontSizes::label + 10) + std::max(widest(frame.y_ticks), 18.0) + 8;
    if (is_turned(frame)) left = std::max(left, room_for_turned(frame));
  }
  return frame;
}

Occupancy::Occupancy(const Rect& plot)
    : plot_(plot),
      columns_(static_cast<int>(std::ceil(plot.width() / cell))),
      rows_(static_cast<int>(std::ceil(plot.height() / cell))),
      taken_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_), 0) {}

int Occupancy::column(double x) const { return static_cast<int>(std::floor((x - plot_.left) / cell)); }
int Occupancy::row(double y) const { return static_cast<int>(std::floor((y - plot_.top) / cell)); }

std::size_t Occupancy::index(int r, int c) const {
  return static_cast<std::size_t>(r) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(c);
}

void Occupancy::mark(double x, double y) {
  const int c = column(x), r = row(y);
  if (c >= 0 && c < columns_ && r >= 0 && r < rows_) taken_[index(r, c)] = 1;
}

void Occupancy::mark_line(double x0, double y0, double x1, double y1) {
  // A line that leaves the plot by far still marks it where it crosses, so it is cut to the plot first.
  double from = 0, to = 1;
  const double dx = x1 - x0, dy = y1 - y0;
  const auto cut = [&from, &to](double start, double step, double lo, double hi) {
    if (step == 0) {
      if (start < lo || start > hi) to = -1;
      return;
    }
    const double a = (lo - start) / step, b = (hi - start) / step;
    from = std::max(from, std::min(a, b));
    to = std::min(to, std::max(a, b));
  };
  cut(x0, dx, plot_.left, plot_.right);
  cut(y0, dy, plot_.top, plot_.bottom);
  if (from > to) return;
  const int pieces = 1 + static_cast<int>((to - from) * std::hypot(dx, dy) / (cell / 2));
  for (int i = 0; i <= pieces; ++i) {
    const double t = from + (to - from) * i / pieces;
    mark(x0 + t * dx, y0 + t * dy);
  }
}

void Occupancy::mark_rect(const Rect& rect) {
  for (int r = std::max(row(rect.top), 0); r <= std::min(row(rect.bottom), rows_ - 1); ++r)
    for (int c = std::max(column(rect.left), 0); c <= std::min(column(rect.right), columns_ - 1); ++c)
      taken_[index(r, c)] = 1;
}

int Occupancy::count(const Rect& rect) const {
  int sum = 0;
  for (int r = std::max(row(rect.top), 0); r <= std::min(row(rect.bottom), rows_ - 1); ++r)
    for (int c = std::max(column(rect.left), 0); c <= std::min(column(rect.right), columns_ - 1); ++c)
      sum += taken_[index(r, c)];
  return sum;
}

Occupancy cover(const Chart& chart, const Frame& frame) {
  Occupancy taken(frame.plot);
  for (const ChartCurve& curve : chart.curves) {
    const ChartPoint* last = nullptr;
    for (const ChartPoint& point : curve.points) {
      const bool shows = frame.x.can_show(point.x) && frame.y.can_show(point.y);
      const double x = shows ? frame.x.pixel(point.x) : 0, y = shows ? frame.y.pixel(point.y) : 0;
      if (shows && curve.has_line && last) taken.mark_line(frame.x.pixel(last->x), frame.y.pixel(last->y), x, y);
      if (shows) taken.mark_rect({x - 4, y - 4, x + 4, y + 4});
      last = shows ? &point : nullptr;
    }
  }
  return taken;
}

}  // namespace filum::chart
