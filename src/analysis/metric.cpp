/// Rotations count as they are, displacements relative to the size of the model. Theory: docs/theory/statics.md,
/// (EQ.3).
#include "metric.hpp"

#include <filum/parts/frame_reader.hpp>

namespace filum::analysis {

Metric metric_of(const mechanics::System& system, const mechanics::VectorXd& q) {
  Metric out{1, mechanics::VectorXd(system.size_v())};
  Eigen::Array3d low = Eigen::Array3d::Constant(1e300), high = -low;
  const auto& space = system.space();
  for (int i = 0; i < space.nodes(); ++i) {
    if (lie::is_rotation(space.group(i))) continue;
    const Eigen::Array3d x = parts::FrameReader(space, {.node = i}).pose(q).x.array();
    low = low.min(x), high = high.max(x);
  }
  const double span = (high - low).matrix().norm();
  const double farthest = high.abs().max(low.abs()).maxCoeff();  // of a single node: from the origin
  if ((high >= low).all()) out.size = span > 1e-9 * farthest && span > 0 ? span : farthest > 0 ? farthest : 1;
  for (int i = 0; i < space.nodes(); ++i) {
    const int rotations = lie::is_point(space.group(i)) ? 0 : 3;
    for (int k = 0; k < lie::dim(space.group(i)); ++k)
      out.weights[space.v_offset(i) + k] = k < rotations ? 1 : 1 / (out.size * out.size);
  }
  return out;
}

}  // namespace filum::analysis
