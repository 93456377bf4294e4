/// Frames of nodes in any group, seen through body-fixed twists: what joints, springs and loads grip.
/// Functions that are declared inline here are defined in node_frame_inline.hpp, for those who call them in a time
/// step; others have frame_reader.hpp. Theory: docs/theory/joints.md, sec. 1.
#pragma once

#include <filum/mechanics/system_builder.hpp>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <array>
#include <span>

namespace filum::parts {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using mechanics::ConfigurationSpace;
using mechanics::NodeBlocks;
using mechanics::NodeMatrix;
using mechanics::RowMatrix;
using mechanics::RowRange;
using mechanics::State;
using mechanics::System;
using mechanics::SystemBuilder;
using mechanics::VectorRef;
using mechanics::VectorXd;
using Matrix36d = Eigen::Matrix<double, 3, 6>;
using Matrix6d = Eigen::Matrix<double, 6, 6>;

inline constexpr int ground = -1;

/// A point fixed to a node, or to the ground. `point` is given in the frame of the node, on the ground in space. A node
/// of pure rotation turns about `origin`, a point in space; other nodes have no use for it.
struct Marker {
  int node = ground;
  Vector3d point = Vector3d::Zero();
  Vector3d origin = Vector3d::Zero();
};

/// The nodes of one or two markers without the ground: what a connection announces.
class MarkerNodes {
 public:
  MarkerNodes(const Marker& a, const Marker& b) {
    if (a.node != ground) nodes_[count_++] = a.node;
    if (b.node != ground) nodes_[count_++] = b.node;
  }
  operator mechanics::NodeList() const { return std::span(nodes_).first(count_); }

 private:
  std::array<int, 2> nodes_{};
  std::size_t count_ = 0;
};

/// Orientation and position of a frame in space.
struct Pose {
  Matrix3d R;
  Vector3d x;
  Vector3d act(const Vector3d& X) const { return x + R * X; }
};

/// Angular and linear velocity of a frame, both in the frame.
struct Twist {
  Vector3d O = Vector3d::Zero(), U = Vector3d::Zero();
  /// Velocity of the point X, in the frame.
  Vector3d at(const Vector3d& X) const { return U + O.cross(X); }
};

/// Reads pose and twist of one node and takes back covectors and derivatives that were found for twists, (J.1) to
/// (J.6). Twists V = (Ω, U) and derivative vectors v are related by V = A(q) v; only in the direct products does A
/// depend on q.
class NodeFrame {
 public:
  /// The ground.
  NodeFrame() = default;
  /// Throws std::invalid_argument when the marker is on a node that does not exist.
  NodeFrame(const ConfigurationSpace& space, const Marker& marker);

  bool is_ground() const { return kind_ == Kind::fixed; }
  int node() const { return node_; }
  /// Whether A(q) varies, so that derivatives for twists need `complete_...`.
  bool is_direct() const { return kind_ == Kind::direct; }
  bool is_semidirect() const { return kind_ == Kind::semidirect; }

  inline Pose pose(const VectorXd& q) const;
  /// Orientation as a quaternion, scalar first; a point has none and gives (1, 0, 0, 0).
  inline Eigen::Vector4d quaternion(const VectorXd& q) const;
  /// Where the point y of space is in the frame: Rᵀ (y − x), without forming R where a quaternion will do.
  inline Vector3d locate(const VectorXd& q, const Vector3d& y) const;

  /// V = A v.
  inline Twist twist(const Pose& pose, const VectorXd& v) const;
  /// Ȧ v, all of it in the second half: what V̇ is when v̇ = 0, (J.4).
  inline Vector3d bias(const Twist& V) const;

  /// f += Aᵀ (moment, force), (J.3).
  inline void add_wrench(const Pose& pose, const Vector3d& moment, const Vector3d& force, VectorRef f) const;
  /// out = C A, a rows × dim block; C acts on twists.
  template <int rows>
  void write_columns(const Pose& pose, const Eigen::Matrix<double, rows, 6>& C, double* out) const;

  /// Adds to K, the scaled derivative of this frame's wrench by its own pose, the share of DAᵀ (moment, force), (J.5).
  inline void complete_pose_derivative(const Vector3d& force, double scale, Matrix6d& K) const;
  /// Adds to K, the scaled derivative of any wrench by this frame's pose, the share that comes from V = A v, if
  /// `by_twist` is the derivative by this frame's twist scaled alike, (J.6).
  inline void complete_twist_derivative(const Twist& V, const Matrix6d& by_twist, Matrix6d& K) const;
  /// out += Aᵢᵀ K Aⱼ, the block (i, j) of a NodeMatrix.
  static void add_block(const NodeFrame& i, const Pose& pose_i, const NodeFrame& j, const Pose& pose_j,
                        const Matrix6d& K, double* out);

 private:
  enum class Kind { fixed, point, rotation, direct, semidirect };

  Kind kind_ = Kind::fixed;
  lie::GroupId group_ = lie::GroupId::R3;
  int node_ = ground;
  int q_at_ = 0, v_at_ = 0;
  int dim_ = 0, first_ = 0;  ///< v is made of the components first_, …, first_ + dim_ − 1 of (Ω, U or u)
  Vector3d origin_ = Vector3d::Zero();
};

}  // namespace filum::parts
