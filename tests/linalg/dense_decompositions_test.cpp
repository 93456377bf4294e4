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

TEST(LeastNorm, SolvesForAllColumnsAtOnce) {
  MatrixXd A(2, 3), B(2, 2);
  A << 1, 2, 2, 2, 4, 4;
  B << 9, 1, 18, 0;
  const LeastNorm solver(A);
  const MatrixXd X = solver.solve_columns(B);
  for (int k = 0; k < 2; ++k) EXPECT_LT((X.col(k) - solver.solve(B.col(k))).norm(), 1e-14);
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

TEST(GeneralizedSymmetricEigen, HasVectorsOfLengthOneInTheMetric) {
  MatrixXd A(2, 2), M(2, 2);
  A << 3, 1, 1, 2;
  M << 2, 0.5, 0.5, 1;
  const auto eigen = generalized_symmetric_eigen(A, M);
  ASSERT_TRUE(eigen);
  EXPECT_LT((A * eigen->vectors - M * eigen->vectors * eigen->values.asDiagonal()).norm(), 1e-14);
  EXPECT_LT((eigen->vectors.transpose() * M * eigen->vectors - MatrixXd::Identity(2, 2)).norm(), 1e-14);
  EXPECT_FALSE(generalized_symmetric_eigen(A, Vector2d(1, 0).asDiagonal()));
}

TEST(GeneralEigen, OfARotationLiesOnTheUnitCircle) {
  MatrixXd A(2, 2);
  A << 0.6, -0.8, 0.8, 0.6;
  const auto eigen = general_eigen(A);
  ASSERT_TRUE(eigen);
  EXPECT_LT((A * eigen->vectors - eigen->vectors * eigen->values.asDiagonal()).norm(), 1e-14);
  EXPECT_NEAR(std::abs(eigen->values[0].imag()), 0.8, 1e-14);
  EXPECT_LT((general_eigenvalues(A) - eigen->values).norm(), 1e-14);
}

TEST(SingularValues, AreLengthsInDescendingOrder) {
  MatrixXd A = MatrixXd::Zero(3, 2);
  A(2, 0) = 1, A(0, 1) = -4;
  EXPECT_LT((singular_values(A) - Vector2d(4, 1)).norm(), 1e-14);
}

TEST(RightSingular, VectorsBehindTheLastValueAreMappedToZero) {
  for (const int rows : {1, 2, 3, 7}) {
    MatrixXd A(rows, 3);
    for (int i = 0; i < A.size(); ++i) A(i) = std::sin(1.0 + 3 * i);
    const RightSingular svd = right_singular(A);
    ASSERT_EQ(svd.vectors.cols(), 3);
    EXPECT_LT((svd.vectors.transpose() * svd.vectors - MatrixXd::Identity(3, 3)).norm(), 1e-14);
    EXPECT_LT((svd.values - singular_values(A)).norm(), 1e-14);
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR((A * svd.vectors.col(k)).norm(), k < svd.values.size() ? svd.values[k] : 0, 1e-14);
  }
}

TEST(OrthogonalComplement, CompletesASpanAndLooksAtTheRank) {
  MatrixXd A(3, 2);
  A << 1, 2, 2, 4, 2, 4 + 1e-7;
  const MatrixXd line = orthogonal_complement(A), plane = orthogonal_complement(A, 1e-5);
  ASSERT_EQ(line.cols(), 1);
  EXPECT_LT((A.transpose() * line).norm(), 1e-14);
  ASSERT_EQ(plane.cols(), 2);
  EXPECT_LT((plane.transpose() * plane - MatrixXd::Identity(2, 2)).norm(), 1e-14);
  EXPECT_LT((plane.transpose() * Vector3d(1, 2, 2)).norm(), 1e-6);
  EXPECT_EQ(orthogonal_complement(MatrixXd(3, 0)), MatrixXd::Identity(3, 3));
}

TEST(OrthonormalBasis, SpansItsColumns) {
  MatrixXd A(3, 2);
  A << 1, 1, 2, 0, 2, 1;
  const MatrixXd Q = orthonormal_basis(A);
  EXPECT_LT((Q.transpose() * Q - MatrixXd::Identity(2, 2)).norm(), 1e-14);
  EXPECT_LT((Q * (Q.transpose() * A) - A).norm(), 1e-14);
}

TEST(PositiveDefinite, SolvesOrRefuses) {
  const MatrixXd A = Vector2d(2, 4).asDiagonal(), B = MatrixXd::Ones(2, 3);
  const auto X = solve_positive_definite(A, B);
  ASSERT_TRUE(X);
  EXPECT_LT((A * *X - B).norm(), 1e-15);
  EXPECT_FALSE(solve_positive_definite(Vector2d(2, -1).asDiagonal(), B));
}

TEST(PositiveDefinite, NeedsEveryDirection) {
  EXPECT_TRUE(is_positive_definite(Vector3d(1, 2, 3).asDiagonal()));
  EXPECT_FALSE(is_positive_definite(Vector3d(1, 0, 3).asDiagonal()));
  EXPECT_FALSE(is_positive_definite(Vector3d(1, -1, 3).asDiagonal()));
}

}  // namespace
}  // namespace filum::linalg
