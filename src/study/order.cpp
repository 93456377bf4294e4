/// Observed orders of convergence. Theory: docs/theory/studies.md, sec. 2.
#include <filum/study/order.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace filum::study {
namespace {

/// Below this slope an error no longer follows the step.
constexpr double flat = 0.3;
/// Points lie on a line when none is farther from it than this, in powers of ten: 12 % of the error.
constexpr double straight = 0.05;

struct Line {
  double slope = 0, worst = 0;
};

/// Least squares through points first..last of logarithms.
Line fitted(const std::vector<double>& x, const std::vector<double>& y, std::size_t first, std::size_t last) {
  const auto n = static_cast<double>(last - first + 1);
  double mx = 0, my = 0, xx = 0, xy = 0;
  for (std::size_t i = first; i <= last; ++i) mx += x[i] / n, my += y[i] / n;
  for (std::size_t i = first; i <= last; ++i) xx += (x[i] - mx) * (x[i] - mx), xy += (x[i] - mx) * (y[i] - my);
  Line line{xy / xx, 0};
  for (std::size_t i = first; i <= last; ++i)
    line.worst = std::max(line.worst, std::abs(y[i] - my - line.slope * (x[i] - mx)));
  return line;
}

}  // namespace

OrderFit observed_order(std::span<const double> x, std::span<const double> errors, double below) {
  OrderFit fit;
  fit.used.assign(x.size(), false);
  std::vector<std::size_t> points;  // coarse to fine: in the direction in which errors shrink
  for (std::size_t i = 0; i < x.size(); ++i)
    if (std::isfinite(x[i]) && x[i] > 0 && std::isfinite(errors[i]) && errors[i] > 0 && errors[i] < below)
      points.push_back(i);
  std::sort(points.begin(), points.end(), [&](std::size_t a, std::size_t b) { return x[a] > x[b]; });
  points.erase(std::unique(points.begin(), points.end(), [&](std::size_t a, std::size_t b) { return x[a] == x[b]; }),
               points.end());
  if (points.size() < 2) {
    fit.remark = "too few points";
    return fit;
  }
  // Errors over a count, such as segments, shrink to the right.
  const bool shrinks_with_x = errors[points.front()] >= errors[points.back()];
  if (!shrinks_with_x) std::reverse(points.begin(), points.end());
  std::vector<double> lx, ly;
  for (const std::size_t i : points) lx.push_back(std::log10(x[i])), ly.push_back(std::log10(errors[i]));
  const auto slope = [&](std::size_t i) { return std::abs(lx[i] - lx[i + 1]) > 0 ? (ly[i] - ly[i + 1]) / std::abs(lx[i] - lx[i + 1]) : 0; };

  std::size_t first = 0, last = points.size() - 1;
  while (last > first && slope(last - 1) < flat) --last;
  while (first < last && slope(first) < flat) ++first;
  if (last == first) {
    fit.remark = "saturated";
    return fit;
  }
  // The longest straight stretch; of several, the finest.
  std::size_t best_first = last - 1, best_last = last;
  bool found = last - first + 1 == 2;
  for (std::size_t length = last - first + 1; length >= 3 && !found; --length)
    for (std::size_t begin = last + 1 - length; !found; --begin) {
      if (fitted(lx, ly, begin, begin + length - 1).worst <= straight)
        best_first = begin, best_last = begin + length - 1, found = true;
      if (begin == first) break;
    }
  if (!found) {
    best_first = first, best_last = last;
    fit.remark = "uneven";
  }
  const Line line = fitted(lx, ly, best_first, best_last);
  fit.order = line.slope;
  for (std::size_t i = best_first; i <= best_last; ++i) fit.used[points[i]] = true;
  fit.largest_x = std::max(x[points[best_first]], x[points[best_last]]);
  fit.smallest_x = std::min(x[points[best_first]], x[points[best_last]]);
  if (fit.remark.empty() && best_last + 1 < points.size()) fit.remark = "saturated at the fine end";
  return fit;
}

}  // namespace filum::study
