/// Evaluation of the micropolar shell. Theory: docs/theory/shell.md.
#include "node_pair.hpp"

#include <filum/linalg/team.hpp>
#include <filum/parts/shell.hpp>

#include <algorithm>

namespace filum::parts {
namespace {

/// Beginning and end of the edges of a cell among its corners.
constexpr std::array<std::array<int, 2>, 4> ends{{{0, 1}, {2, 3}, {0, 2}, {1, 3}}};

using EdgeVectors = std::array<Vector6d, 4>;

/// Means over opposite edges and their differences, (SH.3).
struct Sums {
  Vector12d mean, difference;

  explicit Sums(const EdgeVectors& g) {
    mean << 0.5 * (g[0] + g[1]), 0.5 * (g[2] + g[3]);
    difference << g[1] - g[0], g[3] - g[2];
  }
};

template <class Matrix>
double energy(const Matrix& C, double hourglass, const Sums& s) {
  const Vector6d d1 = s.difference.head<6>(), d2 = s.difference.tail<6>();
  return 0.5 * (s.mean.dot(C * s.mean) + hourglass * (d1.dot(C.template topLeftCorner<6, 6>() * d1) +
                                                      d2.dot(C.template bottomRightCorner<6, 6>() * d2)));
}

/// (SH.6) n += scale · derivatives of the energy by the four edges.
template <class Matrix>
void add_edge_forces(const Matrix& C, double hourglass, double scale, const Sums& s, EdgeVectors& n) {
  const Vector12d m = (0.5 * scale) * (C * s.mean);
  const Vector6d h1 = (scale * hourglass) * (C.template topLeftCorner<6, 6>() * s.difference.head<6>());
  const Vector6d h2 = (scale * hourglass) * (C.template bottomRightCorner<6, 6>() * s.difference.tail<6>());
  n[0] += m.head<6>() - h1;
  n[1] += m.head<6>() + h1;
  n[2] += m.tail<6>() - h2;
  n[3] += m.tail<6>() + h2;
}

/// The edges along s1 and s2 that meet at a corner of a cell; it is their beginning or their end.
struct Meeting {
  std::array<int, 2> edge, end;
};
constexpr std::array<Meeting, 4> meetings{{{{0, 2}, {0, 0}}, {{0, 3}, {1, 0}}, {{1, 2}, {0, 1}}, {{1, 3}, {1, 1}}}};

using Matrix12x6 = Eigen::Matrix<double, 12, 6>;

/// (SH.6) Derivatives of edge forces by the θ of two edges that meet, whose derivatives by a node are the rows of X:
/// those of the two edges at any corner are mean ± difference, with + for the edge itself and − for the opposite one.
struct EdgeForceRows {
  Matrix12x6 mean = Matrix12x6::Zero(), difference = Matrix12x6::Zero();

  template <class Matrix>
  void add(const Matrix& C, double hourglass, const Matrix12x6& X) {
    mean.noalias() += 0.25 * (C * X);
    difference.template topRows<6>().noalias() += hourglass * (C.template topLeftCorner<6, 6>() * X.topRows<6>());
    difference.template bottomRows<6>().noalias() +=
        hourglass * (C.template bottomRightCorner<6, 6>() * X.bottomRows<6>());
  }
  Matrix12x6 at(const Meeting& corner, const Meeting& node) const {
    Matrix12x6 n = mean;
    for (int d = 0; d < 2; ++d)
      n.middleRows<6>(6 * d) += (corner.edge[d] == node.edge[d] ? 1 : -1) * difference.middleRows<6>(6 * d);
    return n;
  }
};

/// Rows of the two edges that meet at a corner, by that corner.
Matrix12x6 rows_at(const Meeting& corner, const std::array<PairRows, 4>& rows) {
  Matrix12x6 X;
  for (int d = 0; d < 2; ++d) {
    const PairRows& r = rows[static_cast<std::size_t>(corner.edge[d])];
    X.middleRows<6>(6 * d) = corner.end[d] == 0 ? r.a : r.b;
  }
  return X;
}

}  // namespace

/// Nodes of a cell, and θ of its edges.
template <class Twin>
struct Shell::Corners {
  std::array<typename Twin::Element, 4> node;
  EdgeVectors theta;

