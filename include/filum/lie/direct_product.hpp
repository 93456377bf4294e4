/// The direct product of two groups, and the two that describe rigid motions. Theory: docs/theory/groups.md, sec. 5.
#pragma once

#include <filum/lie/lie_group.hpp>
#include <filum/lie/rn.hpp>
#include <filum/lie/s3.hpp>
#include <filum/lie/so3.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace filum::lie {

/// Every function acts on the factors separately; operators are block diagonal. Elements are the factors' doubles,
/// one after the other. Products nest: DirectProduct<A, DirectProduct<B, C>>.
template <LieGroup A, LieGroup B>
struct DirectProduct {
  static constexpr auto name_storage = [] {
    std::array<char, A::name.size() + 1 + B::name.size()> s{};
    auto out = std::copy(A::name.begin(), A::name.end(), s.begin());
    *out++ = 'x';
    std::copy(B::name.begin(), B::name.end(), out);
    return s;
  }();
  static constexpr std::string_view name{name_storage.data(), name_storage.size()};
  static constexpr int dim = A::dim + B::dim;
  static constexpr int size = A::size + B::size;
  using Element = Eigen::Matrix<double, size, 1>;
  using Tangent = Eigen::Matrix<double, dim, 1>;
  using Jacobian = Eigen::Matrix<double, dim, dim>;

  static typename A::Element first(const Element& q) { return part<typename A::Element>(q, 0); }
  static typename B::Element second(const Element& q) { return part<typename B::Element>(q, A::size); }
  static typename A::Tangent first_tangent(const Tangent& v) { return v.template head<A::dim>(); }
  static typename B::Tangent second_tangent(const Tangent& v) { return v.template tail<B::dim>(); }

  static Element join(const typename A::Element& a, const typename B::Element& b) {
    Element q;
    Eigen::Map<typename A::Element>(q.data()) = a;
    Eigen::Map<typename B::Element>(q.data() + A::size) = b;
    return q;
  }
  static Tangent stack(const typename A::Tangent& a, const typename B::Tangent& b) {
    Tangent v;
    v.template head<A::dim>() = a;
    v.template tail<B::dim>() = b;
    return v;
  }
  static Jacobian block_diagonal(const typename A::Jacobian& a, const typename B::Jacobian& b) {
    Jacobian J = Jacobian::Zero();
    for (int k = 0; k < A::dim * A::dim; ++k) J(k % A::dim, k / A::dim) = a(k);
    for (int k = 0; k < B::dim * B::dim; ++k) J(A::dim + k % B::dim, A::dim + k / B::dim) = b(k);
    return J;
  }

  static Element identity() { return join(A::identity(), B::identity()); }
  static Element compose(const Element& q, const Element& r) {
    return join(A::compose(first(q), first(r)), B::compose(second(q), second(r)));
  }
  static Element inverse(const Element& q) { return join(A::inverse(first(q)), B::inverse(second(q))); }
  static Element exp(const Tangent& v) { return join(A::exp(first_tangent(v)), B::exp(second_tangent(v))); }
  static Tangent log(const Element& q) { return stack(A::log(first(q)), B::log(second(q))); }
  static Jacobian Ad(const Element& q) { return block_diagonal(A::Ad(first(q)), B::Ad(second(q))); }

  static Tangent bracket(const Tangent& v, const Tangent& w) {
    return stack(A::bracket(first_tangent(v), first_tangent(w)), B::bracket(second_tangent(v), second_tangent(w)));
  }
  static Tangent bracket_T(const Tangent& v, const Tangent& w) {
    return stack(A::bracket_T(first_tangent(v), first_tangent(w)), B::bracket_T(second_tangent(v), second_tangent(w)));
  }
  static Jacobian hat(const Tangent& v) { return block_diagonal(A::hat(first_tangent(v)), B::hat(second_tangent(v))); }
  static Jacobian tangent_op(const Tangent& v) {
    return block_diagonal(A::tangent_op(first_tangent(v)), B::tangent_op(second_tangent(v)));
  }
  static Jacobian tangent_op_inv(const Tangent& v) {
    return block_diagonal(A::tangent_op_inv(first_tangent(v)), B::tangent_op_inv(second_tangent(v)));
  }
  static Tangent tangent_op_times(const Tangent& v, const Tangent& w) {
    return stack(A::tangent_op_times(first_tangent(v), first_tangent(w)),
                 B::tangent_op_times(second_tangent(v), second_tangent(w)));
  }
  static Tangent tangent_op_T_times(const Tangent& v, const Tangent& w) {
    return stack(A::tangent_op_T_times(first_tangent(v), first_tangent(w)),
                 B::tangent_op_T_times(second_tangent(v), second_tangent(w)));
  }
  static Tangent tangent_op_inv_times(const Tangent& v, const Tangent& w) {
    return stack(A::tangent_op_inv_times(first_tangent(v), first_tangent(w)),
                 B::tangent_op_inv_times(second_tangent(v), second_tangent(w)));
  }
  static Tangent tangent_op_inv_T_times(const Tangent& v, const Tangent& w) {
    return stack(A::tangent_op_inv_T_times(first_tangent(v), first_tangent(w)),
                 B::tangent_op_inv_T_times(second_tangent(v), second_tangent(w)));
  }
  static Jacobian d_tangent_op_inv_times(const Tangent& v, const Tangent& w) {
    return block_diagonal(A::d_tangent_op_inv_times(first_tangent(v), first_tangent(w)),
                          B::d_tangent_op_inv_times(second_tangent(v), second_tangent(w)));
  }
  static Jacobian d_tangent_op_inv_T_times(const Tangent& v, const Tangent& w) {
    return block_diagonal(A::d_tangent_op_inv_T_times(first_tangent(v), first_tangent(w)),
                          B::d_tangent_op_inv_T_times(second_tangent(v), second_tangent(w)));
  }

 private:
  /// Number by number, for the reason given at Se3Algebra::blocks (34 ns become 10 for SO3xR3::log).
  template <class Part>
  [[gnu::always_inline]] static Part part(const Element& q, int offset) {
    Part p;
    for (int i = 0; i < Part::SizeAtCompileTime; ++i) p(i) = q(offset + i);
    return p;
  }
};

/// Rotation and position side by side, the classical choice of multibody dynamics: v = (Ω, ẋ), ẋ in space.
template <class Rotation>
struct DirectRigidMotion : DirectProduct<Rotation, R3> {
  using Base = DirectProduct<Rotation, R3>;
  using typename Base::Element;
  static constexpr bool is_semidirect = false;

  /// The place in space of the body point X. Not an action of the group, (G.40).
  static Eigen::Vector3d act(const Element& q, const Eigen::Vector3d& X) {
    return position(q) + Rotation::act(Base::first(q), X);
  }
  static Eigen::Matrix3d rotation(const Element& q) { return Rotation::rotation(Base::first(q)); }
  static Eigen::Vector4d quaternion(const Element& q) { return Rotation::quaternion(Base::first(q)); }
  static Eigen::Vector3d position(const Element& q) { return Base::second(q); }
  static Element from_pose(const Eigen::Vector4d& p, const Eigen::Vector3d& x) {
    return Base::join(Rotation::from_quaternion(p), x);
  }
};

struct SO3xR3 : DirectRigidMotion<SO3> {};
struct S3xR3 : DirectRigidMotion<S3> {};

}  // namespace filum::lie
