/// Export of M, D, K and C. Theory: docs/theory/mechanics.md, (M.11).
#include <filum/mechanics/linearize.hpp>

namespace filum::mechanics {

LinearizedSystem linearize(const System& system, const State& x) {
  LinearizedSystem out;
  NodeMatrix H(system.pattern());
  system.mass(x.q, H);
  out.M = linalg::to_sparse(H, linalg::Structure::separable);
  H.set_zero();
  system.add_inertia_force_derivatives(x.q, x.v, x.a, 0, -1, H);
  system.add_force_derivatives(x.t, x.q, x.v, 0, -1, H);
  out.D = linalg::to_sparse(H);
  H.set_zero();
  system.add_inertia_force_derivatives(x.q, x.v, x.a, -1, 0, H);
  system.add_force_derivatives(x.t, x.q, x.v, -1, 0, H);
  system.add_constraint_force_derivatives(x.t, x.q, x.lambda, 1, H);
  out.K = linalg::to_sparse(H);
  RowMatrix C(system.pattern());
  system.constraint_rows(x.t, x.q, C);
  out.C = linalg::to_sparse(C);
  return out;
}

}  // namespace filum::mechanics
