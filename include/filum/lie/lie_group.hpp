/// What a Lie group is to filum: one concept, its contract in prose. Theory: docs/theory/groups.md.
#pragma once

#include <Eigen/Core>

#include <concepts>
#include <string_view>
#include <type_traits>

namespace filum::lie {

/// A group is a stateless struct of static functions. `Element` and `Tangent` are fixed-size Eigen objects of
/// `size` and `dim` doubles; an element's doubles are contiguous, so that many elements are stored flat.
///
/// Conventions. Everything is left-trivialised (notation.md): a curve q(t) has the derivative vector v with
/// q̇ = dL_q ṽ. `Tangent` is that vector; in groups of rigid motions the rotational part comes first.
///
/// | function                          | meaning                                                              |
/// |-----------------------------------|----------------------------------------------------------------------|
/// | identity, compose, inverse        | e, p∘q, q⁻¹                                                          |
/// | exp, log                          | exp(ṽ) and its inverse                                               |
/// | bracket, hat                      | v̂ w, and v̂ as a matrix                                               |
/// | bracket_T                         | v̂ᵀ w, the coadjoint action that makes Coriolis forces                |
/// | Ad                                | q∘exp(v)∘q⁻¹ = exp(Ad(q) v)                                          |
/// | tangent_op, tangent_op_inv        | T(v), T⁻¹(v) as matrices                                             |
/// | tangent_op_times, .._T_times      | T(v) w, Tᵀ(v) w, without forming a matrix                            |
/// | tangent_op_inv_times, .._T_times  | T⁻¹(v) w, T⁻ᵀ(v) w, without forming a matrix                         |
/// | d_tangent_op_inv_times            | ∂(T⁻¹(v) w)/∂v                                                       |
/// | d_tangent_op_inv_T_times          | ∂(T⁻ᵀ(v) w)/∂v                                                       |
///
/// Domains. `exp`, `T` and everything that does not divide by a rotation's half-angle sine are defined for all v
/// (T is singular where the angle is a positive multiple of 2π). `T⁻¹`, its products and derivatives need an angle
/// below 2π. `log` needs an element that is exp of such a v: on quaternion groups it keeps the sign it is given and
/// returns angles in [0, 2π), p = −1 being the one excluded point; on matrix groups it returns angles in [0, π].
/// Newton's iteration may stray from these domains, so that leaving them is no assertion: functions return, and nothing
/// else is promised but that log(−1) is not finite. NaN goes in and comes out, no function iterates.
///
/// Staying on the group. `compose` returns an element that satisfies the group's own equations (unit length,
/// orthogonality) to a few rounding errors whenever its arguments do to 1e-8: errors never accumulate.
template <class G>
concept LieGroup = requires(const typename G::Element& q, const typename G::Tangent& v) {
  typename std::integral_constant<int, G::dim>;
  typename std::integral_constant<int, G::size>;
  requires G::Element::SizeAtCompileTime == G::size;
  requires G::Tangent::SizeAtCompileTime == G::dim;
  { G::name } -> std::convertible_to<std::string_view>;
  { G::identity() } -> std::same_as<typename G::Element>;
  { G::compose(q, q) } -> std::same_as<typename G::Element>;
  { G::inverse(q) } -> std::same_as<typename G::Element>;
  { G::exp(v) } -> std::same_as<typename G::Element>;
  { G::log(q) } -> std::same_as<typename G::Tangent>;
  { G::bracket(v, v) } -> std::same_as<typename G::Tangent>;
  { G::bracket_T(v, v) } -> std::same_as<typename G::Tangent>;
  { G::hat(v) } -> std::same_as<typename G::Jacobian>;
  { G::Ad(q) } -> std::same_as<typename G::Jacobian>;
  { G::tangent_op(v) } -> std::same_as<typename G::Jacobian>;
  { G::tangent_op_inv(v) } -> std::same_as<typename G::Jacobian>;
  { G::tangent_op_times(v, v) } -> std::same_as<typename G::Tangent>;
  { G::tangent_op_T_times(v, v) } -> std::same_as<typename G::Tangent>;
  { G::tangent_op_inv_times(v, v) } -> std::same_as<typename G::Tangent>;
  { G::tangent_op_inv_T_times(v, v) } -> std::same_as<typename G::Tangent>;
  { G::d_tangent_op_inv_times(v, v) } -> std::same_as<typename G::Jacobian>;
  { G::d_tangent_op_inv_T_times(v, v) } -> std::same_as<typename G::Jacobian>;
};

/// A group whose elements turn a body: `act(q, X)` is the place in space of the body point X.
/// For rotations, R³ and semi-direct products that is a left action of the group, act(p∘q, X) = act(p, act(q, X));
/// in the direct products it is not (their composition adds positions without turning them), see groups.md (G.40).
template <class G>
concept ActsOnPoints = LieGroup<G> && requires(const typename G::Element& q, const Eigen::Vector3d& X) {
  { G::act(q, X) } -> std::same_as<Eigen::Vector3d>;
};

/// A group that describes rigid motions: an orientation, readable as matrix and as quaternion, and a position.
template <class G>
concept RigidMotion = ActsOnPoints<G> &&
    requires(const typename G::Element& q, const Eigen::Vector4d& p, const Eigen::Vector3d& x) {
  { G::rotation(q) } -> std::same_as<Eigen::Matrix3d>;
  { G::quaternion(q) } -> std::same_as<Eigen::Vector4d>;
  { G::position(q) } -> std::same_as<Eigen::Vector3d>;
  { G::from_pose(p, x) } -> std::same_as<typename G::Element>;
  { G::is_semidirect } -> std::convertible_to<bool>;
};

/// Ip(τ, q0, q1) = q0 ∘ exp(τ log(q0⁻¹∘q1)), (G.34): constant derivative vector from q0 at τ = 0 to q1 at τ = 1.
template <LieGroup G>
typename G::Element interpolate(double tau, const typename G::Element& q0, const typename G::Element& q1) {
  return G::compose(q0, G::exp(tau * G::log(G::compose(G::inverse(q0), q1))));
}

/// |log(q0⁻¹∘q1)|, invariant under left translation, (G.35). Quaternions that rotate alike but for the sign are close
/// to 2π apart; an exact negative is outside the domain of log.
template <LieGroup G>
double distance(const typename G::Element& q0, const typename G::Element& q1) {
  return G::log(G::compose(G::inverse(q0), q1)).norm();
}

}  // namespace filum::lie
