/// Disks that roll on the plane z = 0. User document: docs/guide/scenarios.md, "Joints".
#pragma once

#include <filum/model/object.hpp>

namespace filum::model {

/// A thin disk in the first two axes of the frame of a body, which rolls without slipping.
struct RollingDisk {
  std::string name = {};
  Point body = ground;
  double radius = 0;
};

std::unique_ptr<Object> make_object(const RollingDisk& options);

}  // namespace filum::model
