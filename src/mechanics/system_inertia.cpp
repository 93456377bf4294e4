/// Inertia, kinetic energy and momentum of a system. Theory: docs/theory/mechanics.md, sec. 2.
#include <filum/lie/matrix3.hpp>
#include <filum/linalg/dense_decompositions.hpp>
#include <filum/linalg/reduce.hpp>
#include <filum/mechanics/nodes.hpp>
#include <filum/mechanics/system.hpp>

#include <stdexcept>

namespace filum::mechanics {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using lie::skw;

void System::collect_inertias(std::vector<MatrixXd>& blocks) {
  mass_.emplace(*pattern_, linalg::Structure::separable);
  bool diagonal = offset_inertias_.empty();
  for (int i = 0; i < space_.nodes(); ++i) {
    const MatrixXd& M = blocks[static_cast<std::size_t>(i)];
    const std::string where =
        "the inertia of node " + std::to_string(i) + " (" + std::string(lie::name(space_.group(i))) + ") is ";
    if (M.size() == 0) throw std::invalid_argument(where + "missing: give it mass and rotational inertia");
    if (!M.allFinite() || !M.isApprox(M.transpose(), 1e-12))
      throw std::invalid_argument(where + "not a finite symmetric matrix");
    mass_->block(i, i) = M;
    diagonal = diagonal && M.isDiagonal(0);
  }
  if (diagonal) {
    mass_diagonal_.resize(size_v());
    for (int i = 0; i < space_.nodes(); ++i)
      mass_diagonal_.segment(space_.v_offset(i), pattern_->dim(i)) = mass_->block(i, i).diagonal();
  }
  NodeMatrix M(*pattern_, linalg::Structure::separable);
  mass(space_.identity(), M);
  for (int i = 0; i < space_.nodes() && singular_node_ < 0; ++i)
    if (!linalg::is_positive_definite(M.block(i, i))) singular_node_ = i;
}

namespace {

/// Rotation and, for rigid motions, everything else an offset inertia needs.
struct OffsetView {
  Matrix3d R;
  Vector3d omega, u;
};

OffsetView view(const ConfigurationSpace& space, int node, const VectorXd& q, const VectorXd& v) {
  OffsetView o;
  lie::visit_rigid_motion(space.group(node),
                          [&]<class G>(lie::GroupTag<G>) { o.R = G::rotation(element<G>(q, space.q_offset(node))); });
  o.omega = v.segment<3>(space.v_offset(node));
  o.u = v.segment<3>(space.v_offset(node) + 3);
  return o;
}

}  // namespace

void System::mass(const VectorXd& q, NodeMatrix& M) const {
  M.assign(*mass_);
  for (const OffsetInertia& o : offset_inertias_) {
    Matrix3d R;
    lie::visit_rigid_motion(space_.group(o.node), [&]<class G>(lie::GroupTag<G>) {
      R = G::rotation(element<G>(q, space_.q_offset(o.node)));
    });
    auto block = M.block(o.node, o.node);
    const Matrix3d off = -o.mass * R * skw(o.c);
    block.bottomLeftCorner<3, 3>() = off;
    block.topRightCorner<3, 3>() = off.transpose();
  }
}

void System::mass_times(const VectorXd& q, const VectorXd& v, VectorRef out) const {
  if (mass_diagonal_.size() > 0)
    return linalg::for_each_chunk(size_v(), 6 * nodes_of_chunk, [&](int first, int end) {
      const int size = end - first;
      out.segment(first, size) = mass_diagonal_.segment(first, size).cwiseProduct(v.segment(first, size));
    });
  for_each_node(space_, [&]<class G>(lie::GroupTag<G>, int node, int, int at) {
    const linalg::ConstBlockMap<G::dim, G::dim> M(mass_->data() + pattern_->block_offset(node, node));
    tangent<G>(out, at).noalias() = M * tangent<G>(v, at);
  });
  for (const OffsetInertia& o : offset_inertias_) {
    const OffsetView s = view(space_, o.node, q, v);
    const int at = space_.v_offset(o.node);
    out.segment<3>(at) += o.mass * o.c.cross(s.R.transpose() * s.u);
    out.segment<3>(at + 3) -= o.mass * (s.R * o.c.cross(s.omega));
  }
}

// (M.6) For an offset inertia the terms of Ṁv, D_q(vᵀMv)/2 and v̂ᵀMv cancel but for −m R (Ω×(Ω×c)) on the force.
void System::inertia_forces(const VectorXd& q, const VectorXd& v, VectorRef out) const {
  for_each_node(space_, [&]<class G>(lie::GroupTag<G>, int node, int, int at) {
    const linalg::ConstBlockMap<G::dim, G::dim> M(mass_->data() + pattern_->block_offset(node, node));
    const typename G::Tangent w = tangent<G>(v, at);
    if (mass_diagonal_.size() > 0)
      tangent<G>(out, at) = G::bracket_T(w, tangent<G>(mass_diagonal_, at).cwiseProduct(w));
    else
      tangent<G>(out, at) = G::bracket_T(w, M * w);
  });
  for (const OffsetInertia& o : offset_inertias_) {
    const OffsetView s = view(space_, o.node, q, v);
    out.segment<3>(space_.v_offset(o.node) + 3) -= o.mass * (s.R * lie::double_cross(s.omega, o.c));
  }
}

void System::add_kinetic_gradient(const VectorXd& q, const VectorXd& v, double scale, VectorRef out) const {
  for (const OffsetInertia& o : offset_inertias_) {
    const OffsetView s = view(space_, o.node, q, v);
    out.segment<3>(space_.v_offset(o.node)) += scale * o.mass * s.omega.cross(o.c).cross(s.R.transpose() * s.u);
  }
}

void System::add_inertia_force_derivatives(const VectorXd& q, const VectorXd& v, const VectorXd& a, double scale_q,
                                           double scale_v, NodeMatrix& H) const {
  for_each_node(space_, [&]<class G>(lie::GroupTag<G>, int node, int, int at) {
    const int block_at = pattern_->block_offset(node, node);
    const linalg::ConstBlockMap<G::dim, G::dim> M(mass_->data() + block_at);
    linalg::BlockMap<G::dim, G::dim> block(H.data() + block_at);
    const typename G::Tangent w = tangent<G>(v, at), p = M * w;
    for (int j = 0; j < G::dim; ++j)
      block.col(j) += scale_v * (G::bracket_T(G::Tangent::Unit(j), p) + G::bracket_T(w, M.col(j)));
  });
  for (const OffsetInertia& o : offset_inertias_) {
    const OffsetView s = view(space_, o.node, q, v);
    const int at = space_.v_offset(o.node);
    const Vector3d a_omega = a.segment<3>(at), a_u = a.segment<3>(at + 3);
    auto block = H.block(o.node, o.node);
    const Vector3d centripetal = lie::double_cross(s.omega, o.c);
    block.bottomLeftCorner<3, 3>() +=
        o.mass * s.R * (scale_q * skw(centripetal - o.c.cross(a_omega)) - scale_v * lie::d_double_cross(s.omega, o.c));
    block.topLeftCorner<3, 3>() -= scale_q * o.mass * skw(o.c) * skw(s.R.transpose() * a_u);
  }
}

double System::kinetic_energy(const VectorXd& q, const VectorXd& v) const {
  VectorXd p(size_v());
  mass_times(q, v, p);
  return 0.5 * linalg::dot(v, p);
}

Momentum System::momentum(const VectorXd& q, const VectorXd& v) const {
  VectorXd p(size_v());
  mass_times(q, v, p);
  Momentum sum{Vector3d::Zero(), Vector3d::Zero()};
  for_each_node_in_order(space_, [&]<class G>(lie::GroupTag<G>, int, int at, int vat) {
    if constexpr (lie::RigidMotion<G>) {
      const Matrix3d R = G::rotation(element<G>(q, at));
      const Vector3d force_like = p.segment<3>(vat + 3);
      const Vector3d linear = G::is_semidirect ? Vector3d(R * force_like) : force_like;
      sum.linear += linear;
      sum.angular += R * p.segment<3>(vat) + G::position(element<G>(q, at)).cross(linear);
    } else if constexpr (G::name == "R3") {
      sum.linear += p.segment<3>(vat);
      sum.angular += q.segment<3>(at).cross(p.segment<3>(vat));
    } else if constexpr (G::dim == 3) {
      sum.angular += G::rotation(element<G>(q, at)) * p.segment<3>(vat);
    }
  });
  return sum;
}

}  // namespace filum::mechanics
