/// What a built model consists of. User document: docs/guide/cpp.md.
#pragma once

#include <filum/model/built_model.hpp>

namespace filum::model {

struct BuiltModel::Data {
  struct NodeRange {
    int first, count;
  };
  std::shared_ptr<const Objects> objects;
  std::string title;
  Vector3d gravity = Vector3d::Zero();
  Units units;
  std::vector<NodeRange> owners;  ///< nodes of every object
  std::shared_ptr<const System> system;
  State start;
  mechanics::ConsistencyReport consistency;
  std::vector<std::string> remarks;
};

}  // namespace filum::model
