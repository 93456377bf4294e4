/// The shape of a hanging cable. User document: docs/guide/statics.md, "Hanging shapes".
#pragma once

#include <filum/model/shape.hpp>

namespace filum::model {

/// (EQ.18) Nodes of a cable without bending stiffness between two points, on arcs of exactly the length of its
/// segments. Throws OptionError.
NodePoses hanging_poses(const Hanging& shape, const std::vector<double>& grid, const Vector3d& gravity);

}  // namespace filum::model
