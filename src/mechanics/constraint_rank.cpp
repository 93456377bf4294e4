/// Rank of the constraint rows by a sparse LDLᵀ of their Gram matrix. Theory: docs/theory/mechanics.md, sec. 5.
#include <filum/linalg/ordering.hpp>
#include <filum/mechanics/constraint_rank.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace filum::mechanics {

using linalg::Incidence;
using linalg::NodeRef;
using linalg::RowBlock;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
/// Below this squared distance rounding in the Gram matrix may have eaten the pivot, and it is computed again.
constexpr double doubtful = 1e-7;

}  // namespace

ConstraintRank::ConstraintRank(const System& system, const linalg::RowSelection& rows)
    : system_(system),
      p_(system.pattern()),
      weight_(system.size_v()),
      C_(p_),
      length_(VectorXd::Zero(p_.rows())),
      inactive_(p_.rows(), 0),
      combination_(system.size_v()) {
  for (const int row : rows.inactive()) inactive_[row] = 1;
  average_mass();
  order_rows();
}

// Diagonal blocks do not depend on the configuration: M(q) varies off them only.
void ConstraintRank::average_mass() {
  NodeMatrix M(p_, linalg::Structure::separable);
  system_.mass(system_.space().identity(), M);
  for (int i = 0; i < p_.nodes(); ++i) {
    const int d = p_.dim(i), part = d == 6 ? 3 : d;  // rotations and translations apart
    const auto diagonal = M.block(i, i).diagonal();
    for (int first = 0; first < d; first += part) {
      double sum = 0;
      for (int k = first; k < first + part; ++k) sum += diagonal[k];
      weight_.segment(p_.offset(i) + first, part).setConstant(sum > 0 ? part / sum : 1);
    }
  }
}

template <class F>
void ConstraintRank::for_each_neighbour(int k, F&& f) const {
  const RowBlock& b = p_.row_block(p_.block_of_row(k));
  for (const NodeRef& ref : p_.refs(b)) {
    const int own = ref.value_offset + (k - b.first_row);
    for (const Incidence& e : p_.incidence(ref.node)) {
      const RowBlock& other = p_.row_block(e.block);
      for (int r = 0; r < other.rows; ++r)
        f(other.first_row + r, ref.node, own, b.rows, e.value_offset + r, other.rows);
    }
  }
}

// Rows in their own order, so that the last of several equivalent ones is called dependent; where this fills the
// factor too much (nets), neighbouring blocks are put close to each other.
void ConstraintRank::order_rows() {
  std::vector<int> order(p_.rows());
  std::iota(order.begin(), order.end(), 0);
  if (find_structure(order)) return;
  linalg::Graph graph(p_.row_blocks());
  for (int i = 0; i < p_.nodes(); ++i)
    for (const Incidence& e : p_.incidence(i))
      for (const Incidence& f : p_.incidence(i))
        if (e.block != f.block) graph[e.block].push_back(f.block);
  order.clear();
  for (const int block : linalg::reverse_cuthill_mckee(graph))
    for (int r = 0; r < p_.row_block(block).rows; ++r) order.push_back(p_.row_block(block).first_row + r);
  find_structure(order);
}

// Elimination tree and column counts. False when natural order fills more than a hundred entries per row on average.
bool ConstraintRank::find_structure(const std::vector<int>& order) {
  const int n = p_.rows();
  const bool natural = order_.empty();
  order_ = order;
  place_.resize(n);
  for (int k = 0; k < n; ++k) place_[order_[k]] = k;
  parent_.assign(n, -1), count_.assign(n, 0), flag_.assign(n, -1);
  long filled = 0;
  for (int k = 0; k < n; ++k) {
    flag_[k] = k;
    for_each_neighbour(order_[k], [&](int row, auto...) {
      for (int i = place_[row]; i < k && flag_[i] != k; i = parent_[i]) {
        if (parent_[i] < 0) parent_[i] = k;
        ++count_[i], ++filled;
        flag_[i] = k;
      }
    });
    if (natural && filled > 100L * n + 100000) return false;
  }
  start_.assign(n + 1, 0);
  for (int k = 0; k < n; ++k) start_[k + 1] = start_[k] + count_[k];
  index_.resize(start_[n]), L_.resize(start_[n]);
  pattern_.resize(n), D_.resize(n), y_.assign(n, 0.0), z_.assign(n, 0.0);
  return true;
}

