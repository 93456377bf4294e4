/// Hints for drawing. User document: docs/guide/results.md, "The report page".
#pragma once

#include <filum/model/facts.hpp>

#include <optional>
#include <string>

namespace filum::model {

/// A shape in the frame of a body; the box of the same inertia when there is none.
struct LookShape {
  drawing::Shape shape = drawing::Shape::box;
  Eigen::Vector3d size = Eigen::Vector3d::Zero();
};

struct Look {
  std::optional<LookShape> shape = {};
  std::string color = {};  ///< "#rrggbb"; empty: chosen by the page
};

}  // namespace filum::model
