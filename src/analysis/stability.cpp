/// Counting and finding directions without resistance. Theory: docs/theory/statics.md, sec. 6.
#include "stability.hpp"

#include <filum/linalg/dense_decompositions.hpp>
#include <filum/linalg/kernel_inertia.hpp>
#include <filum/linalg/reduce.hpp>

#include <cmath>

namespace filum::analysis {
namespace {

/// Loads that are not conservative are counted exactly up to this size.
constexpr int largest_dense = 200;

/// |K − Kᵀ| / |K| in the metric.
double asymmetry(const StaticEquations& e) {
  const auto& p = e.system().pattern();
  const Eigen::ArrayXd scale = e.weights().array().rsqrt();
  double difference = 0, size = 0;
  const auto compare = [&](int i, int j) {
    const Eigen::MatrixXd a = scale.segment(p.offset(i), p.dim(i)).matrix().asDiagonal() * e.stiffness().block(i, j) *
                              scale.segment(p.offset(j), p.dim(j)).matrix().asDiagonal();
    const Eigen::MatrixXd b = scale.segment(p.offset(j), p.dim(j)).matrix().asDiagonal() * e.stiffness().block(j, i) *
                              scale.segment(p.offset(i), p.dim(i)).matrix().asDiagonal();
    difference = std::max(difference, (a - b.transpose()).cwiseAbs().maxCoeff());
    size = std::max(size, a.cwiseAbs().maxCoeff());
  };
  for (int i = 0; i < p.nodes(); ++i) {
    compare(i, i);
    for (const int j : p.upper_neighbours(i)) compare(i, j);
  }
  return size > 0 ? difference / size : 0;
}

/// K on an orthonormal basis of the kernel of C.
Eigen::MatrixXd on_kernel(const StaticEquations& e) {
  const VectorXd scale = e.weights().array().rsqrt();
  const Eigen::MatrixXd K = scale.asDiagonal() * e.stiffness().to_dense() * scale.asDiagonal();
  Eigen::MatrixXd C_T = scale.asDiagonal() * e.constraints().to_dense(e.system().row_blocks()).transpose();
  for (const int row : e.rows().inactive()) C_T.col(row).setZero();
  if (C_T.cols() == 0) return K;
  const Eigen::MatrixXd Z = linalg::orthogonal_complement(C_T);
  return Z.transpose() * K * Z;
}

int real_negative_eigenvalues(const Eigen::MatrixXd& A) {
  if (A.rows() == 0) return 0;
  int count = 0;
  for (const auto& value : linalg::general_eigenvalues(A))
    if (value.real() < 0 && std::abs(value.imag()) <= 1e-9 * std::abs(value.real())) ++count;
  return count;
}

int symmetric_negative_eigenvalues(const Eigen::MatrixXd& A) {
  if (A.rows() == 0) return 0;
  return static_cast<int>((linalg::symmetric_eigenvalues(0.5 * (A + A.transpose())).array() < 0).count());
}

}  // namespace

Stability count_negative(const StaticEquations& e) {
  Stability stability;
  stability.is_symmetric = asymmetry(e) < 1e-7;
  if (!stability.is_symmetric && e.system().size_v() <= largest_dense) {
    stability.negative = real_negative_eigenvalues(on_kernel(e));
    return stability;
  }
  const auto inertia = linalg::kernel_inertia(e.stiffness(), e.constraints(), e.weights().array().rsqrt(), e.rows());
  stability.negative = inertia ? inertia->negative : symmetric_negative_eigenvalues(on_kernel(e));
  return stability;
}

void find_critical_mode(StaticEquations& e, CriticalMode& mode) {
  const int n = e.system().size_v();
  const VectorXd none = VectorXd::Zero(e.system().size_rows());
  if (mode.z.q.size() != n) {
    mode.z = {VectorXd(n), none};
    for (int i = 0; i < n; ++i) mode.z.q[i] = std::sin(1.0 + 12.9898 * i) / std::sqrt(e.weights()[i]);
    mode.z.q /= e.length(mode.z.q);
  }
  StaticIncrement next{VectorXd(n), none};
  double before = 0;
  for (int k = 0; k < 60; ++k) {
    const VectorXd rhs = e.weights().cwiseProduct(mode.z.q);
    e.solve(rhs, none, next);
    const double length = e.length(next.q), along = e.product(mode.z.q, next.q);
    if (!std::isfinite(length) || length == 0) return;
    mode.eigenvalue = 1 / along;
    const double sign = along < 0 ? -1 : 1;
    mode.z.q = sign / length * next.q;
    mode.z.lambda = sign / length * next.lambda;
    if (k > 2 && std::abs(along - before) <= 1e-9 * std::abs(along)) return;
    before = along;
  }
}

}  // namespace filum::analysis
