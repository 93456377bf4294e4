/// What objects see while a model becomes a system. How to add a kind of object: docs/how-to-add-an-object.md.
#pragma once

#include <filum/mechanics/system_builder.hpp>
#include <filum/model/object.hpp>
#include <filum/parts/gravity.hpp>
#include <filum/parts/group_choice.hpp>
#include <filum/parts/joint.hpp>

#include <optional>

namespace filum::model {

/// A planned joint, for automatic choices of groups and fixed points.
struct PlannedJoint {
  parts::JointType type;
  Point first, second;
  std::optional<Vector3d> at;
};

/// What must be known before there are nodes.
class Plan {
 public:
  /// Something will be attached at a node there.
  void need_node(const Point& point) { needed_.push_back(point); }
  /// Places of an object that must become nodes.
  std::vector<Place> needed_places(int object) const {
    std::vector<Place> places;
    for (const Point& p : needed_)
      if (p.object == object && !p.place.is_whole()) places.push_back(p.place);
    return places;
  }
  void add(PlannedJoint joint) { joints_.push_back(std::move(joint)); }
  const std::vector<PlannedJoint>& joints() const { return joints_; }
  /// The ground holds or moves this point.
  void hold(const Point& point) { held_.push_back(point.object); }
  /// Whether joints lead from this object to the ground, directly or through others.
  bool is_held(int object) const;

 private:
  std::vector<Point> needed_;
  std::vector<int> held_;
  std::vector<PlannedJoint> joints_;
};

class Assembly {
 public:
  Assembly(const Objects& objects, const Plan& plan, double start_time, const Vector3d& gravity);

  mechanics::SystemBuilder& system() { return system_; }
  const Plan& plan() const { return plan_; }
  /// Number of the object that is being built.
  int current() const { return current_; }

  Object& object(const Point& point) const { return *objects_[static_cast<std::size_t>(point.object)]; }
  /// The node a point belongs to, and the point in the frame of that node; on the ground the point in space.
  parts::Marker marker(const Point& point) const;
  /// The same node, at the point that is at x in space in the initial position.
  parts::Marker marker_in_space(const Point& point, const Vector3d& x) const;
  /// Where a point is in the initial position, and the orientation of its node.
  Vector3d initial_position(const Point& point) const;
  Matrix3d initial_rotation(const Point& point) const;

  const Vector3d& gravity() const { return gravity_; }
  /// A mass that gravity acts on.
  void weigh(const parts::Marker& at, double mass) { masses_.push_back({at, mass}); }
  /// A component of v that the joints may choose: the smallest that fits what is given.
  void leave_velocity(int component) { free_velocities_.push_back(component); }
  /// (J.91) The group of a beam or shell with group = "auto", with a remark. What holds it is known here.
  lie::GroupId choose_group(const std::string& object, parts::FlexibleSurroundings around);
  /// Decisions of the program, for the user.
  void remark(std::string text) { remarks_.push_back(std::move(text)); }

 private:
  friend class Model;
  struct Mass {
    parts::Marker at;
    double mass;
  };
  parts::Pose initial_pose(const parts::Marker& marker) const;

  const Objects& objects_;
  const Plan& plan_;
  const Vector3d gravity_;
  mechanics::SystemBuilder system_;
  int current_ = -1;
  std::vector<Mass> masses_;
  std::vector<int> free_velocities_;
  std::vector<std::string> remarks_;
};

}  // namespace filum::model
