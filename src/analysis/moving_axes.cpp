/// Linearisation about motions. Theory: docs/theory/modes.md, sec. 2.
#include "moving_axes.hpp"

#include "node_products.hpp"
#include "shifted_factor.hpp"

#include <filum/lie/matrix3.hpp>
#include <filum/mechanics/acceleration_solver.hpp>
#include <filum/parts/frame_reader.hpp>

#include <cmath>

namespace filum::analysis {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Blocks = std::vector<MatrixXd>;  ///< a block diagonal matrix, node by node

/// (MO.6) ξ = Y ζ with Ẏ = Y W.
struct MovingAxes {
  Blocks Y, W, W_dot;
};

MovingAxes axes_of(const System& s, const State& x, Axes axes) {
  MovingAxes out;
  const auto& space = s.space();
  for (int i = 0; i < space.nodes(); ++i) {
    const lie::GroupId group = space.group(i);
    const int dim = lie::dim(group), at = space.v_offset(i);
    MatrixXd Y = MatrixXd::Identity(dim, dim), W = MatrixXd::Zero(dim, dim), W_dot = MatrixXd::Zero(dim, dim);
    if (!lie::is_point(group)) {
      const Matrix3d R = parts::FrameReader(space, {.node = i}).pose(x.q).R;
      const Vector3d omega = x.v.segment<3>(at), alpha = x.a.segment<3>(at);
      // The half in body axes is turned into those of space, or the other way round.
      const auto turn = [&](int k, bool to_space) {
        const Vector3d w = to_space ? Vector3d(-(R * omega)) : omega, w_dot = to_space ? Vector3d(-(R * alpha)) : alpha;
        Y.block<3, 3>(k, k) = to_space ? Matrix3d(R.transpose()) : R;
        W.block<3, 3>(k, k) = lie::skw(w);
        W_dot.block<3, 3>(k, k) = lie::skw(w_dot);
      };
      const bool has_direct_half = lie::is_rigid_motion(group) && !lie::is_semidirect(group);
      if (axes == Axes::space) turn(0, true);
      if (axes == Axes::space && lie::is_semidirect(group)) turn(3, true);
      if (axes == Axes::body && has_direct_half) turn(3, false);
    }
    out.Y.push_back(std::move(Y)), out.W.push_back(std::move(W)), out.W_dot.push_back(std::move(W_dot));
  }
  return out;
}

Blocks hats(const System& s, const VectorXd& v) {
  return node_blocks(s.space(), [&](const VectorXd& w, VectorXd& out) { s.space().bracket(v, w, out); });
}

template <class F>
void for_each_block(NodeMatrix& H, F&& f) {
  const auto& p = H.pattern();
  for (int i = 0; i < p.nodes(); ++i) {
    f(i, i, H.block(i, i));
    for (const int j : p.upper_neighbours(i)) f(i, j, H.block(i, j)), f(j, i, H.block(j, i));
  }
}

/// H B and Aᵀ H.
NodeMatrix times(NodeMatrix H, const Blocks& B) {
  for_each_block(H, [&](int, int j, auto block) { block = (block * B[static_cast<std::size_t>(j)]).eval(); });
  return H;
}
NodeMatrix transpose_times(const Blocks& A, NodeMatrix H) {
  for_each_block(H,
                 [&](int i, int, auto block) { block = (A[static_cast<std::size_t>(i)].transpose() * block).eval(); });
  return H;
}
void add(NodeMatrix& H, double scale, const NodeMatrix& G) { H.values() += scale * G.values(); }

RowMatrix times(RowMatrix C, const Blocks& B) {
  const auto& p = C.pattern();
  for (int k = 0; k < p.row_blocks(); ++k)
    for (const linalg::NodeRef& ref : p.refs(p.row_block(k))) {
      Eigen::Map<MatrixXd> block(C.data() + ref.value_offset, p.row_block(k).rows, p.dim(ref.node));
      block = (block * B[static_cast<std::size_t>(ref.node)]).eval();
    }
  return C;
}

Blocks product(const Blocks& A, const Blocks& B) {
  Blocks out;
  for (std::size_t i = 0; i < A.size(); ++i) out.emplace_back(A[i] * B[i]);
  return out;
}

Blocks sum(Blocks A, const Blocks& B) {
  for (std::size_t i = 0; i < A.size(); ++i) A[i] += B[i];
  return A;
}

SparseMatrix to_sparse(const System& s, const Blocks& A) {
  NodeMatrix out(s.pattern());
  for (int i = 0; i < s.pattern().nodes(); ++i) out.block(i, i) = A[static_cast<std::size_t>(i)];
  return linalg::to_sparse(out, linalg::Structure::separable);
}

/// (MO.8) D_q(C v) on the nonholonomic rows, by central differences; zeros elsewhere.
RowMatrix nonholonomic_derivative(const System& s, const State& x) {
  const auto& p = s.pattern();
  RowMatrix out(p), C(p);
  constexpr double h = 6e-6;
  VectorXd q = x.q, plus(s.size_rows()), minus(s.size_rows());
  for (int node = 0; node < p.nodes(); ++node)
    for (int c = 0; c < p.dim(node); ++c) {
      const auto moved = [&](double step, VectorXd& Cv) {
        s.space().advance_node(node, x.q, c, step, q);
        s.constraint_jacobian(x.t, q, C);
        C.times(x.v, Cv, s.row_blocks());
      };
      moved(h, plus), moved(-h, minus);
      s.space().advance_node(node, x.q, c, 0, q);
      for (const linalg::Incidence& i : p.incidence(node)) {
        if (i.block < s.holonomic_blocks()) continue;
        const linalg::RowBlock& b = p.row_block(i.block);
        for (int r = 0; r < b.rows; ++r)
          out.data()[i.value_offset + c * b.rows + r] = (plus[b.first_row + r] - minus[b.first_row + r]) / (2 * h);
      }
    }
  return out;
}

/// (MO.8) R of the nonholonomic rows.
RowMatrix velocity_rows(const System& s, const State& x, const RowMatrix& C, const Blocks& hat, const MovingAxes& a) {
  RowMatrix R(s.pattern());
  if (s.size_mu() == 0) return R;
  R.values() = times(nonholonomic_derivative(s, x), a.Y).values() + times(times(C, hat), a.Y).values() +
               times(times(C, a.Y), a.W).values();
  for (int k = 0; k < s.holonomic_blocks(); ++k) {
    const linalg::RowBlock& b = s.pattern().row_block(k);
    for (const linalg::NodeRef& ref : s.pattern().refs(b))
      R.values().segment(ref.value_offset, b.rows * s.pattern().dim(ref.node)).setZero();
  }
  return R;
}

}  // namespace

