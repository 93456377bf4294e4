/// Which constraint rows depend on others, and how close the others are to that. Theory: docs/theory/mechanics.md,
/// sec. 5.
#pragma once

#include <filum/linalg/row_selection.hpp>
#include <filum/mechanics/system.hpp>

#include <vector>

namespace filum::mechanics {

/// Rows of C that depend linearly on others.
struct RedundancyReport {
  int rank = 0;
  std::vector<int> dependent_rows;
  double smallest_distance = 1;  ///< of the independent rows, each of length 1, to the span of those before it, at most
  int closest_row = -1;          ///< the row with that distance
};

/// The selected row that comes closest to depending on those before it.
struct ClosestRow {
  double distance = 1;
  int row = -1;
  bool is_dependent = false;
};

/// (M.14) LDLᵀ of C W Cᵀ, rows scaled to length 1, row after row in their order: a pivot is the squared distance of a
/// row to the span of the rows before it. W is the inverse of the mass matrix with its directions averaged: a slender
/// body does not look like a singular one. Made once for a system; nothing allocates but the report.
class ConstraintRank {
 public:
  explicit ConstraintRank(const System& system, const linalg::RowSelection& rows = {});

  /// Rows nearer than `tolerance` to the span of rows before them are dependent. Rows that are not selected are left
  /// out.
  RedundancyReport analyse(double t, const VectorXd& q, double tolerance = 1e-8);
  /// The first dependent row, or else the one closest to it. Does not allocate.
  ClosestRow closest(double t, const VectorXd& q, double tolerance = 1e-8);

 private:
  /// found(row, distance, is_dependent) for every selected row, in the order of elimination.
  template <class Found>
  void eliminate_all(double t, const VectorXd& q, double tolerance, Found&& found);
  /// f(row j, node, start in C of row k and stride, the same of row j) for all rows j on nodes of row k.
  template <class F>
  void for_each_neighbour(int k, F&& f) const;
  void average_mass();
  void order_rows();
  bool find_structure(const std::vector<int>& order);
  void evaluate(double t, const VectorXd& q);
  void eliminate(int place, int row);
  double exact_distance(int place, int row);

  const System& system_;
  const BlockPattern& p_;
  VectorXd weight_;  ///< the diagonal of W
  RowMatrix C_;
  VectorXd length_;  ///< of the rows, in the metric of W
  std::vector<char> inactive_;
  std::vector<int> order_, place_;  ///< row in a place, place of a row
  std::vector<int> parent_, start_, count_, index_, flag_, pattern_;
  std::vector<double> L_, D_, y_, z_;
  VectorXd combination_;
};

/// One analysis.
RedundancyReport find_redundant_rows(const System& system, double t, const VectorXd& q, double tolerance = 1e-8);

/// Whether constraints form closed loops through nodes and the ground: only then can independent rows become dependent.
bool has_constraint_loops(const System& system);

}  // namespace filum::mechanics
