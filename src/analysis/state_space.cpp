/// From forces to readings. Theory: docs/theory/modes.md, sec. 6.
#include "state_matrix.hpp"
#include "tangent_basis.hpp"

#include <filum/analysis/modes.hpp>
#include <filum/analysis/state_space.hpp>
#include <filum/linalg/dense_decompositions.hpp>

#include <Eigen/SparseLU>

namespace filum::analysis {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using ComplexMatrix = Eigen::SparseMatrix<Complex>;

constexpr double step = 6e-6;  // third root of the rounding unit

/// Central differences by the entries of one vector of the state.
class OutputColumns {
 public:
  OutputColumns(const State& x, int size, const std::function<void(const State&, double*)>& read)
      : x_(x), read_(read), plus_(size), minus_(size) {}

  /// move(state, k, h) moves along entry k and undoes that with h = 0.
  template <class Move>
  SparseMatrix by(Index count, double h, const Move& move) {
    std::vector<Eigen::Triplet<double>> entries;
    for (Index k = 0; k < count; ++k) {
      move(x_, k, h);
      read_(x_, plus_.data());
      move(x_, k, -h);
      read_(x_, minus_.data());
      move(x_, k, 0);
      for (Index i = 0; i < plus_.size(); ++i)
        if (const double d = (plus_[i] - minus_[i]) / (2 * h); d != 0) entries.emplace_back(i, k, d);
    }
    SparseMatrix out(plus_.size(), count);
    out.setFromTriplets(entries.begin(), entries.end());
    return out;
  }

 private:
  State x_;
  const std::function<void(const State&, double*)>& read_;
  VectorXd plus_, minus_;
};

double step_of(const VectorXd& v) { return step * (1 + (v.size() > 0 ? v.lpNorm<Eigen::Infinity>() : 0)); }

}  // namespace

OutputMap differentiate_outputs(const System& s, const State& x, int size,
                                const std::function<void(const State&, double*)>& read) {
  OutputColumns columns(x, size, read);
  std::vector<int> node_of;
  for (int i = 0; i < s.space().nodes(); ++i)
    node_of.insert(node_of.end(), static_cast<std::size_t>(lie::dim(s.space().group(i))), i);
  const auto entry = [](VectorXd State::*part, const State& at) {
    return [part, &at](State& moved, Index k, double h) { (moved.*part)[k] = (at.*part)[k] + h; };
  };
  return {.by_q = columns.by(s.size_v(), step,
                             [&](State& moved, Index k, double h) {
                               const int node = node_of[static_cast<std::size_t>(k)];
                               s.space().advance_node(node, x.q, static_cast<int>(k) - s.space().v_offset(node), h,
                                                      moved.q);
                             }),
          .by_v = columns.by(s.size_v(), step_of(x.v), entry(&State::v, x)),
          .by_a = columns.by(s.size_v(), step_of(x.a), entry(&State::a, x)),
          .by_lambda = columns.by(s.size_rows(), step_of(x.lambda), entry(&State::lambda, x))};
}

StateSpace state_space(const LinearModel& model) {
  const Linearization& lin = model.lin;
  const StateMatrix m = state_matrix(lin);
  const Index y = m.position.cols(), w = m.velocity.cols(), n = lin.size(), u = model.forces.cols();
  // ζ, ζ̇ and ζ̈ by state and input.
  MatrixXd zeta = MatrixXd::Zero(n, y + w), rate(n, y + w);
  zeta.leftCols(y) = m.position;
  rate << m.drift, m.velocity;
  const MatrixXd acceleration = m.drift * m.A.topRows(y) + m.velocity * m.A.bottomRows(w);
  const MatrixXd forces = lin.Y.transpose() * model.forces, pushed = m.inverse_mass * forces;
  const MatrixXd kick = m.velocity * pushed;
  // Cᵀλ is what is left of the forces.
  const SparseMatrix M = linalg::to_sparse(lin.M, linalg::Structure::separable), D = linalg::to_sparse(lin.D),
                     K = linalg::to_sparse(lin.K);
  const MatrixXd left = -(M * acceleration + D * rate + K * zeta), left_u = forces - M * kick;
  MatrixXd lambda = MatrixXd::Zero(lin.system->size_rows(), y + w),
           lambda_u = MatrixXd::Zero(lin.system->size_rows(), u);
  const MatrixXd C = active_rows(lin, lin.C, lin.system->row_blocks());
  if (C.rows() > 0) {
    const linalg::LeastNorm solver(C.transpose());
    const MatrixXd active = solver.solve_columns(left), active_u = solver.solve_columns(left_u);
    for (int row = 0, k = 0; row < lin.system->size_rows(); ++row)
      if (lin.rows.is_active(row)) lambda.row(row) = active.row(k), lambda_u.row(row) = active_u.row(k), ++k;
  }
  const OutputMap& o = model.outputs;
  StateSpace out;
  out.A = m.A;
  out.B = MatrixXd::Zero(y + w, u);
  out.B.bottomRows(w) = pushed;
  out.C = o.by_q * (lin.Y * zeta) + o.by_v * (lin.Y * rate + lin.V * zeta) +
          o.by_a * (lin.Y * acceleration + lin.A1 * rate + lin.A0 * zeta) + o.by_lambda * lambda;
  out.D = o.by_a * (lin.Y * kick) + o.by_lambda * lambda_u;
  return out;
}

