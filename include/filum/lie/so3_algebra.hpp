/// The Lie algebra so(3), shared by rotation matrices and unit quaternions. Theory: docs/theory/groups.md, sec. 3.
#pragma once

#include <filum/lie/coefficients.hpp>
#include <filum/lie/matrix3.hpp>

namespace filum::lie {

struct So3Algebra {
  static constexpr int dim = 3;
  using Tangent = Eigen::Vector3d;
  using Jacobian = Eigen::Matrix3d;

  static Tangent bracket(const Tangent& v, const Tangent& w) { return v.cross(w); }
  static Tangent bracket_T(const Tangent& v, const Tangent& w) { return w.cross(v); }
  static Jacobian hat(const Tangent& v) { return skw(v); }

  /// (G.13) T = I + f2 v̂ + f3 v̂².
  static Jacobian tangent_op(const Tangent& v) {
    const double t = v.squaredNorm();
    const auto [f2, f3] = coefficients::rotation_tangent_coefficients(t);
    return isotropic_skew_symmetric(1 - f3 * t, f2 * v, v, 0.5 * f3 * v);
  }

  static Tangent tangent_op_times(const Tangent& v, const Tangent& w) {
    const auto [f2, f3] = coefficients::rotation_tangent_coefficients(v.squaredNorm());
    return w + f2 * v.cross(w) + f3 * double_cross(v, w);
  }

  static Tangent tangent_op_T_times(const Tangent& v, const Tangent& w) {
    const auto [f2, f3] = coefficients::rotation_tangent_coefficients(v.squaredNorm());
    return w - f2 * v.cross(w) + f3 * double_cross(v, w);
  }

  /// (G.14) T⁻¹ = I + v̂/2 + f6 v̂². Domain: |v| < 2π.
  static Jacobian tangent_op_inv(const Tangent& v) {
    const double t = v.squaredNorm();
    const double f6 = coefficients::inverse_coefficients<0>(t).f6;
    return isotropic_skew_symmetric(1 - f6 * t, 0.5 * v, v, 0.5 * f6 * v);
  }

  static Tangent tangent_op_inv_times(const Tangent& v, const Tangent& w) {
    const double f6 = coefficients::inverse_coefficients<0>(v.squaredNorm()).f6;
    const Tangent vw = v.cross(w);  // crossed twice, not expanded: near 2π f6 would amplify what cancels along v
    return w + 0.5 * vw + f6 * v.cross(vw);
  }

  static Tangent tangent_op_inv_T_times(const Tangent& v, const Tangent& w) {
    const double f6 = coefficients::inverse_coefficients<0>(v.squaredNorm()).f6;
    const Tangent vw = v.cross(w);
    return w - 0.5 * vw + f6 * v.cross(vw);
  }

  /// (G.15) ∂(T⁻¹w)/∂v = −ŵ/2 + f8 (v̂²w) vᵀ + f6 ((v·w) I + v wᵀ − 2 w vᵀ).
  static Jacobian d_tangent_op_inv_times(const Tangent& v, const Tangent& w) {
    return d_inverse(v, w, -0.5, coefficients::inverse_coefficients<1>(v.squaredNorm()));
  }

  /// (G.16) ∂(T⁻ᵀw)/∂v, as (G.15) with +ŵ/2.
  static Jacobian d_tangent_op_inv_T_times(const Tangent& v, const Tangent& w) {
    return d_inverse(v, w, 0.5, coefficients::inverse_coefficients<1>(v.squaredNorm()));
  }

  /// (G.15) with half = −½, (G.16) with half = ½.
  template <class Coefficients>
  [[gnu::always_inline]] static Jacobian d_inverse(const Tangent& v, const Tangent& w, double half,
                                                   const Coefficients& f) {
    const Tangent a = f.f6 * w, b = f.f8 * v.cross(v.cross(w)) - 2 * a;
    return isotropic_skew_plus(v.dot(a), half * w, [&](int i, int j) { return v[i] * a[j] + b[i] * v[j]; });
  }
};

}  // namespace filum::lie
