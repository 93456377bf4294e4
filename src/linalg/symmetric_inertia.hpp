/// Inertia of small symmetric matrices from their factors. Theory: docs/theory/solver.md, sec. 5.
#pragma once

#include <filum/linalg/dense_decompositions.hpp>
#include <filum/linalg/factor.hpp>
#include <filum/linalg/small_lu.hpp>

#include <Eigen/Core>

#include <algorithm>

namespace filum::linalg {

/// The matrix that small_lu has factored.
inline Eigen::MatrixXd small_lu_product(const double* factors, int n, const int* pivot) {
  const Eigen::Map<const Eigen::MatrixXd> LU(factors, n, n);
  Eigen::MatrixXd L = LU.triangularView<Eigen::UnitLower>(), U = LU.triangularView<Eigen::Upper>();
  Eigen::MatrixXd A = L * U;
  for (int k = n - 1; k >= 0; --k) A.row(k).swap(A.row(pivot[k]));
  return A;
}

/// Signs of the eigenvalues of a matrix that is not singular. Pivots of an LU with row exchanges do not show them.
inline Inertia inertia_of_symmetric(const Eigen::MatrixXd& A) {
  Inertia inertia;
  if (A.size() == 0) return inertia;
  for (const double value : symmetric_eigenvalues(0.5 * (A + A.transpose())))
    ++(value > 0 ? inertia.positive : value < 0 ? inertia.negative : inertia.zero);
  return inertia;
}

}  // namespace filum::linalg
