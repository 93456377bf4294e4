/// Solves [H Gᵀ; C 0] (x, y) = (a, b), choosing the method by structure and size. Theory: docs/theory/solver.md.
#pragma once

#include <filum/linalg/block_matrix.hpp>

#include <memory>

namespace filum::linalg {

/// What a factorisation found out. `rcond` is an inexpensive estimate from the pivots, good enough to tell a healthy
/// matrix from a nearly singular one.
struct FactorReport {
  bool ok = false;
  double rcond = 0;
  int suspect_row = -1;  ///< constraint row of the smallest pivot, if known
};

/// H changes more rarely than C and G in some methods (a constant mass matrix), so the two are given separately:
/// first `set_nodes`, then `set_rows` as often as needed, then `solve` as often as needed.
class KktSolver {
 public:
  explicit KktSolver(const BlockPattern& pattern);
  ~KktSolver();
  KktSolver(KktSolver&&) noexcept;
  KktSolver& operator=(KktSolver&&) noexcept;

  /// Takes H. A matrix that couples nodes is kept until `set_rows` completes the system.
  FactorReport set_nodes(const NodeMatrix& H);
  /// Takes the first `blocks` row blocks of C and G; completes the factorisation.
  FactorReport set_rows(const RowMatrix& C, const RowMatrix& G, int blocks);

  /// (x, y) = [H Gᵀ; C 0]⁻¹ (a, b). Arguments may alias: x with a, y with b.
  void solve(const VectorXd& a, const VectorXd& b, VectorXd& x, VectorXd& y);

  /// Name of the method in use, for summaries.
  const char* method() const;

  class Method;

 private:
  const BlockPattern* pattern_;
  std::unique_ptr<Method> separable_;  ///< for block diagonal H
  std::unique_ptr<Method> coupled_;    ///< for H that couples nodes; made when first needed
  Method* active_ = nullptr;
};

}  // namespace filum::linalg
