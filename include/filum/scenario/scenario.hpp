/// A scenario as plain structs with defaults: what a scenario file says, every formula without t and s evaluated.
/// User document: docs/guide/scenarios.md.
#pragma once

#include <filum/scenario/expression.hpp>
#include <filum/scenario/problem.hpp>

#include <Eigen/Core>

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace filum::scenario {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::Vector4d;
using Number2 = std::array<Number, 2>;
using Number3 = std::array<Number, 3>;

// Time and method ----------------------------------------------------------------------------------------------------

/// Time between frames. Neither given: about 500 frames.
struct OutputInterval {
  double value = 0;
  bool every_step = false;
};

enum class GridKind { fixed, random };

struct Time {
  double start = 0;
  double end = 0;
  double step = 0;
  OutputInterval output_every;
  GridKind grid = GridKind::fixed;
  int seed = 1;
};

enum class Method { rattlie, shakelie, generalized_alpha, bliedf, half_explicit_rk, munthe_kaas_rk };
enum class MultiplierKind { index_1, interpolated, plus, minus };
enum class FormulationKind { stabilized_index_2, index_3 };
enum class StartKind { perturbed, perturbed_acceleration, classical };
enum class NewtonMatrixKind { automatic, exact, simplified };

/// Only the options of the chosen method count; a file must not contain others.
struct Integrator {
  Method method = Method::rattlie;
  MultiplierKind multipliers = MultiplierKind::index_1;
  bool adaptive = false;
  std::optional<double> atol, rtol;  ///< of adaptive methods; defaults differ between methods
  double safety = 0.8, min_factor = 0.2, max_factor = 5;
  double max_step = std::numeric_limits<double>::infinity();
  double rho_infinity = 0.9;
  FormulationKind formulation = FormulationKind::stabilized_index_2;
  StartKind start = StartKind::perturbed;
  NewtonMatrixKind matrix = NewtonMatrixKind::automatic;
  int steps = 2;
  std::optional<int> order;
};

struct Newton {
  double atol = 1e-8;
  double rtol = 1e-6;
  int max_iterations = 20;
};

struct Output {
  bool vtk = false;
  double checkpoint_every = 30;  ///< seconds of wall time
};

// Objects ------------------------------------------------------------------------------------------------------------

/// The words a file uses; `automatic` is "auto".
enum class GroupKind { automatic, SO3, S3, SO3xR3, S3xR3, SE3, S3sdR3, UDQ };

struct Orientation {
  Vector4d quaternion = Vector4d(1, 0, 0, 0);
};
struct Inertia {
  Matrix3d matrix = Matrix3d::Zero();
};
/// `consistent`: whatever the joints ask for.
struct Velocity {
  Vector3d value = Vector3d::Zero();
  bool consistent = false;
};

struct Body {
  std::string name;
  GroupKind group = GroupKind::S3sdR3;
  double mass = 0;
  Inertia inertia;
  Vector3d center_of_mass = Vector3d::Zero();
  Vector3d position = Vector3d::Zero();
  Orientation orientation;
  Velocity angular_velocity;  ///< in the body frame
  Velocity velocity;          ///< in space
  std::optional<Vector3d> pivot;
};

enum class BeamModel { cosserat, kirchhoff, inextensible };
enum class SectionShape { circle, rectangle, ring };

struct Section {
  SectionShape shape = SectionShape::circle;
  double radius = 0;        ///< circle, ring: outer
  double inner_radius = 0;  ///< ring
  double width = 0;         ///< rectangle, along the first axis of the section
  double height = 0;        ///< rectangle, along the second
  double E = 0, nu = 0, rho = 0;
  std::optional<double> shear_correction = {};  ///< default: Cowper's value for the shape
};

/// Entries may be formulas of s.
struct SectionValues {
  Number2 bending;
  Number torsion;
  Number2 shear;
  Number axial;
};

/// Initial shape node by node, or the rest shape itself.
struct InitialShape {
  bool rest = false;
  std::vector<Vector3d> positions;
  std::vector<Orientation> orientations;
};
enum class RestKind { initial, straight };

struct Beam {
  std::string name;
  BeamModel model = BeamModel::kirchhoff;
  GroupKind group = GroupKind::S3sdR3;
  std::optional<Vector3d> from, to;
  std::optional<Number3> curve;
  std::optional<double> length;
  std::optional<InitialShape> initial;
  std::optional<Orientation> orientation;  ///< at s = 0, with initial = "rest"
  std::optional<Vector3d> director;
  std::optional<int> segments;
  std::optional<std::vector<double>> nodes;  ///< arc lengths
  RestKind rest = RestKind::initial;
  std::optional<Number3> rest_curvature, rest_strain;
  std::optional<Section> section;
  std::optional<double> mass_per_length;
  std::optional<Vector3d> inertia_per_length;
  std::optional<SectionValues> stiffness, damping;
  Number3 angular_velocity, velocity;  ///< body frame, may be formulas of s
};

enum class JointKind {
  fixed,
  spherical,
  revolute,
  prismatic,
  cylindrical,
  planar,
  universal,
  distance,
  rolling_disk,
  drive
};

/// "ground", "NAME", "BEAM:start", "BEAM:end", "BEAM@3.5".
using Reference = std::string;

struct Joint {
  std::string name;
  JointKind type = JointKind::fixed;
  std::optional<std::array<Reference, 2>> connects;
  std::optional<Vector3d> at, axis, axis2;
  std::optional<std::array<Vector3d, 2>> points;  ///< distance: in the frame of each partner
  std::optional<double> length;                   ///< distance; default: as drawn
  std::optional<double> radius;                   ///< rolling-disk
  std::optional<std::string> joint;               ///< drive: of the coordinate of this joint ...
  std::optional<Number> angle, displacement;      ///< ... as a function of time
  std::optional<Number3> position;                ///< drive: motion of `at` on the second partner, in space
  std::optional<Number3> rotation;                ///< drive: rotation vector from the initial orientation, in space
};

struct Spring {
  std::string name;
  std::optional<std::array<Reference, 2>> connects;
  std::optional<std::array<Vector3d, 2>> points;  ///< in the frame of each partner
  std::optional<std::string> joint;               ///< instead of connects: acts on the coordinate of a joint
  double stiffness = 0;
  double damping = 0;
  double length = 0;  ///< of a joint's coordinate: where the spring is relaxed
};

enum class LoadFrameKind { space, body };

struct Load {
  std::string name;
  Reference on;
  LoadFrameKind frame = LoadFrameKind::space;
  Vector3d point = Vector3d::Zero();  ///< where the force acts, in the frame of the body or section
  Number3 force, moment;              ///< of t; on a whole beam per length, of t and s
};

enum class Quantity {
  position,
  orientation,
  velocity,
  angular_velocity,
  force,
  moment,
  strain,
  energy,
  multiplier,
  angle,
  displacement,
  length,
  tension
};

struct Sensor {
  std::string name;
  Reference on;  ///< also the name of a joint or spring, or "system"
  Quantity quantity = Quantity::position;
  Vector3d point = Vector3d::Zero();  ///< in the frame of the body or section
};

struct Scenario {
  int schema = 1;
  std::string title;
  Vector3d gravity = Vector3d::Zero();
  Symbols symbols;  ///< [parameters] and [functions]
  Time time;
  Integrator integrator;
  Newton newton;
  Output output;
  std::vector<Body> bodies;
  std::vector<Beam> beams;
  std::vector<Joint> joints;
  std::vector<Spring> springs;
  std::vector<Load> loads;
  std::vector<Sensor> sensors;

  Places places;  ///< of the keys, for messages

  /// An error at a key, such as "beam.spaghetti.segments".
  Problem problem(const std::string& key, const std::string& message) const { return {places.find(key), key, message}; }
};

}  // namespace filum::scenario
