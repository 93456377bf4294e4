/// Evaluating forces and constraints. Theory: docs/theory/mechanics.md, sec. 2 and 3.
#include "part_schedule.hpp"

#include <filum/mechanics/system.hpp>

#include <algorithm>

namespace filum::mechanics {

std::string System::row_name(int row) const {
  const auto after =
      std::upper_bound(owners_.begin(), owners_.end(), row, [](int r, const RowOwner& o) { return r < o.first_row; });
  if (after == owners_.begin()) return "row " + std::to_string(row);
  const RowOwner& owner = after[-1];
  return parts_[owner.part]->row_name(owner.constraint, row - owner.first_row);
}

State System::make_state() const {
  return {.t = 0,
          .q = space_.identity(),
          .v = VectorXd::Zero(size_v()),
          .a = VectorXd::Zero(size_v()),
          .lambda = VectorXd::Zero(size_rows())};
}

void System::forces(double t, const VectorXd& q, const VectorXd& v, VectorRef f) const {
  f.setZero();
  schedules_->forces.for_each([&](int k) { force_parts_[k].part->add_forces(t, q, v, f); });
}

std::vector<const Part*> System::load_parts() const {
  std::vector<const Part*> parts;
  for (const int k : loads_) parts.push_back(force_parts_[k].part);
  return parts;
}

void System::load_forces(double t, const VectorXd& q, const VectorXd& v, VectorRef f) const {
  f.setZero();
  for (const int k : loads_) force_parts_[k].part->add_forces(t, q, v, f);
}

double System::load_energy(double t, const VectorXd& q) const {
  double energy = 0;
  for (const int k : loads_) energy += force_parts_[k].part->potential_energy(t, q);
  return energy;
}

double System::potential_energy(double t, const VectorXd& q) const {
  double energy = 0;
  for (const Differentiated& d : force_parts_) energy += d.part->potential_energy(t, q);
  return energy;
}

void System::constraint(double t, const VectorXd& q, VectorRef phi) const {
  schedules_->holonomic.for_each([&](int k) { holonomic_parts_[k]->constraint(t, q, phi); });
}

void System::constraint_jacobian(double t, const VectorXd& q, RowMatrix& C) const {
  schedules_->constraints.for_each([&](int k) { constraint_parts_[k]->constraint_jacobian(t, q, C); });
}

void System::constraint_rate(double t, const VectorXd& q, VectorRef rate) const {
  rate.setZero();
  schedules_->rates.for_each([&](int k) { rate_parts_[k]->constraint_rate(t, q, rate); });
}

void System::curvature(double t, const VectorXd& q, const VectorXd& v, VectorRef gamma) const {
  schedules_->constraints.for_each([&](int k) { constraint_parts_[k]->curvature(t, q, v, gamma); });
}

}  // namespace filum::mechanics
