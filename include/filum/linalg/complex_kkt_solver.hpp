/// Solves [H Gᵀ; C 0] (x, y) = (a, b) with complex H and real C, G. Theory: docs/theory/solver.md, sec. 7.
#pragma once

#include <filum/linalg/kkt_solver.hpp>

namespace filum::linalg {

/// Real and imaginary part.
template <class T>
struct ComplexPair {
  T re, im;
};

/// (L.7) A real system with blocks twice as large: the structure, and with it the cost in proportion to the length of a
/// chain, stays. Used as KktSolver is.
class ComplexKktSolver {
 public:
  explicit ComplexKktSolver(const BlockPattern& pattern, const RowSelection& rows = {});
  ComplexKktSolver(const ComplexKktSolver&) = delete;
  ComplexKktSolver& operator=(const ComplexKktSolver&) = delete;

  FactorReport set_nodes(const NodeMatrix& re, const NodeMatrix& im, Structure structure);
  FactorReport set_rows(const RowMatrix& C, const RowMatrix& G, int blocks);
  /// Arguments may alias: x with a, y with b.
  void solve(const ComplexPair<VectorXd>& a, const ComplexPair<VectorXd>& b, ComplexPair<VectorXd>& x,
             ComplexPair<VectorXd>& y);

  void save(std::vector<double>& memory) const { solver_.save(memory); }
  void restore(std::span<const double>& memory) { solver_.restore(memory); }
  const char* method() const { return solver_.method(); }

 private:
  /// Calls f(offset in the given order, offset in the doubled order, length) for every block of unknowns.
  template <class F>
  void for_each_node_part(F&& f) const;
  template <class F>
  void for_each_row_part(F&& f) const;
  void copy_block(int i, int j, const NodeMatrix& re, const NodeMatrix& im);
  void double_rows(const RowMatrix& from, int blocks, RowMatrix& to) const;

  const BlockPattern& pattern_;
  const BlockPattern doubled_;
  KktSolver solver_;
  NodeMatrix H_;
  RowMatrix C_, G_;
  VectorXd x_, y_;
  int blocks_ = 0;
};

}  // namespace filum::linalg
