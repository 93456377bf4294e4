/// Ranges of the axes and their map to pixels. User document: docs/guide/studies.md, "Plots".
#include "chart_axis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace filum::chart {
namespace {

// Twice its span is still a number.
constexpr double largest_on_axis = 4e307;

struct Span {
  double lo = std::numeric_limits<double>::infinity();
  double hi = -std::numeric_limits<double>::infinity();

  void include(double u) {
    lo = std::min(lo, u);
    hi = std::max(hi, u);
  }
  bool is_empty() const { return !(lo <= hi); }
};

std::optional<Span> given_span(const ChartAxis& axis, const Scale& scale) {
  if (!axis.range) return {};
  const auto [a, b] = *axis.range;
  if (!scale.can_show(a) || !scale.can_show(b) || !(a < b)) return {};
  return Span{scale.coordinate(a), scale.coordinate(b)};
}

/// Ticks of a narrower axis could not be told apart in double precision.
Span widened(Span s, bool logarithmic) {
  if (logarithmic) return s.hi - s.lo < 0.02 ? Span{s.lo - 0.5, s.hi + 0.5} : s;
  const double size = std::max(std::abs(s.lo), std::abs(s.hi));
  if (s.lo == s.hi) {
    const double half = size > 0 ? 0.1 * size : 1;
    s = {s.lo - half, s.hi + half};
  }
  const double least = std::max(size * 1e-13, 1e-300);
  if (s.hi - s.lo < least) {
    const double middle = s.lo + (s.hi - s.lo) / 2;
    s = {middle - least / 2, middle + least / 2};
  }
  return s;
}

/// Time runs from edge to edge; markers need room.
bool is_tight(const Chart& chart, int axis) {
  if (axis != 0 || chart.equal_axes || chart.x.logarithmic) return false;
  return std::all_of(chart.curves.begin(), chart.curves.end(),
                     [](const ChartCurve& c) { return !c.has_markers || c.points.size() > 400; });
}

Span padded(Span s, bool logarithmic, bool tight) {
  if (tight) return s;
  const double margin = logarithmic ? std::max(0.06 * (s.hi - s.lo), 0.08) : 0.05 * (s.hi - s.lo);
  return {s.lo - margin, s.hi + margin};
}

}  // namespace

bool Scale::can_show(double value) const { return std::isfinite(value) && (!logarithmic || value > 0); }

double Scale::coordinate(double value) const {
  return logarithmic ? std::log10(value) : std::clamp(value, -largest_on_axis, largest_on_axis);
}

bool Scale::is_inside(double value) const {
  if (!can_show(value)) return false;
  const double u = coordinate(value), slack = 1e-9 * (hi - lo);
  return u >= lo - slack && u <= hi + slack;
}

double Scale::pixel(double value) const {
  const double part = (coordinate(value) - lo) / (hi - lo);
  return std::clamp(first_pixel + part * (last_pixel - first_pixel), -1e6, 1e6);
}

std::array<Scale, 2> fit_scales(const Chart& chart) {
  const std::array<const ChartAxis*, 2> axes{&chart.x, &chart.y};
  std::array<Scale, 2> scales;
  std::array<std::optional<Span>, 2> given;
  for (std::size_t k = 0; k < 2; ++k) {
    scales[k].logarithmic = axes[k]->logarithmic && axes[k]->categories.empty();
    given[k] = given_span(*axes[k], scales[k]);
    if (!given[k] && !axes[k]->categories.empty())
      given[k] = Span{-0.5, static_cast<double>(axes[k]->categories.size()) - 0.5};
  }
  std::array<Span, 2> needed;
  for (const ChartCurve& curve : chart.curves)
    for (const ChartPoint& point : curve.points) {
      const std::array<double, 2> value{point.x, point.y};
      bool counts = true;
      for (std::size_t k = 0; k < 2; ++k) {
        counts = counts && scales[k].can_show(value[k]);
        if (counts && given[k]) {
          const double u = scales[k].coordinate(value[k]);
          counts = u >= given[k]->lo && u <= given[k]->hi;
        }
      }
      for (std::size_t k = 0; k < 2 && counts; ++k) needed[k].include(scales[k].coordinate(value[k]));
    }
  for (std::size_t k = 0; k < 2; ++k) {
    const bool log = scales[k].logarithmic;
    const Span data = needed[k].is_empty() ? Span{0, 1} : needed[k];
    const Span shown =
        given[k] ? widened(*given[k], log) : padded(widened(data, log), log, is_tight(chart, static_cast<int>(k)));
    scales[k].lo = shown.lo;
    scales[k].hi = shown.hi;
  }
  return scales;
}

}  // namespace filum::chart
