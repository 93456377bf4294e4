/// Sums over vectors in an order that depends on their length alone. Theory: docs/theory/solver.md, sec. 6.
#pragma once

#include <Eigen/Core>

#include <cassert>
#include <cmath>

namespace filum::linalg {

/// aᵀ b. Eight partial sums, because one alone would wait for each addition.
inline double dot(const Eigen::Ref<const Eigen::VectorXd>& a, const Eigen::Ref<const Eigen::VectorXd>& b) {
  assert(a.size() == b.size());
  constexpr Eigen::Index lanes = 8;
  double sum[lanes] = {};
  const Eigen::Index n = a.size(), whole = n - n % lanes;
  const double *x = a.data(), *y = b.data();
  for (Eigen::Index i = 0; i < whole; i += lanes)
    for (Eigen::Index l = 0; l < lanes; ++l) sum[l] += x[i + l] * y[i + l];
  for (Eigen::Index i = whole; i < n; ++i) sum[i - whole] += x[i] * y[i];
  return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

/// |a|.
inline double norm(const Eigen::Ref<const Eigen::VectorXd>& a) { return std::sqrt(dot(a, a)); }

}  // namespace filum::linalg
