/// The Lie algebra se(3), shared by SE(3), S³⋉R³ and unit dual quaternions. Theory: docs/theory/groups.md, sec. 4.
#pragma once

#include <filum/lie/so3_algebra.hpp>

namespace filum::lie {

/// Tangents are (Ω, U). Every operator is the so(3) one with the dual argument Ω + εU: its lower-left block is the
/// derivative of the diagonal block in the direction U, (G.20).
struct Se3Algebra {
  static constexpr int dim = 6;
  using Tangent = Eigen::Matrix<double, 6, 1>;
  using Jacobian = Eigen::Matrix<double, 6, 6>;
  using Vector3 = Eigen::Vector3d;
  using Matrix3 = Eigen::Matrix3d;

  static Tangent bracket(const Tangent& v, const Tangent& w) {
    const Vector3 O = v.head<3>(), U = v.tail<3>(), A = w.head<3>(), W = w.tail<3>();
    return stack(O.cross(A), O.cross(W) + U.cross(A));
  }

  static Tangent bracket_T(const Tangent& v, const Tangent& w) {
    const Vector3 O = v.head<3>(), U = v.tail<3>(), A = w.head<3>(), W = w.tail<3>();
    return stack(A.cross(O) + W.cross(U), W.cross(O));
  }

  static Jacobian hat(const Tangent& v) { return block_lower(skw(v.head<3>()), skw(v.tail<3>())); }

  /// (G.21) T = [T(Ω) 0; C1 T(Ω)].
  static Jacobian tangent_op(const Tangent& v) {
    const Vector3 O = v.head<3>(), U = v.tail<3>();
    const double t = O.squaredNorm(), d = O.dot(U);
    const auto f = coefficients::tangent_coefficients(t);
    return block_lower(
        isotropic_skew_symmetric(1 - f.f3 * t, f.f2 * O, O, 0.5 * f.f3 * O),
        isotropic_skew_symmetric(d * (f.f5 * t - 2 * f.f3), f.f2 * U + f.f4 * d * O, O, f.f3 * U - 0.5 * f.f5 * d * O));
  }

  static Tangent tangent_op_times(const Tangent& v, const Tangent& w) {
    const Vector3 O = v.head<3>(), U = v.tail<3>(), A = w.head<3>(), W = w.tail<3>();
    const double d = O.dot(U);
    const auto f = coefficients::tangent_coefficients(O.squaredNorm());
    const Vector3 OA = O.cross(A), OOA = O.cross(OA), UA = U.cross(A);
    const Vector3 C1A = f.f2 * UA + f.f3 * (U.cross(OA) + O.cross(UA)) + f.f4 * d * OA - f.f5 * d * OOA;
    return stack(A + f.f2 * OA + f.f3 * OOA, C1A + W + f.f2 * O.cross(W) + f.f3 * double_cross(O, W));
  }

  static Tangent tangent_op_T_times(const Tangent& v, const Tangent& w) {
    const Vector3 O = v.head<3>(), U = v.tail<3>(), A = w.head<3>(), W = w.tail<3>();
    const double d = O.dot(U);
    const auto f = coefficients::tangent_coefficients(O.squaredNorm());
    const Vector3 OW = O.cross(W), OOW = O.cross(OW), UW = U.cross(W);
    const Vector3 C1W = -f.f2 * UW + f.f3 * (U.cross(OW) + O.cross(UW)) - f.f4 * d * OW - f.f5 * d * OOW;
    return stack(A - f.f2 * O.cross(A) + f.f3 * double_cross(O, A) + C1W, W - f.f2 * OW + f.f3 * OOW);
  }

  /// (G.22) T⁻¹ = [T⁻¹(Ω) 0; C2 T⁻¹(Ω)]. Domain: |Ω| < 2π.
  static Jacobian tangent_op_inv(const Tangent& v) {
    const Vector3 O = v.head<3>(), U = v.tail<3>();
    const double t = O.squaredNorm(), d = O.dot(U);
    const auto f = coefficients::inverse_coefficients<1>(t);
    return block_lower(isotropic_skew_symmetric(1 - f.f6 * t, 0.5 * O, O, 0.5 * f.f6 * O),
                       isotropic_skew_symmetric(-d * (2 * f.f6 + f.f8 * t), 0.5 * U, O, f.f6 * U + 0.5 * f.f8 * d * O));
  }

