/// Rotations count as they are, displacements relative to the size of the model. Theory: docs/theory/statics.md,
/// (EQ.3).
#include "metric.hpp"

#include <filum/mechanics/nodes.hpp>

namespace filum::analysis {

Metric metric_of(const mechanics::System& system, const mechanics::VectorXd& q) {
  Metric out{1, mechanics::VectorXd(system.size_v())};
  Eigen::Array3d low = Eigen::Array3d::Constant(1e300), high = -low;
  mechanics::for_each_node(system.space(), [&]<class G>(lie::GroupTag<G>, int, int q_at, int) {
    Eigen::Array3d x = Eigen::Array3d::Zero();
    if constexpr (lie::RigidMotion<G>) {
      x = G::position(mechanics::element<G>(q, q_at)).array();
    } else if constexpr (requires { &G::rotation; }) {
      return;
    } else {
      x.head(G::dim) = mechanics::element<G>(q, q_at).array();
    }
    low = low.min(x), high = high.max(x);
  });
  const double span = (high - low).matrix().norm();
  const double farthest = high.abs().max(low.abs()).maxCoeff();  // of a single node: from the origin
  if ((high >= low).all()) out.size = span > 1e-9 * farthest && span > 0 ? span : farthest > 0 ? farthest : 1;
  mechanics::for_each_node(system.space(), [&]<class G>(lie::GroupTag<G>, int, int, int v_at) {
    int rotations = 0;
    if constexpr (lie::RigidMotion<G> || requires { &G::rotation; }) rotations = 3;
    for (int k = 0; k < G::dim; ++k) out.weights[v_at + k] = k < rotations ? 1 : 1 / (out.size * out.size);
  });
  return out;
}

}  // namespace filum::analysis
