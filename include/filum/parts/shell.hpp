/// The micropolar shell on a quadrilateral grid of nodes: appendix D of paper 000 on curved surfaces.
/// Theory: docs/theory/shell.md.
#pragma once

#include <filum/parts/load_law.hpp>
#include <filum/parts/node_frame.hpp>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace filum::parts {

using Eigen::Vector4d;
using Vector6d = Eigen::Matrix<double, 6, 1>;
using Vector12d = Eigen::Matrix<double, 12, 1>;
using Matrix12d = Eigen::Matrix<double, 12, 12>;

/// Rotational inertia of a node, (SH.12): that of the box of material around it, which bounds all frequencies of the
/// grid, or ∫ρz² about all axes.
enum class ShellInertia { box, thin };

/// Strains of the lines of the grid, along s1 and along s2, that multipliers hold at their rest values, (SH.25).
struct HeldLineStrains {
  std::array<bool, 2> shear{};      ///< transverse: the normal stays perpendicular to the lines
  std::array<bool, 2> extension{};  ///< of the lines themselves
  bool any() const { return shear[0] || shear[1] || extension[0] || extension[1]; }
  bool operator==(const HeldLineStrains&) const = default;
};

/// Strains are (w1, w2), each (K1, K2, K3, Γ1, Γ2, Γ3): how frame and position change along the first and the second
/// axis of a node's frame, which lie in the surface; the third axis is its normal. Nodes are numbered i + j·nodes[0],
/// cells i + j·cells(0), edges along s1 i + j·cells(0), edges along s2 i + j·nodes[0].
struct ShellOptions {
  std::string name = "shell";
  lie::GroupId group = lie::GroupId::S3sdR3;
  std::array<int, 2> nodes{};                            ///< along s1 and s2
  std::array<bool, 2> closed{};                          ///< the last node is followed by the first
  std::vector<Vector3d> positions;                       ///< initial, one per node
  std::vector<Vector4d> orientations;                    ///< initial, one per node; signs do not matter
  std::vector<Vector3d> angular_velocities, velocities;  ///< initial, body frame; empty: at rest
  std::vector<Matrix12d> stiffness;                      ///< C per area, one for all cells or one per cell
  std::vector<Matrix12d> viscosity;                      ///< V in n = C e + 2 V ė; empty: none
  double hourglass = 1.0 / 12;                           ///< η of (SH.5); 1/4 is appendix D
  /// θ* of the edges along s1 and s2: the pose of their ends relative to their beginnings where the shell is free of
  /// stress. Empty: as drawn. Lengths and areas are measured there.
  std::array<std::vector<Vector6d>, 2> rest;
  double mass_per_area = 1;
  double mass_offset = 0;      ///< of the mass from the surface, along its normal
  double turning_inertia = 0;  ///< ∫ρz² across the thickness
  ShellInertia inertia = ShellInertia::box;
  HeldLineStrains held = {};
};

/// The semi-discrete shell (SH.1) to (SH.12).
class Shell final : public mechanics::Part {
 public:
  /// For add_shell: the nodes are there already, with their initial values.
  Shell(const SystemBuilder& builder, const ShellOptions& options, int first_node);

  int first_node() const { return first_node_; }
  int nodes() const { return nodes_[0] * nodes_[1]; }
  int nodes(int direction) const { return nodes_[direction]; }
  int cells() const { return static_cast<int>(cells_.size()); }
  int cells(int direction) const { return nodes_[direction] - (closed_[direction] ? 0 : 1); }
  bool is_closed(int direction) const { return closed_[direction]; }
  int node(int i, int j) const { return i + j * nodes_[0]; }
  lie::GroupId group() const { return group_; }
  Marker at(int node) const { return {first_node_ + node}; }

  double area(int cell) const { return shapes_[cells_[cell].shape].area; }
  /// A quarter of the cells around a node: what it has of mass and of loads per area.
  double node_area(int node) const { return masses_[node].area; }
  /// Halves of the edges at a node along one direction: what it has of a load per length.
  double node_length(int node, int direction) const;
  double node_mass(int node) const { return masses_[node].mass; }
  Marker mass_center(int node) const { return {.node = first_node_ + node, .point = {0, 0, mass_offset_}}; }
  /// Corners of a cell, nodes of the shell: (i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1).
  const std::array<int, 4>& corners(int cell) const { return cells_[cell].nodes; }

  /// Multipliers of held strains, once the system is built: edge by edge, along s1 first.
  mechanics::RowRange rows() const;

  /// (w1, w2) in the middle of a cell, (SH.8).
  Vector12d strain(const VectorXd& q, int cell) const;
  /// Moments and forces per length (n1, n2) there, elastic, viscous and constraint share, in the axes of
  /// the surface.
  Vector12d stress(const State& x, int cell) const;
  double elastic_energy(const VectorXd& q, int cell) const;
  Vector3d position(const State& x, int node) const;
  Vector4d orientation(const State& x, int node) const;
  PointMotion motion_of(const State& x, int node) const;

