/// Pose and velocity of the frame of a node for code outside of time steps: compiled once, while
/// node_frame_inline.hpp compiles the formulas of every group wherever it is included. Theory: docs/theory/joints.md,
/// sec. 1.
#pragma once

#include <filum/parts/node_frame.hpp>

#include <Eigen/Core>

namespace filum::parts {

/// The functions of NodeFrame of the same names.
class FrameReader {
 public:
  FrameReader(const ConfigurationSpace& space, const Marker& marker) : frame_(space, marker) {}

  Pose pose(const VectorXd& q) const;
  Eigen::Vector4d quaternion(const VectorXd& q) const;
  Vector3d locate(const VectorXd& q, const Vector3d& y) const;
  Twist twist(const Pose& pose, const VectorXd& v) const;
  void add_wrench(const Pose& pose, const Vector3d& moment, const Vector3d& force, VectorRef f) const;

 private:
  NodeFrame frame_;
};

}  // namespace filum::parts
