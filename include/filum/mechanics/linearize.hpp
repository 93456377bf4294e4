/// A system linearised about a state, block by block and as sparse matrices. Theory: docs/theory/mechanics.md, (M.11).
#pragma once

#include <filum/linalg/sparse_matrix.hpp>
#include <filum/mechanics/system.hpp>

namespace filum::mechanics {

using linalg::SparseMatrix;

/// (M.11) M δv̇ + D δv + K δq + Cᵀ δλ = 0 and C δv̇ + … = 0, with δq along q ∘ exp(δq). D and K contain everything:
/// damping, gyroscopic terms, stiffness, load stiffness, and the stiffness of constraint forces and of inertia.
struct LinearizedBlocks {
  NodeMatrix M, D, K;
  RowMatrix C;  ///< all rows
};
struct LinearizedSystem {
  SparseMatrix M, D, K, C;
};

/// About x, with x.a and x.lambda as they are: at rest in equilibrium both accelerations and velocities are 0. All
/// rows.
LinearizedBlocks linearized_blocks(const System& system, const State& x);
LinearizedSystem linearize(const System& system, const State& x);

}  // namespace filum::mechanics
