/// Building a system and evaluating forces and constraints. Theory: docs/theory/mechanics.md, sec. 2 and 3.
#include <filum/mechanics/system.hpp>

#include <algorithm>

#include <Eigen/Cholesky>

#include <stdexcept>

namespace filum::mechanics {

std::string Part::row_name(int constraint, int row) const {
  return name() + ": constraint " + std::to_string(constraint + 1) + ", equation " + std::to_string(row + 1);
}

/// Collects what the parts announce; constraints are numbered in the order of announcement, over all parts.
class System::PatternCollector final : public PartPattern {
 public:
  struct Constraint {
    ConstraintKind kind;
    int rows, part, number_in_part;
    std::vector<int> nodes;
  };

  void couple(std::span<const int> nodes) override { cliques.emplace_back(nodes.begin(), nodes.end()); }
  int add_constraint(ConstraintKind kind, int rows, std::span<const int> nodes) override {
    constraints.push_back({kind, rows, part, number_in_part++, {nodes.begin(), nodes.end()}});
    cliques.emplace_back(nodes.begin(), nodes.end());
    return static_cast<int>(constraints.size()) - 1;
  }

  int part = 0, number_in_part = 0;
  std::vector<std::vector<int>> cliques;
  std::vector<Constraint> constraints;
};

void System::finish() {
  PatternCollector collector;
  for (const auto& part : parts_) {
    collector.number_in_part = 0;
    part->declare(collector);
    ++collector.part;
    any_forces_ |= part->has_forces();
    rheonomic_ |= part->is_rheonomic();
    velocity_forces_ |= part->has_forces() && part->forces_depend_on_velocity();
  }

  std::vector<int> dims;
  for (int i = 0; i < space_.nodes(); ++i) dims.push_back(lie::dim(space_.group(i)));
  pattern_.emplace(std::move(dims));
  for (const auto& clique : collector.cliques)
    for (std::size_t a = 0; a < clique.size(); ++a)
      for (std::size_t b = a + 1; b < clique.size(); ++b) pattern_->couple(clique[a], clique[b]);
  places_.resize(collector.constraints.size());
  for (const ConstraintKind kind : {ConstraintKind::holonomic, ConstraintKind::nonholonomic}) {
    for (std::size_t id = 0; id < collector.constraints.size(); ++id) {
      const auto& c = collector.constraints[id];
      if (c.kind != kind) continue;
      const linalg::RowBlock& block = pattern_->row_block(pattern_->add_rows(c.rows, c.nodes));
      places_[id] = {block.first_row, block.value_offset};
      owners_.push_back({c.part, c.number_in_part, block.first_row});
    }
    if (kind == ConstraintKind::holonomic) {
      holonomic_blocks_ = pattern_->row_blocks();
      holonomic_rows_ = pattern_->rows();
    }
  }
  pattern_->finish();
  collect_inertias();
  color_nodes();
  for (const auto& part : parts_) part->bind(*this);
}

std::string System::row_name(int row) const {
  const auto after = std::upper_bound(owners_.begin(), owners_.end(), row, [](int r, const RowOwner& o) { return r < o.first_row; });
  if (after == owners_.begin()) return "row " + std::to_string(row);
  const RowOwner& owner = after[-1];
  return parts_[owner.part]->row_name(owner.constraint, row - owner.first_row);
}

void System::set_inactive_rows(std::vector<int> rows) {
  inactive_values_.clear();
  for (const int row : rows) {
    const linalg::RowBlock& b = pattern_->row_block(pattern_->block_of_row(row));
    for (const linalg::NodeRef& ref : pattern_->refs(b))
      for (int c = 0; c < pattern_->dim(ref.node); ++c) inactive_values_.push_back(ref.value_offset + (row - b.first_row) + c * b.rows);
  }
  pattern_->set_inactive_rows(std::move(rows));
}

// Φ may be shorter than all rows: nonholonomic ones have no entry there.
void System::clear_inactive(VectorXd& x) const {
  for (const int row : pattern_->inactive_rows())
    if (row < x.size()) x[row] = 0;
}

VectorXd System::inactive_residual(double t, const VectorXd& q) const {
  VectorXd phi = VectorXd::Zero(size_rows());
  for (const auto& part : parts_)
    if (part->has_constraints()) part->constraint(t, q, phi);
  VectorXd residual(inactive_rows().size());
  for (Eigen::Index k = 0; k < residual.size(); ++k) residual[k] = phi[inactive_rows()[k]];
  return residual;
}

State System::make_state_of_space() const {
  return {.t = 0, .q = space_.identity(), .v = VectorXd::Zero(size_v()), .a = VectorXd::Zero(size_v()), .lambda = {}};
}

State System::make_state() const {
  State state = make_state_of_space();
  state.lambda = VectorXd::Zero(size_rows());
  return state;
}

void System::forces(double t, const VectorXd& q, const VectorXd& v, VectorXd& f) const {
  f.setZero();
  for (const auto& part : parts_)
    if (part->has_forces()) part->add_forces(t, q, v, f);
}

double System::potential_energy(double t, const VectorXd& q) const {
  double energy = 0;
  for (const auto& part : parts_) energy += part->potential_energy(t, q);
  return energy;
}

void System::constraint(double t, const VectorXd& q, VectorXd& phi) const {
  for (const auto& part : parts_)
    if (part->has_constraints()) part->constraint(t, q, phi);
  clear_inactive(phi);
}

void System::constraint_rows(double t, const VectorXd& q, RowMatrix& C) const {
  for (const auto& part : parts_)
    if (part->has_constraints()) part->constraint_rows(t, q, C);
  for (const int at : inactive_values_) C.data()[at] = 0;
}

void System::constraint_rate(double t, const VectorXd& q, VectorXd& rate) const {
  rate.setZero();
  if (!rheonomic_) return;
  for (const auto& part : parts_)
    if (part->is_rheonomic()) part->constraint_rate(t, q, rate);
  clear_inactive(rate);
}

void System::curvature(double t, const VectorXd& q, const VectorXd& v, VectorXd& gamma) const {
  for (const auto& part : parts_)
    if (part->has_constraints()) part->curvature(t, q, v, gamma);
  clear_inactive(gamma);
}

}  // namespace filum::mechanics
