/// Points of objects while a model becomes a system. How to add a kind of object: docs/how-to-add-an-object.md.
#include <filum/model/assembly.hpp>
#include <filum/parts/node_frame_inline.hpp>

namespace filum::model {

Assembly::Assembly(const Objects& objects, const Plan& plan, double start_time, const Vector3d& gravity)
    : objects_(objects), plan_(plan), gravity_(gravity) {
  system_.start().t = start_time;
}

parts::Marker Assembly::marker(const Point& point) const {
  if (point.is_ground()) return {.point = point.offset};
  return object(point).marker(point.place, point.offset);
}

parts::Pose Assembly::initial_pose(const parts::Marker& m) const {
  return parts::NodeFrame(system_.space(), m).pose(system_.start().q);
}

parts::Marker Assembly::marker_in_space(const Point& point, const Vector3d& x) const {
  parts::Marker m = marker(point);
  m.point = m.node == parts::ground ? x : parts::NodeFrame(system_.space(), m).locate(system_.start().q, x);
  return m;
}

Vector3d Assembly::initial_position(const Point& point) const {
  const parts::Marker m = marker(point);
  return initial_pose(m).act(m.point);
}

Matrix3d Assembly::initial_rotation(const Point& point) const { return initial_pose(marker(point)).R; }

}  // namespace filum::model