Linearization moving_linearization(const System& s, const State& x, const RowSelection& rows, Axes axes) {
  mechanics::LinearizedBlocks b = mechanics::linearized_blocks(s, x);
  const Blocks v_hat = hats(s, x.v), a_hat = hats(s, x.a);
  // (MO.5) δv = ξ̇ + v̂ ξ
  NodeMatrix D = times(b.M, v_hat), K = times(b.D, v_hat);
  add(D, 1, b.D);
  add(K, 1, b.K);
  add(K, 1, times(b.M, a_hat));
  // (MO.7) ξ = Y ζ
  MovingAxes a = axes_of(s, x, axes);
  const Blocks YW = product(a.Y, a.W);
  Blocks second = product(YW, a.W);
  for (std::size_t i = 0; i < second.size(); ++i) second[i] += a.Y[i] * a.W_dot[i];
  NodeMatrix K_axes = times(K, a.Y), D_axes = times(D, a.Y);
  add(K_axes, 1, times(D, YW));
  add(K_axes, 1, times(b.M, second));
  add(D_axes, 2, times(b.M, YW));
  RowMatrix R = velocity_rows(s, x, b.C, v_hat, a);
  return {.system = &s,
          .x = x,
          .rows = rows,
          .axes = axes,
          .M = transpose_times(a.Y, times(b.M, a.Y)),
          .D = transpose_times(a.Y, std::move(D_axes)),
          .K = transpose_times(a.Y, std::move(K_axes)),
          .C = times(std::move(b.C), a.Y),
          .R = std::move(R),
          .Y = to_sparse(s, a.Y),
          .V = to_sparse(s, sum(YW, product(v_hat, a.Y))),
          .A1 = to_sparse(s, sum(YW, sum(YW, product(v_hat, a.Y)))),
          .A0 = to_sparse(s, sum(second, sum(product(v_hat, YW), product(a_hat, a.Y))))};
}

