/// Lanczos iterations with blocks and full orthogonalisation. Theory: docs/theory/modes.md, sec. 3.
#include "block_lanczos.hpp"

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
      M_without_(without.rows(), without.cols()),
      V_(M.pattern().size(), capacity),
      T_(MatrixXd::Zero(capacity, capacity)) {
  M_.times(without, M_without_);
}

void BlockLanczos::add_directions(int count) {
  X_.resize(V_.rows(), std::min<Index>(count, V_.cols() - used_));
  for (Index k = 0; k < X_.cols(); ++k)
    for (Index i = 0; i < X_.rows(); ++i) X_(i, k) = 1e-9 * static_cast<double>(random_()) - 1;
  M_.times(X_, MZ_);
  apply_(MZ_, Z_);
  orthonormalize(0);
  T_.middleRows(used_, Z_.cols()).leftCols(processed_).setZero();  // found when they are multiplied themselves
  append(Z_.cols());
  coupled_ = 0;
}

bool BlockLanczos::step() {
  const Index first = processed_, count = used_ - processed_;
  if (count == 0) return false;
  X_ = V_.middleCols(first, count);
  M_.times(X_, MZ_);
  apply_(MZ_, Z_);
  const Split split = orthonormalize(coupled_);
  coupled_ = first;
  T_.block(0, first, used_, count) = split.H;
  T_.block(first, 0, count, used_) = split.H.transpose();
  processed_ = used_;
  const Index fresh = std::min(Z_.cols(), V_.cols() - used_);
  T_.block(used_, 0, fresh, first).setZero();
  T_.block(used_, first, fresh, count) = split.R.topRows(fresh);
  append(fresh);
  return true;
}

void BlockLanczos::append(Index count) {
  V_.middleCols(used_, count) = Z_.leftCols(count);
  used_ += count;
}

namespace {

constexpr Index strip = 512;  // rows: those of V and of few other columns stay in the cache together

/// Vᵀ W for few columns of W.
MatrixXd transpose_times(const Eigen::Ref<const MatrixXd>& V, const MatrixXd& W) {
  MatrixXd H = MatrixXd::Zero(V.cols(), W.cols());
  for (Index i = 0; i < W.rows(); i += strip) {
    const Index n = std::min(strip, W.rows() - i);
    for (Index k = 0; k < W.cols(); ++k) H.col(k).noalias() += V.middleRows(i, n).transpose() * W.col(k).segment(i, n);
  }
  return H;
}

/// W −= V H.
void subtract(const Eigen::Ref<const MatrixXd>& V, const MatrixXd& H, MatrixXd& W) {
  for (Index i = 0; i < W.rows(); i += strip) {
    const Index n = std::min(strip, W.rows() - i);
    for (Index k = 0; k < W.cols(); ++k) W.col(k).segment(i, n).noalias() -= V.middleRows(i, n) * H.col(k);
  }
}

/// W := W A, no wider than before.
void combine(MatrixXd& W, const MatrixXd& A) {
  MatrixXd before(strip, W.cols());
  for (Index i = 0; i < W.rows(); i += strip) {
    const Index n = std::min(strip, W.rows() - i);
    before.topRows(n) = W.middleRows(i, n);
    for (Index k = 0; k < A.cols(); ++k) W.col(k).segment(i, n).noalias() = before.topRows(n) * A.col(k);
  }
  if (A.cols() < W.cols()) W.conservativeResize(Eigen::NoChange, A.cols());
}

}  // namespace

// In exact arithmetic A v of a block has shares in that block and the one before alone. These are removed first; what
// rounding errors add of the others is removed when the vectors have length 1.
BlockLanczos::Split BlockLanczos::orthonormalize(Index first) {
  constexpr double dependent = 1e-13;  // of the length before: what is left is rounding errors
  constexpr double tiny = 1e-9;        // its square does not change lengths
  Split split{MatrixXd::Zero(used_, Z_.cols()), MatrixXd::Identity(Z_.cols(), Z_.cols())};
  if (Z_.cols() == 0) return split;
  M_.times(Z_, MZ_);
  const double size = std::sqrt(Z_.cwiseProduct(MZ_).colwise().sum().maxCoeff());
  for (const bool is_last : {false, true}) {
    const Index from = is_last ? 0 : first;
    const auto V = V_.middleCols(from, used_ - from);
    if (without_.cols() > 0) subtract(without_, transpose_times(M_without_, Z_), Z_);
    const MatrixXd H = transpose_times(V, MZ_);
    subtract(V, H, Z_);
    split.H.bottomRows(used_ - from) += H * split.R;
    if (is_last && H.size() > 0 && H.cwiseAbs().maxCoeff() < tiny) break;
    M_.times(Z_, MZ_);
    const linalg::SymmetricEigen gram = linalg::symmetric_eigen(transpose_times(Z_, MZ_));  // ascending
    const double least = is_last ? 0.25 : dependent * size * dependent * size;
    const Index left = (gram.values.array() > least).count();
    const VectorXd root = gram.values.tail(left).cwiseSqrt();
    const MatrixXd U = gram.vectors.rightCols(left), to = U * root.cwiseInverse().asDiagonal();
    combine(Z_, to);
    if (!is_last) combine(MZ_, to);
    split.R = (root.asDiagonal() * U.transpose() * split.R).eval();
    if (left == 0) break;  // all of them depend on earlier ones
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
