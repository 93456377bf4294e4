/// Functions of NodeFrame that are called, not inlined. Theory: docs/theory/joints.md, sec. 1.
#include <filum/parts/frame_reader.hpp>
#include <filum/parts/node_frame_inline.hpp>

namespace filum::parts {

Pose FrameReader::pose(const VectorXd& q) const { return frame_.pose(q); }
Eigen::Vector4d FrameReader::quaternion(const VectorXd& q) const { return frame_.quaternion(q); }
Vector3d FrameReader::locate(const VectorXd& q, const Vector3d& y) const { return frame_.locate(q, y); }
Twist FrameReader::twist(const Pose& pose, const VectorXd& v) const { return frame_.twist(pose, v); }
void FrameReader::add_wrench(const Pose& pose, const Vector3d& moment, const Vector3d& force, VectorRef f) const {
  frame_.add_wrench(pose, moment, force, f);
}

}  // namespace filum::parts
