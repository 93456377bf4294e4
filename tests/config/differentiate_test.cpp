/// Derivatives by differences.
#include <filum/config/differentiate.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace filum::config {
namespace {

TEST(Differentiate, IsExactToTenDigitsForSmoothFunctions) {
  const Jet d = differentiate([](double t) { return std::sin(3 * t) * std::exp(t); }, 0.4, 1e-3);
  const double s = std::sin(1.2), c = std::cos(1.2), e = std::exp(0.4);
  EXPECT_NEAR(d.first, e * (s + 3 * c), 1e-11);
  EXPECT_NEAR(d.second, e * (-8 * s + 6 * c), 1e-8);
}

}  // namespace
}  // namespace filum::config
