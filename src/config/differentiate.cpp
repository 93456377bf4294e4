/// Derivatives by differences.
#include <filum/config/differentiate.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

namespace filum::config {
namespace {

constexpr std::size_t rows = 6;          ///< of the tables
constexpr std::size_t pairs = rows + 1;  ///< of values: both tables share their spacings, but for one

/// f(t + d) and f(t − d) for one spacing d.
struct Pair {
  double d, above, below;
};

/// Neville's table of estimates at spacings h, h/2, h/4, ... with errors in even powers; stops where they are closest.
template <class Estimate>
double extrapolated(const Pair* at, const Estimate& estimate) {
  std::array<std::array<double, rows>, rows> a{};
  double best = 0, error = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < rows; ++i) {
    a[i][0] = estimate(at[i]);
    double factor = 4;
    for (std::size_t j = 1; j <= i; ++j, factor *= 4) {
      a[i][j] = a[i][j - 1] + (a[i][j - 1] - a[i - 1][j - 1]) / (factor - 1);
      const double e = std::max(std::abs(a[i][j] - a[i][j - 1]), std::abs(a[i][j] - a[i - 1][j - 1]));
      if (e < error) error = e, best = a[i][j];
    }
  }
  return best;
}

Jet jet_of(double f0, const std::array<Pair, pairs>& at) {
  const auto slope = [](const Pair& p) { return (p.above - p.below) / (2 * p.d); };
  const auto bend = [f0](const Pair& p) { return (p.above - 2 * f0 + p.below) / (p.d * p.d); };
  return {f0, extrapolated(at.data() + 1, slope), extrapolated(at.data(), bend)};
}

}  // namespace

void differentiate(const std::function<void(double t, std::span<double> out)>& f, double t, double scale,
                   std::span<Jet> out) {
  constexpr std::size_t most = 3;
  assert(out.size() <= most);
  std::array<double, most> middle{}, above{}, below{};
  std::array<std::array<Pair, pairs>, most> at;
  const std::size_t n = out.size();
  f(t, std::span(middle).first(n));
  double d = 64 * scale;
  for (std::size_t i = 0; i < pairs; ++i, d /= 2) {
    f(t + d, std::span(above).first(n));
    f(t - d, std::span(below).first(n));
    for (std::size_t k = 0; k < n; ++k) at[k][i] = {d, above[k], below[k]};
  }
  for (std::size_t k = 0; k < n; ++k) out[k] = jet_of(middle[k], at[k]);
}

Jet differentiate(const std::function<double(double)>& f, double t, double scale) {
  Jet jet;
  differentiate([&f](double x, std::span<double> out) { out[0] = f(x); }, t, scale, std::span(&jet, 1));
  return jet;
}

}  // namespace filum::config
