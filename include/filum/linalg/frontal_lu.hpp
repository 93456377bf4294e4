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
  std::size_t factor_values() const;
  int delayed_pivots() const { return delayed_; }
  /// Parts of the matrix that threads can work on at the same time.
  int branches() const { return trunk(); }

 private:
  /// An entry of the matrix: where it stands in its front when nothing is left over by children.
  struct Entry {
    int row, column;
    auto operator<=>(const Entry&) const = default;
  };
  /// What became of a front: names of its rows and columns, pivots first, and its factors: size × pivots numbers of L
  /// and the triangle of U, then pivots × (size − pivots) numbers of U, both column by column. And its smallest and
  /// largest pivot; stuck: the row `suspect` found none at all.
  struct Factored {
    int size, pivots, first_pivot;
    std::size_t names, values;
    double smallest, largest;
    int suspect;
    bool is_stuck;
  };
  /// What a front leaves to its parent: `left` rows and columns without pivot, and the border, column by column.
  struct Contribution {
    int front, left, branch;
    std::size_t names, values;
  };
  /// Fronts that nothing but the trunk depends on, (L.12), and memory of their own; or the trunk, which is all others.
  struct Branch {
    int first, end;               ///< fronts, some of them of other branches if it is the trunk
    std::vector<int> outer = {};  ///< places beyond its own that its fronts have in their borders
    std::size_t outer_at = 0;     ///< where they are in the vectors of a solve
    std::vector<double> front = {}, stack = {}, factors = {};
    mutable std::vector<double> local = {};  ///< of solves
    std::vector<int> names = {}, stack_names = {};
    std::vector<Contribution> contributions = {};
    std::size_t used = 0, used_names = 0, stack_used = 0, stack_names_used = 0;
    int delayed = 0;
    bool is_stuck = false;
  };

  void find_branches();
  void name_borders();
  void reserve(Branch& branch);
  bool equilibrate();
  void eliminate_all(Branch& branch);
  bool eliminate(int front, Branch& branch);
  void assemble(const Front& f, int front, int left, Branch& branch);
  void add_child(const Front& parent, const Contribution& c, int first_left, int left, Branch& branch) const;
  void keep(const Front& f, int front, int size, int pivots, Branch& branch);
  bool sum_up();
  int number_of(const Branch& branch) const { return static_cast<int>(&branch - branches_.data()); }
  int trunk() const { return static_cast<int>(branches_.size()) - 1; }
  /// Forward and back through all fronts; forward(f, branch, x, z) and back(...) for one front and one column.
  template <class Forward, class Back>
  void sweep(double* X, int count, std::size_t stride, const std::vector<double>& scale_in,
             const std::vector<double>& scale_out, const Forward& forward, const Back& back) const;
  void solve_group(double* X, int count, std::size_t stride) const;

  FrontTree tree_;
  std::vector<Entry> entries_;                    ///< by front, column, row
  std::vector<int> first_entry_;                  ///< of a front
  std::vector<double> values_;                    ///< of the entries
  std::vector<double> row_scale_, column_scale_;  ///< powers of 2
  std::vector<int> branch_of_;                    ///< of a front
  std::vector<int> border_names_;  ///< as FrontTree::borders, places beyond a branch by where it has them in a solve
  std::vector<Branch> branches_;   ///< the last one is the trunk
  std::vector<Factored> factored_;
  mutable std::vector<double> pivot_values_, work_;  ///< of solves
  std::size_t work_size_ = 0;                        ///< of one column
  int delayed_ = 0;
  double rcond_ = 0;
  int suspect_ = -1;
};

}  // namespace filum::linalg
