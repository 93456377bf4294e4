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

/// Made by a SystemBuilder and constant from then on: all evaluations are thread-safe and, given outputs of the right
/// size, do not allocate. All rows are evaluated; which of them are active is a linalg::RowSelection that
/// make_consistent returns and that solvers and integrators are given.
class System {
 public:
  ~System();
  System(const System&) = delete;
  System& operator=(const System&) = delete;

  // Structure --------------------------------------------------------------------------------------------------------
  const ConfigurationSpace& space() const { return space_; }
  const BlockPattern& pattern() const { return *pattern_; }
  const std::vector<std::shared_ptr<const Part>>& parts() const { return parts_; }
  int size_q() const { return space_.size_q(); }
  int size_v() const { return space_.size_v(); }
  int size_lambda() const { return holonomic_rows_; }                 ///< rows of Φ
  int size_mu() const { return pattern_->rows() - holonomic_rows_; }  ///< nonholonomic rows
  int size_rows() const { return pattern_->rows(); }                  ///< both
  int holonomic_blocks() const { return holonomic_blocks_; }
  int row_blocks() const { return pattern_->row_blocks(); }
  /// "joint pivot: position 2" for row r of the multipliers.
  std::string row_name(int row) const;
  bool has_varying_mass() const { return !offset_inertias_.empty(); }
  /// Some node's inertia is not positive definite: M has no inverse.
  bool has_singular_mass() const { return singular_node_ >= 0; }
  /// That node, or −1.
  int singular_mass_node() const { return singular_node_; }
  bool has_forces() const { return !force_parts_.empty(); }
  bool has_loads() const { return !loads_.empty(); }
  /// Parts whose forces are loads.
  std::vector<const Part*> load_parts() const;
  bool forces_depend_on_velocity() const { return velocity_forces_; }
  /// Derivatives of forces and constraint forces have blocks off the diagonal.
  bool couples() const { return pattern_->couplings() > 0; }
  /// Some force that depends on velocity acts between two or more nodes: ∂f/∂v is not block diagonal.
  bool couples_by_velocity() const { return velocity_couples_; }
  /// Some constraint depends on time.
  bool is_rheonomic() const { return !rate_parts_.empty(); }
  /// The identity, at rest.
  State make_state() const;

  // Inertia ----------------------------------------------------------------------------------------------------------
  /// M = the mass matrix at q; block diagonal.
  void mass(const VectorXd& q, NodeMatrix& M) const;
  /// M where it is constant; where it varies, see mass_matrix.hpp, without what does.
  const NodeMatrix& constant_mass() const { return *mass_; }
  void mass_times(const VectorXd& q, const VectorXd& v, VectorRef out) const;
  /// out = v̂ᵀ M v, and for varying M also ½ D(vᵀMv)ᵀ − Ṁ v: everything M v̇ equals besides f and −Cᵀλ.
  void inertia_forces(const VectorXd& q, const VectorXd& v, VectorRef out) const;
  /// out += scale ½ D_q(vᵀM(q)v)ᵀ: zero when M is constant.
  void add_kinetic_gradient(const VectorXd& q, const VectorXd& v, double scale, VectorRef out) const;
  /// H += scale_q D_q + scale_v ∂/∂v of inertia_forces − M(q) a.
  void add_inertia_force_derivatives(const VectorXd& q, const VectorXd& v, const VectorXd& a, double scale_q,
                                     double scale_v, NodeMatrix& H) const;

  // Forces and energies ----------------------------------------------------------------------------------------------
  void forces(double t, const VectorXd& q, const VectorXd& v, VectorRef f) const;
  /// The share of `forces` that was announced as loads: weight, applied forces and moments.
  void load_forces(double t, const VectorXd& q, const VectorXd& v, VectorRef f) const;
  /// H += scale_q D_q f + scale_v ∂f/∂v, by formula or by differences.
  void add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                             NodeMatrix& H) const;
  /// The same for load_forces.
  void add_load_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                            NodeMatrix& H) const;
  double kinetic_energy(const VectorXd& q, const VectorXd& v) const;
  double potential_energy(double t, const VectorXd& q) const;
  /// The share of the loads.
  double load_energy(double t, const VectorXd& q) const;
  /// Of all nodes that describe rigid motions or points in space; nodes of pure rotation count with their spin.
  Momentum momentum(const VectorXd& q, const VectorXd& v) const;

  // Constraints ------------------------------------------------------------------------------------------------------
  void constraint(double t, const VectorXd& q, VectorRef phi) const;
  void constraint_jacobian(double t, const VectorXd& q, RowMatrix& C) const;
  void constraint_rate(double t, const VectorXd& q, VectorRef rate) const;
  void curvature(double t, const VectorXd& q, const VectorXd& v, VectorRef gamma) const;
  /// H += scale D_q(Cᵀ λ), by formula or by differences.
  void add_constraint_force_derivatives(double t, const VectorXd& q, const VectorXd& lambda, double scale,
                                        NodeMatrix& H) const;

 private:
  friend class SystemBuilder;
  System();

  struct OffsetInertia {
    int node;
    double mass;
    Eigen::Vector3d c;
  };
  struct RowOwner {
    int part, constraint, first_row;
  };
  class Stencil;
  class Schedule;
  struct Schedules;
  /// A part that is asked for derivatives, or differenced on its own nodes.
  struct Differentiated {
    const Part* part;
    std::unique_ptr<const Stencil> stencil;  ///< none: it has formulas
    bool velocity;
  };

  void add_derivatives(const Differentiated& of, double t, const VectorXd& q, const VectorXd& v, double scale_q,
                       double scale_v, NodeMatrix& H) const;
  void collect_inertias(std::vector<Eigen::MatrixXd>& blocks);

  ConfigurationSpace space_;
  std::vector<std::shared_ptr<const Part>> parts_;
  std::vector<const Part*> holonomic_parts_, constraint_parts_, rate_parts_;
  std::vector<Differentiated> force_parts_, constraint_derivatives_;
  std::vector<int> loads_;  ///< among force_parts_
  std::unique_ptr<Schedules> schedules_;
  std::vector<OffsetInertia> offset_inertias_;
  std::optional<BlockPattern> pattern_;
  std::optional<NodeMatrix> mass_;
  VectorXd mass_diagonal_;  ///< not empty when M is diagonal and constant
  std::vector<RowOwner> owners_;
  int holonomic_rows_ = 0, holonomic_blocks_ = 0;
  int singular_node_ = -1;
  bool velocity_forces_ = false, velocity_couples_ = false;
};

}  // namespace filum::mechanics
