/// Products with block matrices. Theory: docs/theory/solver.md, sec. 1.
#include "block_shapes.hpp"

#include <filum/linalg/block_matrix.hpp>

namespace filum::linalg {

void NodeMatrix::assign(const NodeMatrix& A) {
  values_.head(A.values_.size()) = A.values_;
  values_.tail(values_.size() - A.values_.size()).setZero();
}

void NodeMatrix::add(double scale, const NodeMatrix& A) { values_.head(A.values_.size()) += scale * A.values_; }

MatrixXd NodeMatrix::to_dense() const {
  const BlockPattern& p = *pattern_;
  MatrixXd A = MatrixXd::Zero(p.size(), p.size());
  for (int i = 0; i < p.nodes(); ++i) {
    A.block(p.offset(i), p.offset(i), p.dim(i), p.dim(i)) = block(i, i);
    if (structure_ == Structure::separable) continue;
    for (const int j : p.upper_neighbours(i)) {
      A.block(p.offset(i), p.offset(j), p.dim(i), p.dim(j)) = block(i, j);
      A.block(p.offset(j), p.offset(i), p.dim(j), p.dim(i)) = block(j, i);
    }
  }
  return A;
}

void NodeMatrix::add_times(const VectorXd& x, VectorXd& out, Structure structure) const {
  const BlockPattern& p = *pattern_;
  const auto add = [&](int i, int j) {
    with_shape(p.dim(i), p.dim(j), [&]<int r, int d>(Size<r>, Size<d>) {
      add_product<r, d>(values_.data() + p.block_offset(i, j), x.data() + p.offset(j), out.data() + p.offset(i),
                        p.dim(i), p.dim(j));
    });
  };
  for (int i = 0; i < p.nodes(); ++i) {
    add(i, i);
    if (structure == Structure::separable) continue;
    for (const int j : p.upper_neighbours(i)) add(i, j), add(j, i);
  }
}

void RowMatrix::times(const VectorXd& x, VectorXd& out, int blocks) const {
  std::fill(out.data(), out.data() + pattern_->rows(blocks), 0.0);
  for_each_row_node_shared(*pattern_, blocks,
                           [&]<int r, int d>(const RowBlock& b, const NodeRef& ref, Size<r>, Size<d>) {
                             add_product<r, d>(values_.data() + ref.value_offset, x.data() + pattern_->offset(ref.node),
                                               out.data() + b.first_row, b.rows, pattern_->dim(ref.node));
                           });
}

void RowMatrix::add_transpose_times(const VectorXd& y, double scale, VectorXd& out, int blocks) const {
  for_each_row_node_by_nodes(
      *pattern_, blocks, [&]<int r, int d>(const RowBlock& b, const NodeRef& ref, Size<r>, Size<d>) {
        add_transpose_product<r, d>(scale, values_.data() + ref.value_offset, y.data() + b.first_row,
                                    out.data() + pattern_->offset(ref.node), b.rows, pattern_->dim(ref.node));
      });
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
