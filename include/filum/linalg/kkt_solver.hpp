/// Solves [H Gᵀ; C 0] (x, y) = (a, b), choosing the method by structure and size. Theory: docs/theory/solver.md.
#pragma once

#include <filum/linalg/block_matrix.hpp>
#include <filum/linalg/row_selection.hpp>

#include <memory>
#include <span>
#include <vector>

namespace filum::linalg {

/// What a factorisation found out. `rcond` is an inexpensive estimate from the pivots, good enough to tell a healthy
/// matrix from a nearly singular one.
struct FactorReport {
  bool ok = false;
  double rcond = 0;
  int suspect_row = -1;  ///< constraint row of the smallest pivot, if known
};

/// H changes more rarely than C and G in some methods (a constant mass matrix), so the two are given separately:
/// first `set_nodes`, then `set_rows` as often as needed, then `solve` as often as needed. The pattern has to outlive
/// the solver, and a coupled H has to stay as it is until the last `set_rows`; all other values are copied.
///
/// Inactive rows take no part: their rows of C and columns of Gᵀ count as 0, with 1 on the diagonal, their right-hand
/// side counts as 0, and so their multiplier is 0. Nobody else has to put zeros anywhere.
class KktSolver {
 public:
  explicit KktSolver(const BlockPattern& pattern, RowSelection rows = {});
  ~KktSolver();
  KktSolver(KktSolver&&) noexcept;
  KktSolver& operator=(KktSolver&&) noexcept;

  /// Takes H, of which only the diagonal blocks are looked at when it is separable. A coupled one is factored by
  /// `set_rows`, as one matrix with C and G.
  FactorReport set_nodes(const NodeMatrix& H, Structure structure);
  /// Takes the first `blocks` row blocks of C and G; completes the factorisation.
  FactorReport set_rows(const RowMatrix& C, const RowMatrix& G, int blocks);

  /// (x, y) = [H Gᵀ; C 0]⁻¹ (a, b). Arguments may alias: x with a, y with b.
  void solve(const VectorXd& a, const VectorXd& b, VectorXd& x, VectorXd& y);

  /// The same for several right-hand sides (a, 0), columns of A, without y. Costs less than one by one; the first
  /// time it allocates.
  void solve_columns(const MatrixXd& A, MatrixXd& X);

  /// Everything but the matrix that later factorisations depend on, appended to `memory` and taken from its beginning:
  /// the matrices that sparse pivot orders were chosen from. Throws std::invalid_argument when it belongs to another
  /// pattern.
  void save(std::vector<double>& memory) const;
  void restore(std::span<const double>& memory);
  /// Later factorisations depend on their matrices alone, not on earlier ones.
  void forget_pivots();

  /// Name of the method in use, for summaries.
  const char* method() const;

  class Method;

 private:
  const BlockPattern* pattern_;
  RowSelection rows_;
  std::unique_ptr<Method> separable_, coupled_;  ///< one for each structure; the second made when first needed
  Method* active_ = nullptr;
};

}  // namespace filum::linalg
