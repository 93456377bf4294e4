/// Energy of the fast heavy top over a million steps. Numbers: docs/theory/benchmarks.md.
#include "integrate/tolerances.hpp"
#include "support/benchmark_systems.hpp"

#include <filum/integrate/bliedf.hpp>
#include <filum/integrate/generalized_alpha.hpp>
#include <filum/integrate/rattlie.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace filum::integrate {
namespace {

using test::Benchmark;
using test::within;

constexpr int million = 1000000;

/// Mean relative energy errors over the first and the last tenth of a run, and the largest of all.
struct Energy {
  double first = 0, last = 0, largest = 0;
};

Energy energy_of(const Benchmark& top, Integrator& method) {
  State x = top.start;
  constexpr double h = 0x1p-10;
  method.start(x, h);
  const double initial = top.energy(x);
  Energy e;
  for (int k = 0; k < million; ++k) {
    if (!method.step(x, h).accepted()) {
      e.largest = NAN;
      break;
    }
    if (k % 10 != 0) continue;
    const double error = top.energy(x) / initial - 1;
    e.largest = std::max(e.largest, std::abs(error));
    if (k < million / 10) e.first += error * 100 / million;
    if (k >= million - million / 10) e.last += error * 100 / million;
  }
  return e;
}

TEST(EnergyOverAMillionSteps, RattlieKeepsItWithoutDrift) {
  const Benchmark top = test::heavy_top(test::TopSpeed::fast, test::GroupId::S3sdR3);
  Rattlie method(*top.system, {.newton = within(1e-10)});
  const Energy e = energy_of(top, method);
  RecordProperty("largest", std::to_string(e.largest));
  EXPECT_LT(e.largest, 1e-4);
  EXPECT_LT(std::abs(e.last - e.first), 0.01 * e.largest) << e.first << ' ' << e.last << ' ' << e.largest;
}

TEST(EnergyOverAMillionSteps, GeneralizedAlphaAndBliedfLoseIt) {
  const Benchmark top = test::heavy_top(test::TopSpeed::fast, test::GroupId::S3sdR3);
  GeneralizedAlpha alpha(*top.system);
  Bliedf bliedf(*top.system);
  const Energy a = energy_of(top, alpha), b = energy_of(top, bliedf);
  // Generalized-alpha loses energy steadily; BLieDF loses more at once, then what is left of it more slowly.
  EXPECT_LT(a.last, -2e-3) << a.first << ' ' << a.last;
  EXPECT_LT(a.last, 5 * a.first) << a.first << ' ' << a.last;
  EXPECT_LT(b.last, -2e-2) << b.first << ' ' << b.last;
  EXPECT_LT(b.last, b.first) << b.first << ' ' << b.last;
}

}  // namespace
}  // namespace filum::integrate
