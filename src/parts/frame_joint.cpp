/// Equations of joints between frames and of their drives, (J.40) to (J.55). Theory: docs/theory/joints.md, sec. 6
/// and 7.
#include <filum/parts/frame_joint.hpp>
#include <filum/parts/node_frame_inline.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace filum::parts {
namespace {

using Joint = FrameJoints::Joint;
using Position = FramePair::Position;

/// Directions of a moment row: Φ = α·Sβ + offset, α in the frame of a, β in that of b, and how they turn with time.
struct Directions {
  Vector3d alpha, beta;
  Vector3d alpha_rate = Vector3d::Zero(), beta_rate = Vector3d::Zero();
  Vector3d alpha_accel = Vector3d::Zero(), beta_accel = Vector3d::Zero();
  double offset = 0;
};

// (J.52) −sin(θ − φ) as the product of a turning axis of the user's first frame with the first axis of the second.
// Beyond a quarter turn the branch towards 2 keeps the only root at θ = φ.
Directions driven_directions(const Joint& j, double t, const Position& p) {
  const DriveValue phi = j.angle(t);
  const double c = std::cos(phi.value), s = std::sin(phi.value);
  const Matrix3d& first = j.swapped ? j.pair.axes_b : j.pair.axes_a;
  const Vector3d across = s * first.col(0) - c * first.col(1), ahead = c * first.col(0) + s * first.col(1);
  const Vector3d second = j.swapped ? j.pair.axes_a.col(0) : j.pair.axes_b.col(0);
  const auto product = [&](const Vector3d& u) { return j.swapped ? second.dot(p.S * u) : u.dot(p.S * second); };
  const bool is_behind = product(ahead) < 0;
  const double side = is_behind ? -1 : 1;
  Directions d;
  d.offset = is_behind ? std::copysign(2.0, product(across)) : 0;
  (j.swapped ? d.alpha : d.beta) = second;
  (j.swapped ? d.beta : d.alpha) = side * across;
  (j.swapped ? d.beta_rate : d.alpha_rate) = side * phi.rate * ahead;
  (j.swapped ? d.beta_accel : d.alpha_accel) = side * (phi.acceleration * ahead - phi.rate * phi.rate * across);
  return d;
}

/// Of moment row k.
Directions directions(const Joint& j, int k, double t, const Position& p) {
  if (k == j.orientations) return driven_directions(j, t, p);
  Directions d;
  d.alpha = j.pair.axes_a.col(j.perpendicular[k][0]);
  d.beta = j.pair.axes_b.col(j.perpendicular[k][1]);
  return d;
}

template <int rows>
void write(const FramePair& pair, const Position& p, const Matrix6d& C_a, const Matrix6d& C_b, double* at_a,
           double* at_b) {
  pair.a.write_columns<rows>(p.A, C_a.topRows<rows>(), at_a);
  if (!pair.b.is_ground()) pair.b.write_columns<rows>(p.B, C_b.topRows<rows>(), at_b);
}

}  // namespace

int FrameJoints::add(Joint joint, const FrameJointRows& rows) {
  assert(joint.pair.at_a.node != ground && rows.along.size() <= 3 && rows.perpendicular.size() <= 3);
  joint.positions = static_cast<int>(rows.along.size());
  joint.orientations = static_cast<int>(rows.perpendicular.size());
  std::copy(rows.along.begin(), rows.along.end(), joint.along.begin());
  std::copy(rows.perpendicular.begin(), rows.perpendicular.end(), joint.perpendicular.begin());
  joints_.push_back(std::move(joint));
  return count() - 1;
}

void FrameJoints::declare(mechanics::Declaration& declaration) {
  for (Joint& j : joints_) {
    j.pair.attach(declaration.space());
    j.constraint =
        declaration.constraint(mechanics::ConstraintKind::holonomic, j.rows(), j.pair.nodes(), {.time = j.is_driven()});
  }
}

bool FrameJoints::is_self_contained() const {
  return std::none_of(joints_.begin(), joints_.end(), [](const Joint& j) { return j.is_driven(); });
}

