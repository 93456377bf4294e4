/// Derivatives of forces and constraint forces: the parts' own, and differences for those without a formula.
/// Theory: docs/theory/mechanics.md, sec. 4.
#include "part_schedule.hpp"
#include "stencil.hpp"

#include <filum/mechanics/system.hpp>

#include <algorithm>
#include <optional>

namespace filum::mechanics {

System::System() = default;
System::~System() = default;

System::Stencil::Stencil(const BlockPattern& pattern, const Declaration::Ledger& ledger, bool forces) {
  std::vector<int> numbers;
  for (const auto& e : ledger.entries())
    if (e.is_force == forces) {
      const auto nodes = ledger.nodes(e);
      numbers.insert(numbers.end(), nodes.begin(), nodes.end());
      if (!forces) row_blocks_.push_back(e.row_block);
    }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  for (const int i : numbers) {
    nodes_.push_back({i, pattern.dim(i), pattern.offset(i), -1});
    largest_dim_ = std::max(largest_dim_, pattern.dim(i));
  }
  const auto number = [&](int node) {
    return static_cast<int>(std::lower_bound(numbers.begin(), numbers.end(), node) - numbers.begin());
  };
  std::vector<std::pair<int, int>> pairs;
  for (const auto& e : ledger.entries())
    if (e.is_force == forces)
      for (const int a : ledger.nodes(e))
        for (const int b : ledger.nodes(e)) pairs.emplace_back(number(a), number(b));
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  for (const auto& [i, j] : pairs) blocks_.push_back({i, j, pattern.block_offset(nodes_[i].node, nodes_[j].node)});
  color_nodes(pairs);
}

// (M.12) Two nodes may be moved at once when no third node feels both: greedy colouring of the squared coupling graph.
void System::Stencil::color_nodes(const std::vector<std::pair<int, int>>& pairs) {
  std::vector<std::vector<int>> neighbours(nodes_.size());
  for (const auto& [i, j] : pairs)
    if (i != j) neighbours[i].push_back(j);
  std::vector<int> taken_by;
  for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
    const auto take = [&](int j) {
      const int c = nodes_[j].color;
      if (c < 0) return;
      taken_by.resize(std::max<std::size_t>(taken_by.size(), c + 1), -1);
      taken_by[c] = i;
    };
    for (const int j : neighbours[i]) {
      take(j);
      for (const int k : neighbours[j]) take(k);
    }
    int c = 0;
    while (c < static_cast<int>(taken_by.size()) && taken_by[c] == i) ++c;
    nodes_[i].color = c;
    colors_ = std::max(colors_, c + 1);
  }
}

void System::Stencil::add_transpose_times(const RowMatrix& C, const VectorXd& lambda, VectorXd& out) const {
  const BlockPattern& p = C.pattern();
  for (const int k : row_blocks_) {
    const linalg::RowBlock& b = p.row_block(k);
    for (const linalg::NodeRef& ref : p.refs(b)) {
      const double* at = C.data() + ref.value_offset;
      for (int c = 0; c < p.dim(ref.node); ++c)
        for (int r = 0; r < b.rows; ++r) out[p.offset(ref.node) + c] += *at++ * lambda[b.first_row + r];
    }
  }
}

void System::add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                                   NodeMatrix& H) const {
  schedules_->forces.for_each([&](int k) { add_derivatives(force_parts_[k], t, q, v, scale_q, scale_v, H); });
}

void System::add_load_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                                  NodeMatrix& H) const {
  for (const int k : loads_) add_derivatives(force_parts_[k], t, q, v, scale_q, scale_v, H);
}

void System::add_derivatives(const Differentiated& of, double t, const VectorXd& q, const VectorXd& v, double scale_q,
                             double scale_v, NodeMatrix& H) const {
  if (!of.stencil) return of.part->add_force_derivatives(t, q, v, scale_q, scale_v, H);
  of.stencil->add_differences(
      space_, q, v, scale_q, of.velocity ? scale_v : 0.0,
      [&](const VectorXd& qp, const VectorXd& vp, VectorXd& out) { of.part->add_forces(t, qp, vp, out); }, H);
}

void System::add_constraint_force_derivatives(double t, const VectorXd& q, const VectorXd& lambda, double scale,
                                              NodeMatrix& H) const {
  schedules_->constraint_forces.for_each([&](int k) {
    const Differentiated& d = constraint_derivatives_[k];
    if (!d.stencil) return d.part->add_constraint_force_derivatives(t, q, lambda, scale, H);
    static thread_local std::optional<RowMatrix> C;
    if (!C || &C->pattern() != &*pattern_ || C->values().size() != pattern_->row_values()) C.emplace(*pattern_);
    d.stencil->add_differences(
        space_, q, q, scale, 0,
        [&](const VectorXd& qp, const VectorXd&, VectorXd& out) {
          d.part->constraint_jacobian(t, qp, *C);
          d.stencil->add_transpose_times(*C, lambda, out);
        },
        H);
  });
}

}  // namespace filum::mechanics
