/// How a part announces what it does, and the handles it gets: places in vectors and block matrices.
/// Theory: docs/theory/mechanics.md, sec. 3.
#pragma once

#include <filum/mechanics/part.hpp>

#include <array>
#include <initializer_list>
#include <span>
#include <vector>

namespace filum::mechanics {

enum class ConstraintKind { holonomic, nonholonomic };
/// Whether a part has formulas for its Newton matrix. One announcement with differences has all forces (or all
/// constraints) of the part differenced.
enum class Derivatives { exact, differences };

struct ConstraintOptions {
  bool time = false;  ///< Φ or the rows depend on t
  Derivatives derivatives = Derivatives::exact;
};
struct ForceOptions {
  bool velocity = false;  ///< the forces depend on v
  Derivatives derivatives = Derivatives::exact;
  bool load = false;  ///< applied from outside: what a load factor scales. All forces of a part are loads, or none
};

/// Some consecutive rows of Φ, rates, curvature and multipliers.
struct RowRange {
  int first = 0, count = 0;
};

/// Blocks of a NodeMatrix between up to `most` nodes, numbered as they were announced.
template <int most>
struct NodeBlocks {
  std::array<int, most * most> at;
  /// dim(i) × dim(j), column-major.
  double* operator()(NodeMatrix& H, int i, int j) const { return H.data() + at[i * most + j]; }
};

/// Forces between up to `most` nodes.
template <int most>
class Force {
 public:
  const NodeBlocks<most>& blocks() const { return blocks_; }

 private:
  friend class Declaration;
  NodeBlocks<most> blocks_;
};

namespace detail {
template <int rows>
struct RowCount {
  static constexpr int count = rows;
};
template <>
struct RowCount<Eigen::Dynamic> {
  int count = 0;
};
}  // namespace detail

/// `rows` scalar constraints (Eigen::Dynamic: known at run time) between up to `most` nodes.
template <int rows, int most = 2>
class Constraint : private detail::RowCount<rows> {
 public:
  /// First row in Φ (holonomic), rates, curvature and multipliers.
  int row() const { return row_; }
  int size() const { return this->count; }
  RowRange range() const { return {row_, size()}; }
  /// Its segment of a vector of rows.
  template <class Vector>
  auto of(Vector& x) const {
    if constexpr (rows == Eigen::Dynamic) {
      return x.segment(row_, this->count);
    } else {
      return x.template segment<rows>(row_);
    }
  }
  /// rows × dim block of the k-th announced node, column-major.
  double* columns(RowMatrix& C, int k) const { return C.data() + columns_[k]; }
  /// For D(Cᵀλ).
  const NodeBlocks<most>& blocks() const { return blocks_; }

 private:
  friend class Declaration;
  int row_ = 0;
  std::array<int, most> columns_;
  NodeBlocks<most> blocks_;
};

/// The nodes of one announcement: a braced list, an array, a vector.
class NodeList {
 public:
  NodeList(std::initializer_list<int> nodes) : nodes_(nodes.begin(), nodes.size()) {}
  NodeList(std::span<const int> nodes) : nodes_(nodes) {}
  template <std::size_t n>
  NodeList(const std::array<int, n>& nodes) : nodes_(nodes) {}
  NodeList(const std::vector<int>& nodes) : nodes_(nodes) {}
  std::span<const int> span() const { return nodes_; }

 private:
  std::span<const int> nodes_;
};

/// Where a part announces everything it does. It sees the complete space here and may keep offsets of nodes. Mistakes
/// (a node that does not exist or is named twice, more nodes than the handle has room for) throw std::logic_error and
/// name the part.
class Declaration {
 public:
  const ConfigurationSpace& space() const { return space_; }
  /// The same, with all derivatives by differences whatever is asked for: for a part that wraps another without its
  /// formulas.
  Declaration with_differences() const { return {space_, ledger_, true}; }

  /// `rows` equations between these nodes; D(Cᵀλ) couples them.
  template <int rows, int most = 2>
  Constraint<rows, most> constraint(ConstraintKind kind, const NodeList& nodes, const ConstraintOptions& options = {}) {
    static_assert(rows > 0, "for a number of rows known at run time leave it out");
    return place<rows, most>(kind, rows, nodes.span(), options);
  }
  template <int most = 2>
  Constraint<Eigen::Dynamic, most> constraint(ConstraintKind kind, int rows, const NodeList& nodes,
                                              const ConstraintOptions& options = {}) {
    return place<Eigen::Dynamic, most>(kind, rows, nodes.span(), options);
  }
  /// Forces on these nodes that depend on the configurations (and velocities) of these nodes, and on no others.
  template <int most = 2>
  Force<most> forces(const NodeList& nodes, const ForceOptions& options = {}) {
    Force<most> force;
    announce_forces(nodes.span(), most, options, force.blocks_.at.data());
    return force;
  }

 private:
  friend class SystemBuilder;
  friend class ContractCheck;
  friend class System;
  class Ledger;
  Declaration(const ConfigurationSpace& space, Ledger& ledger, bool differences = false)
      : space_(space), ledger_(ledger), differences_(differences) {}

  template <int rows, int most>
  Constraint<rows, most> place(ConstraintKind kind, int count, std::span<const int> nodes,
                               const ConstraintOptions& options) {
    Constraint<rows, most> c;
    if constexpr (rows == Eigen::Dynamic) c.count = count;
    c.row_ = announce_constraint(kind, count, nodes, most, options, c.columns_.data(), c.blocks_.at.data());
    return c;
  }
  /// Fill `blocks` (most × most) and `columns` (most); −1 where there is no node. Return the first row.
  void announce_forces(std::span<const int> nodes, int most, const ForceOptions& options, int* blocks);
  int announce_constraint(ConstraintKind kind, int rows, std::span<const int> nodes, int most,
                          const ConstraintOptions& options, int* columns, int* blocks);

  const ConfigurationSpace& space_;
  Ledger& ledger_;
  bool differences_;
};

}  // namespace filum::mechanics
