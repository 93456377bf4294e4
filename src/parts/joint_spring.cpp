/// Forces on joint coordinates, their energy and derivatives, (J.60) to (J.66). Theory: docs/theory/joints.md, sec. 8.
#include <filum/parts/frame_joint.hpp>
#include <filum/parts/joint_spring.hpp>
#include <filum/parts/node_frame_inline.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace filum::parts {
namespace {

using lie::skw;
using Vector6d = Eigen::Matrix<double, 6, 1>;

/// A coordinate x with ẋ = c_a·V_a + c_b·V_b.
struct Coordinate {
  double x = 0, rate = 0;
  Vector6d c_a = Vector6d::Zero(), c_b = Vector6d::Zero();
};

/// What changes with the pose: D of the covectors c as wrenches, and of the rate while twists stay.
struct CoordinateDerivatives {
  PairBlocks D;
  Vector6d rate_a = Vector6d::Zero(), rate_b = Vector6d::Zero();
};

Vector6d pair_of(const Vector3d& moment, const Vector3d& force) {
  Vector6d w;
  w << moment, force;
  return w;
}

/// w = Sβ, the first axis of the second frame, split along the axes of the first: h along the third, p across it.
struct Pointer {
  Vector3d w, p;
  double h, rho2;
  Vector3d m;  ///< θ̇ = m·ω, (J.61)
};

Pointer pointer(const FramePair& pair, const FramePair::Position& p) {
  Pointer o;
  const Vector3d axis = pair.axes_a.col(2);
  o.w = p.S * pair.axes_b.col(0);
  o.h = axis.dot(o.w);
  o.p = o.w - o.h * axis;
  o.rho2 = o.p.squaredNorm();
  o.m = (o.h / o.rho2) * o.p - axis;
  return o;
}

/// θ − θ0 the short way round.
double deflection(const FramePair& pair, const Pointer& o, double rest) {
  const double c = pair.axes_a.col(0).dot(o.w), s = pair.axes_a.col(1).dot(o.w);
  const double cr = std::cos(rest), sr = std::sin(rest);
  return std::atan2(s * cr - c * sr, c * cr + s * sr);
}

Coordinate coordinate(const JointSpringOptions& o, const FramePair& pair, const FramePair::Motion& m) {
  Coordinate c;
  if (o.coordinate == JointCoordinate::angle) {
    const Pointer at = pointer(pair, m.p);
    c.x = deflection(pair, at, o.rest);
    c.c_a.head<3>() = at.m;
    c.c_b.head<3>() = -(m.p.S.transpose() * at.m);
    c.rate = at.m.dot(m.omega);
  } else {
    const Vector3d n = -pair.axes_a.col(2), n_b = m.p.S.transpose() * n;
    c.x = n.dot(pair.at_a.point + m.p.d) - o.rest;
    c.c_a = pair_of(n.cross(m.p.d), n);
    c.c_b = pair_of(n_b.cross(pair.at_b.point), -n_b);
    c.rate = n.dot(m.V_a.at(-m.p.d) - m.p.S * m.V_b.at(pair.at_b.point));
  }
  return c;
}

// (J.63)
void angle_derivatives(const FramePair& pair, const FramePair::Motion& m, double tau, CoordinateDerivatives& out) {
  const Pointer o = pointer(pair, m.p);
  const Matrix3d& S = m.p.S;
  const Vector3d axis = pair.axes_a.col(2);
  const Matrix3d across = Matrix3d::Identity() - axis * axis.transpose();
  const Matrix3d by_w =
      (o.p * axis.transpose() + o.h * across) / o.rho2 + (2 * o.h * o.h / (o.rho2 * o.rho2)) * o.p * axis.transpose();
  const Matrix3d m_by_a = by_w * skw(o.w), m_by_b = -by_w * S * skw(pair.axes_b.col(0));
  const Vector3d m_b = S.transpose() * o.m;
  out.D.aa.topLeftCorner<3, 3>() = tau * m_by_a;
  out.D.ab.topLeftCorner<3, 3>() = tau * m_by_b;
  out.D.ba.topLeftCorner<3, 3>() = -tau * (S.transpose() * (m_by_a - skw(o.m)));
  out.D.bb.topLeftCorner<3, 3>() = -tau * (S.transpose() * m_by_b + skw(m_b));
  out.rate_a.head<3>() = m_by_a.transpose() * m.omega + (S * m.V_b.O).cross(o.m);
  out.rate_b.head<3>() = m_by_b.transpose() * m.omega - m.V_b.O.cross(m_b);
}

// (J.64)
void displacement_derivatives(const FramePair& pair, const FramePair::Motion& m, double tau,
                              CoordinateDerivatives& out) {
  const Matrix3d& S = m.p.S;
  const Vector3d n = -pair.axes_a.col(2), n_b = S.transpose() * n;
  pair.add_force_blocks(m.p, tau * n, out.D);
  const Vector3d W = m.V_b.at(pair.at_b.point);
  const Vector3d k = m.V_a.O.cross(n);  // n·(−Ωₐ × δd) = k·δd
  out.rate_a = pair_of(k.cross(m.p.d) + (S * W).cross(n), k);
  const Vector3d k_b = S.transpose() * k;
  out.rate_b = pair_of(k_b.cross(pair.at_b.point) - W.cross(n_b), -k_b);
}

bool sees_rate(const JointSpringOptions& o) { return o.law ? o.law->sees_rate() : o.damping > 0; }

/// Near half a turn the short way round changes sides.
bool is_at_half_turn(const JointSpringOptions& o, const Coordinate& c) {
  constexpr double last = 0.1;
  return o.coordinate == JointCoordinate::angle && (o.law || o.stiffness > 0) &&
         std::abs(c.x) > std::numbers::pi - last;
}

double torque(const JointSpringOptions& o, const Coordinate& c, double t) {
  if (is_at_half_turn(o, c)) return std::numeric_limits<double>::quiet_NaN();
  return o.law ? -o.law->tension(c.x, c.rate, t) : -o.stiffness * c.x - o.damping * c.rate;
}

SpringForce force_of(const JointSpringOptions& o, const Coordinate& c, double t) {
  return o.law ? o.law->force(c.x, c.rate, t) : SpringForce{-torque(o, c, t), o.stiffness, o.damping};
}

}  // namespace