  /// g = θ − θ*.
  EdgeVectors stretched(const Cell& cell) const {
    EdgeVectors g;
    for (int e = 0; e < 4; ++e) g[e] = theta[e] - cell.rest[e];
    return g;
  }
};

template <class G>
auto Shell::corners(const Cell& cell, const VectorXd& q) const {
  using Twin = typename NodeTwin<G>::Twin;
  Corners<Twin> c;
  for (int k = 0; k < 4; ++k) c.node[k] = NodeTwin<G>::element(q, q_at_ + cell.nodes[k] * q_size_);
  for (int e = 0; e < 4; ++e) {
    const auto &a = c.node[ends[e][0]], &b = c.node[ends[e][1]];
    c.theta[e] = cell.flips[e] ? relative<Twin>(a, Twin::from_pose(-Twin::quaternion(b), Twin::position(b)))
                               : relative<Twin>(a, b);
  }
  return c;
}

template <class Body>
void Shell::each_of(const VectorXd& q, int first, int end, Body&& body) const {
  lie::visit_rigid_motion(group_, [&]<class G>(lie::GroupTag<G>) {
    for (int k = first; k < end; ++k) body(NodeTwin<G>{}, cells_[k], corners<G>(cells_[k], q));
  });
}

// Chunks of lines of cells along s1. The last line of every chunk waits until its nodes have what the others add to
// them.
template <class Body>
void Shell::each_adding(const VectorXd& q, Body&& body) const {
  constexpr int cells_of_chunk = 256;
  const int line = cells(0), lines = cells(1), of_chunk = std::max(2, cells_of_chunk / line), chunks = lines / of_chunk;
  if (chunks < 2) return each_of(q, 0, cells(), body);
  const auto end = [&](int k) { return k + 1 < chunks ? (k + 1) * of_chunk : lines; };
  linalg::for_each_task(chunks, [&](int k) { each_of(q, k * of_chunk * line, (end(k) - 1) * line, body); });
  linalg::for_each_task(chunks, [&](int k) { each_of(q, (end(k) - 1) * line, end(k) * line, body); });
}

template <class Body>
void Shell::at_cell(const VectorXd& q, int cell, Body&& body) const {
  lie::visit_rigid_motion(
      group_, [&]<class G>(lie::GroupTag<G>) { body(NodeTwin<G>{}, cells_[cell], corners<G>(cells_[cell], q)); });
}

std::array<Vector6d, 4> Shell::edges_at(const VectorXd& q, int cell) const {
  EdgeVectors theta;
  at_cell(q, cell, [&](auto, const Cell&, const auto& c) { theta = c.theta; });
  return theta;
}

namespace {

/// Velocities of the corners, and θ̇ of the edges.
template <class Both>
struct Rates {
  std::array<Vector6d, 4> v;
  EdgeVectors theta;

