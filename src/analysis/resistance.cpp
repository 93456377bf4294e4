/// Sums that cancel but for rounding errors. Theory: docs/theory/statics.md, (EQ.8).
#include "resistance.hpp"

#include "node_products.hpp"

#include <filum/linalg/dense_decompositions.hpp>

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

/// Combinations of columns that vanish but for rounding errors.
MatrixXd vanishing(const MatrixXd& A) {
  const linalg::RightSingular svd = linalg::right_singular(A);
  const Index held = (svd.values.array() > rounding).count();
  return svd.vectors.rightCols(A.cols() - held);
}

/// C Z relative to the sums of its terms for a motion that is everywhere as large as the largest anywhere: where a
/// joint allows nothing, the terms themselves are rounding errors.
MatrixXd violations(const Resistance& r, const linalg::RowMatrix& C_sizes, const MatrixXd& Z) {
  MatrixXd A(r.C.pattern().rows(), Z.cols());
  for (Index k = 0; k < Z.cols(); ++k) A.col(k) = times(r.C, r.rows, Z.col(k));
  const Eigen::ArrayXd root = r.weights.array().sqrt();
  const double largest = (Z.array().colwise() * root).abs().maxCoeff();
  const VectorXd bounds = times(C_sizes, r.rows, (largest / root).matrix());
  for (Index i = 0; i < A.rows(); ++i)
    if (bounds[i] > 0) A.row(i) /= bounds[i];
  return A;
}

}  // namespace

MatrixXd free_combinations(const Resistance& r, const MatrixXd& Z) {
  const Index n = Z.rows(), rows = r.C.pattern().rows(), count = Z.cols();
  linalg::RowMatrix C_sizes = r.C;
  C_sizes.values() = r.C.values().cwiseAbs();
  MatrixXd A = MatrixXd::Zero(n + rows + count, count);  // never fewer rows than columns
  A.middleRows(n, rows) = violations(r, C_sizes, Z);
  if (vanishing(A.bottomRows(rows + count)).cols() == 0) return MatrixXd(count, 0);
  MatrixXd F(n, count);
  for (Index k = 0; k < count; ++k) F.col(k) = times(r.K, Z.col(k));
  const MatrixXd Y = rows > 0 ? r.multipliers(F) : MatrixXd(0, count);
  const Eigen::ArrayXd scale = r.weights.array().rsqrt();
  // Against the largest sum anywhere: where a motion has its centre, the terms themselves are rounding errors.
  double bound = 0;
  for (Index k = 0; k < count; ++k) {
    const VectorXd sizes = sizes_times(r.K, Z.col(k)) + transpose_times(C_sizes, Y.col(k).cwiseAbs());
    bound = std::max(bound, (scale * sizes.array()).maxCoeff());
    A.col(k).head(n) = scale * (F.col(k) - transpose_times(r.C, Y.col(k))).array();
  }
  if (bound > 0) A.topRows(n) /= bound;
  return vanishing(A);
}

}  // namespace filum::analysis
