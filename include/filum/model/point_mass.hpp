/// Point masses of a model. User document: docs/guide/cpp.md.
#pragma once

#include <filum/lie/group_id.hpp>
#include <filum/model/look.hpp>
#include <filum/model/object.hpp>

namespace filum::model {

/// In R1 and R2 the first components of position and velocity count; the others must be zero.
struct PointMass {
  std::string name = {};
  lie::GroupId group = lie::GroupId::R3;
  double mass = 0;
  Vector3d position = Vector3d::Zero();
  Vector3d velocity = Vector3d::Zero();
  Look look = {};
};

std::unique_ptr<Object> make_object(const PointMass& options);

}  // namespace filum::model
