/// Dense bases of what the constraints allow. Theory: docs/theory/modes.md, sec. 3.
#include "tangent_basis.hpp"

#include "shifted_factor.hpp"

#include <filum/analysis/modes.hpp>
#include <filum/linalg/dense_decompositions.hpp>

#include <cmath>

namespace filum::analysis {

using Eigen::MatrixXd;

MatrixXd null_space(const MatrixXd& A) {
  MatrixXd rows = A;
  for (Eigen::Index i = 0; i < rows.rows(); ++i)
    if (const double length = rows.row(i).norm(); length > 0) rows.row(i) /= length;
  return linalg::orthogonal_complement(rows.transpose(), 1e-10);
}

MatrixXd active_rows(const Linearization& lin, const RowMatrix& C, int blocks) {
  const MatrixXd all = linalg::to_sparse(C, blocks, lin.rows).toDense();
  MatrixXd out(all.rows(), all.cols());
  Eigen::Index count = 0;
  for (Eigen::Index i = 0; i < all.rows(); ++i)
    if (lin.rows.is_active(static_cast<int>(i))) out.row(count++) = all.row(i);
  return out.topRows(count);
}

int freedom(const Linearization& lin) {
  return lin.size() - lin.system->size_rows() + static_cast<int>(lin.rows.inactive().size());
}

namespace {

/// Random vectors, projected.
MatrixXd projected_basis(const Linearization& lin, const MatrixXd& without) {
  ShiftedFactor mass(lin);
  if (!mass.factorize(0, 0, 1))
    throw NoModes("the mass matrix is singular for motions that the constraints allow; give every node an inertia");
  const MatrixXd M_without = linalg::to_sparse(lin.M, linalg::Structure::separable) * without;
  MatrixXd vectors(lin.size(), freedom(lin) - without.cols());
  for (Eigen::Index k = 0; k < vectors.cols(); ++k) {
    VectorXd x(lin.size());
    for (int i = 0; i < lin.size(); ++i) x[i] = std::sin(1.0 + (12.9898 + 0.7 * static_cast<double>(k)) * i);
    x = mass.project(x);
    if (without.cols() > 0) x -= without * (M_without.transpose() * x);
    vectors.col(k) = x / x.norm();
  }
  return linalg::orthonormal_basis(vectors);
}

}  // namespace

MatrixXd tangent_basis(const Linearization& lin, const MatrixXd& without) {
  constexpr int small = 600;  // velocities: the pivoted QR takes half a second
  if (lin.size() > small) return projected_basis(lin, without.cols() > 0 ? without : MatrixXd(lin.size(), 0));
  MatrixXd rows = active_rows(lin, lin.C, lin.system->row_blocks());
  if (without.cols() > 0) {
    rows.conservativeResize(rows.rows() + without.cols(), lin.size());
    rows.bottomRows(without.cols()) = (linalg::to_sparse(lin.M, linalg::Structure::separable) * without).transpose();
  }
  return null_space(rows);
}

DenseSystem on_basis(const Linearization& lin, MatrixXd N) {
  DenseSystem out;
  const auto reduced = [&](const NodeMatrix& H) { return MatrixXd(N.transpose() * (linalg::to_sparse(H) * N)); };
  out.M = reduced(lin.M);
  out.M = (0.5 * (out.M + out.M.transpose())).eval();
  out.D = reduced(lin.D);
  out.K = reduced(lin.K);
  out.basis = std::move(N);
  return out;
}

}  // namespace filum::analysis
