/// Block matrices as sparse matrices, for other solvers. Theory: docs/theory/solver.md, sec. 1.
#pragma once

#include <filum/linalg/block_matrix.hpp>
#include <filum/linalg/row_selection.hpp>

#include <Eigen/SparseCore>

namespace filum::linalg {

using SparseMatrix = Eigen::SparseMatrix<double>;

/// All blocks that the structure allows, zeros in them included: the pattern does not depend on the values.
SparseMatrix to_sparse(const NodeMatrix& H, Structure structure = Structure::coupled);
/// The rows of the first `blocks` row blocks; rows that are not selected are empty.
SparseMatrix to_sparse(const RowMatrix& C, int blocks, const RowSelection& rows = {});
/// All rows.
SparseMatrix to_sparse(const RowMatrix& C, const RowSelection& rows = {});

}  // namespace filum::linalg
