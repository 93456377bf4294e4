/// Export of M, D, K and C. Theory: docs/theory/mechanics.md, (M.11).
#include <filum/mechanics/linearize.hpp>

namespace filum::mechanics {

LinearizedBlocks linearized_blocks(const System& system, const State& x) {
  const BlockPattern& p = system.pattern();
  LinearizedBlocks out{NodeMatrix(p), NodeMatrix(p), NodeMatrix(p), RowMatrix(p)};
  system.mass(x.q, out.M);
  system.add_inertia_force_derivatives(x.q, x.v, x.a, 0, -1, out.D);
  system.add_force_derivatives(x.t, x.q, x.v, 0, -1, out.D);
  system.add_inertia_force_derivatives(x.q, x.v, x.a, -1, 0, out.K);
  system.add_force_derivatives(x.t, x.q, x.v, -1, 0, out.K);
  system.add_constraint_force_derivatives(x.t, x.q, x.lambda, 1, out.K);
  system.constraint_jacobian(x.t, x.q, out.C);
  return out;
}

LinearizedSystem linearize(const System& system, const State& x) {
  const LinearizedBlocks b = linearized_blocks(system, x);
  return {linalg::to_sparse(b.M, linalg::Structure::separable), linalg::to_sparse(b.D), linalg::to_sparse(b.K),
          linalg::to_sparse(b.C)};
}

}  // namespace filum::mechanics
