/// Joints of a model. User document: docs/guide/scenarios.md, "Joints".
#pragma once

#include <filum/model/object.hpp>
#include <filum/parts/joint.hpp>

#include <optional>

namespace filum::model {

using parts::JointRows;
using parts::JointType;

/// Partners are joined as they are drawn; `at` and the axes are a point and directions in space in that position. A
/// partner may be a line of nodes, such as an edge of a shell: each of them is joined to the other partner, or to the
/// node of the other line that is drawn beside it.
struct Joint {
  std::string name = {};
  JointType type = JointType::fixed;
  Point first = ground, second = ground;  ///< a distance holds their points; other types the point `at`
  std::optional<Vector3d> at = {};        ///< default: where a beam is held, or the frame of the second partner
  std::optional<Vector3d> axis =
      {};  ///< hinge axis, sliding direction, normal of a plane; universal: fixed in the first partner
  std::optional<Vector3d> axis2 = {};  ///< universal: fixed in the second partner, perpendicular to `axis`
  double length = 0;                   ///< distance: 0 takes the initial one
  std::optional<JointRows> rows = {};  ///< joints that hold a point: the frame of its equations; default: space
};

std::unique_ptr<Object> make_object(const Joint& options);

/// What drives and springs on a joint need of it.
class JointObject : public ObjectOf<Joint> {
 public:
  using ObjectOf::ObjectOf;
  /// Throws OptionError, naming the option `joint`, when it is a line of joints.
  const parts::JointHandle& joint() const;
  /// Where it is drawn, and its axis there: in the frame of the partner that carries it.
  drawing::Symbol symbol(const Records& records, std::size_t link = 0) const;

 protected:
  struct Link {
    parts::JointHandle joint;
    parts::Marker first, second;
    Vector3d axis = Vector3d::UnitZ();  ///< in the frame of the carrier
    bool first_carries = false;
  };
  std::vector<Link> links_;  ///< one, or one per node of a line
};

}  // namespace filum::model
