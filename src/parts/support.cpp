/// Supports as joints between frames, of which one is the ground. Theory: docs/theory/joints.md, sec. 6.
#include <filum/parts/frame_joint.hpp>
#include <filum/parts/node_frame_inline.hpp>
#include <filum/parts/support.hpp>

#include <stdexcept>

namespace filum::parts {
namespace {

[[noreturn]] void refuse(const SupportOptions& o, const std::string& reason) {
  throw std::invalid_argument("support " + o.name + ": " + reason);
}

}  // namespace

// (J.49) along chosen axes in space, and (J.41) one pair of axes for each rotation that is held.
JointHandle add_support(SystemBuilder& builder, const SupportOptions& o) {
  if (o.at.node == ground) refuse(o, "the ground needs no support");
  FrameJointRows rows;
  for (int k = 0; k < 3; ++k) {
    if (o.position[static_cast<std::size_t>(k)]) rows.along.push_back(k);
    if (o.rotation[static_cast<std::size_t>(k)]) rows.perpendicular.push_back({(k + 1) % 3, (k + 2) % 3});
  }
  if (rows.along.empty() && rows.perpendicular.empty()) refuse(o, "nothing is held");
  if (!rows.perpendicular.empty() && lie::is_point(builder.space().group(o.at.node)))
    refuse(o, "a point has no orientation that could be held");
  const Pose pose = NodeFrame(builder.space(), o.at).pose(builder.start().q);
  FramePair pair{.at_a = o.at, .at_b = {.point = pose.act(o.at.point)}};
  pair.axes_a = pose.R.transpose() * o.axes;
  pair.axes_b = o.axes;
  const auto part = builder.shared_part<FrameJoints>();
  const int number = part->add({.name = o.name,
                                .pair = std::move(pair),
                                .swapped = true,
                                .has_angle = false,
                                .has_displacement = false,
                                .in_space = true,
                                .axes_space = o.axes},
                               rows);
  return {JointHandle::Kind::frames, part, number, true};
}

}  // namespace filum::parts
