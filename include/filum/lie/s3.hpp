/// Unit quaternions p = (p0, p1, p2, p3), scalar first. Theory: docs/theory/groups.md, S³ in sec. 3.
#pragma once

#include <filum/lie/quaternion.hpp>
#include <filum/lie/so3_algebra.hpp>

#include <string_view>

namespace filum::lie {

struct S3 : So3Algebra {
  static constexpr std::string_view name = "S3";
  static constexpr int size = 4;
  using Element = Eigen::Vector4d;

  static Element identity() { return {1, 0, 0, 0}; }
  static Element compose(const Element& p, const Element& q) { return quaternion::unit(quaternion::product(p, q)); }
  static Element inverse(const Element& p) { return quaternion::conjugate(p); }
  static Eigen::Vector3d act(const Element& p, const Eigen::Vector3d& X) { return quaternion::rotate(p, X); }

  /// (G.17) exp(v) = (cos |v|/2, sin(|v|/2)/|v| v).
  static Element exp(const Tangent& v) {
    const auto [c, a] = coefficients::half_angle(v.squaredNorm());
    return {c, a * v[0], a * v[1], a * v[2]};
  }

  /// (G.18) log(p) = f7(p0) Im p, angles in [0, 2π): p and −p have different logarithms. Domain: p ≠ −1.
  static Tangent log(const Element& p) {
    const double im2 = p.tail<3>().squaredNorm();
    return coefficients::f7_of(p[0], im2) * p.tail<3>();
  }

  static Jacobian Ad(const Element& p) { return quaternion::to_matrix(p); }

  static Eigen::Matrix3d rotation(const Element& p) { return quaternion::to_matrix(p); }
  static Eigen::Vector4d quaternion(const Element& p) { return p; }
  static Element from_quaternion(const Eigen::Vector4d& p) { return p; }
};

}  // namespace filum::lie
