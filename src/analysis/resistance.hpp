/// Which motions nothing resists, told from those that are merely soft. Theory: docs/theory/statics.md, (EQ.8).
#pragma once

#include <filum/linalg/block_matrix.hpp>
#include <filum/linalg/row_selection.hpp>

#include <functional>

namespace filum::analysis {

/// Stiffness and constraints of a state.
struct Resistance {
  const linalg::NodeMatrix& K;
  const linalg::RowMatrix& C;
  const linalg::RowSelection& rows;
  const Eigen::VectorXd& weights;  ///< of (EQ.3)
  /// Y that leaves little of F − Cᵀ Y: what constraint forces balance is no resistance.
  std::function<Eigen::MatrixXd(const Eigen::MatrixXd& F)> multipliers;
};

/// (EQ.8) Combinations c of the columns of Z, which have about the same length in the metric, with K Z c + Cᵀ y = 0 for
/// some y, and C Z c = 0: one column each.
Eigen::MatrixXd free_combinations(const Resistance& resistance, const Eigen::MatrixXd& Z);

}  // namespace filum::analysis
