/// The geometrically exact Cosserat beam, with internal constraints for Kirchhoff and inextensible models.
/// Theory: docs/theory/beam.md.
#pragma once

#include <filum/parts/gravity.hpp>
#include <filum/parts/load_law.hpp>
#include <filum/parts/node_frame.hpp>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace filum::parts {

using Vector6d = Eigen::Matrix<double, 6, 1>;
using Eigen::Vector4d;

/// Strains are w = (K1, K2, K3, Γ1, Γ2, Γ3): bending about the two cross-section axes, torsion, shear along these axes,
/// extension along the tangent, which is the third axis of a node's frame. A straight unstretched beam has (0, 0, 0, 0,
/// 0, 1).
inline Vector6d straight_strain() { return (Vector6d() << 0, 0, 0, 0, 0, 1).finished(); }

/// Which strains are held at their rest values by multipliers.
using StrainMask = std::array<bool, 6>;
inline constexpr StrainMask cosserat{};
inline constexpr StrainMask kirchhoff{false, false, false, true, true, false};
inline constexpr StrainMask inextensible{false, false, false, true, true, true};

/// Equations Ψ(w) = 0 for the strains of every segment, nonlinear, up to six of them, (BM.14).
class StrainLaw {
 public:
  using Values = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;
  using Slopes = Eigen::Matrix<double, Eigen::Dynamic, 6, 0, 6, 6>;
  virtual ~StrainLaw() = default;
  virtual int rows() const = 0;
  /// Ψ and dΨ at the strain w of a segment with the middle s.
  virtual void evaluate(double s, const Vector6d& w, Values& psi, Slopes& slopes) const = 0;
  /// Σ λ_k d²Ψ_k there.
  virtual Matrix6d second_derivative(double s, const Vector6d& w, const Values& lambda) const = 0;
};

/// Lists of stiffness to mass_center have one entry for all segments, or one per segment.
struct BeamOptions {
  std::string name = "beam";
  lie::GroupId group = lie::GroupId::S3sdR3;
  std::vector<double> grid;                              ///< arc lengths of the nodes, ascending
  std::vector<Vector3d> positions;                       ///< initial, one per node
  std::vector<Vector4d> orientations;                    ///< initial, one per node
  std::vector<Vector3d> angular_velocities, velocities;  ///< initial, body frame; empty: at rest
  StrainMask held = cosserat;
  std::shared_ptr<const StrainLaw> law;  ///< instead of held strains; stiffness and viscosity count in full
  std::vector<Matrix6d> stiffness;       ///< C in g = C (w − w*) + 2 V ẇ
  std::vector<Matrix6d> viscosity;       ///< V; empty: none
  std::vector<Vector6d> rest_strain;     ///< w*; empty: stress-free in the initial configuration
  std::vector<double> mass_per_length = {1};
  std::vector<Matrix3d> inertia_per_length = {
      Matrix3d::Identity()};          ///< about the mass centre, in the axes of the cross-section
  std::vector<Vector3d> mass_center;  ///< in the frame of the cross-section; empty: at its origin
};

/// The semi-discrete beam (BM.1) to (BM.9): nodes at the grid points, one segment between neighbours.
class Beam final : public mechanics::Part {
 public:
  /// For add_beam: the nodes are there already. Strains at rest are taken from their initial values.
  Beam(const SystemBuilder& builder, const BeamOptions& options, int first_node);

  int first_node() const { return first_node_; }
  int nodes() const { return segments() + 1; }
  int segments() const { return static_cast<int>(segments_.size()); }
  int held_strains() const { return held_count_; }
  double arc_length(int node) const { return grid_[node]; }
  /// Half the lengths of the segments at a node: what it has of mass and of loads, (BM.3).
  double nodal_length(int node) const;
  lie::GroupId group() const { return group_; }
  Marker at(int node) const { return {first_node_ + node}; }
  double segment_length(int m) const { return segments_[m].length; }
  /// The node nearest to the arc length s.
  int node_at(double s) const;
  /// Which segment s lies in, and where in it, from 0 to 1; beyond the ends the first or last.
  std::pair<int, double> locate(double s) const;
  /// Mass of a node and its centre, in the frame of the node.
  double node_mass(int node) const { return masses_[node].mass; }
  Marker mass_center(int node) const { return {.node = first_node_ + node, .point = masses_[node].center}; }
  /// Multipliers of the held strains, or of the strain law, once the system is built, segment by segment.
  RowRange rows() const;
  /// "shear 1": what the k-th held strain is; "strain law 1".
  std::string held_strain(int k) const;

  Vector6d strain(const VectorXd& q, int segment) const;
  /// Moment and force in the section at the middle of a segment, its own frame: elastic, viscous and constraint share.
  Vector6d stress(const State& x, int segment) const;
  /// The same anywhere: linear in s between the middles of the segments, and continued beyond the first and the last
  /// middle up to the ends, where the values of (BM.24) have the error of second order that they have in the middles.
  /// With a single segment constant.
  Vector6d strain_at(const State& x, double s) const;
  Vector6d stress_at(const State& x, double s) const;
  double elastic_energy(const VectorXd& q, int segment) const;
  /// The same of all segments, one after the other.
  void strains(const VectorXd& q, double* out) const { strains(q, 0, segments(), out); }
  void stresses(const State& x, double* out) const;
  void elastic_energies(const VectorXd& q, double* out) const;
  /// Kinetic energy of a node; the length that belongs to it reaches to the middles of its segments.
  double kinetic_energy(const State& x, int node) const;
  Vector3d position(const State& x, int node) const;
  Vector4d orientation(const State& x, int node) const;
  /// Anywhere between nodes, on the curve of constant strain that joins them, (BM.25).
  Pose pose_at(const State& x, double s) const;
  PointMotion motion_at(const State& x, double s) const;

