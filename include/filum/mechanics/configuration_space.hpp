/// The configuration of many nodes, each in its own group, stored flat. Theory: docs/theory/mechanics.md, sec. 1.
#pragma once

#include <filum/lie/group_id.hpp>

#include <Eigen/Core>

#include <vector>

namespace filum::mechanics {

using Eigen::VectorXd;

/// A direct product of groups chosen at run time. Equal neighbours form runs, and every operation chooses a type once
/// per run, not once per node. Elements lie one after the other in q (size_q doubles), tangents in v (size_v).
class ConfigurationSpace {
 public:
  struct Run {
    lie::GroupId group;
    int first_node, count, q_offset, v_offset;
  };

  /// Appends `count` nodes and returns the number of the first.
  int add_nodes(lie::GroupId group, int count = 1);

  int nodes() const { return static_cast<int>(groups_.size()); }
  int size_q() const { return size_q_; }
  int size_v() const { return size_v_; }
  lie::GroupId group(int node) const { return groups_[node]; }
  int q_offset(int node) const { return q_offsets_[node]; }
  int v_offset(int node) const { return v_offsets_[node]; }
  const std::vector<Run>& runs() const { return runs_; }

  VectorXd identity() const;
  /// out = q ∘ exp(h v). out may be q.
  void advance(const VectorXd& q, double h, const VectorXd& v, VectorXd& out) const;
  /// The same for one node, moved by h along one component of its derivative vector; other nodes of out stay as they
  /// are.
  void advance_node(int node, const VectorXd& q, int component, double h, VectorXd& out) const;
  /// out = log(q0⁻¹ ∘ q1).
  void difference(const VectorXd& q0, const VectorXd& q1, VectorXd& out) const;

  /// out = T(h v) w, Tᵀ(h v) w, T⁻¹(h v) w, T⁻ᵀ(h v) w.
  void tangent_op_times(double h, const VectorXd& v, const VectorXd& w, VectorXd& out) const;
  void tangent_op_T_times(double h, const VectorXd& v, const VectorXd& w, VectorXd& out) const;
  void tangent_op_inv_times(double h, const VectorXd& v, const VectorXd& w, VectorXd& out) const;
  void tangent_op_inv_T_times(double h, const VectorXd& v, const VectorXd& w, VectorXd& out) const;
  /// out = v̂ w, v̂ᵀ w.
  void bracket(const VectorXd& v, const VectorXd& w, VectorXd& out) const;
  void bracket_T(const VectorXd& v, const VectorXd& w, VectorXd& out) const;
  /// out = (∂(T⁻¹(θ) w)/∂θ) u, with θ = h v.
  void d_tangent_op_inv_times(double h, const VectorXd& v, const VectorXd& w, const VectorXd& u, VectorXd& out) const;

 private:
  std::vector<lie::GroupId> groups_;
  std::vector<int> q_offsets_, v_offsets_;
  std::vector<Run> runs_;
  int size_q_ = 0, size_v_ = 0;
};

}  // namespace filum::mechanics
