/// Rigid motions as matrices (R | x), the fourth row being understood. Theory: docs/theory/groups.md, sec. 4.
#pragma once

#include <filum/lie/se3_algebra.hpp>
#include <filum/lie/so3.hpp>

#include <string_view>

namespace filum::lie {

struct SE3 : Se3Algebra {
  static constexpr std::string_view name = "SE3";
  static constexpr int size = 12;
  static constexpr bool is_semidirect = true;
  using Element = Eigen::Matrix<double, 3, 4>;

  static Element identity() { return Element::Identity(); }
  static Element compose(const Element& q, const Element& r) {
    return join(SO3::orthogonal(q.leftCols<3>().lazyProduct(r.leftCols<3>())), act(q, r.col(3)));
  }
  static Element inverse(const Element& q) {
    const Matrix3 R_T = q.leftCols<3>().transpose();
    return join(R_T, -(R_T * q.col(3)));
  }
  static Vector3 act(const Element& q, const Vector3& X) { return q.col(3) + q.leftCols<3>() * X; }

  /// (G.26) exp(Ω, U) = (exp Ω, Tᵀ(Ω) U).
  static Element exp(const Tangent& v) {
    const Vector3 O = v.head<3>(), U = v.tail<3>();
    const double t = O.squaredNorm();
    const auto [c, a, f3] = coefficients::exp_coefficients(t);
    return join(isotropic_skew_symmetric(1 - 2 * a * a * t, 2 * a * c * O, O, a * a * O),
                U + 2 * a * a * O.cross(U) + f3 * double_cross(O, U));
  }

  /// (G.27) log(R, x) = (log R, T⁻ᵀ(log R) x), angles in [0, π].
  static Tangent log(const Element& q) {
    const Eigen::Vector4d p = quaternion::parallel_to(q.leftCols<3>());
    const Vector3 im(p[1], p[2], p[3]), x = position(q);
    const auto f = coefficients::log_coefficients(p[0], im.squaredNorm());
    const Vector3 O = f.f7 * im, Ox = O.cross(x);
    return stack(O, x - 0.5 * Ox + f.f6 * O.cross(Ox));
  }

  /// (G.28) Ad = [R 0; skw(x) R R].
  static Jacobian Ad(const Element& q) {
    const Matrix3 R = rotation(q);
    return block_lower(R, cross_columns(position(q), R));
  }

  static Matrix3 rotation(const Element& q) { return q.leftCols<3>(); }
  static Eigen::Vector4d quaternion(const Element& q) { return quaternion::from_matrix(rotation(q)); }
  static Vector3 position(const Element& q) { return q.col(3); }
  static Element from_pose(const Eigen::Vector4d& p, const Vector3& x) { return join(quaternion::to_matrix(p), x); }
  static Element join(const Matrix3& R, const Vector3& x) {
    Element q;
    for (int j = 0; j < 3; ++j) q.col(j) = R.col(j);
    q.col(3) = x;
    return q;
  }
};

}  // namespace filum::lie
