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
  Rattlie method(*s.system);
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
    means.push_back(sum / (steps / 10));
  }
  // Means over a tenth of the run neither rise nor fall by more than they differ anyway.
  const double change = std::abs(means.back() + means[blocks - 2] - means[0] - means[1]) / 2;
  EXPECT_LT(worst, 0.01);
  EXPECT_LT(change, 0.02 * worst) << means.front() << " ... " << means.back();
}

}  // namespace
}  // namespace filum::integrate
