/// First-order equations in minimal coordinates. Theory: docs/theory/modes.md, (MO.23).
#include "state_matrix.hpp"

#include "tangent_basis.hpp"

#include <filum/analysis/modes.hpp>
#include <filum/linalg/dense_decompositions.hpp>

namespace filum::analysis {

using Eigen::MatrixXd;

StateMatrix state_matrix(const Linearization& lin) {
  const System& s = *lin.system;
  const MatrixXd C = active_rows(lin, lin.C, s.row_blocks());
  StateMatrix out;
  out.velocity = null_space(C);
  out.position = s.size_mu() > 0 ? null_space(active_rows(lin, lin.C, s.holonomic_blocks())) : out.velocity;
  const MatrixXd &Y = out.position, &W = out.velocity;
  // The smallest ζ̇ with C ζ̇ + R ζ = 0.
  out.drift = MatrixXd::Zero(lin.size(), Y.cols());
  if (s.size_mu() > 0 && !lin.R.values().isZero(0))
    out.drift = -linalg::LeastNorm(C).solve_columns(active_rows(lin, lin.R, s.row_blocks()) * Y);
  const MatrixXd& G = out.drift;
  const SparseMatrix M = linalg::to_sparse(lin.M, linalg::Structure::separable), D = linalg::to_sparse(lin.D),
                     K = linalg::to_sparse(lin.K);
  auto inverse_mass = linalg::solve_positive_definite(W.transpose() * (M * W), W.transpose());
  if (!inverse_mass)
    throw NoModes("the mass matrix is singular for motions that the constraints allow; give every node an inertia");
  out.inverse_mass = std::move(*inverse_mass);
  const MatrixXd YG = Y.transpose() * G, YW = Y.transpose() * W;
  out.A.resize(Y.cols() + W.cols(), Y.cols() + W.cols());
  out.A << YG, YW, -out.inverse_mass * (M * (G * YG) + D * G + K * Y), -out.inverse_mass * (M * (G * YW) + D * W);
  return out;
}

}  // namespace filum::analysis
