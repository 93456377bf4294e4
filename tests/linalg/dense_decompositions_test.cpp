/// Decompositions of dense matrices, singular ones included.
#include <filum/linalg/dense_decompositions.hpp>

#include <gtest/gtest.h>

namespace filum::linalg {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

TEST(LeastNorm, OfARowIsTheShortestSolution) {
  const MatrixXd A = Vector3d(1, 2, 2).transpose();
  const VectorXd x = LeastNorm(A).solve(VectorXd::Constant(1, 9));
  EXPECT_LT((x - Vector3d(1, 2, 2)).norm(), 1e-14);
}

TEST(LeastNorm, OfEqualRowsAveragesTheRightHandSide) {
  MatrixXd A(2, 2);
  A << 1, 1, 1, 1;
  const VectorXd x = LeastNorm(A).solve(Vector2d(1, 3));
  EXPECT_LT((x - Vector2d(1, 1)).norm(), 1e-14);
}

TEST(LeastNorm, NeglectsWhatIsBelowItsThreshold) {
  const MatrixXd A = Vector2d(1, 1e-6).asDiagonal();
  EXPECT_NEAR(LeastNorm(A).solve(Vector2d(1, 1))[1], 1e6, 1e-6);
  EXPECT_EQ(LeastNorm(A, 1e-5).solve(Vector2d(1, 1))[1], 0);
}

TEST(SymmetricEigen, ReadsTheLowerTriangleAndSorts) {
  MatrixXd A(2, 2);
  A << 2, 99, 1, 2;
  const SymmetricEigen eigen = symmetric_eigen(A);
  EXPECT_LT((eigen.values - Vector2d(1, 3)).norm(), 1e-14);
  EXPECT_LT((symmetric_eigenvalues(A) - eigen.values).norm(), 1e-14);
  EXPECT_LT((eigen.vectors.transpose() * eigen.vectors - MatrixXd::Identity(2, 2)).norm(), 1e-14);
  EXPECT_NEAR(std::abs(eigen.vectors.col(1).dot(Vector2d(1, 1).normalized())), 1, 1e-14);
}

TEST(PositiveDefinite, NeedsEveryDirection) {
  EXPECT_TRUE(is_positive_definite(Vector3d(1, 2, 3).asDiagonal()));
  EXPECT_FALSE(is_positive_definite(Vector3d(1, 0, 3).asDiagonal()));
  EXPECT_FALSE(is_positive_definite(Vector3d(1, -1, 3).asDiagonal()));
}

}  // namespace
}  // namespace filum::linalg
