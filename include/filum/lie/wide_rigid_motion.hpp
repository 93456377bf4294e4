/// Rigid motions (p, x) and their twists in several lanes at once, one per node or segment: the formulas of S3sdR3 and
/// Se3Algebra. Theory: docs/theory/groups.md, sec. 4.
#pragma once

#include <filum/lie/wide_coefficients.hpp>

namespace filum::lie::wide {

template <class S>
struct Vector3 {
  S x, y, z;
  friend Vector3 operator+(const Vector3& a, const Vector3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vector3 operator-(const Vector3& a, const Vector3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vector3 operator-(const Vector3& a) { return {-a.x, -a.y, -a.z}; }
  friend Vector3 operator*(const S& s, const Vector3& a) { return {s * a.x, s * a.y, s * a.z}; }
};

template <class S>
[[gnu::always_inline]] inline S dot(const Vector3<S>& a, const Vector3<S>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class S>
[[gnu::always_inline]] inline Vector3<S> cross(const Vector3<S>& a, const Vector3<S>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// A quaternion, its imaginary part as a vector.
template <class S>
struct Quaternion {
  S re;
  Vector3<S> im;
};

/// As quaternion::product, in the same order of summation.
template <class S>
[[gnu::always_inline]] inline Quaternion<S> product(const Quaternion<S>& p, const Quaternion<S>& q) {
  return {q.re * p.re - dot(p.im, q.im), q.re * p.im + (p.re * q.im + cross(p.im, q.im))};
}
template <class S>
[[gnu::always_inline]] inline Vector3<S> rotate(const Quaternion<S>& p, const Vector3<S>& w) {
  const Vector3<S> b = S(2) * cross(p.im, w);
  return w + p.re * b + cross(p.im, b);
}
template <class S>
[[gnu::always_inline]] inline Quaternion<S> conjugate(const Quaternion<S>& p) {
  return {p.re, -p.im};
}

template <class S>
struct Pose {
  Quaternion<S> p;
  Vector3<S> x;
};

/// A twist (Ω, U), or a covector (moment, force).
template <class S>
struct Twist {
  Vector3<S> O, U;
  friend Twist operator+(const Twist& a, const Twist& b) { return {a.O + b.O, a.U + b.U}; }
  friend Twist operator-(const Twist& a, const Twist& b) { return {a.O - b.O, a.U - b.U}; }
  friend Twist operator-(const Twist& a) { return {-a.O, -a.U}; }
  friend Twist operator*(const S& s, const Twist& a) { return {s * a.O, s * a.U}; }
};

// Poses --------------------------------------------------------------------------------------------------------------

/// q ∘ exp(v), (G.26), pulled back to a unit quaternion.
template <class S>
[[gnu::always_inline]] inline Pose<S> advance(const Pose<S>& q, const Twist<S>& v) {
  const S t = dot(v.O, v.O);
  const auto [c, a, f3] = exp_coefficients(t);
  const Vector3<S> x = v.U + (2.0 * a * a) * cross(v.O, v.U) + f3 * (dot(v.O, v.U) * v.O - t * v.U);
  const Quaternion<S> p = product(q.p, {c, a * v.O});
  const S scale = 1.5 - 0.5 * (p.re * p.re + dot(p.im, p.im));
  return {{scale * p.re, scale * p.im}, q.x + rotate(q.p, x)};
}

/// log(q_a⁻¹ ∘ q_b), (G.27), and the coefficients there.
template <class S>
struct Relative {
  Twist<S> theta;
  S t, f6;
};
/// The quaternion between both need not have unit length, (G.49). Positions are subtracted before they are turned.
template <class S>
[[gnu::always_inline]] inline Relative<S> relative(const Pose<S>& a, const Pose<S>& b) {
  const Quaternion<S> back = conjugate(a.p), p = product(back, b.p);
  const auto f = log_coefficients(p.re, dot(p.im, p.im));
  const Vector3<S> O = f.f7 * p.im, x = rotate(back, b.x - a.x), Ox = cross(O, x);
  return {{O, x - S(0.5) * Ox + f.f6 * cross(O, Ox)}, f.t, f.f6};
}

// Twists -------------------------------------------------------------------------------------------------------------
// Every operator is the so(3) one with dual numbers, (G.20): a twist is Ω + εU, the bracket is its cross product, and a
// covector (moment, force) is force + ε moment.

/// A coefficient at the dual angle of θ: f + ε f′.
template <class S>
struct DualCoefficient {
  S f, dual;
  friend Twist<S> operator*(const DualCoefficient& c, const Twist<S>& a) {
    return {c.f * a.O, c.f * a.U + c.dual * a.O};
  }
};

template <class S>
[[gnu::always_inline]] inline Twist<S> bracket(const Twist<S>& v, const Twist<S>& w) {
  return {cross(v.O, w.O), cross(v.O, w.U) + cross(v.U, w.O)};
}
template <class S>
[[gnu::always_inline]] inline Twist<S> swapped(const Twist<S>& w) {
  return {w.U, w.O};
}
/// v̂ᵀ w.
template <class S>
[[gnu::always_inline]] inline Twist<S> bracket_T(const Twist<S>& v, const Twist<S>& w) {
  return -swapped(bracket(v, swapped(w)));
}

/// T⁻¹(v) w = w + ½ [v, w] + f6 [v, [v, w]], (G.22).
template <class S>
[[gnu::always_inline]] inline Twist<S> tangent_op_inv_times(const Twist<S>& v, const Twist<S>& w) {
  const auto f = inverse_coefficients(dot(v.O, v.O));
  const Twist<S> vw = bracket(v, w);
  return w + S(0.5) * vw + DualCoefficient<S>{f.f6, f.f8 * dot(v.O, v.U)} * bracket(v, vw);
}
/// T⁻ᵀ(v) w: the same with −½ on force + ε moment.
template <class S>
[[gnu::always_inline]] inline Twist<S> tangent_op_inv_T_times(const Twist<S>& v, const Twist<S>& w,
                                                              const DualCoefficient<S>& f6) {
  const Twist<S> z = swapped(w), vz = bracket(v, z);
  return swapped(z - S(0.5) * vz + f6 * bracket(v, vz));
}
template <class S>
[[gnu::always_inline]] inline Twist<S> tangent_op_inv_T_times(const Twist<S>& v, const Twist<S>& w) {
  const auto f = inverse_coefficients(dot(v.O, v.O));
  return tangent_op_inv_T_times(v, w, DualCoefficient<S>{f.f6, f.f8 * dot(v.O, v.U)});
}

// Arrays -------------------------------------------------------------------------------------------------------------

/// Poses (p0 p1 p2 p3 x1 x2 x3) and twists of consecutive nodes, as S3sdR3 keeps them.
template <class Pack>
[[gnu::always_inline]] inline Pose<typename Pack::Number> read_pose(const Pack& pack, const double* q) {
  const auto at = [&](int k) { return pack.template read<7>(q + k); };
  return {{at(0), {at(1), at(2), at(3)}}, {at(4), at(5), at(6)}};
}
template <class Pack>
[[gnu::always_inline]] inline void write_pose(const Pack& pack, const Pose<typename Pack::Number>& pose, double* q) {
  const auto put = [&](const auto& x, int k) { pack.template write<7>(x, q + k); };
  put(pose.p.re, 0), put(pose.p.im.x, 1), put(pose.p.im.y, 2), put(pose.p.im.z, 3);
  put(pose.x.x, 4), put(pose.x.y, 5), put(pose.x.z, 6);
}
template <class Pack>
[[gnu::always_inline]] inline Twist<typename Pack::Number> read_twist(const Pack& pack, const double* v) {
  const auto at = [&](int k) { return pack.template read<6>(v + k); };
  return {{at(0), at(1), at(2)}, {at(3), at(4), at(5)}};
}
template <class Pack>
[[gnu::always_inline]] inline void write_twist(const Pack& pack, const Twist<typename Pack::Number>& w, double* v) {
  const auto put = [&](const auto& x, int k) { pack.template write<6>(x, v + k); };
  put(w.O.x, 0), put(w.O.y, 1), put(w.O.z, 2), put(w.U.x, 3), put(w.U.y, 4), put(w.U.z, 5);
}
template <class Pack>
[[gnu::always_inline]] inline void add_twist(const Pack& pack, const Twist<typename Pack::Number>& w, double* v) {
  const auto put = [&](const auto& x, int k) { pack.template add<6>(x, v + k); };
  put(w.O.x, 0), put(w.O.y, 1), put(w.O.z, 2), put(w.U.x, 3), put(w.U.y, 4), put(w.U.z, 5);
}

}  // namespace filum::lie::wide
