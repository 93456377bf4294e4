/// Eigen's decompositions of dense matrices, compiled here and nowhere else.
#include <filum/linalg/dense_decompositions.hpp>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>

#include <limits>

namespace filum::linalg {

struct LeastNorm::Decomposition {
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> qr;
};

LeastNorm::LeastNorm(const Eigen::MatrixXd& A, double threshold) {
  auto d = std::make_unique<Decomposition>();
  if (threshold > 0) d->qr.setThreshold(threshold);
  d->qr.compute(A);
  decomposition_ = std::move(d);
}
LeastNorm::~LeastNorm() = default;
Eigen::VectorXd LeastNorm::solve(const Eigen::VectorXd& b) const { return decomposition_->qr.solve(b); }
Eigen::MatrixXd LeastNorm::solve_columns(const Eigen::MatrixXd& B) const { return decomposition_->qr.solve(B); }

Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(A);
  SymmetricEigen out{solver.eigenvalues(), solver.eigenvectors()};
  if (solver.info() != Eigen::Success) out.values.setConstant(std::numeric_limits<double>::quiet_NaN());
  return out;
}

std::optional<SymmetricEigen> generalized_symmetric_eigen(const Eigen::MatrixXd& A, const Eigen::MatrixXd& M) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(A, M);
  if (solver.info() != Eigen::Success || !solver.eigenvectors().allFinite()) return std::nullopt;
  return SymmetricEigen{solver.eigenvalues(), solver.eigenvectors()};
}

std::optional<GeneralEigen> general_eigen(const Eigen::MatrixXd& A) {
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(A);
  if (solver.info() != Eigen::Success) return std::nullopt;
  return GeneralEigen{solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::VectorXcd general_eigenvalues(const Eigen::MatrixXd& A) {
  return Eigen::EigenSolver<Eigen::MatrixXd>(A, false).eigenvalues();
}

Eigen::VectorXd singular_values(const Eigen::MatrixXd& A) {
  return Eigen::JacobiSVD<Eigen::MatrixXd>(A).singularValues();
}

RightSingular right_singular(const Eigen::MatrixXd& A) {
  if (A.rows() > A.cols()) {
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(A);
    return right_singular(qr.matrixQR().topRows(A.cols()).triangularView<Eigen::Upper>());
  }
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(A, Eigen::ComputeFullV);
  return {svd.singularValues(), svd.matrixV()};
}

Eigen::MatrixXd orthonormal_basis(const Eigen::MatrixXd& columns) {
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(columns);
  return qr.householderQ() * Eigen::MatrixXd::Identity(columns.rows(), columns.cols());
}

Eigen::MatrixXd orthogonal_complement(const Eigen::MatrixXd& columns, double threshold) {
  const Eigen::Index n = columns.rows();
  if (columns.cols() == 0) return Eigen::MatrixXd::Identity(n, n);
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(columns);
  if (threshold > 0) qr.setThreshold(threshold);
  const Eigen::MatrixXd Q = qr.householderQ() * Eigen::MatrixXd::Identity(n, n);
  return Q.rightCols(n - qr.rank());
}

bool is_positive_definite(const Eigen::MatrixXd& A) { return Eigen::LLT<Eigen::MatrixXd>(A).info() == Eigen::Success; }

std::optional<Eigen::MatrixXd> solve_positive_definite(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  const Eigen::LLT<Eigen::MatrixXd> factor(A);
  if (factor.info() != Eigen::Success) return std::nullopt;
  return factor.solve(B);
}

}  // namespace filum::linalg