void JointSprings::declare(mechanics::Declaration& declaration) {
  for (Spring& s : springs_) {
    s.pair.attach(declaration.space());
    s.force = declaration.forces(s.pair.nodes(), {.velocity = sees_rate(s.options)});
  }
}

int JointSprings::add(const JointSpringOptions& options, const FramePair& pair) {
  springs_.push_back({options, pair});
  return count() - 1;
}

double JointSprings::effort(int spring, double t, const VectorXd& q, const VectorXd& v) const {
  const Spring& s = springs_[spring];
  return torque(s.options, coordinate(s.options, s.pair, s.pair.motion_at(t, q, v)), t);
}

void JointSprings::add_forces(double t, const VectorXd& q, const VectorXd& v, VectorRef f) const {
  for (const Spring& s : springs_) {
    const FramePair::Motion m = s.pair.motion_at(t, q, v);
    const Coordinate c = coordinate(s.options, s.pair, m);
    const double tau = torque(s.options, c, t);
    s.pair.a.add_wrench(m.p.A, tau * c.c_a.head<3>(), tau * c.c_a.tail<3>(), f);
    s.pair.b.add_wrench(m.p.B, tau * c.c_b.head<3>(), tau * c.c_b.tail<3>(), f);
  }
}

double JointSprings::potential_energy(double t, const VectorXd& q) const {
  double energy = 0;
  for (const Spring& s : springs_) {
    if (!s.options.law && s.options.stiffness == 0) continue;
    const FramePair::Motion m{
        .p = s.pair.position(t, q), .V_a = {}, .V_b = {}, .omega = Vector3d::Zero(), .rate_b = {}};
    const double x = coordinate(s.options, s.pair, m).x;
    energy += s.options.law ? s.options.law->potential(x, t) : 0.5 * s.options.stiffness * x * x;
  }
  return energy;
}