  std::string name() const override { return "shell " + name_; }
  void declare(mechanics::Declaration& declaration) override;
  bool is_self_contained() const override { return true; }
  void add_forces(double t, const VectorXd& q, const VectorXd& v, VectorRef f) const override;
  double potential_energy(double t, const VectorXd& q) const override;
  void add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                             NodeMatrix& H) const override;
  void constraint(double t, const VectorXd& q, VectorRef phi) const override;
  void constraint_jacobian(double t, const VectorXd& q, RowMatrix& C) const override;
  void curvature(double t, const VectorXd& q, const VectorXd& v, VectorRef gamma) const override;
  void add_constraint_force_derivatives(double t, const VectorXd& q, const VectorXd& lambda, double scale,
                                        NodeMatrix& H) const override;
  std::string row_name(int constraint, int row) const override;
  std::string diagnosis(const VectorXd& q) const override;

 private:
  using PlainVector6d = Eigen::Matrix<double, 6, 1, Eigen::DontAlign>;
  using PlainMatrix12d = Eigen::Matrix<double, 12, 12, Eigen::DontAlign>;
  /// Edges in the order bottom, top (along s1), left, right (along s2).
  struct Cell {
    std::array<int, 4> nodes;
    std::array<PlainVector6d, 4> rest;
    std::array<bool, 4> flips{};  ///< the quaternion at the end of the edge has the other sign
    int shape = 0;
    mechanics::Force<4> force = {};
  };
  /// Metric and material of a cell, (SH.4); shared by cells that follow each other and are alike.
  struct Shape {
    Eigen::Matrix<double, 2, 2, Eigen::DontAlign> edges;  ///< columns: mean edges along s1 and s2, in the surface
    double area = 0;
    PlainMatrix12d C, V;  ///< of (SH.5)
  };
  struct NodeMass {
    double area = 0, mass = 0;
    Matrix3d inertia = Matrix3d::Zero();
  };
  /// An edge with held strains, Φ = directions · (θ − θ*). A cell has its share of the multipliers.
  struct HeldEdge {
    std::array<int, 2> nodes;
    int direction = 0;
    bool flips = false;
    PlainVector6d rest;
    Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::DontAlign, 2, 6> directions;
    double area = 0;  ///< of the cells beside it
    mechanics::Constraint<Eigen::Dynamic> constraint = {};
  };
  template <class Twin>
  struct Corners;
  friend std::shared_ptr<const Shell> add_shell(SystemBuilder& builder, const ShellOptions& options);

  void add_cells(const ShellOptions& options);
  void set_rest(const SystemBuilder& builder, const ShellOptions& options);
  void add_shape(const ShellOptions& options, int cell);
  void gather_masses(const ShellOptions& options);
  void hold_edges(const ShellOptions& options);
  /// Number of an edge of a cell in held_; -1: nothing is held on it.
  int held_edge(int cell, int edge) const;
  /// body(NodeTwin<G>, edge, θ, element a, element b) for all edges with held strains.
  template <class Body>
  void each_held(const VectorXd& q, Body&& body) const;
  Vector12d held_share(const VectorXd& lambda, int cell) const;
  Eigen::Vector2d rest_edge(const Cell& cell, int edge) const { return cell.rest[edge].segment<2>(3); }
  template <class G>
  auto corners(const Cell& cell, const VectorXd& q) const;
  /// body(NodeTwin<G>, cell, corners) for cells `first` … `end` − 1; the group is chosen once.
  template <class Body>
  void each_of(const VectorXd& q, int first, int end, Body&& body) const;
  /// The same for all cells, shared with the team in use, for a body that adds to the nodes of its cell.
  template <class Body>
  void each_adding(const VectorXd& q, Body&& body) const;
  /// θ of the four edges of a cell.
  std::array<Vector6d, 4> edges_at(const VectorXd& q, int cell) const;
  /// The same for one cell.
  template <class Body>
  void at_cell(const VectorXd& q, int cell, Body&& body) const;

  std::string name_;
  lie::GroupId group_;
  std::array<int, 2> nodes_;
  std::array<bool, 2> closed_;
  double hourglass_, mass_offset_;
  std::vector<Cell> cells_;
  std::vector<Shape> shapes_;
  std::vector<NodeMass> masses_;
  std::vector<HeldEdge> held_;             ///< those along s1, then those along s2
  std::array<int, 2> first_held_{-1, -1};  ///< of each direction; -1: nothing is held there
  int first_node_ = 0, q_at_ = 0, q_size_ = 0, v_at_ = 0;
  bool viscous_ = false, direct_ = false;
};

/// Adds nodes, inertia, initial values and the part. Throws std::invalid_argument for an impossible shell.
std::shared_ptr<const Shell> add_shell(SystemBuilder& builder, const ShellOptions& options);

/// A linear elastic isotropic sheet, (SH.20). Throws std::invalid_argument when the stiffness would not be positive.
struct IsotropicSheet {
  double E = 0, nu = 0, thickness = 0;
  double shear_correction = 5.0 / 6;
  double couple_modulus = 0, couple_modulus_bending = 0;  ///< μc, μb
  double drilling = 0;                                    ///< cd, stiffness against curvature of the drilling rotation
  double shear_modulus() const { return E / (2 * (1 + nu)); }
  double bending_stiffness() const { return E * thickness * thickness * thickness / (12 * (1 - nu * nu)); }
};
Matrix12d stiffness_of(const IsotropicSheet& sheet);

/// What a stiffness matrix lacks to be positive definite, in words, (SH.21); empty: nothing.
std::string missing_stiffness(const Matrix12d& C);

/// The strain of a flat sheet without stress along s1 and along s2.
inline Vector6d flat_strain(int direction) { return Vector6d::Unit(3 + direction); }

}  // namespace filum::parts
