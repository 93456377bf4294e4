/// LU of a block tridiagonal matrix with small dense blocks of varying size. Theory: docs/theory/solver.md, sec. 3.
#pragma once

#include <filum/linalg/block_chains.hpp>
#include <filum/linalg/factor.hpp>

#include <vector>

namespace filum::linalg {

/// Pivots inside the diagonal blocks only: made for Schur complements C M⁻¹ Cᵀ, which are positive definite up to a
/// small perturbation. Blocks are column-major.
class BlockTridiagonal final : public Factor {
 public:
  /// `beginnings`: blocks that share no entries with the one before them.
  explicit BlockTridiagonal(std::vector<int> sizes, const std::vector<int>& beginnings = {});

  const char* name() const override { return "block tridiagonal"; }
  int size() const override { return static_cast<int>(block_of_.size()); }
  /// Entries of the diagonal blocks and of the blocks beside them.
  int position(int row, int column) const override;
  std::span<double> values() override { return values_; }

  bool factorize() override;
  /// The smallest share of a diagonal that elimination has left, times the condition of its block: does not depend on
  /// the scaling of rows.
  double rcond() const override { return rcond_; }
  void solve(double* x) const override;
  void solve_transpose(double* x) const override;
  /// First row of the block that came closest to being singular.
  int suspect() const override { return suspect_ < 0 ? -1 : offsets_[suspect_].row; }
  /// The sum of those of the diagonal blocks after elimination.
  std::optional<Inertia> inertia() const override;

 private:
  /// Where block (k, k), (k + 1, k) and (k, k + 1) start in the values.
  struct Offsets {
    int row, diagonal, lower, upper;
  };
  using Chain = BlockChains::Chain;
  /// What elimination of a chain has found.
  struct Found {
    double worst = 1;
    int suspect = -1;
    bool is_regular = true;
  };
  int blocks() const { return static_cast<int>(sizes_.size()); }
  template <class F>
  void for_each_block(const Chain& chain, F&& f) const;
  Found factor(const Chain& chain);
  void solve(const Chain& chain, double* x) const;
  /// Eliminates block k from the next one, both of size `fixed` if that is positive; returns which share of its
  /// diagonal is left.
  template <int fixed>
  double eliminate(int k);
  template <int fixed>
  void subtract_upper(int k, double* x) const;

  std::vector<int> sizes_, block_of_;  ///< of the blocks; the block of a row
  BlockChains chains_;
  std::vector<Offsets> offsets_;
  std::vector<double> values_;
  std::vector<int> pivots_;
  std::vector<Found> found_;  ///< of the chains
  double rcond_ = 0;
  int suspect_ = -1;
};

}  // namespace filum::linalg
