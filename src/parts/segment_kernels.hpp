/// Several segments of a beam at once, each between two neighbouring nodes in S³⋉R³: what node_pair.hpp computes for
/// one of them. Theory: docs/theory/beam.md, (BM.1) to (BM.9); docs/theory/performance.md, "Chains".
#pragma once

#include "node_pair.hpp"

#include <filum/lie/wide_rigid_motion.hpp>

#include <array>
#include <span>
#include <utility>

namespace filum::parts::segments {

using lie::wide::bracket;
using lie::wide::DualCoefficient;
using lie::wide::Relative;
using lie::wide::Twist;
using lie::wide::Vector3;

/// A beam with fewer segments is evaluated one by one. No multiple of the number of lanes: numbers do not depend on it.
inline constexpr int fewest = 4;

template <class S>
using Six = std::array<S, 6>;

template <class S>
[[gnu::always_inline]] inline Six<S> list(const Twist<S>& w) {
  return {w.O.x, w.O.y, w.O.z, w.U.x, w.U.y, w.U.z};
}
template <class S>
[[gnu::always_inline]] inline Twist<S> twist(const Six<S>& w) {
  return {{w[0], w[1], w[2]}, {w[3], w[4], w[5]}};
}

/// NaN in the lanes beyond `largest_turn`, which count as not finite, (BM.10); 0 in the others.
template <int n>
[[gnu::noinline, gnu::cold]] linalg::Wide<n> refused_turns(linalg::Wide<n> t) {
  linalg::Wide<n> refused = 0.0;
  for (int i = 0; i < n; ++i)
    if (!(t[i] <= largest_turn * largest_turn)) refused.v[i] = std::numeric_limits<double>::quiet_NaN();
  return refused;
}

/// θ of the segments of a pack, (BM.1); q is that of the first node of the beam.
template <class Pack, class S = typename Pack::Number>
[[gnu::always_inline]] inline Relative<S> relative(const Pack& pack, const double* q) {
  Relative<S> r = lie::wide::relative(lie::wide::read_pose(pack, q), lie::wide::read_pose(pack, q + lie::S3sdR3::size));
  if (!all_less(r.t, largest_turn * largest_turn)) [[unlikely]] {
    const S refused = refused_turns(r.t);
    const Vector3<S> all{refused, refused, refused};
    r.theta = r.theta + Twist<S>{all, all};
  }
  return r;
}

/// f6 and f8 at θ as coefficients of dual numbers; f8 of curvature only.
template <class S>
struct Coefficients {
  S f8;
  DualCoefficient<S> f6, f8_dual;
  explicit Coefficients(const Relative<S>& r) {
    const auto f = lie::wide::inverse_coefficients(r.t);
    const S d = dot(r.theta.O, r.theta.U);
    f8 = f.f8;
    f6 = {r.f6, f.f8 * d};
    f8_dual = {f.f8, f.f9 * d};
  }
};

/// (BM.2) θ̇ = T⁻¹(θ)(v_b − v_a) + θ̂ v_a.
template <class S>
[[gnu::always_inline]] inline Twist<S> rate(const Twist<S>& theta, const DualCoefficient<S>& f6, const Twist<S>& va,
                                            const Twist<S>& vb) {
  const Twist<S> w = vb - va, tw = bracket(theta, w);
  return w + S(0.5) * tw + f6 * bracket(theta, tw) + bracket(theta, va);
}

/// (BM.8) θ̈ with v̇ = 0, by (PF.1).
template <class S>
[[gnu::always_inline]] inline Twist<S> curvature(const Twist<S>& theta, const Coefficients<S>& f, const Twist<S>& va,
                                                 const Twist<S>& vb) {
  const Twist<S> u = rate(theta, f.f6, va, vb), w = vb - va, tw = bracket(theta, w);
  const DualCoefficient<S> along{dot(theta.O, u.O), dot(theta.O, u.U) + dot(theta.U, u.O)};
  return S(0.5) * bracket(u, va + vb) + along * (f.f8_dual * bracket(theta, tw)) +
         f.f6 * (bracket(u, tw) + bracket(theta, bracket(u, w)));
}

/// Σ C(i, j) w_j in ascending order.
template <class S>
[[gnu::always_inline]] inline S row_times(const Matrix6d& C, int i, const Six<S>& w) {
  S sum = C(i, 0) * w[0];
  for (int j = 1; j < 6; ++j) sum = sum + C(i, j) * w[j];
  return sum;
}

/// C w with the matrix `of(lane)`: that of one material where all lanes have the same.
template <class Pack, class MatrixOf, class S = typename Pack::Number>
[[gnu::always_inline]] inline Six<S> stiffness_times(const Pack&, bool is_uniform, MatrixOf&& of, const Six<S>& w) {
  Six<S> g;
  const Matrix6d& C = of(0);
  for (int i = 0; i < 6; ++i) g[i] = row_times(C, i, w);
  if (is_uniform) [[likely]]
    return g;
  for (int i = 0; i < 6; ++i) g[i] = [&]<int... lane>(std::integer_sequence<int, lane...>) {
      const auto at = [&](int k) { return Six<double>{w[0][k], w[1][k], w[2][k], w[3][k], w[4][k], w[5][k]}; };
      return S(typename S::Lanes{row_times(of(lane), i, at(lane))...});
    }
  (std::make_integer_sequence<int, Pack::lanes>());
  return g;
}

/// Row k of skw(a).
template <int k, class S>
[[gnu::always_inline]] inline Vector3<S> skew_row(const Vector3<S>& a) {
  if constexpr (k == 0) return {S(0), -a.z, a.y};
  if constexpr (k == 1) return {a.z, S(0), -a.x};
  if constexpr (k == 2) return {-a.y, a.x, S(0)};
}
template <int k, class S>
[[gnu::always_inline]] inline S entry(const Vector3<S>& a) {
  return k == 0 ? a.x : k == 1 ? a.y : a.z;
}
/// s e_k + a_k b + b_k a.
template <int k, class S>
[[gnu::always_inline]] inline Vector3<S> symmetric_row(const S& s, const Vector3<S>& a, const Vector3<S>& b) {
  Vector3<S> row = entry<k>(a) * b + entry<k>(b) * a;
  (k == 0 ? row.x : k == 1 ? row.y : row.z) = (k == 0 ? row.x : k == 1 ? row.y : row.z) + s;
  return row;
}

/// (BM.7) Row k of Dθ at both nodes: −T⁻¹(−θ) and T⁻¹(θ), which differ in the sign of what is symmetric, (G.22).
template <class S>
struct Rows {
  Six<S> a, b;
};
template <int k, class S>
[[gnu::always_inline]] inline Rows<S> row(const Relative<S>& r, const S& f8) {
  constexpr int i = k % 3;
  const Vector3<S>&O = r.theta.O, &U = r.theta.U;
  const Vector3<S> D = symmetric_row<i>(1.0 - r.f6 * r.t, O, (0.5 * r.f6) * O), skew = S(0.5) * skew_row<i>(O);
  const Vector3<S> Da = skew - D, Db = skew + D;
  if constexpr (k < 3) {
    const S zero(0);
    return {{Da.x, Da.y, Da.z, zero, zero, zero}, {Db.x, Db.y, Db.z, zero, zero, zero}};
  } else {
    const S d = dot(O, U);
    const Vector3<S> L = symmetric_row<i>(-d * (2.0 * r.f6 + f8 * r.t), O, r.f6 * U + (0.5 * f8 * d) * O);
    const Vector3<S> lower = S(0.5) * skew_row<i>(U), La = lower - L, Lb = lower + L;
    return {{La.x, La.y, La.z, Da.x, Da.y, Da.z}, {Lb.x, Lb.y, Lb.z, Db.x, Db.y, Db.z}};
  }
}

/// Length times strain k at rest.
template <class Pack, class Segments>
[[gnu::always_inline]] inline auto rest(const Pack& pack, const Segments& of, int k) {
  constexpr int stride = sizeof(typename Segments::value_type) / sizeof(double);
  return pack.template read<stride>(&of.front().length) * pack.template read<stride>(of.front().rest.data() + k);
}

/// g = C (w − w*) + 2 V ẇ of the segments of a pack; v is that of the first node, or null where nothing is viscous.
template <class Pack, class Segments, class Materials, class S = typename Pack::Number>
Twist<S> stresses(const Pack& pack, const Segments& of, const Materials& materials, const Relative<S>& r,
                  const DualCoefficient<S>& f6, const double* v) {
  using Segment = typename Segments::value_type;
  constexpr int stride = sizeof(Segment) / sizeof(double);
  static_assert(sizeof(Segment) == stride * sizeof(double));
  const auto material = [&](int lane) -> const auto& { return materials[of[pack.item(lane)].material]; };
  bool is_uniform = true;
  if (materials.size() > 1)
    for (int lane = 1; lane < pack.lanes; ++lane) is_uniform = is_uniform && &material(lane) == &material(0);
  const S length = pack.template read<stride>(&of.front().length);
  const Six<S> theta = list(r.theta);
  Six<S> w;
  // Divided as in Beam::strain, where rest strains come from: a beam that is stress-free as drawn has no force at all.
  for (int k = 0; k < 6; ++k) w[k] = theta[k] / length - pack.template read<stride>(of.front().rest.data() + k);
  Six<S> g = stiffness_times(
      pack, is_uniform, [&](int lane) -> const Matrix6d& { return material(lane).C; }, w);
  if (v) {
    const auto va = lie::wide::read_twist(pack, v), vb = lie::wide::read_twist(pack, v + 6);
    const Six<S> w_dot_twice = list((2.0 / length) * rate(r.theta, f6, va, vb));
    const Six<S> damping = stiffness_times(
        pack, is_uniform, [&](int lane) -> const Matrix6d& { return material(lane).V; }, w_dot_twice);
    for (int k = 0; k < 6; ++k) g[k] = g[k] + damping[k];
  }
  return twist(g);
}

/// f(std::integral_constant<int, k>, place) for the held strains k, `place` being the place among them.
template <class F>
[[gnu::always_inline]] inline void for_each_held(std::span<const int> held, F&& f) {
  std::size_t place = 0;
  [&]<int... k>(std::integer_sequence<int, k...>) {
    ((place < held.size() && held[place] == k ? f(std::integral_constant<int, k>{}, place++) : void()), ...);
  }
  (std::make_integer_sequence<int, 6>());
}

/// One number per segment of a pack and held strain k, `of(std::integral_constant<int, k>)`; `numbers` are those of the
/// first segment of the beam.
template <class Pack, class Of>
[[gnu::always_inline]] inline void write_held(const Pack& pack, std::span<const int> held, double* numbers, Of&& of) {
  const int stride = static_cast<int>(held.size());
  for_each_held(held, [&](auto k, std::size_t place) {
    const auto x = of(k);
    double* at = numbers + place;
    pack.for_each_lane([&](int lane) { at[pack.item(lane) * stride] = x[lane]; });
  });
}

/// Rows of the held strains of the segments of a pack; `C` are those of the first segment of the beam at its first
/// node.
template <class Pack, class S = typename Pack::Number>
[[gnu::always_inline]] inline void write_rows(const Pack& pack, const Relative<S>& r, std::span<const int> held,
                                              double* C) {
  const S f8 = Coefficients(r).f8;
  const int rows = static_cast<int>(held.size());
  for_each_held(held, [&]<int k>(std::integral_constant<int, k>, std::size_t place) {
    const Rows<S> both = row<k>(r, f8);
    double* at = C + place;
    for (int j = 0; j < 6; ++j, at += rows)
      pack.for_each_lane([&](int lane) {
        double* of_segment = at + pack.item(lane) * 12 * rows;
        of_segment[0] = both.a[j][lane], of_segment[6 * rows] = both.b[j][lane];
      });
  });
}

}  // namespace filum::parts::segments
