/// Dispatch between the saddle-point methods. Theory: docs/theory/solver.md.
#include "kkt_method.hpp"

namespace filum::linalg {

KktSolver::KktSolver(const BlockPattern& pattern) : pattern_(&pattern), separable_(make_schur_kkt(pattern)) {
  active_ = separable_.get();
}
KktSolver::~KktSolver() = default;
KktSolver::KktSolver(KktSolver&&) noexcept = default;
KktSolver& KktSolver::operator=(KktSolver&&) noexcept = default;

FactorReport KktSolver::set_nodes(const NodeMatrix& H) {
  if (H.couples() && !coupled_) coupled_ = make_coupled_kkt(*pattern_);
  active_ = H.couples() ? coupled_.get() : separable_.get();
  return active_->set_nodes(H);
}

FactorReport KktSolver::set_rows(const RowMatrix& C, const RowMatrix& G, int blocks) {
  return active_->set_rows(C, G, blocks);
}

void KktSolver::solve(const VectorXd& a, const VectorXd& b, VectorXd& x, VectorXd& y) { active_->solve(a, b, x, y); }

const char* KktSolver::method() const { return active_->name(); }

}  // namespace filum::linalg
