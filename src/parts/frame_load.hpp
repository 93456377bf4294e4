/// A given force and moment on a node, and its derivative: what loads of all kinds share. Theory: docs/theory/bodies.md, sec. 5.
#pragma once

#include <filum/parts/body_load.hpp>

namespace filum::parts {

/// The load as it acts in the frame of the node, the moment without that of the force.
inline LoadValue in_body_frame(const LoadValue& load, LoadFrame given_in, const Pose& pose) {
  if (given_in == LoadFrame::body) return load;
  return {pose.R.transpose() * load.force, pose.R.transpose() * load.moment};
}

/// Adds a load that acts at `point` of the node's frame.
inline void add_frame_load(const NodeFrame& frame, const Pose& pose, const Vector3d& point, const LoadValue& body, VectorXd& f) {
  frame.add_wrench(pose, body.moment + point.cross(body.force), body.force, f);
}

/// Adds its derivative by the configuration, when the load itself does not depend on it, (B.15).
inline void add_frame_load_derivative(const NodeFrame& frame, const Pose& pose, const Vector3d& point, const LoadValue& body, LoadFrame given_in,
                                      double scale_q, double* block) {
  Matrix6d K = Matrix6d::Zero();
  if (given_in == LoadFrame::space) {
    K.topLeftCorner<3, 3>() = scale_q * (lie::skw(body.moment) + lie::skw(point) * lie::skw(body.force));
    K.bottomLeftCorner<3, 3>() = scale_q * lie::skw(body.force);
  }
  frame.complete_pose_derivative(body.force, scale_q, K);
  NodeFrame::add_block(frame, pose, frame, pose, K, block);
}

}  // namespace filum::parts
