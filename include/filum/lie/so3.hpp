/// Rotation matrices. Theory: docs/theory/groups.md, SO(3) in sec. 3.
#pragma once

#include <filum/lie/quaternion.hpp>
#include <filum/lie/so3_algebra.hpp>

#include <string_view>

namespace filum::lie {

struct SO3 : So3Algebra {
  static constexpr std::string_view name = "SO3";
  static constexpr int size = 9;
  using Element = Eigen::Matrix3d;

  static Element identity() { return Element::Identity(); }
  static Element compose(const Element& R, const Element& Q) { return orthogonal(R.lazyProduct(Q)); }
  static Element inverse(const Element& R) { return R.transpose(); }
  static Eigen::Vector3d act(const Element& R, const Eigen::Vector3d& X) { return R * X; }

  /// (G.11) exp(v) = I + f1 v̂ − f2 v̂².
  static Element exp(const Tangent& v) {
    const double t = v.squaredNorm();
    const auto [c, a] = coefficients::half_angle(t);
    return isotropic_skew_symmetric(1 - 2 * a * a * t, 2 * a * c * v, v, a * a * v);
  }

  /// (G.12) Through the quaternion with p0 ≥ 0, accurate at every angle up to and including π, where the sign of
  /// the axis is not determined by R.
  static Tangent log(const Element& R) {
    const Eigen::Vector4d p = quaternion::parallel_to(R);
    const Tangent im(p[1], p[2], p[3]);
    return coefficients::f7_of(p[0], im.squaredNorm()) * im;
  }

  static Jacobian Ad(const Element& R) { return R; }

  static Eigen::Matrix3d rotation(const Element& R) { return R; }
  static Eigen::Vector4d quaternion(const Element& R) { return quaternion::from_matrix(R); }
  static Element from_quaternion(const Eigen::Vector4d& p) { return quaternion::to_matrix(p); }

  /// One Newton step R (3 I − RᵀR)/2 towards the nearest rotation: an error δ in RᵀR − I becomes O(δ²), (G.10).
  /// The small corrections are summed before they meet the column: rounded one by one they drag the angle along
  /// (10⁷ steps of 1e-3 drift by up to 5e-12 instead of 1.4e-12).
  static Element orthogonal(const Element& R) {
    const Eigen::Vector3d a = R.col(0), b = R.col(1), c = R.col(2);
    const double ab = 0.5 * a.dot(b), ac = 0.5 * a.dot(c), bc = 0.5 * b.dot(c);
    Element Q;
    Q.col(0) = a + ((0.5 - 0.5 * a.squaredNorm()) * a - ab * b - ac * c);
    Q.col(1) = b + ((0.5 - 0.5 * b.squaredNorm()) * b - ab * a - bc * c);
    Q.col(2) = c + ((0.5 - 0.5 * c.squaredNorm()) * c - ac * a - bc * b);
    return Q;
  }
};

}  // namespace filum::lie