  template <class Corners>
  Rates(const Corners& c, const std::array<int, 4>& nodes, const VectorXd& all, int v_at) {
    for (int k = 0; k < 4; ++k) v[k] = Both::twist(c.node[k], all, v_at + 6 * nodes[k]);
    for (int e = 0; e < 4; ++e) theta[e] = relative_rate<typename Both::Twin>(c.theta[e], v[ends[e][0]], v[ends[e][1]]);
  }
};

EdgeVectors no_forces() {
  EdgeVectors n;
  for (Vector6d& x : n) x.setZero();
  return n;
}

}  // namespace

// (SH.7) Every edge acts on its nodes as a segment of a beam does.
void Shell::add_forces(double, const VectorXd& q, const VectorXd& v, VectorRef f) const {
  each_adding(q, [&]<class Both>(Both, const Cell& cell, const auto& c) {
    const Shape& shape = shapes_[cell.shape];
    EdgeVectors n = no_forces();
    add_edge_forces(shape.C, hourglass_, 1, Sums(c.stretched(cell)), n);
    if (viscous_) add_edge_forces(shape.V, hourglass_, 2, Sums(Rates<Both>(c, cell.nodes, v, v_at_).theta), n);
    for (int e = 0; e < 4; ++e) {
      const PairForces on = pair_forces<typename Both::Twin>(c.theta[e], n[e]);
      const int a = ends[e][0], b = ends[e][1];
      Both::add_wrench(c.node[a], on.a, f, v_at_ + 6 * cell.nodes[a]);
      Both::add_wrench(c.node[b], on.b, f, v_at_ + 6 * cell.nodes[b]);
    }
  });
}

double Shell::potential_energy(double, const VectorXd& q) const {
  double sum = 0;
  each_of(q, 0, cells(), [&](auto, const Cell& cell, const auto& c) {
    sum += energy(shapes_[cell.shape].C, hourglass_, Sums(c.stretched(cell)));
  });
  return sum;
}

// (SH.9) With Dθ = (−B, A) on the ends of an edge and F the derivative of the edge forces n by all four θ:
// Df = −Dθᵀ F Dθ, corner by corner, and the derivatives of Dθᵀ n, which are those of a beam segment, (BM.12), (BM.17).
void Shell::add_force_derivatives(double, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                                  NodeMatrix& H) const {
  const bool by_q = scale_q != 0, by_v = scale_v != 0 && viscous_;
  if (!by_q && !by_v) return;
  each_adding(q, [&]<class Both>(Both, const Cell& cell, const auto& c) {
    const Shape& shape = shapes_[cell.shape];
    const auto block = [&](int i, int j) { return Eigen::Map<Matrix6d>(cell.force.blocks()(H, i, j)); };
    std::array<PairRows, 4> D, rate_by_q;
    for (int e = 0; e < 4; ++e) D[e] = pair_rows<Both>(c.theta[e], c.node[ends[e][0]], c.node[ends[e][1]]);
    EdgeVectors n = no_forces();
    if (by_q) {
      add_edge_forces(shape.C, hourglass_, 1, Sums(c.stretched(cell)), n);
      if (viscous_) {
        const Rates<Both> rate(c, cell.nodes, v, v_at_);
        add_edge_forces(shape.V, hourglass_, 2, Sums(rate.theta), n);
        for (int e = 0; e < 4; ++e) {
          const auto [a, b] = ends[e];
          rate_by_q[e] = d_relative_rate_rows<Both>(c.theta[e], D[e], rate.v[a], rate.v[b], c.node[a], c.node[b]);
        }
      }
    }
    std::array<Matrix12x6, 4> at;
    for (int i = 0; i < 4; ++i) at[i] = rows_at(meetings[i], D);
    for (int j = 0; j < 4; ++j) {
      EdgeForceRows dn;
      if (by_q) dn.add(shape.C, hourglass_, scale_q * at[j]);
      if (by_q && viscous_) dn.add(shape.V, hourglass_, 2 * scale_q * rows_at(meetings[j], rate_by_q));
      if (by_v) dn.add(shape.V, hourglass_, 2 * scale_v * at[j]);
      for (int i = 0; i < 4; ++i) block(i, j).noalias() -= at[i].transpose() * dn.at(meetings[i], meetings[j]);
    }
    if (!by_q) return;
    for (int e = 0; e < 4; ++e) {
      for (int end = 0; end < 2; ++end) {
        const int i = ends[e][end];
        Matrix6d K = -scale_q * Both::Twin::d_tangent_op_inv_T_times(end == 0 ? -c.theta[e] : c.theta[e], n[e]);
        Both::rows_to_node(c.node[i], K);
        block(i, ends[e][0]).noalias() += K * D[e].a;
        block(i, ends[e][1]).noalias() += K * D[e].b;
      }
      if constexpr (Both::direct) {
        const auto [a, b] = ends[e];
        const PairForces on = pair_forces<typename Both::Twin>(c.theta[e], n[e]);
        block(a, a) += scale_q * Both::turning(c.node[a], on.a);
        block(b, b) += scale_q * Both::turning(c.node[b], on.b);
      }
    }
  });
}

// (SH.8) w_a = Σ_α (J⁻¹)_αa θ̄_α, J the mean edges in the axes of the surface.
Vector12d Shell::strain(const VectorXd& q, int cell) const {
  Vector12d w;
  at_cell(q, cell, [&](auto, const Cell& x, const auto& c) {
    const Sums s(c.theta);
    const Eigen::Matrix2d A = Eigen::Matrix2d(shapes_[x.shape].edges).inverse();
    for (int a = 0; a < 2; ++a) w.segment<6>(6 * a) = A(0, a) * s.mean.head<6>() + A(1, a) * s.mean.tail<6>();
  });
  return w;
}

Vector12d Shell::stress(const State& x, int cell) const {
  Vector12d stress;
  at_cell(x.q, cell, [&]<class Both>(Both, const Cell& at, const auto& c) {
    const Shape& shape = shapes_[at.shape];
    Vector12d m = shape.C * Sums(c.stretched(at)).mean;
    if (!held_.empty()) m += held_share(x.lambda, cell);
    if (viscous_) m += 2 * (shape.V * Sums(Rates<Both>(c, at.nodes, x.v, v_at_).theta).mean);
    for (int a = 0; a < 2; ++a)
      stress.segment<6>(6 * a) = (shape.edges(a, 0) * m.head<6>() + shape.edges(a, 1) * m.tail<6>()) / shape.area;
  });
  return stress;
}

double Shell::elastic_energy(const VectorXd& q, int cell) const {
  double value = 0;
  at_cell(q, cell, [&](auto, const Cell& x, const auto& c) {
    value = energy(shapes_[x.shape].C, hourglass_, Sums(c.stretched(x)));
  });
  return value;
}

std::string Shell::diagnosis(const VectorXd& q) const {
  std::string text;
  lie::visit_rigid_motion(group_, [&]<class G>(lie::GroupTag<G>) {
    using Twin = typename NodeTwin<G>::Twin;
    for (int k = 0; k < cells() && text.empty(); ++k) {
      const Cell& cell = cells_[k];
      for (int e = 0; e < 4 && text.empty(); ++e) {
        const auto a = NodeTwin<G>::element(q, q_at_ + cell.nodes[ends[e][0]] * q_size_),
                   b = NodeTwin<G>::element(q, q_at_ + cell.nodes[ends[e][1]] * q_size_);
        const double angle = turn_between<Twin>(a, b), turn = cell.flips[e] ? 2 * M_PI - angle : angle;
        if (turn > suspicious_turn)
          text = name() + ": an edge of cell " + std::to_string(k % cells(0)) + ", " + std::to_string(k / cells(0)) +
                 " is turned by " + std::to_string(turn) +
                 " between its ends; beyond 2 pi its strain is not defined. Use more segments";
      }
    }
  });
  return text;
}

}  // namespace filum::parts
