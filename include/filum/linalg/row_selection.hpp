/// Which rows of a system take part. Theory: docs/theory/solver.md, sec. 1.
#pragma once

#include <Eigen/Core>

#include <algorithm>
#include <utility>
#include <vector>

namespace filum::linalg {

/// All rows, or all but some. Solvers are given one; nothing else has to know which rows are left out.
class RowSelection {
 public:
  RowSelection() = default;
  explicit RowSelection(std::vector<int> inactive) : inactive_(std::move(inactive)) {
    std::sort(inactive_.begin(), inactive_.end());
    inactive_.erase(std::unique(inactive_.begin(), inactive_.end()), inactive_.end());
  }

  /// Ascending.
  const std::vector<int>& inactive() const { return inactive_; }
  bool is_all() const { return inactive_.empty(); }
  bool is_active(int row) const { return !std::binary_search(inactive_.begin(), inactive_.end(), row); }
  /// Sets the entries of inactive rows to 0. The vector may end before the last row: Φ has no nonholonomic rows.
  void clear_inactive(Eigen::Ref<Eigen::VectorXd> x) const {
    for (const int row : inactive_)
      if (row < x.size()) x[row] = 0;
  }
  bool operator==(const RowSelection&) const = default;

 private:
  std::vector<int> inactive_;
};

}  // namespace filum::linalg
