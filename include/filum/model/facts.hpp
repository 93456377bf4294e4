/// What a run says about itself: its objects, how they are drawn, what can be plotted. Code that shows or compares runs
/// knows these facts, and no kinds of objects. User document: docs/guide/results.md, "Facts".
#pragma once

#include <filum/model/units.hpp>

#include <Eigen/Core>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace filum::model {

/// A point that moves with a node of an object, or stays where it is.
struct Anchor {
  std::string object;  ///< empty: the ground
  int node = 0;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< in the frame of the node; of the ground: in space

  bool is_ground() const { return object.empty(); }
  bool operator==(const Anchor&) const = default;
};

/// Triangles for drawing only: three numbers per point, three points per triangle.
struct Triangles {
  std::vector<float> points;
  std::vector<std::uint32_t> corners;

  bool operator==(const Triangles&) const = default;
};

/// Primitives that drawings are made of. A node n of an object has the position and orientation of its series.
namespace drawing {

enum class Shape { box, cylinder, sphere, disk };

/// A rigid shape at a node, which fills `size` along its own three axes; a cylinder and a disk stand on their third
/// axis. A disk of no thickness is drawn thin.
struct Solid {
  int node = 0;
  Shape shape = Shape::box;
  Eigen::Vector3d size = Eigen::Vector3d::Zero();
  Eigen::Vector3d position = Eigen::Vector3d::Zero();         ///< of its centre, in the frame of the node
  Eigen::Vector4d orientation = Eigen::Vector4d(1, 0, 0, 0);  ///< in the frame of the node, scalar first
  std::string color = {};                                     ///< "#rrggbb"; empty: the page chooses
  bool is_estimated = false;  ///< the size was not given: it may be drawn smaller where it hides something

  bool operator==(const Solid&) const = default;
};

/// Triangles in the frame of a node.
struct Mesh {
  int node = 0;
  std::shared_ptr<const Triangles> triangles;
  std::string color = {};

  bool operator==(const Mesh& other) const {
    return node == other.node && color == other.color &&
           (triangles == other.triangles || (triangles && other.triangles && *triangles == *other.triangles));
  }
};

/// A tube along all nodes of the object, whose third directors are tangents.
struct Tube {
  double radius = 0;                              ///< of a round one
  std::optional<Eigen::Vector2d> rectangle = {};  ///< else: width and height, along the first two directors
  std::string color = {};
  bool is_estimated = false;  ///< the section was not given

  bool operator==(const Tube&) const = default;
};

/// A surface through all nodes of the object: node n = i + j·grid[0].
struct Surface {
  Eigen::Vector2i grid = Eigen::Vector2i::Zero();  ///< nodes in both directions
  bool closes_first = false, closes_second = false;
  double thickness = 0;
  std::string color = {};

  bool operator==(const Surface&) const = default;
};

/// The symbol of a joint.
struct Symbol {
  std::string symbol;  ///< fixed, spherical, revolute, prismatic, cylindrical, planar, universal, drive
  Anchor at;
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< in the frame that `at` belongs to
  std::vector<Anchor> partners = {};                ///< what it holds together, each with its own point

  bool operator==(const Symbol&) const = default;
};

/// A thin rod between two points.
struct Rod {
  Anchor from, to;
  bool operator==(const Rod&) const = default;
};

/// A spring between two points.
struct Coil {
  Anchor from, to;
  bool operator==(const Coil&) const = default;
};

enum class Quantity { force, moment };
enum class Frame { space, body };

/// Vectors that change with time: a series with three numbers for each place.
struct Arrows {
  std::string series;
  Quantity quantity = Quantity::force;
  Frame frame = Frame::space;
  std::vector<Anchor> at = {};

  bool operator==(const Arrows&) const = default;
};

/// A plane that things roll on or touch.
struct Plane {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();

  bool operator==(const Plane&) const = default;
};

}  // namespace drawing

using Drawing = std::variant<drawing::Solid, drawing::Mesh, drawing::Tube, drawing::Surface, drawing::Symbol,
                             drawing::Rod, drawing::Coil, drawing::Arrows, drawing::Plane>;

/// Numbers by which an object can be coloured, one for each of its nodes or segments.
struct Field {
  std::string name, label;      ///< "axial_force", "Axial force"
  std::string source;           ///< series that they are made from ...
  int size = 1;                 ///< ... which has this many numbers for each node or segment,
  std::vector<int> components;  ///< of which one counts, or the Euclidean norm of several,
  double offset = 0;            ///< less this number
  std::string unit = {};

  bool operator==(const Field&) const = default;
};

/// A node whose path can be shown.
struct Trail {
  std::string label;
  int node = 0;
  bool on = false;  ///< shown from the beginning

  bool operator==(const Trail&) const = default;
};

struct ObjectFacts {
  std::string name;
  std::string kind, kinds;  ///< what people call one and several of them: "body", "bodies"
  int nodes = 0;            ///< if any, there are series NAME/position, NAME/orientation and NAME/velocity
  std::vector<std::string> parameters = {};  ///< arrays with one number for each node, such as "rod/arc_length"
  bool is_semidirect = false;                ///< linear velocities are those in the frame of the node
  std::string multiplier = {};               ///< series of its multipliers, if it has any
  std::vector<Field> fields = {};
  std::vector<Trail> trails = {};
  std::vector<Drawing> drawings = {};

  bool operator==(const ObjectFacts&) const = default;
};

/// The order of plots: what was asked for first, how it was computed last.
enum class PlotRank { measured, state, reaction, multiplier };

/// A series that is plotted.
struct PlotFacts {
  std::string group;                         ///< heading that it stands under: "Sensors"
  std::string title;                         ///< "Sensor tip"
  std::string label;                         ///< "tip"
  std::string series;                        ///< "sensors/tip"
  std::vector<std::string> components = {};  ///< names of its numbers
  std::string note = {};
  std::string quantity = {};  ///< what its numbers are, the title of their axis: "position"
  PlotRank rank = PlotRank::state;
  std::vector<std::string> units = {};  ///< one for all numbers, or one per number

  bool operator==(const PlotFacts&) const = default;
};

/// Options as text, for people.
struct SettingsTable {
  std::string title;
  std::vector<std::pair<std::string, std::string>> entries = {};

  bool operator==(const SettingsTable&) const = default;
};

/// What frames are ordered by: a series of numbers that never fall.
struct AxisFacts {
  std::string series = "time", label = "time", unit = {};

  bool operator==(const AxisFacts&) const = default;
};

struct Facts {
  std::string title, method;
  AxisFacts axis = {};
  bool is_adaptive = false;
  double step = 0;
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  Units units = {};
  std::vector<SettingsTable> settings = {};
  std::vector<ObjectFacts> objects = {};
  std::vector<PlotFacts> plots = {};

  bool operator==(const Facts&) const = default;
};

}  // namespace filum::model