  std::string name() const override { return "beam " + name_; }
  void declare(mechanics::Declaration& declaration) override;
  bool is_self_contained() const override { return !law_; }
  void add_forces(double t, const VectorXd& q, const VectorXd& v, VectorRef f) const override;
  double potential_energy(double t, const VectorXd& q) const override;
  void add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                             NodeMatrix& H) const override;
  void constraint(double t, const VectorXd& q, VectorRef phi) const override;
  void constraint_jacobian(double t, const VectorXd& q, RowMatrix& C) const override;
  void curvature(double t, const VectorXd& q, const VectorXd& v, VectorRef gamma) const override;
  void add_constraint_force_derivatives(double t, const VectorXd& q, const VectorXd& lambda, double scale,
                                        NodeMatrix& H) const override;
  std::string diagnosis(const VectorXd& q) const override;
  std::string row_name(int constraint, int row) const override;

 private:
  struct Segment {
    double length;
    Eigen::Matrix<double, 6, 1, Eigen::DontAlign> rest;  ///< so that the elements of a list may lie at any address
    int material = 0;
    mechanics::Force<2> force = {};
  };
  /// Without the rows and columns of held strains, (BM.9). Shared by segments, so that long beams stay in the cache.
  struct Material {
    Matrix6d C, V;
  };

  struct NodeMass {
    double mass = 0;
    Vector3d center = Vector3d::Zero();
    Matrix3d inertia = Matrix3d::Zero();  ///< about the node
  };
  friend std::shared_ptr<const Beam> add_beam(SystemBuilder& builder, const BeamOptions& options);

  void gather_masses(const BeamOptions& options);
  void add_material(const BeamOptions& options, std::size_t segment);
  /// body(tags, segment, number, θ, element a, element b) for segments `first` … `end` − 1; the group is chosen once.
  template <class Body>
  void each_of(const VectorXd& q, int first, int end, Body&& body) const;
  /// The same for all segments, shared with the team in use: body writes to places of its segment only.
  template <class Body>
  void each(const VectorXd& q, Body&& body) const;
  /// The same for a body that adds to nodes.
  template <class Body>
  void each_adding(const VectorXd& q, Body&& body) const;
  Vector6d elastic(const Segment& s, const Vector6d& theta) const;
  /// Of segments `first` to `end` - 1.
  void strains(const VectorXd& q, int first, int end, double* out) const;
  template <class Body>
  void each_strain(const VectorXd& q, Body&& body) const;
  Vector6d stress(const State& x, int segment, const Vector6d& strain) const;
  double elastic_energy(int segment, const Vector6d& strain) const;
  const Matrix6d& C(const Segment& s) const { return materials_[s.material].C; }
  const Matrix6d& V(const Segment& s) const { return materials_[s.material].V; }
  /// λ of a segment as a covector of all six strains: dΨᵀ λ.
  Vector6d held_covector(int segment, const Vector6d& theta, const VectorXd& lambda) const;
  struct AtSegment {
    StrainLaw::Values psi;
    StrainLaw::Slopes slopes;
  };
  AtSegment law_at(int segment, const Vector6d& theta) const;
  Matrix6d law_second_derivative(int segment, const Vector6d& theta, const StrainLaw::Values& lambda) const;
  double middle(int segment) const { return 0.5 * (grid_[segment] + grid_[segment + 1]); }
  template <class At>
  Vector6d interpolated(double s, At&& at) const;

  std::string name_;
  lie::GroupId group_;
  std::vector<double> grid_;
  std::vector<Segment> segments_;
  std::vector<Material> materials_;
  std::array<int, 6> held_{};  ///< indices of held strains
  int held_count_ = 0;         ///< of them, or of the equations of the law
  std::shared_ptr<const StrainLaw> law_;
  int first_node_ = 0, q_at_ = 0, v_at_ = 0;
  bool viscous_ = false, direct_ = false;
  std::vector<mechanics::Constraint<Eigen::Dynamic>> constraints_;  ///< by segment; empty when no strain is held
  std::vector<NodeMass> masses_;
};

/// Adds nodes, inertia (trapezoidal rule, (BM.3)), initial values and the part. Throws std::invalid_argument for an
/// impossible beam.
std::shared_ptr<const Beam> add_beam(SystemBuilder& builder, const BeamOptions& options);

/// Adds the weight of a beam, node by node.
void add_weight(Gravity& gravity, const Beam& beam);

/// Nodes on a straight line from `from` to `to`, all with the shortest rotation from e3 to the tangent.
void set_straight(BeamOptions& options, const Vector3d& from, const Vector3d& to, int segments);
Matrix6d diagonal_stiffness(const Vector3d& bending_and_torsion, const Vector3d& shear_and_extension);

}  // namespace filum::parts
