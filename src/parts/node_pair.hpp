/// The relative pose of two nodes, its rate and its forces: what segments of beams and edges of shells share.
/// Theory: docs/theory/beam.md, (BM.1) to (BM.13).
#pragma once

#include <filum/mechanics/declaration.hpp>
#include <filum/mechanics/nodes.hpp>
#include <filum/parts/node_frame.hpp>

#include <cmath>
#include <limits>
#include <type_traits>

namespace filum::parts {

using Vector6d = Eigen::Matrix<double, 6, 1>;

/// The semi-direct group in which nodes are compared: their own, or its twin for direct products, (BM.11).
template <class G>
struct TwinOf {
  using type = G;
};
template <>
struct TwinOf<lie::S3xR3> {
  using type = lie::S3sdR3;
};
template <>
struct TwinOf<lie::SO3xR3> {
  using type = lie::SE3;
};

/// Elements, twists and wrenches of nodes in G, seen through the twin.
template <class G>
struct NodeTwin {
  using Group = G;
  using Twin = typename TwinOf<G>::type;
  static constexpr bool direct = !std::is_same_v<G, Twin>;

  static typename Twin::Element element(const VectorXd& q, int at) {
    if constexpr (direct)
      return Twin::from_pose(G::quaternion(mechanics::element<G>(q, at)), G::position(mechanics::element<G>(q, at)));
    else
      return mechanics::element<G>(q, at);
  }
  /// (Ω, U) of a node.
  static Vector6d twist(const typename Twin::Element& e, const VectorXd& v, int at) {
    Vector6d w = v.segment<6>(at);
    if constexpr (direct) w.tail<3>() = (Twin::rotation(e).transpose() * w.tail<3>()).eval();
    return w;
  }
  static void add_wrench(const typename Twin::Element& e, const Vector6d& wrench, VectorRef& f, int at) {
    f.segment<3>(at) += wrench.head<3>();
    if constexpr (direct)
      f.segment<3>(at + 3) += Twin::rotation(e) * wrench.tail<3>();
    else
      f.segment<3>(at + 3) += wrench.tail<3>();
  }
  /// (BM.17) K, a derivative of a wrench at `on`, as one of the node's force.
  static void rows_to_node(const typename Twin::Element& on, Matrix6d& K) {
    if constexpr (direct) K.bottomRows<3>() = (Twin::rotation(on) * K.bottomRows<3>()).eval();
  }
  /// (BM.17) K, the derivative of a wrench at `on` by a twist at `by`, as one of the node's force by its own velocity.
  static void to_nodes(const typename Twin::Element& on, const typename Twin::Element& by, Matrix6d& K) {
    rows_to_node(on, K);
    if constexpr (direct) K.rightCols<3>() = (K.rightCols<3>() * Twin::rotation(by).transpose()).eval();
  }
  /// (BM.17) What a wrench adds to the derivative of the node's force by its own displacement, because R n turns.
  static Matrix6d turning(const typename Twin::Element& on, const Vector6d& wrench) {
    Matrix6d K = Matrix6d::Zero();
    K.bottomLeftCorner<3, 3>() = -Twin::rotation(on) * lie::skw(wrench.tail<3>());
    return K;
  }
};

/// (BM.10) Closer than this to a full turn the logarithm is about to jump: the pair counts as not finite.
inline constexpr double largest_turn = 2 * M_PI - 0.05;
/// Beyond this a message says so.
inline constexpr double suspicious_turn = 0.8 * largest_turn;

/// θ = log(q_a⁻¹ ∘ q_b), (BM.1).
template <class Twin>
Vector6d relative(const typename Twin::Element& a, const typename Twin::Element& b) {
  Vector6d theta = Twin::log(Twin::compose(Twin::inverse(a), b));
  if (theta.head<3>().squaredNorm() > largest_turn * largest_turn)
    theta.setConstant(std::numeric_limits<double>::quiet_NaN());
  return theta;
}

/// The angle between two nodes, also where the pair counts as not finite.
template <class Twin>
double turn_between(const typename Twin::Element& a, const typename Twin::Element& b) {
  return Twin::log(Twin::compose(Twin::inverse(a), b)).template head<3>().norm();
}

/// T⁻¹(−θ) = T⁻¹(θ) − θ̂, (N.7).
template <class Twin>
Matrix6d tangent_op_inv_minus(const Matrix6d& tangent_op_inv, const Vector6d& theta) {
  return tangent_op_inv - Twin::hat(theta);
}

/// (BM.2) θ̇ = T⁻¹(θ) v_b − T⁻¹(−θ) v_a.
template <class Twin>
Vector6d relative_rate(const Vector6d& theta, const Vector6d& va, const Vector6d& vb) {
  return Twin::tangent_op_inv_times(theta, vb - va) + Twin::bracket(theta, va);
}

/// ∂θ̇/∂θ with both velocities constant.
template <class Twin>
Matrix6d d_relative_rate(const Vector6d& theta, const Vector6d& va, const Vector6d& vb) {
  return Twin::d_tangent_op_inv_times(theta, vb) + Twin::d_tangent_op_inv_times(-theta, va);
}

/// Forces of the covector g of θ on both nodes, (BM.5): a = T⁻ᵀ(−θ) g, b = −T⁻ᵀ(θ) g, with T⁻ᵀ(−θ) g = T⁻ᵀ(θ) g − θ̂ᵀ g.
struct PairForces {
  Vector6d a, b;
};
template <class Twin>
PairForces pair_forces(const Vector6d& theta, const Vector6d& g) {
  const Vector6d fb = Twin::tangent_op_inv_T_times(theta, g);
  return {fb - Twin::bracket_T(theta, g), -fb};
}

/// (BM.7) Dθ by the velocities of both nodes as they are kept: −T⁻¹(−θ) and T⁻¹(θ); in direct products (BM.17).
struct PairRows {
  Matrix6d a, b;
};
template <class Both, class Element>
PairRows pair_rows(const Vector6d& theta, const Element& a, const Element& b) {
  using Twin = typename Both::Twin;
  PairRows rows;
  rows.b = Twin::tangent_op_inv(theta);
  rows.a = -tangent_op_inv_minus<Twin>(rows.b, theta);
  if constexpr (Both::direct) {
    rows.b.template rightCols<3>() = (rows.b.template rightCols<3>() * Twin::rotation(b).transpose()).eval();
    rows.a.template rightCols<3>() = (rows.a.template rightCols<3>() * Twin::rotation(a).transpose()).eval();
  }
  return rows;
}

/// How θ̇ changes with both nodes while their velocities stay as they are kept, with D = Dθ; in direct products (BM.18).
template <class Both, class Element>
PairRows d_relative_rate_rows(const Vector6d& theta, const PairRows& D, const Vector6d& va, const Vector6d& vb,
                              const Element& a, const Element& b) {
  using Twin = typename Both::Twin;
  const Matrix6d by_theta = d_relative_rate<Twin>(theta, va, vb);
  PairRows rows{by_theta * D.a, by_theta * D.b};
  if constexpr (Both::direct) {
    rows.a.template leftCols<3>() +=
        D.a.template rightCols<3>() * (Twin::rotation(a) * lie::skw(va.template tail<3>()));
    rows.b.template leftCols<3>() +=
        D.b.template rightCols<3>() * (Twin::rotation(b) * lie::skw(vb.template tail<3>()));
  }
  return rows;
}

/// (BM.8) θ̈ with v̇ = 0: the derivatives of T⁻¹(θ) v_b and −T⁻¹(−θ) v_a in the direction θ̇.
template <class Both>
Vector6d relative_curvature(const Vector6d& theta, const Vector6d& va, const Vector6d& vb) {
  using Twin = typename Both::Twin;
  Vector6d second = d_relative_rate<Twin>(theta, va, vb) * relative_rate<Twin>(theta, va, vb);
  if constexpr (Both::direct) {  // U̇ = −Ω × U although u̇ = 0
    Vector6d bias_a = Vector6d::Zero(), bias_b = Vector6d::Zero();
    bias_a.tail<3>() = -va.head<3>().cross(va.tail<3>());
    bias_b.tail<3>() = -vb.head<3>().cross(vb.tail<3>());
    second += relative_rate<Twin>(theta, bias_a, bias_b);
  }
  return second;
}

/// H += (Ka, Kb) Dθ with Dθ = (−B, A); in direct products (BM.17).
template <class Both, class Element>
void add_blocks(const mechanics::NodeBlocks<2>& blocks, const Matrix6d& Ka, const Matrix6d& Kb, const Matrix6d& A,
                const Matrix6d& B, const Element& a, const Element& b, mechanics::NodeMatrix& H) {
  if constexpr (Both::direct) {
    const auto add = [&](int on, int by, Matrix6d K) {
      Both::to_nodes(on == 0 ? a : b, by == 0 ? a : b, K);
      Eigen::Map<Matrix6d>(blocks(H, on, by)) += K;
    };
    add(0, 0, -Ka * B);
    add(0, 1, Ka * A);
    add(1, 0, -Kb * B);
    add(1, 1, Kb * A);
  } else {
    Eigen::Map<Matrix6d>(blocks(H, 0, 0)).noalias() -= Ka * B;
    Eigen::Map<Matrix6d>(blocks(H, 0, 1)).noalias() += Ka * A;
    Eigen::Map<Matrix6d>(blocks(H, 1, 0)).noalias() -= Kb * B;
    Eigen::Map<Matrix6d>(blocks(H, 1, 1)).noalias() += Kb * A;
  }
}

/// (BM.17) H += what is due to the turning of both wrenches.
template <class Both, class Element>
void add_turning(const mechanics::NodeBlocks<2>& blocks, double scale, const PairForces& on, const Element& a,
                 const Element& b, mechanics::NodeMatrix& H) {
  Eigen::Map<Matrix6d>(blocks(H, 0, 0)) += scale * Both::turning(a, on.a);
  Eigen::Map<Matrix6d>(blocks(H, 1, 1)) += scale * Both::turning(b, on.b);
}

/// Initial values of a node: its pose, and velocities in its own frame.
inline void set_initial_node(SystemBuilder& builder, lie::GroupId group, int node, const Vector3d& position,
                             const Eigen::Vector4d& orientation, const Vector3d& angular_velocity,
                             const Vector3d& velocity) {
  State& start = builder.start();
  lie::visit_rigid_motion(group, [&]<class G>(lie::GroupTag<G>) {
    const auto q = G::from_pose(orientation, position);
    mechanics::element<G>(start.q, builder.space().q_offset(node)) = q;
    Vector6d v;
    v << angular_velocity, velocity;
    if (!G::is_semidirect) v.tail<3>() = (G::rotation(q) * v.tail<3>()).eval();
    start.v.segment<6>(builder.space().v_offset(node)) = v;
  });
}

/// Inertia of a node with a mass whose centre is at c, and with moments of inertia about the node itself.
inline void add_node_inertia(SystemBuilder& builder, lie::GroupId group, int node, double mass, const Vector3d& c,
                             const Matrix3d& inertia) {
  const bool is_direct = group == lie::GroupId::SO3xR3 || group == lie::GroupId::S3xR3;
  if (is_direct && !c.isZero(0)) return builder.add_offset_inertia(node, mass, inertia, c);
  const Matrix3d off = mass * lie::skw(c);
  Matrix6d M;
  M << inertia, off, -off, mass * Matrix3d::Identity();
  builder.add_inertia(node, M);
}

}  // namespace filum::parts
