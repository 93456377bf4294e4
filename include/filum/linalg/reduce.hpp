/// Sums over vectors in an order that depends on their length alone. Theory: docs/theory/solver.md, sec. 6.
#pragma once

#include <Eigen/Core>

#include <cassert>
#include <cmath>

namespace filum::linalg {

/// Σ f(i) over i < n. Eight partial sums, because one alone would wait for each addition.
template <class F>
double sum(Eigen::Index n, F&& f) {
  constexpr Eigen::Index lanes = 8;
  double part[lanes] = {};
  const Eigen::Index whole = n - n % lanes;
  for (Eigen::Index i = 0; i < whole; i += lanes)
    for (Eigen::Index l = 0; l < lanes; ++l) part[l] += f(i + l);
  for (Eigen::Index i = whole; i < n; ++i) part[i - whole] += f(i);
  return ((part[0] + part[4]) + (part[2] + part[6])) + ((part[1] + part[5]) + (part[3] + part[7]));
}

/// aᵀ b.
inline double dot(const Eigen::Ref<const Eigen::VectorXd>& a, const Eigen::Ref<const Eigen::VectorXd>& b) {
  assert(a.size() == b.size());
  const double *x = a.data(), *y = b.data();
  return sum(a.size(), [x, y](Eigen::Index i) { return x[i] * y[i]; });
}

/// |a|.
inline double norm(const Eigen::Ref<const Eigen::VectorXd>& a) { return std::sqrt(dot(a, a)); }

}  // namespace filum::linalg
