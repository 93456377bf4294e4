/// Solves with combinations of the linearised matrices. Theory: docs/theory/modes.md, sec. 3.
#include "shifted_factor.hpp"

#include "node_products.hpp"

namespace filum::analysis {

ShiftedFactor::ShiftedFactor(const Linearization& lin)
    : lin_(lin),
      kkt_(lin.system->pattern(), lin.rows),
      H_(lin.system->pattern()),
      zero_(VectorXd::Zero(lin.system->size_rows())),
      x_(lin.size()),
      y_(lin.system->size_rows()) {}

bool ShiftedFactor::factorize(double k, double d, double m) {
  ++factorizations_;
  H_.values() = k * lin_.K.values() + d * lin_.D.values() + m * lin_.M.values();
  // Coupled even where H is block diagonal: blocks of K need not have an inverse.
  return kkt_.set_nodes(H_, linalg::Structure::coupled).ok &&
         kkt_.set_rows(lin_.C, lin_.C, lin_.system->row_blocks()).ok;
}

VectorXd ShiftedFactor::solve(const VectorXd& b) {
  ++solves_;
  kkt_.solve(b, zero_, x_, y_);
  return x_;
}

void ShiftedFactor::solve_columns(const Eigen::MatrixXd& B, Eigen::MatrixXd& X) {
  solves_ += static_cast<int>(B.cols());
  kkt_.solve_columns(B, X);
}

VectorXd ShiftedFactor::project(const VectorXd& x) { return solve(separable_times(lin_.M, x)); }

}  // namespace filum::analysis
