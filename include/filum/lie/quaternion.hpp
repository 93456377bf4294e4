/// Quaternions as plain 4-vectors, scalar first. Theory: docs/theory/groups.md, (G.5) to (G.8).
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <cmath>

namespace filum::lie::quaternion {

// Inlined always, here and in matrix3.hpp: as calls, these few operations would pass their vectors through memory,
// which doubles the time of every group operation that is built from them.

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::Vector4d;

/// p * q of any two quaternions, (G.5). Where q is a small increment the terms with Im q are small: they are summed
/// before they meet q0 p. Rounded one by one they drag the angle along: 10⁷ steps of 1e-3 drift by 7e-12 (2.5e-13 so).
[[gnu::always_inline]] inline Vector4d product(const Vector4d& p, const Vector4d& q) {
  return {q[0] * p[0] - (p[1] * q[1] + p[2] * q[2] + p[3] * q[3]),
          q[0] * p[1] + (p[0] * q[1] + (p[2] * q[3] - p[3] * q[2])),
          q[0] * p[2] + (p[0] * q[2] + (p[3] * q[1] - p[1] * q[3])),
          q[0] * p[3] + (p[0] * q[3] + (p[1] * q[2] - p[2] * q[1]))};
}

[[gnu::always_inline]] inline Vector4d conjugate(const Vector4d& p) { return {p[0], -p[1], -p[2], -p[3]}; }

/// Pulls a nearly unit quaternion to unit length: one Newton step for 1/√|p|², exact to O((|p|−1)²), (G.19).
[[gnu::always_inline]] inline Vector4d unit(const Vector4d& p) { return p * (1.5 - 0.5 * p.squaredNorm()); }

/// p ▷ w = w + 2 p0 (a × w) + 2 a × (a × w), a = Im p, (G.6).
[[gnu::always_inline]] inline Vector3d rotate(const Vector4d& p, const Vector3d& w) {
  const Vector3d a = p.tail<3>();
  const Vector3d b = 2 * a.cross(w);
  return w + p[0] * b + a.cross(b);
}

/// p⁻¹ ▷ w.
[[gnu::always_inline]] inline Vector3d rotate_inv(const Vector4d& p, const Vector3d& w) {
  const Vector3d a = p.tail<3>();
  const Vector3d b = 2 * a.cross(w);
  return w - p[0] * b + a.cross(b);
}

/// R(p) with R(p) w = p ▷ w, (G.7).
[[gnu::always_inline]] inline Matrix3d to_matrix(const Vector4d& p) {
  const double x = 2 * p[1], y = 2 * p[2], z = 2 * p[3];
  const double wx = x * p[0], wy = y * p[0], wz = z * p[0];
  const double xx = x * p[1], xy = y * p[1], xz = z * p[1];
  const double yy = y * p[2], yz = z * p[2], zz = z * p[3];
  Matrix3d R;
  R << 1 - (yy + zz), xy - wz, xz + wy, xy + wz, 1 - (xx + zz), yz - wx, xz - wy, yz + wx, 1 - (xx + yy);
  return R;
}

/// A quaternion of any length with p0 ≥ 0 that turns as the rotation matrix R does, (G.8). The component that the
/// others are computed with is at least half of the length, so nothing cancels at any angle, half turns included.
template <class Derived>
[[gnu::always_inline]] inline Vector4d parallel_to(const Eigen::MatrixBase<Derived>& R) {
  const double t = R(0, 0) + R(1, 1) + R(2, 2);
  if (t > 0) return {1 + t, R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)};
  Vector4d p;
  if (R(0, 0) >= R(1, 1) && R(0, 0) >= R(2, 2)) {
    p = {R(2, 1) - R(1, 2), 1 + R(0, 0) - R(1, 1) - R(2, 2), R(1, 0) + R(0, 1), R(0, 2) + R(2, 0)};
  } else if (R(1, 1) >= R(2, 2)) {
    p = {R(0, 2) - R(2, 0), R(1, 0) + R(0, 1), 1 + R(1, 1) - R(0, 0) - R(2, 2), R(2, 1) + R(1, 2)};
  } else {
    p = {R(1, 0) - R(0, 1), R(0, 2) + R(2, 0), R(2, 1) + R(1, 2), 1 + R(2, 2) - R(0, 0) - R(1, 1)};
  }
  return p[0] < 0 ? Vector4d(-p) : p;
}

/// The shortest rotation that turns e3 to the unit vector t. Where t = −e3 it is the half turn about e1.
inline Vector4d from_e3_to(const Vector3d& t) {
  const Vector4d raw(1 + t[2], -t[1], t[0], 0);
  return raw.norm() > 1e-12 ? Vector4d(raw.normalized()) : Vector4d(0, 1, 0, 0);
}

/// The unit quaternion with p0 ≥ 0 of a rotation matrix.
inline Vector4d from_matrix(const Matrix3d& R) { return parallel_to(R).normalized(); }

}  // namespace filum::lie::quaternion