// (J.40), (J.41), (J.49), (J.50), (J.52)
void FrameJoints::constraint(double t, const VectorXd& q, VectorRef phi) const {
  for (const Joint& j : joints_) {
    const Position p = j.pair.position(t, q);
    const Vector3d way = j.pair.at_a.point + p.d;
    const int forces = j.forces(), moments = j.moments();
    for (int k = 0; k < forces; ++k) phi[j.row() + k] = j.normal(k, p).dot(way);
    if (j.displacement) phi[j.row() + forces - 1] += j.sign() * j.displacement(t).value;
    for (int k = 0; k < moments; ++k) {
      const Directions d = directions(j, k, t, p);
      phi[j.row() + forces + k] = d.alpha.dot(p.S * d.beta) + d.offset;
    }
  }
}

// (J.42) A position row along n: [n × d, n] and [n_b × X_b, −n_b], in space with −X_a for d, (J.49); (J.43) an
// orientation row: α × Sβ and β × Sᵀα.
void FrameJoints::constraint_jacobian(double t, const VectorXd& q, RowMatrix& C) const {
  Matrix6d C_a, C_b;
  for (const Joint& j : joints_) {
    const Position p = j.pair.position(t, q);
    const int forces = j.forces(), moments = j.moments();
    for (int k = 0; k < forces; ++k) {
      const Vector3d n = j.normal(k, p), n_b = p.S.transpose() * n;
      C_a.row(k) << j.point_on_a(p).cross(n).transpose(), n.transpose();
      C_b.row(k) << n_b.cross(j.pair.at_b.point).transpose(), -n_b.transpose();
    }
    for (int k = 0; k < moments; ++k) {
      const Directions d = directions(j, k, t, p);
      C_a.row(forces + k) << d.alpha.cross(p.S * d.beta).transpose(), 0, 0, 0;
      C_b.row(forces + k) << d.beta.cross(p.S.transpose() * d.alpha).transpose(), 0, 0, 0;
    }
    double *at_a = j.constraint.columns(C, 0), *at_b = j.constraint.columns(C, 1);
    switch (forces + moments) {
      case 1: write<1>(j.pair, p, C_a, C_b, at_a, at_b); break;
      case 2: write<2>(j.pair, p, C_a, C_b, at_a, at_b); break;
      case 3: write<3>(j.pair, p, C_a, C_b, at_a, at_b); break;
      case 4: write<4>(j.pair, p, C_a, C_b, at_a, at_b); break;
      case 5: write<5>(j.pair, p, C_a, C_b, at_a, at_b); break;
      default: write<6>(j.pair, p, C_a, C_b, at_a, at_b); break;
    }
  }
}

// (J.51), (J.53), (J.55)
void FrameJoints::constraint_rate(double t, const VectorXd& q, VectorRef rate) const {
  for (const Joint& j : joints_) {
    if (!j.is_driven()) continue;
    const Position p = j.pair.position(t, q);
    Vector3d point_velocity = Vector3d::Zero(), spin = Vector3d::Zero();  // of the ground, in the frame of a
    if (j.pair.motion) {
      const FrameMotion g = j.pair.motion(t);
      spin = p.S * g.angular_velocity;
      point_velocity = p.A.R.transpose() * g.velocity + p.S * g.angular_velocity.cross(j.pair.at_b.point);
    }
    const int forces = j.forces(), moments = j.moments();
    for (int k = 0; k < forces; ++k) rate[j.row() + k] = -j.normal(k, p).dot(point_velocity);
    if (j.displacement) rate[j.row() + forces - 1] += j.sign() * j.displacement(t).rate;
    for (int k = 0; k < moments; ++k) {
      const Directions d = directions(j, k, t, p);
      const Vector3d w = p.S * d.beta;
      rate[j.row() + forces + k] = d.alpha_rate.dot(w) + d.alpha.dot(p.S * d.beta_rate) - d.alpha.cross(w).dot(spin);
    }
  }
}

