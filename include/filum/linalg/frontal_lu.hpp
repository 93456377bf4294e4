/// Multifrontal LU of a sparse matrix with dense blocks. Theory: docs/theory/solver.md, sec. 5.
#pragma once

#include <filum/linalg/factor.hpp>
#include <filum/linalg/front_tree.hpp>

#include <utility>
#include <vector>

namespace filum::linalg {

/// Pivots are found anew for every matrix, inside of fronts; one that is too small is left to the parent, whose front
/// grows by it. Memory grows when more pivots are left than ever before: otherwise nothing allocates.
class FrontalLu final : public Factor {
 public:
  /// `entries` are the (row, column) positions that may be non-zero, in the order of elimination; repetitions allowed.
  FrontalLu(FrontTree tree, const std::vector<std::pair<int, int>>& entries);

  const char* name() const override { return "sparse"; }
  int size() const override { return static_cast<int>(row_scale_.size()); }
  int position(int row, int column) const override;
  std::span<double> values() override { return values_; }

  bool factorize() override;
  /// Ratio of the smallest to the largest pivot, of the equilibrated matrix.
  double rcond() const override { return rcond_; }
  void solve(double* x) const override;
  void solve_transpose(double* x) const override;
  void solve_columns(double* X, int count) override;
  int suspect() const override { return suspect_; }

  /// Numbers in the factors, and how many pivots were left to a parent.
  std::size_t factor_values() const { return used_; }
  int delayed_pivots() const { return delayed_; }

 private:
  /// An entry of the matrix: where it stands in its front when nothing is left over by children.
  struct Entry {
    int row, column;
    auto operator<=>(const Entry&) const = default;
  };
  /// What became of a front: names of its rows and columns, pivots first, and its factors: size × pivots numbers of L
  /// and the triangle of U, then pivots × (size − pivots) numbers of U, both column by column.
  struct Factored {
    int size, pivots, first_pivot;
    std::size_t names, values;
  };
  /// What a front leaves to its parent: `left` rows and columns without pivot, and the border, column by column.
  struct Contribution {
    int front, left;
    std::size_t names, values;
  };

  int left_by_children(const Front& f) const;
  void reserve();
  bool equilibrate();
  bool eliminate(int front);
  void assemble(const Front& f, int front, int left);
  void add_child(const Front& parent, const Contribution& c, int first_left, int left);
  void keep(const Front& f, int front, int size, int pivots);
  void solve_group(double* X, int count, std::size_t stride) const;

  FrontTree tree_;
  std::vector<Entry> entries_;                    ///< by front, column, row
  std::vector<int> first_entry_;                  ///< of a front
  std::vector<double> values_;                    ///< of the entries
  std::vector<double> row_scale_, column_scale_;  ///< powers of 2
  std::vector<double> front_, stack_, factors_;
  std::vector<int> names_, stack_names_;
  std::vector<Factored> factored_;
  std::vector<Contribution> contributions_;
  mutable std::vector<double> pivot_values_, local_;  ///< of solves
  std::size_t used_ = 0, used_names_ = 0, stack_used_ = 0, stack_names_used_ = 0;
  int found_ = 0, delayed_ = 0;
  double rcond_ = 0, smallest_ = 0, largest_ = 0;
  int suspect_ = -1;
};

}  // namespace filum::linalg
