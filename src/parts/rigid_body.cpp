/// Checking, adding and reading rigid bodies. Theory: docs/theory/bodies.md, sec. 1.
#include <filum/lie/quaternion.hpp>
#include <filum/linalg/dense_decompositions.hpp>
#include <filum/mechanics/nodes.hpp>
#include <filum/parts/node_frame_inline.hpp>
#include <filum/parts/rigid_body.hpp>

#include <cmath>
#include <sstream>
#include <stdexcept>

namespace filum::parts {
namespace {

namespace quaternion = lie::quaternion;
using lie::skw;

using lie::is_rotation;

[[noreturn]] void refuse(const RigidBodyOptions& o, const std::string& reason) {
  throw std::invalid_argument("body " + o.name + ": " + reason);
}

template <class T>
std::string text(const T& value) {
  std::ostringstream out;
  out.precision(12);
  if constexpr (std::is_arithmetic_v<T>) {
    out << value;
  } else {
    out << value.transpose();
  }
  return out.str();
}

void check_group(const RigidBodyOptions& o) {
  if (is_rotation(o.group) && !o.pivot)
    refuse(o, "the group " + std::string(lie::name(o.group)) + " describes rotation about a fixed point: give a pivot");
  if (!is_rotation(o.group) && !lie::is_rigid_motion(o.group))
    refuse(o, "the group " + std::string(lie::name(o.group)) + " does not describe a rigid body");
  if (!is_rotation(o.group) && o.pivot)
    refuse(o, "a pivot is for the groups SO3 and S3; in " + std::string(lie::name(o.group)) + " use a spherical joint");
}

// Tolerances leave room for rounding in data files, not for mistakes.
void check_inertia(const RigidBodyOptions& o) {
  if (!(o.mass > 0) || !std::isfinite(o.mass)) refuse(o, "the mass must be positive, got " + text(o.mass));
  if (!o.inertia.allFinite()) refuse(o, "the inertia is not finite");
  if (!o.inertia.isApprox(o.inertia.transpose(), 1e-10)) refuse(o, "the inertia matrix is not symmetric");
  const Vector3d moments = linalg::symmetric_eigenvalues(o.inertia);
  if (!(moments[0] > 0)) refuse(o, "the principal moments of inertia must be positive, got " + text(moments));
  if (moments[0] + moments[1] < moments[2] * (1 - 1e-9))
    refuse(o, "no body has the principal moments of inertia " + text(moments) +
                  ": the largest exceeds the sum of the others");
}

void check_motion(const RigidBodyOptions& o) {
  const bool finite = o.center_of_mass.allFinite() && o.position.allFinite() && o.angular_velocity.allFinite() &&
                      o.velocity.allFinite() && (!o.pivot || o.pivot->allFinite());
  if (!finite) refuse(o, "centre of mass, position, pivot or velocity is not finite");
  if (!(std::abs(o.orientation.norm() - 1) <= 1e-6))
    refuse(o, "the orientation must be a quaternion of length 1, got " + text(o.orientation) + " of length " +
                  text(o.orientation.norm()));
}

Matrix6d semidirect_inertia(const RigidBodyOptions& o) {
  const Matrix3d off = o.mass * skw(o.center_of_mass);
  Matrix6d M;
  M << shifted_inertia(o.inertia, o.mass, o.center_of_mass), off, -off, o.mass * Matrix3d::Identity();
  return M;
}

void add_inertia(SystemBuilder& builder, const RigidBody& body) {
  const RigidBodyOptions& o = body.initial;
  if (is_rotation(o.group)) {
    builder.add_inertia(body.node, shifted_inertia(o.inertia, o.mass, body.frame_at + o.center_of_mass));
    return;
  }
  const bool is_semidirect =
      lie::visit_rigid_motion(o.group, []<class G>(lie::GroupTag<G>) { return bool(G::is_semidirect); });
  if (is_semidirect || o.center_of_mass.isZero(0)) {
    builder.add_inertia(body.node, semidirect_inertia(o));
  } else {
    builder.add_offset_inertia(body.node, o.mass, shifted_inertia(o.inertia, o.mass, o.center_of_mass),
                               o.center_of_mass);
  }
}

/// Calls f with the body's group, its element and its tangent.
template <class F>
auto read(const RigidBody& body, const State& state, F&& f) {
  using Result = std::invoke_result_t<F, lie::GroupTag<lie::S3sdR3>, lie::S3sdR3::Element, lie::S3sdR3::Tangent>;
  return lie::visit(body.group(), [&]<class G>(lie::GroupTag<G> tag) -> Result {
    if constexpr (requires { &G::rotation; }) {
      const typename G::Element q = mechanics::element<G>(state.q, body.q_at);
      const typename G::Tangent v = mechanics::tangent<G>(state.v, body.v_at);
      return f(tag, q, v);
    } else {
      std::abort();
    }
  });
}

}  // namespace

Matrix3d shifted_inertia(const Matrix3d& inertia, double mass, const Vector3d& c) {
  return inertia - mass * skw(c) * skw(c);
}

RigidBody add_rigid_body(SystemBuilder& builder, const RigidBodyOptions& options) {
  check_group(options);
  check_inertia(options);
  check_motion(options);
  RigidBody body{.initial = options};
  body.initial.orientation.normalize();
  if (options.pivot)
    body.frame_at = quaternion::rotate_inv(body.initial.orientation, options.position - *options.pivot);
  body.node = builder.add_nodes(options.group);
  body.q_at = builder.space().q_offset(body.node);
  body.v_at = builder.space().v_offset(body.node);
  add_inertia(builder, body);
  body.place(builder.start(), body.initial.position, body.initial.orientation, body.initial.angular_velocity,
             body.initial.velocity);
  return body;
}

Marker RigidBody::at(const Vector3d& X) const {
  return {.node = node, .point = frame_at + X, .origin = initial.pivot.value_or(Vector3d::Zero())};
}

Marker RigidBody::at_space(const Vector3d& x) const {
  return at(quaternion::rotate_inv(initial.orientation, x - initial.position));
}

void RigidBody::place(State& state, const Vector3d& position, const Vector4d& orientation,
                      const Vector3d& angular_velocity, const Vector3d& velocity) const {
  lie::visit(group(), [&]<class G>(lie::GroupTag<G>) {
    if constexpr (lie::RigidMotion<G>) {
      mechanics::element<G>(state.q, q_at) = G::from_pose(orientation, position);
      state.v.segment<3>(v_at) = angular_velocity;
      state.v.segment<3>(v_at + 3) = G::is_semidirect ? quaternion::rotate_inv(orientation, velocity) : velocity;
    } else if constexpr (requires { &G::rotation; }) {
      mechanics::element<G>(state.q, q_at) = G::from_quaternion(orientation);
      state.v.segment<3>(v_at) = angular_velocity;
    }
  });
}

Matrix3d RigidBody::rotation(const State& state) const {
  return read(*this, state,
              []<class G>(lie::GroupTag<G>, const auto& q, const auto&) -> Matrix3d { return G::rotation(q); });
}

Vector4d RigidBody::orientation(const State& state) const {
  return read(*this, state,
              []<class G>(lie::GroupTag<G>, const auto& q, const auto&) -> Vector4d { return G::quaternion(q); });
}

Vector3d RigidBody::space_point(const State& state, const Vector3d& X) const {
  return read(*this, state, [&]<class G>(lie::GroupTag<G>, const auto& q, const auto&) -> Vector3d {
    if constexpr (lie::RigidMotion<G>) {
      return G::act(q, X);
    } else {
      return *initial.pivot + G::act(q, frame_at + X);
    }
  });
}

Vector3d RigidBody::position(const State& state) const { return space_point(state, Vector3d::Zero()); }
Vector3d RigidBody::center_of_mass(const State& state) const { return space_point(state, initial.center_of_mass); }
Vector3d RigidBody::angular_velocity(const State& state) const { return state.v.segment<3>(v_at); }

Vector3d RigidBody::velocity(const State& state) const {
  return read(*this, state, [&]<class G>(lie::GroupTag<G>, const auto& q, const auto& v) -> Vector3d {
    if constexpr (!lie::RigidMotion<G>) {
      return G::act(q, v.cross(frame_at));
    } else if constexpr (G::is_semidirect) {
      return G::rotation(q) * v.template tail<3>();
    } else {
      return v.template tail<3>();
    }
  });
}

}  // namespace filum::parts