mechanics::Switching JointSprings::switching() const {
  const auto switches = [](const Spring& s) { return s.options.law && s.options.law->has_switches(); };
  return std::any_of(springs_.begin(), springs_.end(), switches) ? mechanics::Switching::of_motion
                                                                 : mechanics::Switching::none;
}

void JointSprings::add_switches(double t, const VectorXd& q, const VectorXd& v, mechanics::SwitchList& out) const {
  for (const Spring& s : springs_) {
    if (!s.options.law || !s.options.law->has_switches()) continue;
    const Coordinate c = coordinate(s.options, s.pair, s.pair.motion_at(t, q, v));
    out.begin_law();
    s.options.law->add_switches(c.x, c.rate, t, out);
  }
}

// (J.65) K_ij = c_i ∂τ/∂(pose j) + τ D_ij, K^V_ij = −d c_i c_jᵀ, completed by (J.5), (J.6).
void JointSprings::add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                                         NodeMatrix& H) const {
  for (const Spring& s : springs_) {
    const FramePair::Motion m = s.pair.motion_at(t, q, v);
    const Coordinate c = coordinate(s.options, s.pair, m);
    CoordinateDerivatives d;
    const SpringForce force = force_of(s.options, c, t);
    const double tau = -scale_q * force.tension;
    if (s.options.coordinate == JointCoordinate::angle)
      angle_derivatives(s.pair, m, tau, d);
    else
      displacement_derivatives(s.pair, m, tau, d);
    const double k = force.by_length, damping = force.by_rate;
    const Vector6d tau_a = -scale_q * (k * c.c_a + damping * d.rate_a),
                   tau_b = -scale_q * (k * c.c_b + damping * d.rate_b);
    const auto complete = [&](Matrix6d& K, const Vector6d& on, const NodeFrame& frame, const Twist& V,
                              const Vector6d& by, const Vector6d& tau_by) {
      const Matrix6d by_twist = -damping * on * by.transpose();
      K += on * tau_by.transpose() + scale_v * by_twist;
      frame.complete_twist_derivative(V, scale_q * by_twist, K);
    };
    complete(d.D.aa, c.c_a, s.pair.a, m.V_a, c.c_a, tau_a);
    complete(d.D.ab, c.c_a, s.pair.b, m.V_b, c.c_b, tau_b);
    complete(d.D.ba, c.c_b, s.pair.a, m.V_a, c.c_a, tau_a);
    complete(d.D.bb, c.c_b, s.pair.b, m.V_b, c.c_b, tau_b);
    s.pair.scatter(m.p, d.D, s.force.blocks(), H);
  }
}

JointSpringHandle add_joint_spring(SystemBuilder& builder, const JointSpringOptions& o, const JointHandle& joint) {
  const auto refuse = [&](const std::string& reason) {
    throw std::invalid_argument("spring " + o.name + ": " + reason);
  };
  for (const auto& [what, value] : {std::pair{"stiffness", o.stiffness}, std::pair{"damping", o.damping}})
    if (!(value >= 0) || !std::isfinite(value))
      refuse(std::string(what) + " must not be negative, got " + std::to_string(value));
  if (o.law && (o.stiffness != 0 || o.damping != 0)) refuse("a spring has a law or stiffness and damping, not both");
  if (!std::isfinite(o.rest)) refuse("the rest position is not finite");
  if (joint.kind != JointHandle::Kind::frames) refuse("a spherical, distance or absorbed joint has no such coordinate");
  const auto joints = builder.shared_part<FrameJoints>();
  if (joints != joint.part) refuse("its joint belongs to another system");
  const FrameJoints::Joint& j = joints->joint(joint.number);
  const bool is_angle = o.coordinate == JointCoordinate::angle;
  if (is_angle ? !j.has_angle : !j.has_displacement)
    refuse("joint " + j.name + " has no free " + (is_angle ? "angle" : "displacement"));
  FramePair pair = j.pair;
  if (j.swapped) {
    std::swap(pair.at_a, pair.at_b);
    std::swap(pair.axes_a, pair.axes_b);
  }
  const auto part = builder.shared_part<JointSprings>();
  return {part, part->add(o, pair)};
}

}  // namespace filum::parts
