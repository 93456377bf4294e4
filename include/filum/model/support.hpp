/// Supports: displacements and rotations of nodes that are held where they are drawn. User document:
/// docs/guide/scenarios.md, "Supports".
#pragma once

#include <filum/model/object.hpp>

#include <array>

namespace filum::model {

/// Holds a body, a node of a beam or shell, or every node of an edge, in directions of space.
struct Support {
  std::string name = {};
  Point on = ground;
  std::array<bool, 3> position{};  ///< along x, y, z
  std::array<bool, 3> rotation{};  ///< about them
};

std::unique_ptr<Object> make_object(const Support& options);

}  // namespace filum::model
