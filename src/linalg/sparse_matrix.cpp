/// Export of block matrices. Theory: docs/theory/solver.md, sec. 1.
#include <filum/linalg/sparse_matrix.hpp>

#include <vector>

namespace filum::linalg {
namespace {

using Entries = std::vector<Eigen::Triplet<double>>;

/// Entries of a column-major block whose first entry is (row, column).
void add_block(const double* values, int row, int rows, int column, int columns, Entries& entries) {
  for (int c = 0; c < columns; ++c)
    for (int r = 0; r < rows; ++r) entries.emplace_back(row + r, column + c, *values++);
}

SparseMatrix assembled(int rows, int columns, const Entries& entries) {
  SparseMatrix A(rows, columns);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

}  // namespace

SparseMatrix to_sparse(const NodeMatrix& H, Structure structure) {
  const BlockPattern& p = H.pattern();
  Entries entries;
  const auto add = [&](int i, int j) {
    add_block(H.data() + p.block_offset(i, j), p.offset(i), p.dim(i), p.offset(j), p.dim(j), entries);
  };
  for (int i = 0; i < p.nodes(); ++i) {
    add(i, i);
    if (structure == Structure::separable) continue;
    for (const int j : p.upper_neighbours(i)) add(i, j), add(j, i);
  }
  return assembled(p.size(), p.size(), entries);
}

SparseMatrix to_sparse(const RowMatrix& C, int blocks, const RowSelection& rows) {
  const BlockPattern& p = C.pattern();
  Entries entries;
  for (int k = 0; k < blocks; ++k) {
    const RowBlock& b = p.row_block(k);
    for (const NodeRef& ref : p.refs(b))
      add_block(C.data() + ref.value_offset, b.first_row, b.rows, p.offset(ref.node), p.dim(ref.node), entries);
  }
  if (!rows.is_all()) std::erase_if(entries, [&](const auto& e) { return !rows.is_active(e.row()); });
  return assembled(p.rows(blocks), p.size(), entries);
}

SparseMatrix to_sparse(const RowMatrix& C, const RowSelection& rows) {
  return to_sparse(C, C.pattern().row_blocks(), rows);
}

}  // namespace filum::linalg
