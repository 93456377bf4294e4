/// The methods behind KktSolver. Theory: docs/theory/solver.md, sec. 2 to 4.
#pragma once

#include <filum/linalg/choose_factor.hpp>
#include <filum/linalg/kkt_solver.hpp>

#include <vector>

namespace filum::linalg {

class KktSolver::Method {
 public:
  virtual ~Method() = default;
  virtual FactorReport set_nodes(const NodeMatrix& H) = 0;
  virtual FactorReport set_rows(const RowMatrix& C, const RowMatrix& G, int blocks) = 0;
  virtual void solve(const VectorXd& a, const VectorXd& b, VectorXd& x, VectorXd& y) = 0;
  virtual void solve_columns(const MatrixXd& A, MatrixXd& X, int size_rows);
  virtual const char* name() const = 0;
  /// The factorisation in use, if any, and for how many row blocks it was made.
  virtual Factor* factor() = 0;
  virtual int blocks() const = 0;
  /// Makes the factorisation for so many row blocks.
  virtual void prepare(int blocks) = 0;
};

/// Where the entries of inactive rows are in the values of a RowMatrix.
inline std::vector<int> inactive_values(const BlockPattern& p, const RowSelection& rows) {
  std::vector<int> places;
  for (const int row : rows.inactive()) {
    const RowBlock& b = p.row_block(p.block_of_row(row));
    for (const NodeRef& ref : p.refs(b))
      for (int c = 0; c < p.dim(ref.node); ++c) places.push_back(ref.value_offset + (row - b.first_row) + c * b.rows);
  }
  return places;
}

std::unique_ptr<KktSolver::Method> make_schur_kkt(const BlockPattern& pattern, const RowSelection& rows);
std::unique_ptr<KktSolver::Method> make_coupled_kkt(const BlockPattern& pattern, const RowSelection& rows);

}  // namespace filum::linalg
