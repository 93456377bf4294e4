/// When residuals and corrections consist of rounding errors. Theory: docs/theory/newton.md.
#pragma once

#include <filum/mechanics/system.hpp>

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <limits>

namespace filum::integrate {

inline constexpr double unit_roundoff = std::numeric_limits<double>::epsilon();
/// Of Φ against |q|: a few operations with numbers of that size.
inline constexpr double position_rounding = 32 * unit_roundoff;
/// Of a balance of momenta against its terms: forces of stiff segments are differences of nearly equal positions.
inline constexpr double momentum_rounding = 1e5 * unit_roundoff;
/// Of C v against |v|.
inline constexpr double velocity_rounding = 1e4 * unit_roundoff;

/// Largest entry; 0 for an empty vector.
template <class Vector>
double largest(const Vector& x) {
  return x.size() == 0 ? 0.0 : x.template lpNorm<Eigen::Infinity>();
}

/// (NW.2) Slower motions over a step of h are lost in the rounding errors of q.
inline double smallest_velocity(const Eigen::VectorXd& q, double h) {
  return position_rounding * std::max(1.0, largest(q)) / std::abs(h);
}

/// (NW.3) δVᵀMδV ≤ r² tr M, where M is the mass matrix at q and r its smallest velocity; M δV is a buffer.
inline bool is_lost_in_rounding(const mechanics::System& system, const Eigen::VectorXd& q, double h,
                                const linalg::NodeMatrix& M, const Eigen::VectorXd& dV, Eigen::VectorXd& M_dV) {
  double trace = 0;
  for (int i = 0; i < system.space().nodes(); ++i) trace += M.block(i, i).trace();
  system.mass_times(q, dV, M_dV);
  const double r = smallest_velocity(q, h);
  return dV.dot(M_dV) <= r * r * trace;
}

}  // namespace filum::integrate
