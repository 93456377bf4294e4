/// The geometrically exact Cosserat beam, with internal constraints for Kirchhoff and inextensible models.
/// Theory: docs/theory/beam.md.
#pragma once

#include <filum/parts/gravity.hpp>
#include <filum/parts/node_frame.hpp>

#include <array>
#include <string>
#include <vector>

namespace filum::parts {

using Vector6d = Eigen::Matrix<double, 6, 1>;
using Eigen::Vector4d;
using mechanics::State;

/// Strains are w = (K1, K2, K3, Γ1, Γ2, Γ3): bending about the two cross-section axes, torsion, shear along these axes,
/// extension along the tangent, which is the third axis of a node's frame. A straight unstretched beam has (0, 0, 0, 0, 0, 1).
inline Vector6d straight_strain() { return (Vector6d() << 0, 0, 0, 0, 0, 1).finished(); }

/// Which strains are held at their rest values by multipliers.
using StrainMask = std::array<bool, 6>;
inline constexpr StrainMask cosserat{};
inline constexpr StrainMask kirchhoff{false, false, false, true, true, false};
inline constexpr StrainMask inextensible{false, false, false, true, true, true};

/// One entry for all segments, or one per segment.
struct BeamOptions {
  std::string name = "beam";
  lie::GroupId group = lie::GroupId::S3sdR3;
  std::vector<double> grid;               ///< arc lengths of the nodes, ascending
  std::vector<Vector3d> positions;        ///< initial, one per node
  std::vector<Vector4d> orientations;     ///< initial, one per node
  std::vector<Vector3d> angular_velocities, velocities;  ///< initial, body frame; empty: at rest
  StrainMask held = cosserat;
  std::vector<Matrix6d> stiffness;        ///< C in g = C (w − w*) + 2 V ẇ
  std::vector<Matrix6d> viscosity;        ///< V; empty: none
  std::vector<Vector6d> rest_strain;      ///< w*; empty: stress-free in the initial configuration
  double mass_per_length = 1;
  Matrix3d inertia_per_length = Matrix3d::Identity();  ///< about the two cross-section axes and the tangent
};

/// The semi-discrete beam (BM.1) to (BM.9): nodes at the grid points, one segment between neighbours.
class Beam final : public mechanics::Part {
 public:
  Beam(const System& system, const BeamOptions& options, int first_node);

  int first_node() const { return first_node_; }
  int nodes() const { return segments() + 1; }
  int segments() const { return static_cast<int>(segments_.size()); }
  int held_strains() const { return held_count_; }
  double arc_length(int node) const { return grid_[node]; }
  /// Half the lengths of the segments at a node: what it has of mass and of loads, (BM.3).
  double nodal_length(int node) const;
  double mass_per_length() const { return initial_.mass_per_length; }
  Marker at(int node) const { return {first_node_ + node}; }
  double segment_length(int m) const { return segments_[m].length; }
  void start(State& state) const;

  Vector6d strain(const VectorXd& q, int segment) const;
  /// Moment and force in the section at the middle of a segment, its own frame: elastic, viscous and constraint share.
  Vector6d stress(const State& x, int segment) const;
  double elastic_energy(const VectorXd& q, int segment) const;
  /// Kinetic energy of a node; the length that belongs to it reaches to the middles of its segments.
  double kinetic_energy(const State& x, int node) const;
  Vector3d position(const State& x, int node) const;
  Vector4d orientation(const State& x, int node) const;

  std::string name() const override { return "beam " + options_name_; }
  void declare(mechanics::PartPattern& pattern) override;
  void bind(const System& system) override;
  bool has_forces() const override { return true; }
  bool forces_depend_on_velocity() const override { return viscous_; }
  void add_forces(double t, const VectorXd& q, const VectorXd& v, VectorXd& f) const override;
  double potential_energy(double t, const VectorXd& q) const override;
  bool add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v, NodeMatrix& H) const override;
  bool has_constraints() const override { return held_count_ > 0; }
  void constraint(double t, const VectorXd& q, VectorXd& phi) const override;
  void constraint_rows(double t, const VectorXd& q, RowMatrix& C) const override;
  void curvature(double t, const VectorXd& q, const VectorXd& v, VectorXd& gamma) const override;
  bool add_constraint_force_derivatives(double t, const VectorXd& q, const VectorXd& lambda, double scale, NodeMatrix& H) const override;
  std::string diagnosis(const VectorXd& q) const override;
  std::string row_name(int constraint, int row) const override;

 private:
  struct Segment {
    double length;
    Vector6d rest;
    int material = 0;
    int row = 0, rows_at = 0;  ///< place in Φ and in the values of C
    int aa = 0, ab = 0, ba = 0, bb = 0;  ///< blocks of H
  };
  /// Without the rows and columns of held strains, (BM.9). Shared by segments, so that long beams stay in the cache.
  struct Material {
    Matrix6d C, V;
  };

  void add_material(const BeamOptions& options, std::size_t segment);
  /// body(tags, segment, number, θ, element a, element b) for all segments; the group is chosen once.
  template <class Body>
  void each(const VectorXd& q, Body&& body) const;
  Vector6d elastic(const Segment& s, const Vector6d& theta) const;
  const Matrix6d& C(const Segment& s) const { return materials_[s.material].C; }
  const Matrix6d& V(const Segment& s) const { return materials_[s.material].V; }
  /// λ of a segment as a covector of all six strains.
  Vector6d held_covector(const Segment& s, const VectorXd& lambda) const;

  std::string options_name_;
  BeamOptions initial_;
  lie::GroupId group_;
  std::vector<double> grid_;
  std::vector<Segment> segments_;
  std::vector<Material> materials_;
  std::array<int, 6> held_{};  ///< indices of held strains
  int held_count_ = 0;
  int first_node_ = 0, q_at_ = 0, v_at_ = 0;
  bool viscous_ = false, direct_ = false;
  std::vector<int> ids_;
};

/// Adds nodes, inertia (trapezoidal rule, (BM.3)) and the part. Throws std::invalid_argument for an impossible beam.
Beam& add_beam(System& system, const BeamOptions& options);

/// Adds the weight of a beam, node by node.
void add_weight(Gravity& gravity, const Beam& beam);

/// Nodes on a straight line from `from` to `to`, all with the shortest rotation from e3 to the tangent.
void set_straight(BeamOptions& options, const Vector3d& from, const Vector3d& to, int segments);
Matrix6d diagonal_stiffness(const Vector3d& bending_and_torsion, const Vector3d& shear_and_extension);

}  // namespace filum::parts
