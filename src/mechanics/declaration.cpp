/// Announcements of parts and their places in the pattern. Theory: docs/theory/mechanics.md, sec. 3.
#include "ledger.hpp"

#include <filum/mechanics/declaration.hpp>

#include <algorithm>
#include <stdexcept>

namespace filum::mechanics {
namespace {

[[noreturn]] void missing(const Part& part, const char* announced, const char* function) {
  throw std::logic_error("part " + part.name() + " announced " + announced + ", but does not override " + function);
}

}  // namespace

void Part::add_forces(double, const VectorXd&, const VectorXd&, VectorRef) const {
  missing(*this, "forces", "add_forces");
}

void Part::add_force_derivatives(double, const VectorXd&, const VectorXd&, double, double, NodeMatrix&) const {
  missing(*this, "forces with exact derivatives",
          "add_force_derivatives; announce Derivatives::differences to do without");
}

void Part::constraint(double, const VectorXd&, VectorRef) const {
  missing(*this, "holonomic constraints", "constraint");
}
void Part::constraint_jacobian(double, const VectorXd&, RowMatrix&) const {
  missing(*this, "constraints", "constraint_jacobian");
}
void Part::constraint_rate(double, const VectorXd&, VectorRef) const {
  missing(*this, "constraints that depend on time", "constraint_rate");
}
void Part::curvature(double, const VectorXd&, const VectorXd&, VectorRef) const {
  missing(*this, "constraints", "curvature");
}

void Part::add_constraint_force_derivatives(double, const VectorXd&, const VectorXd&, double, NodeMatrix&) const {
  missing(*this, "constraints with exact derivatives",
          "add_constraint_force_derivatives; announce Derivatives::differences to do without");
}

std::string Part::row_name(int constraint, int row) const {
  return name() + ": constraint " + std::to_string(constraint + 1) + ", equation " + std::to_string(row + 1);
}

void Declaration::Ledger::refuse(const std::string& reason) const {
  throw std::logic_error("part " + part_->name() + ": " + reason);
}

const Declaration::Ledger::Entry& Declaration::Ledger::note(const ConfigurationSpace& space, Entry entry,
                                                            std::span<const int> nodes, int most) {
  if (pattern_ == nullptr) {
    if (nodes.empty()) refuse("forces and constraints need at least one node");
    if (static_cast<int>(nodes.size()) > most)
      refuse("announced " + std::to_string(nodes.size()) + " nodes, but its handle has room for " +
             std::to_string(most));
    if (!entry.is_force && entry.rows < 1) refuse("a constraint needs at least one row");
    if (entry.is_force) {  // all forces before agree with the last of them
      const auto last = std::find_if(entries_.rbegin(), entries_.rend(), [](const Entry& e) { return e.is_force; });
      if (last != entries_.rend() && last->load != entry.load)
        refuse("announced some forces as loads and others not; make two parts of them");
    }
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      if (nodes[k] < 0 || nodes[k] >= space.nodes())
        refuse("there is no node " + std::to_string(nodes[k]) + "; the system has " + std::to_string(space.nodes()));
      if (std::find(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(k), nodes[k]) !=
          nodes.begin() + static_cast<std::ptrdiff_t>(k))
        refuse("named node " + std::to_string(nodes[k]) + " twice in one announcement");
    }
    entry.first_node = static_cast<int>(nodes_.size());
    entry.node_count = static_cast<int>(nodes.size());
    nodes_.insert(nodes_.end(), nodes.begin(), nodes.end());
    return entries_.emplace_back(entry);
  }
  if (next_ < entries_.size()) {
    const Entry& first = entries_[next_++];
    const auto before = this->nodes(first);
    if (first.is_force == entry.is_force && first.kind == entry.kind && first.derivatives == entry.derivatives &&
        first.varies == entry.varies && first.load == entry.load && first.rows == entry.rows &&
        std::equal(before.begin(), before.end(), nodes.begin(), nodes.end()))
      return first;
  }
  refuse("declare is called twice and must announce the same both times");
}

void Declaration::Ledger::finish_second_call() const {
  if (next_ != entries_.size()) refuse("declare is called twice and must announce the same both times");
}

namespace {

void place_blocks(const linalg::BlockPattern* pattern, std::span<const int> nodes, int most, int* blocks) {
  std::fill(blocks, blocks + most * most, -1);
  if (pattern == nullptr) return;
  const int n = static_cast<int>(nodes.size());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) blocks[i * most + j] = pattern->block_offset(nodes[i], nodes[j]);
}

}  // namespace

void Declaration::announce_forces(std::span<const int> nodes, int most, const ForceOptions& o, int* blocks) {
  ledger_.note(space_,
               {.is_force = true,
                .kind = {},
                .derivatives = differences_ ? Derivatives::differences : o.derivatives,
                .varies = o.velocity,
                .load = o.load,
                .rows = 0,
                .first_node = 0,
                .node_count = 0,
                .row_block = -1},
               nodes, most);
  place_blocks(ledger_.pattern(), nodes, most, blocks);
}

int Declaration::announce_constraint(ConstraintKind kind, int rows, std::span<const int> nodes, int most,
                                     const ConstraintOptions& o, int* columns, int* blocks) {
  const Ledger::Entry& entry = ledger_.note(space_,
                                            {.is_force = false,
                                             .kind = kind,
                                             .derivatives = differences_ ? Derivatives::differences : o.derivatives,
                                             .varies = o.time,
                                             .load = false,
                                             .rows = rows,
                                             .first_node = 0,
                                             .node_count = 0,
                                             .row_block = -1},
                                            nodes, most);
  std::fill(columns, columns + most, -1);
  place_blocks(ledger_.pattern(), nodes, most, blocks);
  if (ledger_.pattern() == nullptr) return -1;
  const linalg::RowBlock& block = ledger_.pattern()->row_block(entry.row_block);
  for (const linalg::NodeRef& ref : ledger_.pattern()->refs(block)) *columns++ = ref.value_offset;
  return block.first_row;
}

}  // namespace filum::mechanics
