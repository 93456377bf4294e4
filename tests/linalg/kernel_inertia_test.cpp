/// Inertia on kernels against dense eigenvalues. Theory: docs/theory/statics.md, (EQ.14).
#include <filum/linalg/dense_decompositions.hpp>
#include <filum/linalg/kernel_inertia.hpp>

#include <gtest/gtest.h>

#include <random>

namespace filum::linalg {
namespace {

/// By an orthonormal basis of the kernel.
Inertia dense(const NodeMatrix& H, const RowMatrix& C, const RowSelection& rows) {
  const Eigen::MatrixXd K = H.to_dense();
  Eigen::MatrixXd C_T = C.to_dense(C.pattern().row_blocks()).transpose();
  for (const int r : rows.inactive()) C_T.col(r).setZero();
  const Eigen::MatrixXd Z = orthogonal_complement(C_T);
  Inertia inertia;
  for (const double value : symmetric_eigenvalues(Z.transpose() * K * Z))
    ++(value > 0 ? inertia.positive : inertia.negative);
  return inertia;
}

TEST(KernelInertia, AgreesWithEigenvaluesOnRingsOfNodes) {
  std::mt19937 generator(7);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 20; ++trial) {
    const int nodes = 5 + trial;
    BlockPattern pattern(std::vector<int>(static_cast<std::size_t>(nodes), 3));
    for (int i = 0; i < nodes; ++i) {
      const int j = (i + 1) % nodes;
      pattern.couple(std::min(i, j), std::max(i, j));
    }
    for (int i = 0; i < nodes; i += 2) {
      const int pair[] = {i, (i + 1) % nodes};
      pattern.add_rows(2, pair);
    }
    pattern.finish();
    NodeMatrix H(pattern);
    RowMatrix C(pattern);
    for (double& x : C.values()) x = normal(generator);
    for (int i = 0; i < nodes; ++i) {
      Eigen::Matrix3d A;
      for (double& x : A.reshaped()) x = normal(generator);
      const double shift = trial % 4 - 1.5;
      if (trial % 5 != 0 || i % 3 == 0) H.block(i, i) = A + A.transpose() + shift * Eigen::Matrix3d::Identity();
      for (const int j : pattern.upper_neighbours(i)) {
        for (double& x : A.reshaped()) x = normal(generator);
        H.block(i, j) = A;
        H.block(j, i) = A.transpose();
      }
    }
    const RowSelection rows = trial % 2 == 0 ? RowSelection() : RowSelection({1});
    const auto found = kernel_inertia(H, C, VectorXd::Ones(pattern.size()), rows);
    ASSERT_TRUE(found) << trial;
    EXPECT_EQ(*found, dense(H, C, rows)) << trial;
  }
}

}  // namespace
}  // namespace filum::linalg
