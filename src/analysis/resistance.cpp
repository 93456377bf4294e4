/// Sums that cancel but for rounding errors. Theory: docs/theory/statics.md, (EQ.8).
#include "resistance.hpp"

#include "node_products.hpp"

#include <Eigen/QR>
#include <Eigen/SVD>

#include <algorithm>

namespace filum::analysis {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// Sums below this share of their terms are rounding errors: docs/theory/statics.md, sec. 9, has the measurement.
constexpr double rounding = 3e-14;

/// Cᵀ y and C z of the rows that count.
VectorXd transpose_times(const linalg::RowMatrix& C, const VectorXd& y) {
  VectorXd out = VectorXd::Zero(C.pattern().size());
  C.add_transpose_times(y, 1, out, C.pattern().row_blocks());
  return out;
}
VectorXd times(const linalg::RowMatrix& C, const linalg::RowSelection& rows, const VectorXd& z) {
  VectorXd out = VectorXd::Zero(C.pattern().rows());
  C.times(z, out, C.pattern().row_blocks());
  rows.clear_inactive(out);
  return out;
}

}  // namespace

MatrixXd free_combinations(const Resistance& r, const MatrixXd& Z) {
  const Index n = Z.rows(), rows = r.C.pattern().rows(), count = Z.cols();
  linalg::RowMatrix C_sizes = r.C;
  C_sizes.values() = r.C.values().cwiseAbs();
  MatrixXd F(n, count);
  for (Index k = 0; k < count; ++k) F.col(k) = times(r.K, Z.col(k));
  const MatrixXd Y = rows > 0 ? r.multipliers(F) : MatrixXd(0, count);
  const Eigen::ArrayXd scale = r.weights.array().rsqrt();
  MatrixXd A = MatrixXd::Zero(n + rows + count, count);  // never fewer rows than columns
  // Against the largest sum anywhere: where a motion has its centre, the terms themselves are rounding errors.
  double bound = 0;
  VectorXd row_bounds = VectorXd::Zero(rows);
  for (Index k = 0; k < count; ++k) {
    const VectorXd sizes = sizes_times(r.K, Z.col(k)) + transpose_times(C_sizes, Y.col(k).cwiseAbs());
    bound = std::max(bound, (scale * sizes.array()).maxCoeff());
    row_bounds = row_bounds.cwiseMax(times(C_sizes, r.rows, Z.col(k).cwiseAbs()));
    A.col(k).head(n) = scale * (F.col(k) - transpose_times(r.C, Y.col(k))).array();
    A.col(k).segment(n, rows) = times(r.C, r.rows, Z.col(k));
  }
  if (bound > 0) A.topRows(n) /= bound;
  for (Index i = 0; i < rows; ++i)
    if (row_bounds[i] > 0) A.row(n + i) /= row_bounds[i];
  const Eigen::HouseholderQR<MatrixXd> qr(A);
  const MatrixXd upper = qr.matrixQR().topRows(count).triangularView<Eigen::Upper>();
  const Eigen::JacobiSVD<MatrixXd> svd(upper, Eigen::ComputeFullV);
  const Index held = (svd.singularValues().array() > rounding).count();
  return svd.matrixV().rightCols(count - held);
}

}  // namespace filum::analysis
