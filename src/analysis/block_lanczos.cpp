/// Lanczos iterations with blocks and full orthogonalisation. Theory: docs/theory/modes.md, sec. 3.
#include "block_lanczos.hpp"

#include "node_products.hpp"

#include <filum/linalg/dense_decompositions.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace filum::analysis {

using Eigen::Index;
using Eigen::MatrixXd;

BlockLanczos::BlockLanczos(Operator apply, const NodeMatrix& M, const MatrixXd& without, int capacity)
    : apply_(std::move(apply)),
      M_(M),
      without_(without),
      M_without_(separable_times(M, without)),
      V_(M.pattern().size(), capacity),
      T_(MatrixXd::Zero(capacity, capacity)) {}

void BlockLanczos::add_directions(int count) {
  MatrixXd Z(V_.rows(), std::min<Index>(count, V_.cols() - used_));
  for (Index k = 0; k < Z.cols(); ++k, ++directions_) {
    VectorXd x(V_.rows());
    for (Index i = 0; i < x.size(); ++i) x[i] = std::sin(1.0 + (12.9898 + 0.37 * directions_) * static_cast<double>(i));
    Z.col(k) = apply_(x);
  }
  orthonormalize(Z, 0);
  V_.middleCols(used_, Z.cols()) = Z;
  T_.middleRows(used_, Z.cols()).leftCols(processed_).setZero();  // found when they are multiplied themselves
  used_ += Z.cols();
  coupled_ = 0;
}

bool BlockLanczos::step() {
  const Index first = processed_, count = used_ - processed_;
  if (count == 0) return false;
  MatrixXd Z = apply_(V_.middleCols(first, count));
  const Split split = orthonormalize(Z, coupled_);
  coupled_ = first;
  T_.block(0, first, used_, count) = split.H;
  T_.block(first, 0, count, used_) = split.H.transpose();
  processed_ = used_;
  const Index fresh = std::min(Z.cols(), V_.cols() - used_);
  V_.middleCols(used_, fresh) = Z.leftCols(fresh);
  T_.block(used_, 0, fresh, first).setZero();
  T_.block(used_, first, fresh, count) = split.R.topRows(fresh);
  used_ += fresh;
  return true;
}

namespace {

/// Vᵀ W and W −= V H for few columns of W: V is read once for all of them, and stays where it is.
MatrixXd transpose_times(const Eigen::Ref<const MatrixXd>& V, const MatrixXd& W) {
  MatrixXd H(V.cols(), W.cols());
  for (Index j = 0; j < V.cols(); ++j)
    for (Index k = 0; k < W.cols(); ++k) H(j, k) = V.col(j).dot(W.col(k));
  return H;
}
void subtract(const Eigen::Ref<const MatrixXd>& V, const MatrixXd& H, MatrixXd& W) {
  constexpr Index rows = 512;  // a strip of W stays in the cache while all columns of V pass by
  for (Index i = 0; i < W.rows(); i += rows) {
    const Index n = std::min(rows, W.rows() - i);
    for (Index j = 0; j < V.cols(); ++j)
      for (Index k = 0; k < W.cols(); ++k) W.col(k).segment(i, n) -= H(j, k) * V.col(j).segment(i, n);
  }
}

MatrixXd combined(const MatrixXd& W, const MatrixXd& to) {
  MatrixXd out(W.rows(), to.cols());
  for (Index k = 0; k < to.cols(); ++k) {
    out.col(k) = to(0, k) * W.col(0);
    for (Index j = 1; j < W.cols(); ++j) out.col(k) += to(j, k) * W.col(j);
  }
  return out;
}

}  // namespace

// In exact arithmetic A v of a block has shares in that block and the one before alone. These are removed first; what
// rounding errors add of the others is removed when the vectors have length 1.
BlockLanczos::Split BlockLanczos::orthonormalize(MatrixXd& Z, Index first) const {
  constexpr double dependent = 1e-13;  // of the length before: what is left is rounding errors
  Split split{MatrixXd::Zero(used_, Z.cols()), MatrixXd::Identity(Z.cols(), Z.cols())};
  MatrixXd MZ = separable_times(M_, Z);
  const double size = std::sqrt(Z.cwiseProduct(MZ).colwise().sum().maxCoeff());
  for (const bool is_last : {false, true}) {
    const Index from = is_last ? 0 : first;
    const auto V = V_.middleCols(from, used_ - from);
    if (without_.cols() > 0) subtract(without_, transpose_times(M_without_, Z), Z);
    const MatrixXd H = transpose_times(V, MZ);
    subtract(V, H, Z);
    split.H.bottomRows(used_ - from) += H * split.R;
    MZ = separable_times(M_, Z);
    const linalg::SymmetricEigen gram = linalg::symmetric_eigen(transpose_times(Z, MZ));  // ascending
    const double least = is_last ? 0.25 : dependent * size * dependent * size;
    const Index left = (gram.values.array() > least).count();
    const VectorXd root = gram.values.tail(left).cwiseSqrt();
    const MatrixXd U = gram.vectors.rightCols(left), to = U * root.cwiseInverse().asDiagonal();
    Z = combined(Z, to);
    if (!is_last) MZ = combined(MZ, to);
    split.R = (root.asDiagonal() * U.transpose() * split.R).eval();
  }
  return split;
}

BlockLanczos::Ritz BlockLanczos::ritz() const {
  const linalg::SymmetricEigen eigen = linalg::symmetric_eigen(T_.topLeftCorner(processed_, processed_));
  std::vector<Index> order(static_cast<std::size_t>(processed_));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return std::abs(eigen.values[a]) > std::abs(eigen.values[b]); });
  Ritz out{VectorXd(processed_), VectorXd(processed_), MatrixXd(processed_, processed_)};
  for (Index k = 0; k < processed_; ++k) {
    out.values[k] = eigen.values[order[static_cast<std::size_t>(k)]];
    out.coordinates.col(k) = eigen.vectors.col(order[static_cast<std::size_t>(k)]);
  }
  out.errors = (T_.block(processed_, 0, used_ - processed_, processed_) * out.coordinates).colwise().norm();
  return out;
}

MatrixXd BlockLanczos::vectors(const Ritz& ritz, Index count) const {
  return V_.leftCols(processed_) * ritz.coordinates.leftCols(count);
}

void BlockLanczos::shrink(const Ritz& ritz, Index count) {
  const Index waiting = used_ - processed_;
  const MatrixXd rows = T_.block(processed_, 0, waiting, processed_) * ritz.coordinates.leftCols(count);
  const MatrixXd kept = vectors(ritz, count), next = V_.middleCols(processed_, waiting);
  V_.leftCols(count) = kept;
  V_.middleCols(count, waiting) = next;
  T_.setZero();
  T_.topLeftCorner(count, count) = ritz.values.head(count).asDiagonal();
  T_.block(count, 0, waiting, count) = rows;
  processed_ = count;
  used_ = count + waiting;
  coupled_ = 0;
}

}  // namespace filum::analysis
