/// LU with row pivoting of a small dense matrix. Theory: docs/theory/solver.md, sec. 5.
#pragma once

#include <filum/linalg/factor.hpp>

#include <Eigen/Core>

#include <vector>

namespace filum::linalg {

class DenseLu final : public Factor {
 public:
  explicit DenseLu(int size) : A_(Eigen::MatrixXd::Zero(size, size)), pivots_(static_cast<std::size_t>(size)) {}

  const char* name() const override { return "dense"; }
  int size() const override { return static_cast<int>(A_.rows()); }
  int position(int row, int column) const override { return row + column * size(); }
  std::span<double> values() override { return {A_.data(), static_cast<std::size_t>(A_.size())}; }
  bool factorize() override;
  /// Ratio of the smallest to the largest pivot.
  double rcond() const override { return rcond_; }
  void solve(double* x) const override;
  void solve_transpose(double* x) const override;
  int suspect() const override;
  std::optional<Inertia> inertia() const override;

 private:
  Eigen::MatrixXd A_;
  std::vector<int> pivots_;
  double rcond_ = 0;
};

}  // namespace filum::linalg
