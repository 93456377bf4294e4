/// Products with block matrices. Theory: docs/theory/solver.md, sec. 1.
#include <filum/linalg/block_matrix.hpp>

namespace filum::linalg {

MatrixXd NodeMatrix::to_dense() const {
  const BlockPattern& p = *pattern_;
  MatrixXd A = MatrixXd::Zero(p.size(), p.size());
  for (int i = 0; i < p.nodes(); ++i) {
    A.block(p.offset(i), p.offset(i), p.dim(i), p.dim(i)) = block(i, i);
    if (!couples_) continue;
    for (const int j : p.upper_neighbours(i)) {
      A.block(p.offset(i), p.offset(j), p.dim(i), p.dim(j)) = block(i, j);
      A.block(p.offset(j), p.offset(i), p.dim(j), p.dim(i)) = block(j, i);
    }
  }
  return A;
}

void RowMatrix::times(const VectorXd& x, VectorXd& out, int blocks) const {
  for (int k = 0; k < blocks; ++k) {
    const RowBlock& b = pattern_->row_block(k);
    double* y = out.data() + b.first_row;
    for (int r = 0; r < b.rows; ++r) y[r] = 0;
    for (const NodeRef& ref : pattern_->refs(b)) {
      const double* c = values_.data() + ref.value_offset;
      const double* xi = x.data() + pattern_->offset(ref.node);
      for (int j = 0; j < pattern_->dim(ref.node); ++j, c += b.rows)
        for (int r = 0; r < b.rows; ++r) y[r] += c[r] * xi[j];
    }
  }
}

void RowMatrix::add_transpose_times(const VectorXd& y, double scale, VectorXd& out, int blocks) const {
  for (int k = 0; k < blocks; ++k) {
    const RowBlock& b = pattern_->row_block(k);
    const double* yk = y.data() + b.first_row;
    for (const NodeRef& ref : pattern_->refs(b)) {
      const double* c = values_.data() + ref.value_offset;
      double* xi = out.data() + pattern_->offset(ref.node);
      for (int j = 0; j < pattern_->dim(ref.node); ++j, c += b.rows) {
        double sum = 0;
        for (int r = 0; r < b.rows; ++r) sum += c[r] * yk[r];
        xi[j] += scale * sum;
      }
    }
  }
}

MatrixXd RowMatrix::to_dense(int blocks) const {
  const BlockPattern& p = *pattern_;
  MatrixXd A = MatrixXd::Zero(p.rows(blocks), p.size());
  for (int k = 0; k < blocks; ++k) {
    const RowBlock& b = p.row_block(k);
    for (const NodeRef& ref : p.refs(b))
      A.block(b.first_row, p.offset(ref.node), b.rows, p.dim(ref.node)) =
          Eigen::Map<const MatrixXd>(values_.data() + ref.value_offset, b.rows, p.dim(ref.node));
  }
  return A;
}

}  // namespace filum::linalg
