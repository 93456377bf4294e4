/// Signs of the eigenvalues of a symmetric matrix on what constraints allow. Theory: docs/theory/statics.md, (EQ.14).
#pragma once

#include <filum/linalg/block_matrix.hpp>
#include <filum/linalg/factor.hpp>
#include <filum/linalg/row_selection.hpp>

#include <optional>

namespace filum::linalg {

/// Inertia of H, of which the symmetric part counts, on the kernel of the selected rows of C; these must be
/// independent. `scale` is a diagonal that makes entries of H(i, j) scale_i scale_j comparable. Sparse, in the order of
/// a small profile. Nothing when rounding errors decide.
std::optional<Inertia> kernel_inertia(const NodeMatrix& H, const RowMatrix& C, const VectorXd& scale,
                                      const RowSelection& rows = {});

}  // namespace filum::linalg
