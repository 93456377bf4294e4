/// A mechanical system: nodes in mixed groups, their inertias, and parts. Theory: docs/theory/mechanics.md.
#pragma once

#include <filum/mechanics/configuration_space.hpp>
#include <filum/mechanics/part.hpp>
#include <filum/mechanics/state.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace filum::mechanics {

using linalg::BlockPattern;

struct Momentum {
  Eigen::Vector3d linear, angular;  ///< in space, angular about the origin
};

/// Built once (add_..., finish), then const: all evaluations are thread-safe and, given outputs of the right size,
/// do not allocate.
class System {
 public:
  System() = default;
  System(const System&) = delete;
  System& operator=(const System&) = delete;

  // Building ---------------------------------------------------------------------------------------------------------
  /// Appends nodes without inertia and returns the number of the first.
  int add_nodes(lie::GroupId group, int count = 1) { return space_.add_nodes(group, count); }
  /// Adds to the constant inertia of a node: a dim × dim symmetric matrix for its derivative vector.
  void add_inertia(int node, const Eigen::MatrixXd& M);
  /// Inertia of a rigid body whose centre of mass c (body frame) is off the node of a direct product: M(q) varies.
  void add_offset_inertia(int node, double mass, const Eigen::Matrix3d& inertia_about_node, const Eigen::Vector3d& c);
  /// Takes a part and returns it.
  template <class P>
  P& add_part(std::unique_ptr<P> part) {
    P& reference = *part;
    parts_.push_back(std::move(part));
    return reference;
  }
  /// Fixes the pattern. Throws std::invalid_argument when a node's inertia is not positive definite.
  void finish();

  // Structure --------------------------------------------------------------------------------------------------------
  const ConfigurationSpace& space() const { return space_; }
  const BlockPattern& pattern() const { return *pattern_; }
  const std::vector<std::unique_ptr<Part>>& parts() const { return parts_; }
  int size_q() const { return space_.size_q(); }
  int size_v() const { return space_.size_v(); }
  int size_lambda() const { return holonomic_rows_; }                       ///< rows of Φ
  int size_mu() const { return pattern_->rows() - holonomic_rows_; }        ///< nonholonomic rows
  int size_rows() const { return pattern_->rows(); }                        ///< both
  int holonomic_blocks() const { return holonomic_blocks_; }
  int row_blocks() const { return pattern_->row_blocks(); }
  ConstraintPlace constraint_place(int id) const { return places_[id]; }
  /// Takes rows out of the system, or all back in with an empty list: their Φ, C, rate and curvature are 0, and so are
  /// their multipliers in every solve. To be called before integrators are made. make_consistent does it with redundant rows.
  void set_inactive_rows(std::vector<int> rows);
  const std::vector<int>& inactive_rows() const { return pattern_->inactive_rows(); }
  /// Φ of the inactive holonomic rows, in the order of inactive_rows: what is left out, and should be 0 by itself.
  VectorXd inactive_residual(double t, const VectorXd& q) const;
  /// "joint pivot: position 2" for row r of the multipliers.
  std::string row_name(int row) const;
  bool has_varying_mass() const { return !offset_inertias_.empty(); }
  bool forces_depend_on_velocity() const { return velocity_forces_; }
  bool has_forces() const { return any_forces_; }
  bool is_rheonomic() const { return rheonomic_; }
  State make_state() const;
  /// Configuration and velocity only: usable while the system is being built.
  State make_state_of_space() const;

  // Inertia ----------------------------------------------------------------------------------------------------------
  /// M = the mass matrix at q.
  void mass(const VectorXd& q, NodeMatrix& M) const;
  void mass_times(const VectorXd& q, const VectorXd& v, VectorXd& out) const;
  /// out = v̂ᵀ M v, and for varying M also ½ D(vᵀMv)ᵀ − Ṁ v: everything M v̇ equals besides f and −Cᵀλ.
  void inertia_forces(const VectorXd& q, const VectorXd& v, VectorXd& out) const;
  /// out += scale ½ D_q(vᵀM(q)v)ᵀ: zero when M is constant.
  void add_kinetic_gradient(const VectorXd& q, const VectorXd& v, double scale, VectorXd& out) const;
  /// H += scale_q D_q + scale_v ∂/∂v of inertia_forces − M(q) a.
  void add_inertia_force_derivatives(const VectorXd& q, const VectorXd& v, const VectorXd& a, double scale_q, double scale_v,
                                     NodeMatrix& H) const;

  // Forces and energies ----------------------------------------------------------------------------------------------
  void forces(double t, const VectorXd& q, const VectorXd& v, VectorXd& f) const;
  /// H += scale_q D_q f + scale_v ∂f/∂v, by formula or by differences.
  void add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v, NodeMatrix& H) const;
  double kinetic_energy(const VectorXd& q, const VectorXd& v) const;
  double potential_energy(double t, const VectorXd& q) const;
  /// Of all nodes that describe rigid motions or points in space; nodes of pure rotation count with their spin.
  Momentum momentum(const VectorXd& q, const VectorXd& v) const;

  // Constraints ------------------------------------------------------------------------------------------------------
  void constraint(double t, const VectorXd& q, VectorXd& phi) const;
  void constraint_rows(double t, const VectorXd& q, RowMatrix& C) const;
  void constraint_rate(double t, const VectorXd& q, VectorXd& rate) const;
  void curvature(double t, const VectorXd& q, const VectorXd& v, VectorXd& gamma) const;
  /// H += scale D_q(Cᵀ λ), by formula or by differences.
  void add_constraint_force_derivatives(double t, const VectorXd& q, const VectorXd& lambda, double scale, NodeMatrix& H) const;

 private:
  struct OffsetInertia {
    int node;
    double mass;
    Eigen::Vector3d c;
  };
  struct RowOwner {
    int part, constraint, first_row;
  };
  class PatternCollector;

  void collect_inertias();
  void clear_inactive(VectorXd& x) const;
  void color_nodes();
  template <class Evaluate>
  void add_differences(const VectorXd& q, const VectorXd& v, double scale_q, double scale_v, Evaluate&& evaluate, NodeMatrix& H) const;

  ConfigurationSpace space_;
  std::vector<std::unique_ptr<Part>> parts_;
  std::vector<Eigen::MatrixXd> inertia_blocks_;  ///< by node, until finish
  std::vector<OffsetInertia> offset_inertias_;
  std::optional<BlockPattern> pattern_;
  std::optional<NodeMatrix> mass_;
  VectorXd mass_diagonal_;  ///< not empty when M is diagonal and constant
  std::vector<ConstraintPlace> places_;
  std::vector<RowOwner> owners_;
  std::vector<int> inactive_values_;  ///< entries of C in inactive rows
  std::vector<int> color_;
  int colors_ = 0;
  int holonomic_rows_ = 0, holonomic_blocks_ = 0;
  bool velocity_forces_ = false, any_forces_ = false, rheonomic_ = false;
};

}  // namespace filum::mechanics
