/// Quaternions as 4-vectors: product, rotation, matrices there and back. Theory: docs/theory/groups.md, (G.5) to (G.8).
#include <filum/lie/quaternion.hpp>

#include <lie/group_sampling.hpp>

#include <array>

namespace filum::lie::test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::Vector4d;

Vector4d random_unit(Rng& rng) {
  for (;;) {
    Vector4d p;
    for (double& component : p) component = 2 * uniform(rng) - 1;
    if (p.norm() <= 1 && p.norm() > 0.1) return p.normalized();
  }
}

TEST(Quaternion, ProductFollowsHamiltonsRules) {
  const Vector4d one = Vector4d::Unit(0), i = Vector4d::Unit(1), j = Vector4d::Unit(2), k = Vector4d::Unit(3);
  using quaternion::product;
  EXPECT_EQ(product(i, j), k);
  EXPECT_EQ(product(j, k), i);
  EXPECT_EQ(product(k, i), j);
  for (const Vector4d& unit : {i, j, k}) {
    EXPECT_EQ(product(unit, unit), -one);
    EXPECT_EQ(product(one, unit), unit);
    EXPECT_EQ(product(unit, one), unit);
  }
  EXPECT_EQ(product(j, i), -k);
}

TEST(Quaternion, MatrixOfAProductIsTheProductOfMatrices) {
  Rng rng(41);
  Worst worst;
  for (int n = 0; n < 1000; ++n) {
    const Vector4d p = random_unit(rng), q = random_unit(rng);
    const Matrix3d product = quaternion::to_matrix(p) * quaternion::to_matrix(q);
    worst.see(largest_entry(quaternion::to_matrix(quaternion::product(p, q)) - product));
  }
  worst.expect_below(12 * eps);
}

TEST(Quaternion, RotateIsTheMatrixAndConjugation) {
  Rng rng(42);
  Worst worst;
  for (int n = 0; n < 1000; ++n) {
    const Vector4d p = random_unit(rng);
    const Vector3d w = direction<3>(rng);
    const Vector4d W(0, w[0], w[1], w[2]);
    const Vector4d conjugated = quaternion::product(quaternion::product(p, W), quaternion::conjugate(p));
    worst.see(largest_entry(quaternion::rotate(p, w) - quaternion::to_matrix(p) * w));
    worst.see(largest_entry(quaternion::rotate(p, w) - conjugated.tail<3>()));
    worst.see(largest_entry(quaternion::rotate_inv(p, w) - quaternion::to_matrix(p).transpose() * w));
  }
  worst.expect_below(8 * eps);
}

TEST(Quaternion, UnitSquaresTheErrorInTheLength) {
  Rng rng(43);
  for (const double delta : {1e-3, -1e-3, 1e-5, 1e-8, -1e-8}) {
    const Vector4d p = quaternion::unit((1 + delta) * random_unit(rng));
    EXPECT_LE(std::abs(p.norm() - 1), 1.6 * delta * delta + 2 * eps);
  }
}

/// The largest component decides the branch: each of the four is visited, on both signs of p0 and near each tie.
TEST(Quaternion, FromMatrixInvertsToMatrixInEveryBranch) {
  Rng rng(44);
  Worst worst;
  std::array<int, 4> visits{};
  for (int n = 0; n < 4000; ++n) {
    Vector4d p = random_unit(rng);
    if (n % 4 == 1) p = (p + 3 * Vector4d::Unit(n / 4 % 4)).normalized();
    if (n % 4 == 2) p = p.cwiseSign() / 2 + (n % 8 == 2 ? 0 : 1e-9) * p;
    if (n % 4 == 3) p[n / 4 % 4] *= 1e-12;
    p.normalize();
    int largest = 0;
    p.cwiseAbs().maxCoeff(&largest);
    ++visits[static_cast<std::size_t>(largest)];
    const Vector4d back = quaternion::from_matrix(quaternion::to_matrix(p));
    EXPECT_GE(back[0], 0);
    worst.see(largest_entry(back - (p[0] < 0 ? -1 : 1) * p));
  }
  worst.expect_below(4 * eps);
  for (const int count : visits) EXPECT_GT(count, 500);
}

TEST(Quaternion, FromMatrixKnowsHalfTurnsUpToTheSignOfTheAxis) {
  Rng rng(45);
  Worst worst;
  for (int n = 0; n < 1000; ++n) {
    const Vector3d axis = direction<3>(rng);
    const Vector4d p(0, axis[0], axis[1], axis[2]);
    const Vector4d back = quaternion::from_matrix(quaternion::to_matrix(p));
    worst.see(std::min(largest_entry(back - p), largest_entry(back + p)));
    worst.see(std::abs(back[0]));
  }
  worst.expect_below(4 * eps);
}

}  // namespace
}  // namespace filum::lie::test
