/// The methods behind KktSolver. Theory: docs/theory/solver.md, sec. 2 to 4.
#pragma once

#include <filum/linalg/kkt_solver.hpp>

namespace filum::linalg {

class KktSolver::Method {
 public:
  virtual ~Method() = default;
  virtual FactorReport set_nodes(const NodeMatrix& H) = 0;
  virtual FactorReport set_rows(const RowMatrix& C, const RowMatrix& G, int blocks) = 0;
  virtual void solve(const VectorXd& a, const VectorXd& b, VectorXd& x, VectorXd& y) = 0;
  virtual const char* name() const = 0;
};

/// Up to this many unknowns a dense factorisation beats a sparse one on the machines at hand.
inline constexpr int dense_limit = 64;

std::unique_ptr<KktSolver::Method> make_schur_kkt(const BlockPattern& pattern);
std::unique_ptr<KktSolver::Method> make_coupled_kkt(const BlockPattern& pattern);

}  // namespace filum::linalg