void ConstraintRank::evaluate(double t, const VectorXd& q) {
  system_.constraint_jacobian(t, q, C_);
  length_.setZero();
  for (int k = 0; k < p_.row_blocks(); ++k) {
    const RowBlock& b = p_.row_block(k);
    for (const NodeRef& ref : p_.refs(b)) {
      int at = ref.value_offset;
      for (int c = 0; c < p_.dim(ref.node); ++c)
        for (int r = 0; r < b.rows; ++r, ++at)
          length_[b.first_row + r] += weight_[p_.offset(ref.node) + c] * C_.data()[at] * C_.data()[at];
    }
  }
  length_ = length_.cwiseSqrt();
}

// One row of L, up-looking: D becomes the squared distance to the rows before.
void ConstraintRank::eliminate(int k, int row) {
  const int n = p_.rows();
  int top = n;
  flag_[k] = k;
  y_[k] = 0;
  for_each_neighbour(row, [&](int other, int node, int own, int own_stride, int at, int stride) {
    const int i = place_[other];
    if (i > k) return;
    double sum = 0;
    for (int c = 0; c < p_.dim(node); ++c)
      sum += weight_[p_.offset(node) + c] * C_.data()[own + c * own_stride] * C_.data()[at + c * stride];
    const double lengths = length_[row] * length_[other];
    y_[i] += lengths > 0 ? sum / lengths : 0;
    int depth = 0;
    for (int j = i; flag_[j] != k; j = parent_[j]) pattern_[depth++] = j, flag_[j] = k;
    while (depth > 0) pattern_[--top] = pattern_[--depth];
  });
  double pivot = y_[k];
  y_[k] = 0;
  for (; top < n; ++top) {
    const int i = pattern_[top];
    const double y = y_[i];
    y_[i] = 0;
    if (!(D_[i] < infinite)) continue;  // a row that was left out has no part in the factor
    for (int p = start_[i]; p < start_[i] + count_[i]; ++p) y_[index_[p]] -= L_[p] * y;
    const double l = y / D_[i];
    pivot -= l * y;
    index_[start_[i] + count_[i]] = k;
    L_[start_[i] + count_[i]++] = l;
  }
  D_[k] = pivot;
}

// |c_k − Σ y_j c_j| for the best coefficients: those of the factor, corrected by what the residual still has along the
// rows.
double ConstraintRank::exact_distance(int k, int row) {
  const auto add = [&](int r, double factor) {
    const RowBlock& b = p_.row_block(p_.block_of_row(r));
    for (const NodeRef& ref : p_.refs(b))
      for (int c = 0; c < p_.dim(ref.node); ++c)
        combination_[p_.offset(ref.node) + c] +=
            factor / length_[r] * C_.data()[ref.value_offset + (r - b.first_row) + c * b.rows];
  };
  const auto component = [&](int r) {
    const RowBlock& b = p_.row_block(p_.block_of_row(r));
    double sum = 0;
    for (const NodeRef& ref : p_.refs(b))
      for (int c = 0; c < p_.dim(ref.node); ++c) {
        const int at = p_.offset(ref.node) + c;
        sum += weight_[at] * combination_[at] * C_.data()[ref.value_offset + (r - b.first_row) + c * b.rows];
      }
    return sum / length_[r];
  };
  combination_.setZero();
  add(row, 1);
  constexpr int corrections = 3;
  for (int repeat = 0; repeat < corrections; ++repeat) {
    for (int i = 0; i < k; ++i) z_[i] = D_[i] < infinite ? component(order_[i]) : 0;
    for (int i = 0; i < k; ++i) {  // z := (LDLᵀ)⁻¹ z
      if (z_[i] == 0) continue;
      for (int p = start_[i]; p < start_[i] + count_[i]; ++p)
        if (index_[p] < k) z_[index_[p]] -= L_[p] * z_[i];
    }
    for (int i = k - 1; i >= 0; --i) {
      if (!(D_[i] < infinite)) {
        z_[i] = 0;
        continue;
      }
      z_[i] /= D_[i];
      for (int p = start_[i]; p < start_[i] + count_[i]; ++p)
        if (index_[p] < k) z_[i] -= L_[p] * z_[index_[p]];
    }
    for (int i = 0; i < k; ++i)
      if (z_[i] != 0) add(order_[i], -z_[i]);
  }
  double square = 0;
  for (Eigen::Index i = 0; i < combination_.size(); ++i) square += weight_[i] * combination_[i] * combination_[i];
  return std::sqrt(square);
}

