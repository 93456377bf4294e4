/// Hints for drawing. User document: docs/guide/results.md, "The report page".
#pragma once

#include <filum/model/facts.hpp>

#include <optional>
#include <string>

namespace filum::model {

/// A shape about the centre of mass of a body; the box of the same inertia when there is none.
struct LookShape {
  drawing::Shape shape = drawing::Shape::box;
  Eigen::Vector3d size = Eigen::Vector3d::Zero();
};

/// Triangles in the frame of a body, and where they came from; see record::read_mesh.
struct LookMesh {
  std::string file = {};
  double scale = 1;
  std::shared_ptr<const Triangles> triangles;
};

struct Look {
  std::optional<LookShape> shape = {};
  std::optional<LookMesh> mesh = {};  ///< instead of a shape
  std::string color = {};             ///< "#rrggbb"; empty: chosen by the page
};

}  // namespace filum::model
