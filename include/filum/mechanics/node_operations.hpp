/// Products of block matrices with operators of all nodes, such as T(h v) = diag(T(h v_1), T(h v_2), …).
/// Theory: docs/theory/mechanics.md, sec. 1.
#pragma once

#include <filum/linalg/block_matrix.hpp>
#include <filum/mechanics/configuration_space.hpp>

namespace filum::mechanics {

using linalg::NodeMatrix;
using linalg::RowMatrix;
using linalg::Structure;

/// H := H T(h v), the chain rule for a matrix of derivatives by q when q = q0 ∘ exp(h v).
void multiply_columns_by_tangent(const ConfigurationSpace& space, double h, const VectorXd& v, Structure structure,
                                 NodeMatrix& H);

/// C := C T(h v) in the first `blocks` row blocks.
void multiply_rows_by_tangent(const ConfigurationSpace& space, double h, const VectorXd& v, RowMatrix& C, int blocks);
/// The same in all of them.
void multiply_rows_by_tangent(const ConfigurationSpace& space, double h, const VectorXd& v, RowMatrix& C);

/// out += scale C v̂ in the first `blocks` row blocks.
void add_rows_times_hat(const ConfigurationSpace& space, double scale, const VectorXd& v, const RowMatrix& C,
                        RowMatrix& out, int blocks);

}  // namespace filum::mechanics