// (J.45) and, for rows that depend on time, (J.51), (J.54), (J.55).
void FrameJoints::curvature(double t, const VectorXd& q, const VectorXd& v, VectorRef gamma) const {
  for (const Joint& j : joints_) {
    const FramePair::Motion m = j.pair.motion_at(t, q, v);
    const Matrix3d& S = m.p.S;
    const int forces = j.forces(), moments = j.moments();
    if (forces > 0) {
      const Vector3d acceleration = j.in_space ? j.pair.space_acceleration(m) : j.pair.convective_acceleration(m);
      for (int k = 0; k < forces; ++k) gamma[j.row() + k] = j.normal(k, m.p).dot(acceleration);
      if (j.displacement) gamma[j.row() + forces - 1] += j.sign() * j.displacement(t).acceleration;
    }
    const Vector3d carried = m.V_a.O.cross(S * m.V_b.O) - S * m.rate_b.O;  // ω̇ with v constant
    for (int k = 0; k < moments; ++k) {
      const Directions d = directions(j, k, t, m.p);
      const Vector3d w = S * d.beta;
      const Vector3d w_rate = w.cross(m.omega);
      double g = d.alpha.cross(w_rate).dot(m.omega) + d.alpha.cross(w).dot(carried);
      if (k == j.orientations)
        g += 2 * (d.alpha_rate.dot(w_rate) + m.omega.cross(d.alpha).dot(S * d.beta_rate)) + d.alpha_accel.dot(w) +
             d.alpha.dot(S * d.beta_accel);
      gamma[j.row() + forces + k] = g;
    }
  }
}

void FrameJoints::add_constraint_force_derivatives(double t, const VectorXd& q, const VectorXd& lambda, double scale,
                                                   NodeMatrix& H) const {
  for (const Joint& j : joints_) {
    const Position p = j.pair.position(t, q);
    const int forces = j.forces(), moments = j.moments();
    Vector3d l = Vector3d::Zero();
    for (int k = 0; k < forces; ++k) l += scale * lambda[j.row() + k] * j.normal(k, p);
    PairBlocks K;
    if (forces > 0) j.in_space ? j.pair.add_space_force_blocks(p, l, K) : j.pair.add_force_blocks(p, l, K);
    for (int k = 0; k < moments; ++k) {
      const Directions d = directions(j, k, t, p);
      FramePair::add_moment_blocks(p, scale * lambda[j.row() + forces + k], d.alpha, d.beta, K);
    }
    j.pair.scatter(p, K, j.constraint.blocks(), H);
  }
}

// (J.46)
FrameJoints::Reaction FrameJoints::reaction(int number, double t, const VectorXd& q, const VectorXd& lambda) const {
  const Joint& j = joints_[number];
  const Position p = j.pair.position(t, q);
  const int forces = j.forces(), moments = j.moments();
  Reaction r{Vector3d::Zero(), Vector3d::Zero()};
  for (int k = 0; k < forces; ++k) r.force -= lambda[j.row() + k] * j.normal(k, p);
  for (int k = 0; k < moments; ++k) {
    const Directions d = directions(j, k, t, p);
    r.moment -= lambda[j.row() + forces + k] * d.alpha.cross(p.S * d.beta);
  }
  return r;
}

void FrameJoints::multipliers_body(int number, double t, const VectorXd& q, const VectorXd& lambda, double* out) const {
  const Joint& j = joints_[number];
  for (int k = 0; k < j.rows(); ++k) out[k] = lambda[j.row() + k];
  if (!j.in_space || j.positions == 0) return;
  const Position p = j.pair.position(t, q);
  Vector3d l = Vector3d::Zero();
  for (int k = 0; k < j.positions; ++k) l += out[k] * j.normal(k, p);
  for (int k = 0; k < j.positions; ++k) out[k] = l.dot(j.pair.axes_a.col(j.axis(k)));
}

mechanics::Switching FrameJoints::switching() const {
  const bool any = std::any_of(joints_.begin(), joints_.end(), [](const Joint& j) { return !j.switches.empty(); });
  return any ? mechanics::Switching::of_time : mechanics::Switching::none;
}

void FrameJoints::add_switches(double t, const VectorXd&, const VectorXd&, mechanics::SwitchList& out) const {
  for (const Joint& j : joints_)
    for (const TimeSwitches& switches : j.switches) {
      out.begin_law();
      switches(t, out);
    }
}

std::string FrameJoints::row_name(int constraint, int row) const {
  return "joint " + joints_[constraint].name + ": " + row_label(constraint, row);
}

std::string FrameJoints::row_label(int number, int row) const {
  const Joint& j = joints_[number];
  if (row < j.positions) return "position " + std::to_string(row + 1);
  if (row < j.forces()) return "drive of the displacement";
  if (row < j.forces() + j.orientations) return "orientation " + std::to_string(row - j.forces() + 1);
  return "drive of the angle";
}

}  // namespace filum::parts
