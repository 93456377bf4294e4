/// Decompositions of dense matrices behind plain functions, so that Eigen's templates are compiled once. Not for time
/// steps: they allocate.
#pragma once

#include <Eigen/Core>

#include <memory>

namespace filum::linalg {

/// Solutions of A x = b for any A: the residual is the smallest there is, and x the smallest with that residual.
class LeastNorm {
 public:
  /// Singular values below `threshold` times the largest count as zero; 0: a few rounding errors.
  explicit LeastNorm(const Eigen::MatrixXd& A, double threshold = 0);
  ~LeastNorm();
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;

 private:
  struct Decomposition;
  std::unique_ptr<const Decomposition> decomposition_;
};

/// Of the symmetric matrix whose lower triangle is that of A, in ascending order.
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A);

struct SymmetricEigen {
  Eigen::VectorXd values;   ///< in ascending order
  Eigen::MatrixXd vectors;  ///< columns, orthonormal
};
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A);

/// Of a symmetric matrix.
bool is_positive_definite(const Eigen::MatrixXd& A);

}  // namespace filum::linalg
