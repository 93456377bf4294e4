/// Observed orders of convergence. Theory: docs/theory/studies.md, sec. 2.
#include <filum/study/order.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace filum::study {
namespace {

/// Below this slope an error no longer follows the step.
constexpr double flat = 0.3;
/// Points lie on a line when none is farther from it than this, in powers of ten: 2 % of the error, or else 4 %, or
/// else 12 %; the narrower the line, the more points must show it.
constexpr struct {
  double tolerance;
  std::size_t least_points;
} straight[] = {{0.0086, 4}, {0.017, 3}, {0.05, 3}};

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

struct Stretch {
  std::size_t first = 0, last = 0;
};

/// The longest stretch of at least so many points within the tolerance; of several, the straightest.
bool longest_straight(const std::vector<double>& x, const std::vector<double>& y, Stretch within, double tolerance,
                      std::size_t least_points, Stretch& best) {
  for (std::size_t length = within.last - within.first + 1; length >= least_points; --length) {
    double least = tolerance;
    bool found = false;
    for (std::size_t begin = within.first; begin + length - 1 <= within.last; ++begin) {
      const double worst = fitted(x, y, begin, begin + length - 1).worst;
      if (worst > least) continue;
      least = worst;
      best = {begin, begin + length - 1};
      found = true;
    }
    if (found) return true;
  }
  return false;
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
  fit.left_out.assign(x.begin(), x.end());
  if (points.size() < 2) {
    fit.remark = "too few points";
    return fit;
  }
  // Errors over a count, such as segments, shrink to the right.
  const bool is_count =
      std::all_of(points.begin(), points.end(), [&](std::size_t i) { return x[i] >= 1 && x[i] == std::floor(x[i]); });
  if (is_count) std::reverse(points.begin(), points.end());
  std::vector<double> lx, ly;
  for (const std::size_t i : points) lx.push_back(std::log10(x[i])), ly.push_back(std::log10(errors[i]));
  const auto slope = [&](std::size_t i) {
    return std::abs(lx[i] - lx[i + 1]) > 0 ? (ly[i] - ly[i + 1]) / std::abs(lx[i] - lx[i + 1]) : 0;
  };

  std::size_t first = 0, last = points.size() - 1;
  while (last > first && slope(last - 1) < flat) --last;
  while (first < last && slope(first) < flat) ++first;
  if (last == first) {
    fit.remark = "saturated";
    return fit;
  }
  Stretch best{first, last};
  bool found = last - first == 1;
  for (const auto& s : straight)
    if (!found) found = longest_straight(lx, ly, {first, last}, s.tolerance, s.least_points, best);
  fit.straight = found;
  if (!found) fit.remark = "uneven";
  const auto [best_first, best_last] = best;
  const Line line = fitted(lx, ly, best_first, best_last);
  fit.order = is_count ? -line.slope : line.slope;
  for (std::size_t i = best_first; i <= best_last; ++i) fit.used[points[i]] = true;
  fit.largest_x = std::max(x[points[best_first]], x[points[best_last]]);
  fit.smallest_x = std::min(x[points[best_first]], x[points[best_last]]);
  if (fit.remark.empty() && best_last + 1 < points.size()) fit.remark = "saturated at the fine end";
  fit.left_out.clear();
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!fit.used[i]) fit.left_out.push_back(x[i]);
  return fit;
}

}  // namespace filum::study