  static Tangent tangent_op_inv_times(const Tangent& v, const Tangent& w) {
    const Vector3 O = v.head<3>(), U = v.tail<3>(), A = w.head<3>(), W = w.tail<3>();
    const auto f = coefficients::inverse_coefficients<1>(O.squaredNorm());
    const Vector3 OA = O.cross(A), OOA = O.cross(OA), lower = O.cross(W) + U.cross(A);
    return stack(A + 0.5 * OA + f.f6 * OOA,
                 W + 0.5 * lower + f.f6 * (O.cross(lower) + U.cross(OA)) + f.f8 * O.dot(U) * OOA);
  }

  static Tangent tangent_op_inv_T_times(const Tangent& v, const Tangent& w) {
    const Vector3 O = v.head<3>(), U = v.tail<3>(), A = w.head<3>(), W = w.tail<3>();
    const auto f = coefficients::inverse_coefficients<1>(O.squaredNorm());
    const Vector3 OW = O.cross(W), OOW = O.cross(OW), upper = O.cross(A) + U.cross(W);
    return stack(A - 0.5 * upper + f.f6 * (O.cross(upper) + U.cross(OW)) + f.f8 * O.dot(U) * OOW,
                 W - 0.5 * OW + f.f6 * OOW);
  }

  /// (G.24) ∂(T⁻¹(v) (A, W))/∂v.
  static Jacobian d_tangent_op_inv_times(const Tangent& v, const Tangent& w) {
    const Vector3 O = v.head<3>(), U = v.tail<3>(), A = w.head<3>(), W = w.tail<3>();
    const auto f = coefficients::inverse_coefficients<2>(O.squaredNorm());
    return block_lower(So3Algebra::d_inverse(O, A, -0.5, f), d_inverse_dual_part(O, U, A, W, -0.5, f));
  }

  /// (G.25) ∂(T⁻ᵀ(v) (A, W))/∂v.
  static Jacobian d_tangent_op_inv_T_times(const Tangent& v, const Tangent& w) {
    const Vector3 O = v.head<3>(), U = v.tail<3>(), A = w.head<3>(), W = w.tail<3>();
    const auto f = coefficients::inverse_coefficients<2>(O.squaredNorm());
    const Matrix3 S = So3Algebra::d_inverse(O, W, 0.5, f);
    return blocks(d_inverse_dual_part(O, U, W, A, 0.5, f), S, S, Matrix3::Zero());
  }

  /// (a, b) as one tangent.
  [[gnu::always_inline]] static Tangent stack(const Vector3& a, const Vector3& b) {
    Tangent v;
    v.head<3>() = a;
    v.tail<3>() = b;
    return v;
  }

  /// [diagonal 0; lower diagonal], the shape of every operator of (G.20).
  [[gnu::always_inline]] static Jacobian block_lower(const Matrix3& diagonal, const Matrix3& lower) {
    return blocks(diagonal, Matrix3::Zero(), lower, diagonal);
  }

 private:
  /// [a b; c d], number by number: Eigen copies a column of a block in pairs, and pairs that were just written as
  /// single numbers must wait for the memory (28 ns instead of 7 for `hat`).
  [[gnu::always_inline]] static Jacobian blocks(const Matrix3& a, const Matrix3& b, const Matrix3& c,
                                                const Matrix3& d) {
    Jacobian J;
    for (int k = 0; k < 9; ++k) J(k % 3, k / 3) = a(k);
    for (int k = 0; k < 9; ++k) J(k % 3, k / 3 + 3) = b(k);
    for (int k = 0; k < 9; ++k) J(k % 3 + 3, k / 3) = c(k);
    for (int k = 0; k < 9; ++k) J(k % 3 + 3, k / 3 + 3) = d(k);
    return J;
  }

  /// S(Ω, z) + C3(Ω, U, w), the dual part of So3Algebra::d_inverse(Ω + εU, w + εz); C3 is (G.23).
  template <class Coefficients>
  [[gnu::always_inline]] static Matrix3 d_inverse_dual_part(const Vector3& O, const Vector3& U, const Vector3& w,
                                                            const Vector3& z, double half, const Coefficients& f) {
    const double d = O.dot(U);
    const Vector3 Ow = O.cross(w), OOw = O.cross(Ow), Ow_dual = O.cross(z) + U.cross(w);
    const Vector3 a = f.f6 * w, a_dual = f.f6 * z + f.f8 * d * w;
    const Vector3 b = f.f8 * OOw - 2 * a,
                  b_dual = f.f8 * (O.cross(Ow_dual) + U.cross(Ow)) + f.f9 * d * OOw - 2 * a_dual;
    return isotropic_skew_plus(O.dot(a_dual) + U.dot(a), half * z, [&](int i, int j) {
      return O[i] * a_dual[j] + U[i] * a[j] + b_dual[i] * O[j] + b[i] * U[j];
    });
  }
};

}  // namespace filum::lie
