/// Eigen's decompositions of dense matrices, compiled here and nowhere else.
#include <filum/linalg/dense_decompositions.hpp>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>

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

Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

bool is_positive_definite(const Eigen::MatrixXd& A) { return Eigen::LLT<Eigen::MatrixXd>(A).info() == Eigen::Success; }

}  // namespace filum::linalg
