/// Damping wrenches that are linear in the twist. Theory: docs/theory/bodies.md, sec. 4.
#include <filum/parts/shared_part.hpp>
#include <filum/parts/viscous_damping.hpp>

#include <Eigen/Eigenvalues>

#include <cmath>
#include <stdexcept>

namespace filum::parts {

using lie::skw;

void ViscousDamping::add(const ViscousDampingOptions& o, const Marker& at) {
  if (at.node == ground) throw std::invalid_argument("damping " + o.name + ": the ground does not move");
  if (!(o.translational >= 0) || !std::isfinite(o.translational))
    throw std::invalid_argument("damping " + o.name + ": the translational coefficient must not be negative");
  const Matrix3d symmetric = 0.5 * (o.rotational + o.rotational.transpose());
  const double least = o.rotational.allFinite()
                           ? Eigen::SelfAdjointEigenSolver<Matrix3d>(symmetric, Eigen::EigenvaluesOnly).eigenvalues()[0]
                           : -1;
  if (!(least >= -1e-12 * symmetric.norm()))
    throw std::invalid_argument("damping " + o.name + ": the rotational matrix must be positive semidefinite");

  Eigen::Matrix<double, 3, 6> J;  // velocity of the marker by twist
  J << -skw(at.point), Matrix3d::Identity();
  Matrix6d by_twist = -o.translational * J.transpose() * J;
  by_twist.topLeftCorner<3, 3>() -= o.rotational;
  dampers_.push_back({.options = o, .at = at, .by_twist = by_twist});
}

void ViscousDamping::bind(const System& system) {
  for (Damper& d : dampers_) {
    d.frame = NodeFrame(system, d.at);
    d.block_at = system.pattern().block_offset(d.at.node, d.at.node);
  }
}

void ViscousDamping::add_forces(double, const VectorXd& q, const VectorXd& v, VectorXd& f) const {
  for (const Damper& d : dampers_) {
    const Pose pose = d.frame.pose(q);
    const Twist V = d.frame.twist(pose, v);
    const Vector3d moment = d.by_twist.topLeftCorner<3, 3>() * V.O + d.by_twist.topRightCorner<3, 3>() * V.U;
    const Vector3d force = -d.options.translational * V.at(d.at.point);
    d.frame.add_wrench(pose, moment, force, f);
  }
}

bool ViscousDamping::add_force_derivatives(double, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                                           NodeMatrix& H) const {
  for (const Damper& d : dampers_) {
    const Pose pose = d.frame.pose(q);
    const Twist V = d.frame.twist(pose, v);
    Matrix6d K = scale_v * d.by_twist;
    d.frame.complete_twist_derivative(V, scale_q * d.by_twist, K);
    d.frame.complete_pose_derivative(-d.options.translational * V.at(d.at.point), scale_q, K);
    NodeFrame::add_block(d.frame, pose, d.frame, pose, K, H.data() + d.block_at);
  }
  return true;
}

void add_viscous_damping(System& system, const ViscousDampingOptions& options, const Marker& at) {
  shared_part<ViscousDamping>(system).add(options, at);
}

}  // namespace filum::parts
