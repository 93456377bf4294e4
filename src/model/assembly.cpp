/// Points of objects while a model becomes a system. How to add a kind of object: docs/how-to-add-an-object.md.
#include <filum/model/assembly.hpp>
#include <filum/parts/frame_reader.hpp>
#include <filum/parts/group_choice.hpp>

#include <algorithm>

namespace filum::model {

bool Plan::is_held(int object) const {
  std::vector<int> reached{object};
  const auto reach = [&](const Point& p) {
    if (std::find(reached.begin(), reached.end(), p.object) == reached.end()) reached.push_back(p.object);
  };
  for (std::size_t k = 0; k < reached.size(); ++k) {
    if (std::find(held_.begin(), held_.end(), reached[k]) != held_.end()) return true;
    for (const PlannedJoint& j : joints_) {
      const bool first = !j.first.is_ground() && j.first.object == reached[k];
      if (!first && (j.second.is_ground() || j.second.object != reached[k])) continue;
      const Point& other = first ? j.second : j.first;
      if (other.is_ground()) return true;
      reach(other);
    }
  }
  return false;
}

Assembly::Assembly(const Objects& objects, const Plan& plan, double start_time, const Vector3d& gravity)
    : objects_(objects), plan_(plan), gravity_(gravity) {
  system_.start().t = start_time;
}

parts::Marker Assembly::marker(const Point& point) const {
  if (point.is_ground()) return {.point = point.offset};
  return object(point).marker(point.place, point.offset);
}

parts::Pose Assembly::initial_pose(const parts::Marker& m) const {
  return parts::FrameReader(system_.space(), m).pose(system_.start().q);
}

parts::Marker Assembly::marker_in_space(const Point& point, const Vector3d& x) const {
  parts::Marker m = marker(point);
  m.point = m.node == parts::ground ? x : parts::FrameReader(system_.space(), m).locate(system_.start().q, x);
  return m;
}

Vector3d Assembly::initial_position(const Point& point) const {
  const parts::Marker m = marker(point);
  return initial_pose(m).act(m.point);
}

Matrix3d Assembly::initial_rotation(const Point& point) const { return initial_pose(marker(point)).R; }

lie::GroupId Assembly::choose_group(const std::string& object, parts::FlexibleSurroundings around) {
  around.is_held = plan_.is_held(current_);
  const parts::GroupChoice choice = parts::choose_group(around);
  remark(object + ": group " + std::string(lie::name(choice.group)) + ", because " + choice.reason);
  return choice.group;
}

}  // namespace filum::model
