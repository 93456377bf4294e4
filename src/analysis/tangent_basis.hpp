/// Dense bases of what the constraints allow, and matrices on them. Theory: docs/theory/modes.md, sec. 3.
#pragma once

#include <filum/analysis/linearization.hpp>

namespace filum::analysis {

/// (MO.10) Orthonormal columns N with A N = 0, whatever the rank of A.
Eigen::MatrixXd null_space(const Eigen::MatrixXd& A);

/// Active rows of the first `blocks` row blocks.
Eigen::MatrixXd active_rows(const Linearization& lin, const RowMatrix& C, int blocks);

/// How many directions the active rows leave.
int freedom(const Linearization& lin);

/// All displacements that the constraints allow and that are M-orthogonal to the columns of `without`. Large systems
/// with few of them never see a dense matrix of full size.
Eigen::MatrixXd tangent_basis(const Linearization& lin, const Eigen::MatrixXd& without = {});

/// (MO.11) The three matrices on a basis.
struct DenseSystem {
  Eigen::MatrixXd basis, M, D, K;
};
DenseSystem on_basis(const Linearization& lin, Eigen::MatrixXd basis);

}  // namespace filum::analysis
