/// Rigid motions as the semi-direct product S³⋉R³: q = (p, x). Theory: docs/theory/groups.md, sec. 4.
#pragma once

#include <filum/lie/s3.hpp>
#include <filum/lie/se3_algebra.hpp>

#include <string_view>

namespace filum::lie {

struct S3sdR3 : Se3Algebra {
  static constexpr std::string_view name = "S3sdR3";
  static constexpr int size = 7;
  static constexpr bool is_semidirect = true;
  using Element = Eigen::Matrix<double, 7, 1>;

  static Element identity() { return from_pose(S3::identity(), Vector3::Zero()); }
  static Element compose(const Element& q, const Element& r) {
    return from_pose(S3::compose(quaternion(q), quaternion(r)),
                     position(q) + quaternion::rotate(quaternion(q), position(r)));
  }
  static Element inverse(const Element& q) {
    return from_pose(S3::inverse(quaternion(q)), -quaternion::rotate_inv(quaternion(q), position(q)));
  }
  static Vector3 act(const Element& q, const Vector3& X) { return position(q) + quaternion::rotate(quaternion(q), X); }

  /// (G.26) exp(Ω, U) = (exp Ω, Tᵀ(Ω) U).
  static Element exp(const Tangent& v) {
    const auto [p, x] = exp_pose(v);
    return from_pose(p, x);
  }

  /// (G.27) log(p, x) = (log p, T⁻ᵀ(log p) x). Domain and sign as S3::log.
  static Tangent log(const Element& q) { return log_pose(q[0], q.segment<3>(1), q.tail<3>()); }

  /// (G.28) Ad = [R 0; skw(x) R R].
  static Jacobian Ad(const Element& q) { return Ad(quaternion(q), position(q)); }

  static Matrix3 rotation(const Element& q) { return quaternion::to_matrix(quaternion(q)); }
  static Eigen::Vector4d quaternion(const Element& q) { return q.head<4>(); }
  static Vector3 position(const Element& q) { return q.tail<3>(); }
  static Element from_pose(const Eigen::Vector4d& p, const Vector3& x) {
    Element q;
    q.head<4>() = p;
    q.tail<3>() = x;
    return q;
  }

  // The same for a pose that is not stored as an Element; the dual quaternions use them too.

  struct Pose {
    Eigen::Vector4d p;
    Vector3 x;
  };

  [[gnu::always_inline]] static Pose exp_pose(const Tangent& v) {
    const Vector3 O = v.head<3>(), U = v.tail<3>();
    const auto [c, a, f3] = coefficients::exp_coefficients(O.squaredNorm());
    return {{c, a * O[0], a * O[1], a * O[2]}, U + 2 * a * a * O.cross(U) + f3 * double_cross(O, U)};
  }

  [[gnu::always_inline]] static Tangent log_pose(double re, const Vector3& im, const Vector3& x) {
    const double im2 = im.squaredNorm();
    const auto f = coefficients::log_coefficients(re, im2);
    const Vector3 O = f.f7 * im, Ox = O.cross(x);
    return stack(O, x - 0.5 * Ox + f.f6 * O.cross(Ox));
  }

  [[gnu::always_inline]] static Jacobian Ad(const Eigen::Vector4d& p, const Vector3& x) {
    const Matrix3 R = quaternion::to_matrix(p);
    return block_lower(R, cross_columns(x, R));
  }
};

}  // namespace filum::lie
