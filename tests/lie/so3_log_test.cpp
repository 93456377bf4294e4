/// The logarithms of rotations where they are delicate: past a half turn, at it, and at tiny angles.
/// Theory: docs/theory/groups.md, sec. 3.
#include <lie/group_sampling.hpp>

namespace filum::lie::test {
namespace {

using LongVector = Eigen::Matrix<long double, 3, 1>;
using LongMatrix = Eigen::Matrix<long double, 3, 3>;

LongVector axis(Rng& rng) { return direction<3>(rng).cast<long double>().normalized(); }

Eigen::Vector4d exact_quaternion(long double angle, const LongVector& n) {
  const LongVector a = std::sin(angle / 2) * n;
  return {static_cast<double>(std::cos(angle / 2)), static_cast<double>(a[0]), static_cast<double>(a[1]),
          static_cast<double>(a[2])};
}

/// Rodrigues' formula, rounded once.
Eigen::Matrix3d exact_matrix(long double angle, const LongVector& n) {
  LongMatrix N;
  N << 0, -n[2], n[1], n[2], 0, -n[0], -n[1], n[0], 0;
  const long double s = std::sin(angle), c = std::sin(angle / 2);
  return (LongMatrix::Identity() + s * N + 2 * c * c * N * N).cast<double>();
}

TEST(S3Log, IsContinuousWithItsSignFromZeroToATurn) {
  Rng rng(51);
  Worst worst;
  for (int curve = 0; curve < 20; ++curve) {
    const LongVector n = axis(rng);
    const int steps = 1000;
    Eigen::Vector3d before = Eigen::Vector3d::Zero();
    for (int k = 0; k <= steps; ++k) {
      const long double angle = largest_angle * static_cast<long double>(k) / steps;
      const Eigen::Vector3d v = S3::log(exact_quaternion(angle, n));
      worst.see(largest_entry(v - (angle * n).cast<double>()), static_cast<double>(angle));
      EXPECT_LE((v - before).norm(), 1.01 * largest_angle / steps);
      before = v;
    }
  }
  worst.expect_below(12 * eps);
}

/// A beam segment that turns: compositions of small increments walk past π to the end of the domain without a jump.
TEST(S3Log, FollowsACurveOfCompositions) {
  Rng rng(52);
  Worst worst;
  for (int curve = 0; curve < 10; ++curve) {
    const Eigen::Vector3d v = 1e-3 * direction<3>(rng);
    const S3::Element step = S3::exp(v);
    S3::Element p = S3::identity();
    for (int k = 1; k * 1e-3 < largest_angle; ++k) {
      p = S3::compose(p, step);
      const double angle = k * 1e-3;
      worst.see((S3::log(p) - k * v).norm() / pole(angle), angle);  // what leaves the axis is magnified by the pole
    }
  }
  worst.expect_below(256 * eps);  // √6283 = 79 roundings
}

TEST(S3Log, IsRelativelyAccurateAtTinyAngles) {
  Rng rng(53);
  Worst worst;
  for (int k = 0; k <= 150; ++k) {
    const long double angle = std::pow(10.0L, -k);
    const LongVector n = axis(rng);
    worst.see(largest_entry(S3::log(exact_quaternion(angle, n)) / static_cast<double>(angle) - n.cast<double>()),
              static_cast<double>(angle));
  }
  worst.expect_below(4 * eps);
}

TEST(SO3Log, IsRelativelyAccurateAtTinyAngles) {
  Rng rng(54);
  Worst worst;
  for (int k = 0; k <= 150; ++k) {
    const long double angle = std::pow(10.0L, -k);
    const LongVector n = axis(rng);
    // The off-diagonal entries of size angle lose what their parts of size angle² cost: nothing beyond ε.
    worst.see(largest_entry(SO3::log(exact_matrix(angle, n)) / static_cast<double>(angle) - n.cast<double>()),
              static_cast<double>(angle));
  }
  worst.expect_below(4 * eps);
}

TEST(SO3Log, IsAccurateUpToAHalfTurn) {
  Rng rng(55);
  Worst worst;
  for (int k = 0; k <= 14; ++k) {
    for (int repeat = 0; repeat < 100; ++repeat) {
      const long double angle = std::numbers::pi_v<long double> - std::pow(10.0L, -k);
      const LongVector n = axis(rng);
      worst.see((SO3::log(exact_matrix(angle, n)) - (angle * n).cast<double>()).norm(), static_cast<double>(angle));
    }
  }
  worst.expect_below(3e-15);
}

/// Within rounding of π the matrices of n and −n are the same.
TEST(SO3Log, IsAccurateAtAHalfTurnUpToTheSignOfTheAxis) {
  Rng rng(56);
  Worst worst;
  const long double half_turn = std::numbers::pi_v<long double>;
  for (const long double angle : {half_turn - 1e-15L, half_turn, half_turn + 1e-16L}) {
    for (int repeat = 0; repeat < 300; ++repeat) {
      const LongVector n = axis(rng);
      const Eigen::Vector3d v = SO3::log(exact_matrix(angle, n)), expected = (angle * n).cast<double>();
      worst.see(std::min((v - expected).norm(), (v + expected).norm()), static_cast<double>(angle));
      EXPECT_LE(v.norm(), pi + 2e-15);
    }
  }
  worst.expect_below(3e-15);
}

TEST(SO3Log, OfHalfTurnsAboutCoordinateAxesIsExact) {
  for (int i = 0; i < 3; ++i) {
    Eigen::Matrix3d R = -Eigen::Matrix3d::Identity();
    R(i, i) = 1;
    EXPECT_EQ(SO3::log(R).cwiseAbs(), pi * Eigen::Vector3d::Unit(i));
  }
}

}  // namespace
}  // namespace filum::lie::test
