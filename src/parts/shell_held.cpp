/// Strains of the lines of a shell that multipliers hold. Theory: docs/theory/shell.md, sec. 8.
#include "node_pair.hpp"

#include <filum/parts/shell.hpp>

namespace filum::parts {

// (SH.25) Transverse shear is the third component of Γ; extension is that along the edge as it is at rest.
void Shell::hold_edges(const ShellOptions& o) {
  for (int d = 0; d < 2; ++d) {
    const int count = (o.held.shear[d] ? 1 : 0) + (o.held.extension[d] ? 1 : 0);
    if (count == 0) continue;
    first_held_[d] = static_cast<int>(held_.size());
    const int along = d == 0 ? cells(0) : nodes_[0], lines = d == 0 ? nodes_[1] : cells(1);
    held_.resize(held_.size() + static_cast<std::size_t>(along * lines));
    for (int k = 0; k < cells(); ++k)
      for (int e = 2 * d; e < 2 * d + 2; ++e) {
        const Cell& cell = cells_[k];
        HeldEdge& edge = held_[held_edge(k, e)];
        edge.nodes = d == 0 ? std::array{cell.nodes[e == 0 ? 0 : 2], cell.nodes[e == 0 ? 1 : 3]}
                            : std::array{cell.nodes[e == 2 ? 0 : 1], cell.nodes[e == 2 ? 2 : 3]};
        edge.direction = d;
        edge.flips = cell.flips[e];
        edge.rest = cell.rest[e];
        edge.area += area(k);
        edge.directions.setZero(count, 6);
        if (o.held.shear[d]) edge.directions(0, 5) = 1;
        if (o.held.extension[d]) edge.directions.row(count - 1).tail<3>() = edge.rest.tail<3>().normalized();
      }
  }
}

int Shell::held_edge(int cell, int edge) const {
  const int d = edge / 2, far = edge % 2;
  if (first_held_[d] < 0) return -1;
  const int i = cell % cells(0), j = cell / cells(0);
  return first_held_[d] + (d == 0 ? i + (j + far) % nodes_[1] * cells(0) : (i + far) % nodes_[0] + j * nodes_[0]);
}

template <class Body>
void Shell::each_held(const VectorXd& q, Body&& body) const {
  if (held_.empty()) return;
  lie::visit_rigid_motion(group_, [&]<class G>(lie::GroupTag<G>) {
    using Both = NodeTwin<G>;
    using Twin = typename Both::Twin;
    for (const HeldEdge& e : held_) {
      const typename Twin::Element a = Both::element(q, q_at_ + e.nodes[0] * q_size_);
      typename Twin::Element b = Both::element(q, q_at_ + e.nodes[1] * q_size_);
      if (e.flips) b = Twin::from_pose(-Twin::quaternion(b), Twin::position(b));
      body(Both{}, e, relative<Twin>(a, b), a, b);
    }
  });
}

mechanics::RowRange Shell::rows() const {
  int count = 0;
  for (const HeldEdge& e : held_) count += e.constraint.size();
  return {held_.empty() ? 0 : held_.front().constraint.row(), count};
}

void Shell::constraint(double, const VectorXd& q, VectorRef phi) const {
  each_held(q, [&](auto, const HeldEdge& e, const Vector6d& theta, const auto&, const auto&) {
    e.constraint.of(phi).noalias() = e.directions * (theta - e.rest);
  });
}

void Shell::constraint_jacobian(double, const VectorXd& q, RowMatrix& C) const {
  each_held(q, [&]<class Both>(Both, const HeldEdge& e, const Vector6d& theta, const auto& a, const auto& b) {
    const PairRows rows = pair_rows<Both>(theta, a, b);
    using Block = Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, 6, 0, 2, 6>>;
    Block(e.constraint.columns(C, 0), e.directions.rows(), 6).noalias() = e.directions * rows.a;
    Block(e.constraint.columns(C, 1), e.directions.rows(), 6).noalias() = e.directions * rows.b;
  });
}

void Shell::curvature(double, const VectorXd& q, const VectorXd& v, VectorRef gamma) const {
  each_held(q, [&]<class Both>(Both, const HeldEdge& e, const Vector6d& theta, const auto& a, const auto& b) {
    const Vector6d va = Both::twist(a, v, v_at_ + 6 * e.nodes[0]), vb = Both::twist(b, v, v_at_ + 6 * e.nodes[1]);
    e.constraint.of(gamma).noalias() = e.directions * relative_curvature<Both>(theta, va, vb);
  });
}

// (BM.13) with the multipliers as the covector directionsᵀ λ of θ.
void Shell::add_constraint_force_derivatives(double, const VectorXd& q, const VectorXd& lambda, double scale,
                                             NodeMatrix& H) const {
  each_held(q, [&]<class Both>(Both, const HeldEdge& e, const Vector6d& theta, const auto& a, const auto& b) {
    using Twin = typename Both::Twin;
    const Vector6d g = e.directions.transpose() * e.constraint.of(lambda);
    const Matrix6d A = Twin::tangent_op_inv(theta), B = tangent_op_inv_minus<Twin>(A, theta);
    if constexpr (Both::direct) add_turning<Both>(e.constraint.blocks(), -scale, pair_forces<Twin>(theta, g), a, b, H);
    add_blocks<Both>(e.constraint.blocks(), scale * Twin::d_tangent_op_inv_T_times(-theta, g),
                     scale * Twin::d_tangent_op_inv_T_times(theta, g), A, B, a, b, H);
  });
}

// (SH.26) An edge passes its multipliers on to the cells beside it, by their areas.
Vector12d Shell::held_share(const VectorXd& lambda, int cell) const {
  Vector12d m = Vector12d::Zero();
  for (int e = 0; e < 4; ++e) {
    const int k = held_edge(cell, e);
    if (k < 0) continue;
    const HeldEdge& edge = held_[k];
    m.segment<6>(6 * (e / 2)) += (area(cell) / edge.area) * (edge.directions.transpose() * edge.constraint.of(lambda));
  }
  return m;
}

std::string Shell::row_name(int constraint, int row) const {
  const HeldEdge& e = held_[constraint];
  const auto at = [this](int n) { return std::to_string(n % nodes_[0]) + ", " + std::to_string(n / nodes_[0]); };
  return name() + ": " + (e.directions(row, 5) == 1 ? "transverse shear" : "extension") + " held between nodes " +
         at(e.nodes[0]) + " and " + at(e.nodes[1]);
}

}  // namespace filum::parts
