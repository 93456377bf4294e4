/// Frames of nodes in any group, seen through body-fixed twists: what joints, springs and loads grip.
/// Theory: docs/theory/joints.md, sec. 1.
#pragma once

#include <filum/lie/matrix3.hpp>
#include <filum/lie/quaternion.hpp>
#include <filum/mechanics/system_builder.hpp>

#include <Eigen/Core>
#include <Eigen/Geometry>

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

/// Velocity of the point X by twist, in the frame: [−skw X, I].
inline Matrix36d point_velocity(const Vector3d& X) {
  Matrix36d J;
  J.leftCols<3>() = lie::skw(-X);
  J.rightCols<3>().setIdentity();
  return J;
}

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

  Pose pose(const VectorXd& q) const;
  /// Orientation as a quaternion, scalar first; a point has none and gives (1, 0, 0, 0).
  Eigen::Vector4d quaternion(const VectorXd& q) const;
  /// Where the point y of space is in the frame: Rᵀ (y − x), without forming R where a quaternion will do.
  Vector3d locate(const VectorXd& q, const Vector3d& y) const;
  /// V = A v.
  Twist twist(const Pose& pose, const VectorXd& v) const;
  /// Ȧ v, all of it in the second half: what V̇ is when v̇ = 0, (J.4).
  Vector3d bias(const Twist& V) const { return is_direct() ? Vector3d(V.U.cross(V.O)) : Vector3d::Zero(); }

  /// f += Aᵀ (moment, force), (J.3).
  void add_wrench(const Pose& pose, const Vector3d& moment, const Vector3d& force, VectorRef f) const;
  /// out = C A, a rows × dim block; C acts on twists.
  template <int rows>
  void write_columns(const Pose& pose, const Eigen::Matrix<double, rows, 6>& C, double* out) const;

  /// Adds to K, the scaled derivative of this frame's wrench by its own pose, the share of DAᵀ (moment, force), (J.5).
  void complete_pose_derivative(const Vector3d& force, double scale, Matrix6d& K) const {
    if (is_direct()) K.bottomLeftCorner<3, 3>() -= scale * lie::skw(force);
  }
  /// Adds to K, the scaled derivative of any wrench by this frame's pose, the share that comes from V = A v, if
  /// `by_twist` is the derivative by this frame's twist scaled alike, (J.6).
  void complete_twist_derivative(const Twist& V, const Matrix6d& by_twist, Matrix6d& K) const {
    if (is_direct()) K.leftCols<3>() += by_twist.rightCols<3>() * lie::skw(V.U);
  }
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

inline Pose NodeFrame::pose(const VectorXd& q) const {
  if (is_ground()) return {Matrix3d::Identity(), Vector3d::Zero()};
  return lie::visit(group_, [&]<class G>(lie::GroupTag<G>) -> Pose {
    const typename G::Element e = mechanics::element<G>(q, q_at_);
    if constexpr (lie::RigidMotion<G>) {
      return {G::rotation(e), G::position(e)};
    } else if constexpr (requires { G::rotation(e); }) {
      return {G::rotation(e), origin_};
    } else {
      Vector3d x = Vector3d::Zero();
      x.head<G::dim>() = e;
      return {Matrix3d::Identity(), x};
    }
  });
}

inline Eigen::Vector4d NodeFrame::quaternion(const VectorXd& q) const {
  if (is_ground()) return {1, 0, 0, 0};
  return lie::visit(group_, [&]<class G>(lie::GroupTag<G>) -> Eigen::Vector4d {
    if constexpr (requires(const typename G::Element& e) { G::quaternion(e); })
      return G::quaternion(mechanics::element<G>(q, q_at_));
    else
      return {1, 0, 0, 0};
  });
}

// Inlined by force: otherwise the vector goes through memory twice, which costs as much as the rotation itself.
[[gnu::always_inline]] inline Vector3d NodeFrame::locate(const VectorXd& q, const Vector3d& y) const {
  if (is_ground()) return y;
  return lie::visit(
      group_, [&]<class G>(lie::GroupTag<G>) __attribute__((always_inline))->Vector3d {
        const typename G::Element e = mechanics::element<G>(q, q_at_);
        if constexpr (requires { G::rotation(e); }) {
          Vector3d w = y - origin_;
          if constexpr (lie::RigidMotion<G>) w = y - G::position(e);
          constexpr bool stores_matrix = G::size >= 9;
          if constexpr (stores_matrix) {
            return G::rotation(e).transpose() * w;
          } else {
            return lie::quaternion::rotate_inv(G::quaternion(e), w);
          }
        } else {
          Vector3d w = y;
          w.head<G::dim>() -= e;
          return w;
        }
      });
}

inline Twist NodeFrame::twist(const Pose& pose, const VectorXd& v) const {
  switch (kind_) {
    case Kind::semidirect: return {v.segment<3>(v_at_), v.segment<3>(v_at_ + 3)};
    case Kind::direct: return {v.segment<3>(v_at_), pose.R.transpose() * v.segment<3>(v_at_ + 3)};
    case Kind::rotation: return {v.segment<3>(v_at_), Vector3d::Zero()};
    case Kind::point: {
      Twist V;
      for (int k = 0; k < dim_; ++k) V.U[k] = v[v_at_ + k];
      return V;
    }
    case Kind::fixed: break;
  }
  return {};
}

inline void NodeFrame::add_wrench(const Pose& pose, const Vector3d& moment, const Vector3d& force, VectorRef f) const {
  switch (kind_) {
    case Kind::semidirect:
      f.segment<3>(v_at_) += moment;
      f.segment<3>(v_at_ + 3) += force;
      break;
    case Kind::direct:
      f.segment<3>(v_at_) += moment;
      f.segment<3>(v_at_ + 3) += pose.R * force;
      break;
    case Kind::rotation: f.segment<3>(v_at_) += moment; break;
    case Kind::point:
      for (int k = 0; k < dim_; ++k) f[v_at_ + k] += force[k];
      break;
    case Kind::fixed: break;
  }
}

template <int rows>
void NodeFrame::write_columns(const Pose& pose, const Eigen::Matrix<double, rows, 6>& C, double* out) const {
  Eigen::Map<Eigen::Matrix<double, rows, Eigen::Dynamic>> block(out, rows, dim_);
  switch (kind_) {
    case Kind::semidirect: (Eigen::Map<Eigen::Matrix<double, rows, 6>>(out)) = C; break;
    case Kind::direct:
      block.template leftCols<3>() = C.template leftCols<3>();
      block.template rightCols<3>() = C.template rightCols<3>() * pose.R.transpose();
      break;
    case Kind::rotation: block = C.template leftCols<3>(); break;
    case Kind::point: block = C.middleCols(3, dim_); break;
    case Kind::fixed: break;
  }
}

}  // namespace filum::parts
