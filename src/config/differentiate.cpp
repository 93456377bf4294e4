/// Derivatives by differences.
#include <filum/config/differentiate.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace filum::config {
namespace {

/// Neville's table of estimates at spacings h, h/2, h/4, ... with errors in even powers; stops where they are closest.
template <class Estimate>
double extrapolated(const Estimate& estimate, double h) {
  constexpr std::size_t rows = 6;
  std::array<std::array<double, rows>, rows> a{};
  double best = 0, error = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < rows; ++i, h /= 2) {
    a[i][0] = estimate(h);
    double factor = 4;
    for (std::size_t j = 1; j <= i; ++j, factor *= 4) {
      a[i][j] = a[i][j - 1] + (a[i][j - 1] - a[i - 1][j - 1]) / (factor - 1);
      const double e = std::max(std::abs(a[i][j] - a[i][j - 1]), std::abs(a[i][j] - a[i - 1][j - 1]));
      if (e < error) error = e, best = a[i][j];
    }
  }
  return best;
}

}  // namespace

Jet differentiate(const std::function<double(double)>& f, double t, double scale) {
  const double f0 = f(t), h = 32 * scale;
  const auto slope = [&](double d) { return (f(t + d) - f(t - d)) / (2 * d); };
  const auto bend = [&](double d) { return (f(t + d) - 2 * f0 + f(t - d)) / (d * d); };
  return {f0, extrapolated(slope, h), extrapolated(bend, 2 * h)};
}

}  // namespace filum::config
