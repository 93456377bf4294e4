/// A force and a moment on a node, and their derivatives: what loads of all kinds share. Theory: docs/theory/bodies.md,
/// sec. 5.
#pragma once

#include <filum/parts/load_law.hpp>
#include <filum/parts/node_frame.hpp>
#include <filum/parts/node_frame_inline.hpp>

namespace filum::parts {

inline LoadValue scaled(const LoadValue& load, double by) { return {by * load.force, by * load.moment}; }

/// The load as it acts in the frame of the node, the moment without that of the force, (B.14).
inline LoadValue in_body_frame(const LoadValue& load, LoadFrame given_in, const Pose& pose) {
  if (given_in == LoadFrame::body) return load;
  return {pose.R.transpose() * load.force, pose.R.transpose() * load.moment};
}

/// Adds a load that acts at `point` of the node's frame.
inline void add_frame_load(const NodeFrame& frame, const Pose& pose, const Vector3d& point, const LoadValue& body,
                           VectorRef f) {
  frame.add_wrench(pose, body.moment + point.cross(body.force), body.force, f);
}

/// How force and moment, in the frame they are given in, change with the pose and with the twist of a node.
struct LoadGradient {
  Matrix6d by_pose = Matrix6d::Zero(), by_twist = Matrix6d::Zero();
};

/// (B.17) The same of the point X that rides on a node.
inline LoadGradient gradient(const LoadDerivatives& d, const Pose& pose, const Twist& V, const Vector3d& X) {
  const Matrix36d J = pose.R * point_velocity(X);
  LoadGradient g;
  g.by_pose = d.by_position * J;
  g.by_pose.leftCols<3>() += d.by_rotation - d.by_velocity * (pose.R * lie::skw(V.at(X)));
  g.by_twist = d.by_velocity * J;
  g.by_twist.leftCols<3>() += d.by_angular_velocity;
  return g;
}

/// D of the wrench (moment + X × force, force) in the frame of a node from D of (force, moment) where they are given.
inline Matrix6d wrench_rows(const Matrix6d& D, LoadFrame given_in, const Pose& pose, const Vector3d& X) {
  Eigen::Matrix<double, 3, 6> force = D.topRows<3>(), moment = D.bottomRows<3>();
  if (given_in == LoadFrame::space) {
    force = (pose.R.transpose() * force).eval();
    moment = (pose.R.transpose() * moment).eval();
  }
  Matrix6d K;
  K << moment + lie::skw(X) * force, force;
  return K;
}

/// (B.15) The share of a load given in space that comes from turning it into the frame, for the derivative by the own
/// pose.
inline void add_turning(const LoadValue& body, LoadFrame given_in, const Vector3d& X, double scale_q, Matrix6d& K) {
  if (given_in == LoadFrame::body) return;
  K.topLeftCorner<3, 3>() += scale_q * (lie::skw(body.moment) + lie::skw(X) * lie::skw(body.force));
  K.bottomLeftCorner<3, 3>() += scale_q * lie::skw(body.force);
}

/// Adds the derivative of a load at the point X of a node, to which it owes its motion, (B.15) and (B.17).
inline void add_frame_load_derivative(const NodeFrame& frame, const Pose& pose, const Twist& V, const Vector3d& X,
                                      const LoadValue& body, LoadFrame given_in, const LoadGradient* g, double scale_q,
                                      double scale_v, double* block) {
  Matrix6d K = Matrix6d::Zero();
  if (g != nullptr) {
    const Matrix6d by_twist = wrench_rows(g->by_twist, given_in, pose, X);
    K = scale_q * wrench_rows(g->by_pose, given_in, pose, X) + scale_v * by_twist;
    frame.complete_twist_derivative(V, scale_q * by_twist, K);
  }
  add_turning(body, given_in, X, scale_q, K);
  frame.complete_pose_derivative(body.force, scale_q, K);
  NodeFrame::add_block(frame, pose, frame, pose, K, block);
}

}  // namespace filum::parts
