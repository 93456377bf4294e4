/// Numbering, handing out handles, and checking. Theory: docs/theory/mechanics.md, sec. 3.
#include "contract_check.hpp"
#include "ledger.hpp"
#include "part_schedule.hpp"
#include "stencil.hpp"

#include <filum/mechanics/nodes.hpp>
#include <filum/mechanics/system_builder.hpp>

#include <stdexcept>

namespace filum::mechanics {

SystemBuilder::SystemBuilder() : system_(new System) {}

void SystemBuilder::check_open() const {
  if (built_)
    throw std::logic_error("the system is built already; nothing can be added to it any more. Use a new SystemBuilder");
}

int SystemBuilder::add_nodes(lie::GroupId group, int count) {
  check_open();
  if (count < 1) throw std::invalid_argument("the number of nodes must be positive, got " + std::to_string(count));
  const int first = system_->space_.add_nodes(group, count);
  const Eigen::Index q_before = start_.q.size(), v_before = start_.v.size();
  start_.q.conservativeResize(space().size_q());
  start_.v.conservativeResize(space().size_v());
  start_.v.tail(start_.v.size() - v_before).setZero();
  lie::visit(group, [&]<class G>(lie::GroupTag<G>) {
    for (int k = 0; k < count; ++k) element<G>(start_.q, static_cast<int>(q_before) + k * G::size) = G::identity();
  });
  inertias_.resize(static_cast<std::size_t>(space().nodes()));
  return first;
}

void SystemBuilder::add_inertia(int node, const Eigen::MatrixXd& M) {
  check_open();
  if (node < 0 || node >= space().nodes())
    throw std::invalid_argument("there is no node " + std::to_string(node) + "; the system has " +
                                std::to_string(space().nodes()));
  const int d = lie::dim(space().group(node));
  if (M.rows() != d || M.cols() != d)
    throw std::invalid_argument("node " + std::to_string(node) + " in " + std::string(lie::name(space().group(node))) +
                                " needs a " + std::to_string(d) + "x" + std::to_string(d) + " inertia, got " +
                                std::to_string(M.rows()) + "x" + std::to_string(M.cols()));
  Eigen::MatrixXd& block = inertias_[static_cast<std::size_t>(node)];
  block = block.size() == 0 ? M : Eigen::MatrixXd(block + M);
}

void SystemBuilder::add_offset_inertia(int node, double mass, const Eigen::Matrix3d& inertia_about_node,
                                       const Eigen::Vector3d& c) {
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(6, 6);
  M.topLeftCorner<3, 3>() = inertia_about_node;
  M.bottomRightCorner<3, 3>() = mass * Eigen::Matrix3d::Identity();
  add_inertia(node, M);
  system_->offset_inertias_.push_back({node, mass, c});
}

void SystemBuilder::take(std::shared_ptr<Part> part) {
  check_open();
  if (!part) throw std::invalid_argument("a part is missing: the pointer is null");
  if (part->in_system_)
    throw std::invalid_argument("part " + part->name() + " already belongs to a system; make a separate part for each");
  part->in_system_ = true;
  parts_.push_back(std::move(part));
}

std::shared_ptr<const System> SystemBuilder::build() {
  check_open();
  built_ = true;
  Ledgers ledgers;
  for (const auto& part : parts_) {
    Declaration declaration(space(), ledgers.emplace_back(*part));
    part->declare(declaration);
  }
  lay_out(ledgers);
  declare(ledgers);
  connect(ledgers);
  system_->collect_inertias(inertias_);
  inertias_ = {};  // as large as the mass matrix
  start_.a = VectorXd::Zero(system_->size_v());
  start_.lambda = VectorXd::Zero(system_->size_rows());
  ContractCheck(*system_, ledgers, start_).run();
  return system_;
}

// Rows: holonomic ones first, within a kind as they were announced.
void SystemBuilder::lay_out(Ledgers& ledgers) {
  System& s = *system_;
  std::vector<int> dims;
  for (int i = 0; i < s.space_.nodes(); ++i) dims.push_back(lie::dim(s.space_.group(i)));
  BlockPattern& pattern = s.pattern_.emplace(std::move(dims));
  for (const auto& ledger : ledgers)
    for (const auto& e : ledger.entries()) {
      const auto nodes = ledger.nodes(e);
      for (std::size_t a = 0; a < nodes.size(); ++a)
        for (std::size_t b = a + 1; b < nodes.size(); ++b) pattern.couple(nodes[a], nodes[b]);
    }
  for (const ConstraintKind kind : {ConstraintKind::holonomic, ConstraintKind::nonholonomic}) {
    for (std::size_t p = 0; p < ledgers.size(); ++p) {
      int number = 0;
      for (auto& e : ledgers[p].entries()) {
        if (e.is_force) continue;
        if (e.kind == kind) {
          e.row_block = pattern.add_rows(e.rows, ledgers[p].nodes(e));
          s.owners_.push_back({static_cast<int>(p), number, pattern.row_block(e.row_block).first_row});
        }
        ++number;
      }
    }
    if (kind == ConstraintKind::holonomic) {
      s.holonomic_blocks_ = pattern.row_blocks();
      s.holonomic_rows_ = pattern.rows();
    }
  }
  pattern.finish();
}

void SystemBuilder::declare(Ledgers& ledgers) {
  for (std::size_t p = 0; p < ledgers.size(); ++p) {
    ledgers[p].start_second_call(*system_->pattern_);
    Declaration declaration(space(), ledgers[p]);
    parts_[p]->declare(declaration);
    ledgers[p].finish_second_call();
  }
}

// What follows from the announcements.
void SystemBuilder::connect(const Ledgers& ledgers) {
  System& s = *system_;
  s.parts_.assign(parts_.begin(), parts_.end());
  System::Schedules& schedules = *(s.schedules_ = std::make_unique<System::Schedules>());
  for (const auto& ledger : ledgers) {
    const Part* part = &ledger.part();
    const auto stencil = [&](bool is_force) {
      return ledger.is_differenced(is_force) ? std::make_unique<const System::Stencil>(*s.pattern_, ledger, is_force)
                                             : nullptr;
    };
    if (ledger.has(true)) {
      if (ledger.any(true, [](const auto& e) { return e.load; }))
        s.loads_.push_back(static_cast<int>(s.force_parts_.size()));
      s.force_parts_.push_back({part, stencil(true), ledger.varies(true)});
      schedules.forces.add(ledger, true, false);
    }
    if (ledger.has(false)) {
      s.constraint_parts_.push_back(part);
      schedules.constraints.add(ledger, false, true);
      s.constraint_derivatives_.push_back({part, stencil(false), false});
      schedules.constraint_forces.add(ledger, false, false);
    }
    if (ledger.any(false, [](const auto& e) { return e.kind == ConstraintKind::holonomic; })) {
      s.holonomic_parts_.push_back(part);
      schedules.holonomic.add(ledger, false, true);
    }
    if (ledger.varies(false)) {
      s.rate_parts_.push_back(part);
      schedules.rates.add(ledger, false, true);
    }
    s.velocity_forces_ |= ledger.varies(true);
    s.velocity_couples_ |= ledger.any(true, [](const auto& e) { return e.varies && e.node_count > 1; });
  }
  for (System::Schedule* of : {&schedules.holonomic, &schedules.constraints, &schedules.rates, &schedules.forces,
                               &schedules.constraint_forces})
    of->finish();
}

}  // namespace filum::mechanics
