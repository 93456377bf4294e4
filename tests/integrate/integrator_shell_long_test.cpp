/// The energy of a plate in flight over 10⁵ steps. Theory: docs/theory/shell.md, sec. 6.
#include "integrate/shell_sheet.hpp"

#include <filum/integrate/rattlie.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace filum::integrate {
namespace {

using test::Sheet;
using test::sheet;

TEST(ShellInTime, AFlyingPlateKeepsItsEnergyWithoutDrift) {
  const Sheet s = sheet(false);
  Rattlie method(*s.system, {.newton = {.atol = 1e-12, .rtol = 1e-12}});  // looser ones lose energy by themselves
  State x = s.start;
  const double h = 1. / 256, e0 = s.energy(x);
  method.start(x, h);
  const int blocks = 10, steps = 10000;
  std::vector<double> means;
  double worst = 0;
  for (int b = 0; b < blocks; ++b) {
    double sum = 0;
    for (int k = 0; k < steps; ++k) {
      ASSERT_TRUE(method.step(x, h).accepted());
      if (k % 10 != 0) continue;
      const double e = s.energy(x) / e0 - 1;
      sum += e, worst = std::max(worst, std::abs(e));
    }
    means.push_back(10 * sum / steps);
  }
  // It oscillates by 5e-5 of itself; means over a tenth of the run differ by a fraction of that from the first to the
  // last.
  const double change = std::abs(means.back() + means[blocks - 2] - means[0] - means[1]) / 2;
  EXPECT_LT(worst, 2e-4);
  EXPECT_LT(change, 1e-5) << means.front() << " ... " << means.back();
}

}  // namespace
}  // namespace filum::integrate