std::vector<MatrixXcd> frequency_response(const LinearModel& model, const std::vector<double>& omegas) {
  const Linearization& lin = model.lin;
  const System& sys = *lin.system;
  const int n = lin.size(), rows = sys.size_rows();
  const SparseMatrix M = linalg::to_sparse(lin.M), D = linalg::to_sparse(lin.D), K = linalg::to_sparse(lin.K),
                     C = linalg::to_sparse(lin.C, lin.rows), R = linalg::to_sparse(lin.R, lin.rows);
  MatrixXcd right = MatrixXcd::Zero(n + rows, model.forces.cols());
  right.topRows(n) = (lin.Y.transpose() * model.forces).cast<Complex>();
  Eigen::SparseLU<ComplexMatrix> solver;
  std::vector<MatrixXcd> out;
  const OutputMap& o = model.outputs;
  for (const double omega : omegas) {
    const Complex s(0, omega);
    std::vector<Eigen::Triplet<Complex>> entries;
    const auto add = [&](const SparseMatrix& A, int row, int column, Complex factor, bool transposed = false) {
      for (int j = 0; j < A.outerSize(); ++j)
        for (SparseMatrix::InnerIterator it(A, j); it; ++it) {
          const int i = static_cast<int>(it.row());
          entries.emplace_back(row + (transposed ? j : i), column + (transposed ? i : j), factor * it.value());
        }
    };
    add(M, 0, 0, s * s), add(D, 0, 0, s), add(K, 0, 0, 1), add(C, 0, n, 1, true);
    // Holonomic rows are C ζ = 0, the others (s C + R) ζ = 0.
    const auto split = [&](const SparseMatrix& A, Complex holonomic, Complex other) {
      for (int j = 0; j < A.outerSize(); ++j)
        for (SparseMatrix::InnerIterator it(A, j); it; ++it)
          entries.emplace_back(n + static_cast<int>(it.row()), j,
                               (it.row() < sys.size_lambda() ? holonomic : other) * it.value());
    };
    split(C, 1, s), split(R, 0, 1);
    for (const int row : lin.rows.inactive()) entries.emplace_back(n + row, n + row, 1);
    ComplexMatrix A(n + rows, n + rows);
    A.setFromTriplets(entries.begin(), entries.end());
    A.makeCompressed();
    if (out.empty()) solver.analyzePattern(A);
    solver.factorize(A);
    if (solver.info() != Eigen::Success)
      throw NoModes("the response at omega = " + std::to_string(omega) + " is infinite: the system resonates undamped");
    const MatrixXcd x = solver.solve(right);
    const MatrixXcd zeta = x.topRows(n), lambda = x.bottomRows(rows);
    const auto times = [](const SparseMatrix& map, const MatrixXcd& z) { return MatrixXcd(map.cast<Complex>() * z); };
    const MatrixXcd Yz = times(lin.Y, zeta);
    out.push_back(times(o.by_q, Yz) + times(o.by_v, s * Yz + times(lin.V, zeta)) +
                  times(o.by_a, s * s * Yz + s * times(lin.A1, zeta) + times(lin.A0, zeta)) +
                  times(o.by_lambda, lambda));
  }
  return out;
}

}  // namespace filum::analysis
