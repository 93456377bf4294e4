/// 3x3 building blocks of the rotation formulas. Theory: docs/theory/groups.md, (G.1) to (G.4).
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace filum::lie {

/// skw(a) b = a × b, (G.1).
[[gnu::always_inline]] inline Eigen::Matrix3d skw(const Eigen::Vector3d& a) {
  Eigen::Matrix3d A;
  A << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return A;
}

/// d I + skw(s) + a bᵀ + b aᵀ. Every tangent operator of a rotation is of this form, since skw(a)² = aaᵀ − |a|² I.
[[gnu::always_inline]] inline Eigen::Matrix3d isotropic_skew_symmetric(double d, const Eigen::Vector3d& s,
                                                                       const Eigen::Vector3d& a,
                                                                       const Eigen::Vector3d& b) {
  const double m01 = a[0] * b[1] + a[1] * b[0];
  const double m02 = a[0] * b[2] + a[2] * b[0];
  const double m12 = a[1] * b[2] + a[2] * b[1];
  Eigen::Matrix3d m;
  m << d + 2 * a[0] * b[0], m01 - s[2], m02 + s[1],  //
      m01 + s[2], d + 2 * a[1] * b[1], m12 - s[0],   //
      m02 - s[1], m12 + s[0], d + 2 * a[2] * b[2];
  return m;
}

/// skw(a) M.
[[gnu::always_inline]] inline Eigen::Matrix3d cross_columns(const Eigen::Vector3d& a, const Eigen::Matrix3d& M) {
  Eigen::Matrix3d m;
  for (int j = 0; j < 3; ++j) m.col(j) = a.cross(M.col(j));
  return m;
}

/// d I + skw(s) + E, the entries of E given by a function. Numbers only, no Eigen expressions: see Se3Algebra::blocks.
template <class Entry>
[[gnu::always_inline]] inline Eigen::Matrix3d isotropic_skew_plus(double d, const Eigen::Vector3d& s, Entry entry) {
  Eigen::Matrix3d m;
  m << d + entry(0, 0), entry(0, 1) - s[2], entry(0, 2) + s[1],  //
      entry(1, 0) + s[2], d + entry(1, 1), entry(1, 2) - s[0],   //
      entry(2, 0) - s[1], entry(2, 1) + s[0], d + entry(2, 2);
  return m;
}

/// a × (a × w) = a (a·w) − |a|² w.
[[gnu::always_inline]] inline Eigen::Vector3d double_cross(const Eigen::Vector3d& a, const Eigen::Vector3d& w) {
  return a * a.dot(w) - a.squaredNorm() * w;
}

/// ∂(a × (a × w))/∂a = (a·w) I + a wᵀ − 2 w aᵀ, (G.4).
[[gnu::always_inline]] inline Eigen::Matrix3d d_double_cross(const Eigen::Vector3d& a, const Eigen::Vector3d& w) {
  return isotropic_skew_plus(a.dot(w), Eigen::Vector3d::Zero(),
                             [&](int i, int j) { return a[i] * w[j] - 2 * w[i] * a[j]; });
}

}  // namespace filum::lie
