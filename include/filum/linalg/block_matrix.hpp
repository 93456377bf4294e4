/// Values on a BlockPattern: H as a NodeMatrix, C and G as RowMatrices. Theory: docs/theory/solver.md, sec. 1.
#pragma once

#include <filum/linalg/block_pattern.hpp>

#include <Eigen/Core>

namespace filum::linalg {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A block of fixed or dynamic size inside a block matrix.
template <int rows, int cols>
using BlockMap = Eigen::Map<Eigen::Matrix<double, rows, cols>>;
template <int rows, int cols>
using ConstBlockMap = Eigen::Map<const Eigen::Matrix<double, rows, cols>>;

/// What is known about the zeros of a NodeMatrix: `separable` is block diagonal, whatever the pattern allows.
enum class Structure { separable, coupled };

/// H: a diagonal block per node and, unless it is separable, two blocks per coupled pair.
class NodeMatrix {
 public:
  explicit NodeMatrix(const BlockPattern& pattern, Structure structure = Structure::coupled)
      : pattern_(&pattern),
        structure_(structure),
        values_(VectorXd::Zero(structure == Structure::separable ? pattern.diagonal_values() : pattern.node_values())) {
  }

  const BlockPattern& pattern() const { return *pattern_; }
  Structure structure() const { return structure_; }
  double* data() { return values_.data(); }
  const double* data() const { return values_.data(); }
  VectorXd& values() { return values_; }
  const VectorXd& values() const { return values_; }
  void set_zero() { values_.setZero(); }
  /// H = A, H += scale A, where A may be separable though H is not.
  void assign(const NodeMatrix& A);
  void add(double scale, const NodeMatrix& A);

  Eigen::Map<MatrixXd> block(int i, int j) {
    return {values_.data() + pattern_->block_offset(i, j), pattern_->dim(i), pattern_->dim(j)};
  }
  Eigen::Map<const MatrixXd> block(int i, int j) const {
    return {values_.data() + pattern_->block_offset(i, j), pattern_->dim(i), pattern_->dim(j)};
  }

  /// out += H x. Of a separable H only the diagonal blocks are looked at.
  void add_times(const VectorXd& x, VectorXd& out, Structure structure) const;

  MatrixXd to_dense() const;

 private:
  const BlockPattern* pattern_;
  Structure structure_;
  VectorXd values_;
};

/// C or G: for each row block its node blocks, one after the other.
class RowMatrix {
 public:
  explicit RowMatrix(const BlockPattern& pattern) : pattern_(&pattern), values_(VectorXd::Zero(pattern.row_values())) {}

  const BlockPattern& pattern() const { return *pattern_; }
  double* data() { return values_.data(); }
  const double* data() const { return values_.data(); }
  VectorXd& values() { return values_; }
  const VectorXd& values() const { return values_; }

  /// out = C x for the rows of the first `blocks` blocks.
  void times(const VectorXd& x, VectorXd& out, int blocks) const;
  /// out += scale Cᵀ y.
  void add_transpose_times(const VectorXd& y, double scale, VectorXd& out, int blocks) const;

  MatrixXd to_dense(int blocks) const;

 private:
  const BlockPattern* pattern_;
  VectorXd values_;
};

}  // namespace filum::linalg
