/// Decompositions of dense matrices behind plain functions, so that Eigen's templates are compiled once. Not for time
/// steps: they allocate.
#pragma once

#include <Eigen/Core>

#include <memory>
#include <optional>

namespace filum::linalg {

/// Solutions of A x = b for any A: the residual is the smallest there is, and x the smallest with that residual.
class LeastNorm {
 public:
  /// Singular values below `threshold` times the largest count as zero; 0: a few rounding errors.
  explicit LeastNorm(const Eigen::MatrixXd& A, double threshold = 0);
  ~LeastNorm();
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  Eigen::MatrixXd solve_columns(const Eigen::MatrixXd& B) const;

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
/// NaN where the iterations do not converge.
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A);

/// A x = λ M x with symmetric A and vectors of length 1 in M; nothing where M is not positive definite.
std::optional<SymmetricEigen> generalized_symmetric_eigen(const Eigen::MatrixXd& A, const Eigen::MatrixXd& M);

struct GeneralEigen {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;  ///< columns of length 1
};
/// Of any square matrix; nothing where the iterations do not converge.
std::optional<GeneralEigen> general_eigen(const Eigen::MatrixXd& A);
Eigen::VectorXcd general_eigenvalues(const Eigen::MatrixXd& A);

/// In descending order.
Eigen::VectorXd singular_values(const Eigen::MatrixXd& A);

struct RightSingular {
  Eigen::VectorXd values;   ///< in descending order
  Eigen::MatrixXd vectors;  ///< columns, orthonormal; those behind the last value are mapped to zero
};
RightSingular right_singular(const Eigen::MatrixXd& A);

/// An orthonormal basis of the span of independent columns.
Eigen::MatrixXd orthonormal_basis(const Eigen::MatrixXd& columns);
/// An orthonormal basis of all that is orthogonal to the columns. Pivots below `threshold` times the largest count as
/// zero; 0: a few rounding errors.
Eigen::MatrixXd orthogonal_complement(const Eigen::MatrixXd& columns, double threshold = 0);

/// Of a symmetric matrix.
bool is_positive_definite(const Eigen::MatrixXd& A);
/// A⁻¹B; nothing where A is not positive definite.
std::optional<Eigen::MatrixXd> solve_positive_definite(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

}  // namespace filum::linalg
