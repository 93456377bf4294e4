/// Products of block matrices, node by node.
#include "node_products.hpp"

#include <algorithm>

namespace filum::analysis {
namespace {

using Eigen::Index;

/// out += |block| |x|, with sizes the compiler knows for the nodes of beams.
void add_product_of_sizes(const Eigen::Map<const Eigen::MatrixXd>& block, const double* x, double* out) {
  const auto add = [&](const auto& A, const auto& v, auto y) { y.noalias() += A.cwiseAbs() * v.cwiseAbs(); };
  using Vector6d = Eigen::Matrix<double, 6, 1>;
  if (block.rows() == 6 && block.cols() == 6)
    add(Eigen::Map<const Eigen::Matrix<double, 6, 6>>(block.data()), Eigen::Map<const Vector6d>(x),
        Eigen::Map<Vector6d>(out));
  else
    add(block, Eigen::Map<const VectorXd>(x, block.cols()), Eigen::Map<VectorXd>(out, block.rows()));
}

}  // namespace

void separable_times(const NodeMatrix& H, const Eigen::MatrixXd& X, Eigen::MatrixXd& out) {
  using Matrix6d = Eigen::Matrix<double, 6, 6>;
  using Vector6d = Eigen::Matrix<double, 6, 1>;
  const linalg::BlockPattern& p = H.pattern();
  out.resize(X.rows(), X.cols());
  for (int i = 0; i < p.nodes(); ++i) {
    const auto block = H.block(i, i);
    const int at = p.offset(i), dim = p.dim(i);
    if (dim == 6) {
      const Eigen::Map<const Matrix6d> A(block.data());
      for (Index k = 0; k < X.cols(); ++k)
        Eigen::Map<Vector6d>(&out(at, k)).noalias() = A * Eigen::Map<const Vector6d>(&X(at, k));
    } else {
      out.middleRows(at, dim).noalias() = block * X.middleRows(at, dim);
    }
  }
}
Eigen::MatrixXd separable_times(const NodeMatrix& H, const Eigen::MatrixXd& X) {
  Eigen::MatrixXd out;
  separable_times(H, X, out);
  return out;
}

MassProduct::MassProduct(const NodeMatrix& M) : M_(M), diagonal_(diagonal(M)) {
  const linalg::BlockPattern& p = M.pattern();
  for (int i = 0; i < p.nodes(); ++i)
    if (!M.block(i, i).isDiagonal(0)) {
      diagonal_.resize(0);
      return;
    }
}

void MassProduct::times(const Eigen::MatrixXd& X, Eigen::MatrixXd& out) const {
  if (diagonal_.size() == 0) return separable_times(M_, X, out);
  out.resize(X.rows(), X.cols());
  for (Index k = 0; k < X.cols(); ++k) out.col(k) = diagonal_.cwiseProduct(X.col(k));
}

VectorXd times(const NodeMatrix& H, const VectorXd& x) {
  VectorXd out = VectorXd::Zero(x.size());
  H.add_times(x, out, linalg::Structure::coupled);
  return out;
}

VectorXd sizes_times(const NodeMatrix& H, const VectorXd& x) {
  const linalg::BlockPattern& p = H.pattern();
  VectorXd out = VectorXd::Zero(x.size());
  const auto add = [&](int i, int j) {
    add_product_of_sizes(H.block(i, j), x.data() + p.offset(j), out.data() + p.offset(i));
  };
  for (int i = 0; i < p.nodes(); ++i) {
    add(i, i);
    for (const int j : p.upper_neighbours(i)) add(i, j), add(j, i);
  }
  return out;
}

VectorXd diagonal(const NodeMatrix& H) {
  const linalg::BlockPattern& p = H.pattern();
  VectorXd out(p.size());
  for (int i = 0; i < p.nodes(); ++i) out.segment(p.offset(i), p.dim(i)) = H.block(i, i).diagonal();
  return out;
}

std::vector<Eigen::MatrixXd> node_blocks(const mechanics::ConfigurationSpace& space,
                                         const std::function<void(const VectorXd& w, VectorXd& out)>& apply) {
  std::vector<Eigen::MatrixXd> blocks;
  int largest = 0;
  for (int i = 0; i < space.nodes(); ++i) {
    const int dim = lie::dim(space.group(i));
    blocks.emplace_back(dim, dim);
    largest = std::max(largest, dim);
  }
  VectorXd w(space.size_v()), out(space.size_v());
  for (int k = 0; k < largest; ++k) {
    w.setZero();
    for (int i = 0; i < space.nodes(); ++i)
      if (k < lie::dim(space.group(i))) w[space.v_offset(i) + k] = 1;
    apply(w, out);
    for (int i = 0; i < space.nodes(); ++i)
      if (Eigen::MatrixXd& block = blocks[static_cast<std::size_t>(i)]; k < block.cols())
        block.col(k) = out.segment(space.v_offset(i), block.rows());
  }
  return blocks;
}

}  // namespace filum::analysis
