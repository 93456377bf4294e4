/// Damping wrenches that are linear in the twist. Theory: docs/theory/bodies.md, sec. 4.
#include <filum/linalg/dense_decompositions.hpp>
#include <filum/parts/node_frame_inline.hpp>
#include <filum/parts/viscous_damping.hpp>

#include <cmath>
#include <stdexcept>

namespace filum::parts {

void ViscousDamping::add(const ViscousDampingOptions& o, const Marker& at) {
  if (at.node == ground) throw std::invalid_argument("damping " + o.name + ": the ground does not move");
  if (!(o.translational >= 0) || !std::isfinite(o.translational))
    throw std::invalid_argument("damping " + o.name + ": the translational coefficient must not be negative");
  const Matrix3d symmetric = 0.5 * (o.rotational + o.rotational.transpose());
  const double least = o.rotational.allFinite() ? linalg::symmetric_eigenvalues(symmetric)[0] : -1;
  if (!(least >= -1e-12 * symmetric.norm()))
    throw std::invalid_argument("damping " + o.name + ": the rotational matrix must be positive semidefinite");

  const Matrix36d J = point_velocity(at.point);
  Matrix6d by_twist = -o.translational * J.transpose() * J;
  by_twist.topLeftCorner<3, 3>() -= o.rotational;
  dampers_.push_back({.options = o, .at = at, .by_twist = by_twist});
}

void ViscousDamping::declare(mechanics::Declaration& declaration) {
  for (Damper& d : dampers_) {
    d.frame = NodeFrame(declaration.space(), d.at);
    d.force = declaration.forces<1>({d.at.node}, {.velocity = true});
  }
}

void ViscousDamping::add_forces(double, const VectorXd& q, const VectorXd& v, VectorRef f) const {
  for (const Damper& d : dampers_) {
    const Pose pose = d.frame.pose(q);
    const Twist V = d.frame.twist(pose, v);
    const Vector3d moment = d.by_twist.topLeftCorner<3, 3>() * V.O + d.by_twist.topRightCorner<3, 3>() * V.U;
    const Vector3d force = -d.options.translational * V.at(d.at.point);
    d.frame.add_wrench(pose, moment, force, f);
  }
}

void ViscousDamping::add_force_derivatives(double, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                                           NodeMatrix& H) const {
  for (const Damper& d : dampers_) {
    const Pose pose = d.frame.pose(q);
    const Twist V = d.frame.twist(pose, v);
    Matrix6d K = scale_v * d.by_twist;
    d.frame.complete_twist_derivative(V, scale_q * d.by_twist, K);
    d.frame.complete_pose_derivative(-d.options.translational * V.at(d.at.point), scale_q, K);
    NodeFrame::add_block(d.frame, pose, d.frame, pose, K, d.force.blocks()(H, 0, 0));
  }
}

void add_viscous_damping(SystemBuilder& builder, const ViscousDampingOptions& options, const Marker& at) {
  builder.shared_part<ViscousDamping>()->add(options, at);
}

void add_mass_damping(SystemBuilder& builder, const std::string& name, double rate, const RigidBody& body) {
  add_viscous_damping(builder, {.name = name, .translational = rate * body.mass()}, body.center_of_mass());
}

void add_mass_damping(SystemBuilder& builder, const std::string& name, double rate, const Beam& beam) {
  for (int i = 0; i < beam.nodes(); ++i)
    add_viscous_damping(builder, {.name = name, .translational = rate * beam.node_mass(i)}, beam.mass_center(i));
}

}  // namespace filum::parts
