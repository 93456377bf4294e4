/// A metric in which rotations and displacements are comparable. Theory: docs/theory/statics.md, (EQ.3).
#pragma once

#include <filum/mechanics/system.hpp>

namespace filum::analysis {

struct Metric {
  double size = 1;              ///< largest distance between nodes, or what is best in its place
  mechanics::VectorXd weights;  ///< the diagonal of W: 1 for rotations, 1 / size² for displacements
};

Metric metric_of(const mechanics::System& system, const mechanics::VectorXd& q);

}  // namespace filum::analysis
