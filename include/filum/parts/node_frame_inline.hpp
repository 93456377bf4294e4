/// Where the frame of a node is: the functions of NodeFrame that know the groups. Theory: docs/theory/joints.md,
/// sec. 1.
#pragma once

#include <filum/lie/matrix3.hpp>
#include <filum/lie/quaternion.hpp>
#include <filum/mechanics/nodes.hpp>
#include <filum/parts/node_frame.hpp>

#include <Eigen/Geometry>

namespace filum::parts {

/// Velocity of the point X by twist, in the frame: [−skw X, I].
inline Matrix36d point_velocity(const Vector3d& X) {
  Matrix36d J;
  J.leftCols<3>() = lie::skw(-X);
  J.rightCols<3>().setIdentity();
  return J;
}

// Flat: otherwise elements are copied through memory on their way to the formulas, a third of the time of a joint.
[[gnu::flatten]] inline Pose NodeFrame::pose(const VectorXd& q) const {
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

inline Vector3d NodeFrame::bias(const Twist& V) const {
  return is_direct() ? Vector3d(V.U.cross(V.O)) : Vector3d::Zero();
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

inline void NodeFrame::complete_pose_derivative(const Vector3d& force, double scale, Matrix6d& K) const {
  if (is_direct()) K.bottomLeftCorner<3, 3>() -= scale * lie::skw(force);
}

inline void NodeFrame::complete_twist_derivative(const Twist& V, const Matrix6d& by_twist, Matrix6d& K) const {
  if (is_direct()) K.leftCols<3>() += by_twist.rightCols<3>() * lie::skw(V.U);
}

}  // namespace filum::parts
