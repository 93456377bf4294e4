/// Sparse LU of a matrix whose pattern never changes (SuiteSparse KLU): analysed once, refactored often.
/// Theory: docs/theory/solver.md, sec. 4.
#pragma once

#include <filum/linalg/factor.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace filum::linalg {

class SparseLu final : public Factor {
 public:
  /// `entries` are the (row, column) positions that may be non-zero, in any order, repetitions allowed.
  SparseLu(int size, const std::vector<std::pair<int, int>>& entries);
  ~SparseLu() override;
  SparseLu(SparseLu&&) noexcept;
  SparseLu& operator=(SparseLu&&) noexcept;

  const char* name() const override { return "sparse"; }
  int size() const override;
  int position(int row, int column) const override;
  std::span<double> values() override;

  /// Keeps the pivot order of the first factorisation as long as that is stable, and chooses a new one otherwise.
  bool factorize() override;
  /// Ratio of the smallest to the largest pivot.
  double rcond() const override;
  void solve(double* x) const override;
  void solve_transpose(double* x) const override;
  void solve_columns(double* X, int count) override;
  int suspect() const override;

  std::span<const double> pivots_chosen_from() const override;
  void choose_pivots(std::span<const double> values) override;
  void forget_pivots() override;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace filum::linalg
