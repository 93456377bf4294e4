/// The 3x3 building blocks against their definitions. Theory: docs/theory/groups.md, (G.1) to (G.4).
#include <filum/lie/matrix3.hpp>

#include <lie/group_sampling.hpp>

namespace filum::lie::test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

class Matrix3 : public ::testing::Test {
 protected:
  Vector3d vector() { return (1 + uniform(rng_)) * direction<3>(rng_); }
  Rng rng_{31};
};

TEST_F(Matrix3, SkwIsTheCrossProduct) {
  for (int i = 0; i < 100; ++i) {
    const Vector3d a = vector(), b = vector();
    EXPECT_LE(largest_entry(skw(a) * b - a.cross(b)), 2 * eps);
    EXPECT_EQ(skw(a).transpose(), -skw(a));
  }
}

TEST_F(Matrix3, IsotropicSkewSymmetricIsTheSumOfItsParts) {
  for (int i = 0; i < 100; ++i) {
    const Vector3d s = vector(), a = vector(), b = vector();
    const double d = uniform(rng_);
    const Matrix3d sum = d * Matrix3d::Identity() + skw(s) + a * b.transpose() + b * a.transpose();
    EXPECT_LE(largest_entry(isotropic_skew_symmetric(d, s, a, b) - sum), 8 * eps);
  }
}

TEST_F(Matrix3, DoubleCrossIsTwoCrossProducts) {
  for (int i = 0; i < 100; ++i) {
    const Vector3d a = vector(), w = vector();
    EXPECT_LE(largest_entry(double_cross(a, w) - a.cross(a.cross(w))), 16 * eps);
  }
}

/// Differences of a quadratic are exact up to rounding, whatever the step.
TEST_F(Matrix3, DerivativeOfDoubleCrossAgreesWithDifferences) {
  for (int i = 0; i < 100; ++i) {
    const Vector3d a = vector(), w = vector();
    Matrix3d differences;
    for (int j = 0; j < 3; ++j) {
      const auto moved = [&](double x) { return double_cross(a + x * Vector3d::Unit(j), w); };
      differences.col(j) = derivative(0.5, moved);
    }
    EXPECT_LE(largest_entry(d_double_cross(a, w) - differences), 64 * eps);
  }
}

TEST_F(Matrix3, IsotropicSkewPlusIsTheSumOfItsParts) {
  for (int i = 0; i < 100; ++i) {
    const Vector3d s = vector(), a = vector(), b = vector();
    const double d = uniform(rng_);
    const Matrix3d sum = d * Matrix3d::Identity() + skw(s) + a * b.transpose();
    const Matrix3d entries = isotropic_skew_plus(d, s, [&](int row, int column) { return a[row] * b[column]; });
    EXPECT_LE(largest_entry(entries - sum), 8 * eps);
  }
}

TEST_F(Matrix3, CrossColumnsIsAProductWithSkw) {
  for (int i = 0; i < 100; ++i) {
    const Vector3d a = vector();
    Matrix3d M;
    for (int j = 0; j < 3; ++j) M.col(j) = vector();
    EXPECT_LE(largest_entry(cross_columns(a, M) - skw(a) * M), 8 * eps);
  }
}

}  // namespace
}  // namespace filum::lie::test
