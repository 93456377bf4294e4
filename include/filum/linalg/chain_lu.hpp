/// Block LU along a chain of bodies and the constraints between them. Theory: docs/theory/solver.md, sec. 4.
#pragma once

#include <filum/linalg/banded_lu.hpp>
#include <filum/linalg/block_chains.hpp>
#include <filum/linalg/factor.hpp>

#include <memory>
#include <vector>

namespace filum::linalg {

/// Blocks of unknowns, each coupled with the next one only: a node with the rows it hosts. Pivots are looked for inside
/// the blocks; a matrix for which that is not enough, (L.21), is factored as a band with pivots across blocks.
class ChainLu final : public Factor {
 public:
  /// No block is larger than this.
  static constexpr int largest_block = 24;
  /// `beginnings`: blocks that share no entries with the one before them.
  explicit ChainLu(const std::vector<int>& sizes, const std::vector<int>& beginnings = {});

  const char* name() const override { return "chain"; }
  int size() const override { return static_cast<int>(block_of_.size()); }
  int position(int row, int column) const override;
  std::span<double> values() override { return values_; }

  bool factorize() override;
  /// Smallest pivot, measured against the largest entry that its row had: does not depend on the scaling of rows.
  double rcond() const override { return band_in_use_ ? band_->rcond() : rcond_; }
  void solve(double* x) const override;
  void solve_transpose(double* x) const override;
  void solve_columns(double* X, int count) override;
  int suspect() const override { return band_in_use_ ? band_->suspect() : suspect_; }
  /// The last matrix needed pivots across blocks.
  bool exchanged_across_blocks() const { return band_in_use_; }

 private:
  struct Block {
    int row, size;
    int diagonal, lower, upper;  ///< D, L below it and U beside it, in values_
    int inverse, factor;         ///< D⁻¹ and D⁻¹ U, in factors_
  };
  int blocks() const { return static_cast<int>(blocks_.size()); }
  int next_size(int k) const { return chains_.has_next(k) ? blocks_[k + 1].size : 0; }
  /// Size of block k when those beside it have the same, 0 otherwise.
  int common_size(int k) const;
  using Chain = BlockChains::Chain;
  /// What elimination of a chain has found.
  struct Found {
    bool ok = false;
    double rcond = 0;
    int suspect = -1;
  };
  bool scale_rows(const Chain& chain);
  bool eliminate(const Chain& chain, Found& found);
  bool is_accurate(const Chain& chain);
  bool factorize_chains();
  bool factorize_band();
  void solve_group(const Chain& chain, double* X, int count, std::size_t stride) const;
  void solve_group(double* X, int count, std::size_t stride) const;

  BlockChains chains_;
  std::vector<Found> found_;  ///< of the chains
  std::vector<Block> blocks_;
  std::vector<int> block_of_;
  std::vector<double> values_, factors_;
  std::vector<double> scale_;         ///< 1 / largest entry of each row
  std::vector<double> x_, residual_;  ///< of is_accurate
  int bandwidth_ = 0;
  std::unique_ptr<BandedLu> band_;  ///< of long chains made when first needed
  bool band_in_use_ = false;
  double rcond_ = 0;
  int suspect_ = -1;
};

}  // namespace filum::linalg