template <class Found>
void ConstraintRank::eliminate_all(double t, const VectorXd& q, double tolerance, Found&& found) {
  evaluate(t, q);
  std::fill(count_.begin(), count_.end(), 0);
  std::fill(flag_.begin(), flag_.end(), -1);
  std::fill(z_.begin(), z_.end(), 0.0);
  for (int k = 0; k < p_.rows(); ++k) {
    const int row = order_[k];
    eliminate(k, row);
    const bool is_inactive = inactive_[row] != 0;
    double distance = length_[row] > 0 ? std::sqrt(std::max(D_[k], 0.0)) : 0;
    if (!is_inactive && length_[row] > 0 && D_[k] < doubtful) {
      distance = exact_distance(k, row);
      D_[k] = std::max(D_[k], distance * distance);
    }
    if (is_inactive || !(distance > tolerance)) {
      D_[k] = infinite;
      if (!is_inactive) found(row, distance, true);
      continue;
    }
    found(row, distance, false);
  }
}

RedundancyReport ConstraintRank::analyse(double t, const VectorXd& q, double tolerance) {
  RedundancyReport report;
  eliminate_all(t, q, tolerance, [&](int row, double distance, bool is_dependent) {
    if (is_dependent) return report.dependent_rows.push_back(row);
    ++report.rank;
    if (distance < report.smallest_distance) report.smallest_distance = distance, report.closest_row = row;
  });
  std::sort(report.dependent_rows.begin(), report.dependent_rows.end());
  return report;
}

ClosestRow ConstraintRank::closest(double t, const VectorXd& q, double tolerance) {
  ClosestRow closest;
  eliminate_all(t, q, tolerance, [&](int row, double distance, bool is_dependent) {
    const bool first_dependent = is_dependent && (!closest.is_dependent || row < closest.row);
    if (first_dependent || (!is_dependent && !closest.is_dependent && distance < closest.distance))
      closest = {distance, row, is_dependent};
  });
  return closest;
}

RedundancyReport find_redundant_rows(const System& system, double t, const VectorXd& q, double tolerance) {
  return ConstraintRank(system).analyse(t, q, tolerance);
}

// Row blocks are edges between nodes, or from a node to the ground: joined one by one, an edge inside one set closes a
// loop.
bool has_constraint_loops(const System& system) {
  const BlockPattern& p = system.pattern();
  const int ground = p.nodes();
  std::vector<int> leader(ground + 1);
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](int i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
  };
  for (int k = 0; k < p.row_blocks(); ++k) {
    const auto refs = p.refs(p.row_block(k));
    for (std::size_t j = 0; j < std::max<std::size_t>(1, refs.size() - 1); ++j) {
      const int a = find(refs[j].node), b = find(refs.size() > 1 ? refs[j + 1].node : ground);
      if (a == b) return true;
      leader[a] = b;
    }
  }
  return false;
}

}  // namespace filum::mechanics
