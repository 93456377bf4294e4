/// Rigid motions as unit dual quaternions p + ε r, stored (p, r). Theory: docs/theory/groups.md, sec. 4.
#pragma once

#include <filum/lie/s3sdr3.hpp>

#include <string_view>

namespace filum::lie {

struct UDQ : Se3Algebra {
  static constexpr std::string_view name = "UDQ";
  static constexpr int size = 8;
  static constexpr bool is_semidirect = true;
  using Element = Eigen::Matrix<double, 8, 1>;
  using Vector4 = Eigen::Vector4d;

  static Element identity() { return join(S3::identity(), Vector4::Zero()); }

  /// (G.30) (p, r) ∘ (q, s) = (pq, ps + rq), then back to |p| = 1 and p·r = 0 to first order.
  static Element compose(const Element& q, const Element& s) {
    const Vector4 p = quaternion::product(quaternion(q), quaternion(s));
    const Vector4 r = quaternion::product(quaternion(q), dual(s)) + quaternion::product(dual(q), quaternion(s));
    const double scale = 1.5 - 0.5 * p.squaredNorm();
    return join(scale * p, scale * (r - p.dot(r) * p));
  }
  static Element inverse(const Element& q) {
    return join(quaternion::conjugate(quaternion(q)), quaternion::conjugate(dual(q)));
  }
  static Vector3 act(const Element& q, const Vector3& X) { return position(q) + quaternion::rotate(quaternion(q), X); }

  /// (G.26) in the shape of a dual quaternion: r = (0, x) p / 2.
  static Element exp(const Tangent& v) {
    const auto [p, x] = S3sdR3::exp_pose(v);
    return from_pose(p, x);
  }
  static Tangent log(const Element& q) { return S3sdR3::log_pose(q[0], q.segment<3>(1), position(q)); }
  static Jacobian Ad(const Element& q) { return S3sdR3::Ad(quaternion(q), position(q)); }

  static Matrix3 rotation(const Element& q) { return quaternion::to_matrix(quaternion(q)); }
  static Vector4 quaternion(const Element& q) { return q.head<4>(); }
  static Vector4 dual(const Element& q) { return q.tail<4>(); }

  /// (G.31) x = 2 Im(r p̄).
  static Vector3 position(const Element& q) {
    const Vector3 a = q.segment<3>(1), b = q.tail<3>();
    return 2 * (q[0] * b - q[4] * a + a.cross(b));
  }
  static Element from_pose(const Vector4& p, const Vector3& x) {
    const Vector3 a(p[1], p[2], p[3]);
    const Vector3 im = 0.5 * (p[0] * x + x.cross(a));
    return join(p, {-0.5 * x.dot(a), im[0], im[1], im[2]});
  }
  static Element join(const Vector4& p, const Vector4& r) {
    Element q;
    q.head<4>() = p;
    q.tail<4>() = r;
    return q;
  }
};

}  // namespace filum::lie
