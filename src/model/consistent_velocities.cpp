/// Velocities that a model leaves to the joints. User document: docs/guide/scenarios.md, "Bodies".
#include "consistent_velocities.hpp"

#include <filum/linalg/dense_decompositions.hpp>

namespace filum::model {

void choose_velocities(const mechanics::System& system, mechanics::State& x, const std::vector<int>& free) {
  if (free.empty() || system.size_rows() == 0) return;
  using Eigen::MatrixXd;
  using Eigen::VectorXd;
  for (const int i : free) x.v[i] = 0;
  mechanics::RowMatrix C(system.pattern());
  system.constraint_jacobian(x.t, x.q, C);
  VectorXd product(system.size_rows()), rate(system.size_rows());
  rate.setZero();
  system.constraint_rate(x.t, x.q, rate);
  // Columns of C one by one: C e_i.
  const auto columns = static_cast<Eigen::Index>(free.size());
  MatrixXd A(system.size_rows(), columns);
  VectorXd unit = VectorXd::Zero(system.size_v());
  for (Eigen::Index k = 0; k < columns; ++k) {
    unit[free[static_cast<std::size_t>(k)]] = 1;
    C.times(unit, product, system.row_blocks());
    A.col(k) = product;
    unit[free[static_cast<std::size_t>(k)]] = 0;
  }
  const linalg::LeastNorm decomposition(A);
  for (int pass = 0; pass < 2; ++pass) {  // the second pass removes the rounding errors of the first
    C.times(x.v, product, system.row_blocks());
    const VectorXd change = decomposition.solve(-(product + rate));
    for (Eigen::Index k = 0; k < columns; ++k) x.v[free[static_cast<std::size_t>(k)]] += change[k];
  }
}

}  // namespace filum::model
