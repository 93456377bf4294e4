/// Products of the matrices of a linearisation, node by node, without a sparse copy of them.
#pragma once

#include <filum/linalg/block_matrix.hpp>
#include <filum/mechanics/configuration_space.hpp>

#include <functional>
#include <vector>

namespace filum::analysis {

using linalg::NodeMatrix;
using linalg::VectorXd;

/// H X for a block diagonal H, such as a mass matrix.
Eigen::MatrixXd separable_times(const NodeMatrix& H, const Eigen::MatrixXd& X);
void separable_times(const NodeMatrix& H, const Eigen::MatrixXd& X, Eigen::MatrixXd& out);

/// M X for a block diagonal M that is used again and again: of a diagonal one only the diagonal is read.
class MassProduct {
 public:
  explicit MassProduct(const NodeMatrix& M);
  void times(const Eigen::MatrixXd& X, Eigen::MatrixXd& out) const;

 private:
  const NodeMatrix& M_;
  VectorXd diagonal_;  ///< empty when there is more
};

/// H x.
VectorXd times(const NodeMatrix& H, const VectorXd& x);
/// |H| |x|, entry by entry: the size of the terms that H x is the sum of.
VectorXd sizes_times(const NodeMatrix& H, const VectorXd& x);

VectorXd diagonal(const NodeMatrix& H);

/// The blocks A₁, A₂, … of an operator that acts on each node separately; `apply` is out = A w for all nodes.
std::vector<Eigen::MatrixXd> node_blocks(const mechanics::ConfigurationSpace& space,
                                         const std::function<void(const VectorXd& w, VectorXd& out)>& apply);

}  // namespace filum::analysis