// (MO.9) Accelerations that some small displacements and velocities cause, now and a little later.
double unsteadiness(const Linearization& lin) {
  const System& s = *lin.system;
  double rate = 0;
  for (int i = 0; i < s.space().nodes(); ++i)
    if (!lie::is_point(s.space().group(i))) rate = std::max(rate, lin.x.v.segment<3>(s.space().v_offset(i)).norm());
  if (!(rate > 0)) rate = lin.x.v.lpNorm<Eigen::Infinity>();
  const double dt = 1e-3 / rate;
  State later = lin.x;
  s.space().advance(lin.x.q, dt, lin.x.v + 0.5 * dt * lin.x.a, later.q);
  later.v += dt * lin.x.a;
  later.t += dt;
  mechanics::AccelerationSolver solver(s, lin.rows);
  if (!solver.solve(later).ok) return std::numeric_limits<double>::infinity();
  const Linearization next = moving_linearization(s, later, lin.rows, lin.axes);
  ShiftedFactor now_factor(lin), next_factor(next);
  if (!now_factor.factorize(0, 0, 1) || !next_factor.factorize(0, 0, 1)) return std::numeric_limits<double>::infinity();
  const SparseMatrix K[] = {linalg::to_sparse(lin.K), linalg::to_sparse(next.K)},
                     D[] = {linalg::to_sparse(lin.D), linalg::to_sparse(next.D)};
  NodeMatrix forces(s.pattern());  // without inertia: what a fast spin must not hide
  const VectorXd rest = VectorXd::Zero(lin.size());
  s.add_force_derivatives(lin.x.t, lin.x.q, rest, -1, 0, forces);
  s.add_constraint_force_derivatives(lin.x.t, lin.x.q, lin.x.lambda, 1, forces);
  const auto relative = [](const VectorXd& difference, double scale, double largest) {
    constexpr double least = 1e-6;  // of what there is at all: below that it is rounding errors
    return difference.norm() / std::max(scale, least * largest);
  };
  double change = 0;
  for (int trial = 0; trial < 3; ++trial) {
    VectorXd u(lin.size()), allowed(lin.size());
    for (int i = 0; i < lin.size(); ++i) u[i] = std::sin(1.0 + (12.9898 + trial) * i);
    u = now_factor.project(u);
    allowed = next_factor.project(u);
    const double size = u.norm();
    if (!(size > 0)) continue;
    change = std::max(change, (allowed - u).norm() / size);
    const VectorXd a0 = now_factor.solve(K[0] * u), a1 = next_factor.solve(K[1] * allowed),
                   b0 = now_factor.solve(D[0] * u), b1 = next_factor.solve(D[1] * allowed);
    const double held = now_factor.solve(linalg::to_sparse(forces) * (lin.Y * u)).norm();
    change = std::max(
        {change, relative(a1 - a0, held, a0.norm() + rate * rate * size), relative(b1 - b0, b0.norm(), rate * size)});
  }
  return change / (dt * rate);
}

}  // namespace filum::analysis
