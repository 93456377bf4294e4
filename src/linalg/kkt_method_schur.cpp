/// Saddle-point systems with block diagonal H: nodes are eliminated one by one, what is left is the Schur complement
/// C H⁻¹ Gᵀ of the multipliers. Theory: docs/theory/solver.md, sec. 2.
#include "block_shapes.hpp"
#include "kkt_method.hpp"
#include "row_chain.hpp"
#include "small_inverse.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <string>

namespace filum::linalg {
namespace {

class SchurKkt final : public KktSolver::Method {
 public:
  SchurKkt(const BlockPattern& p, const RowSelection& rows)
      : p_(p),
        selection_(rows),
        inactive_values_(inactive_values(p, rows)),
        inverse_at_{0},
        ordered_(VectorXd::Zero(p.rows())),
        C_(VectorXd::Zero(p.row_values())),
        Y_(VectorXd::Zero(p.row_values())) {
    for (int i = 0; i < p.nodes(); ++i) inverse_at_.push_back(inverse_at_.back() + p.dim(i) * p.dim(i));
    diagonal_inverse_.resize(p.size());
  }

  FactorReport set_nodes(const NodeMatrix& H) override {
    diagonal_ = is_diagonal(H);
    if (!diagonal_ && inverse_.size() == 0) inverse_.resize(inverse_at_.back());
    std::atomic<double> rcond = 1;
    std::atomic<bool> ok = true;
    for_each_chunk(p_.nodes(), blocks_of_chunk, [&](int first, int end) {
      double least = 1;
      bool all = true;
      for (int i = first; i < end; ++i) {
        const double ratio = diagonal_ ? invert_diagonal(i, H) : invert_block(i, H);
        least = std::min(least, ratio);
        all = all && ratio > 0;
      }
      for (double before = rcond; least < before && !rcond.compare_exchange_weak(before, least);) continue;
      if (!all) ok = false;
    });
    node_rcond_ = rcond;
    return {.ok = ok, .rcond = rcond};
  }

  FactorReport set_rows(const RowMatrix& C, const RowMatrix& G, int blocks) override {
    if (blocks != blocks_) prepare(blocks);
    if (blocks == 0) return {.ok = node_rcond_ > 0, .rcond = node_rcond_};
    for_each_chunk(blocks, blocks_of_chunk, [&](int first, int end) {
      for_each_row_node(p_, first, end, [&]<int r, int d>(const RowBlock& b, const NodeRef& ref, Size<r>, Size<d>) {
        const int dim = p_.dim(ref.node);
        if (!diagonal_)
          return product_with_transpose<r, d>(inverse_.data() + inverse_at_[ref.node], G.data() + ref.value_offset,
                                              Y_.data() + ref.value_offset, b.rows, dim);
        diagonal_product_with_transpose<r, d>(diagonal_inverse_.data() + p_.offset(ref.node),
                                              G.data() + ref.value_offset, Y_.data() + ref.value_offset, b.rows, dim);
      });
      std::copy(C.data() + values_of(first), C.data() + values_of(end), C_.data() + values_of(first));
    });
    clear_inactive();
    assemble();
    return factorize();
  }

  void solve(const VectorXd& a, const VectorXd& b, VectorXd& x, VectorXd& y) override {
    for_each_chunk(p_.nodes(), blocks_of_chunk, [&](int first, int end) {
      const int at = p_.offset(first), size = p_.offset(end - 1) + p_.dim(end - 1) - at;
      if (diagonal_)
        x.segment(at, size) = diagonal_inverse_.segment(at, size).cwiseProduct(a.segment(at, size));
      else
        for (int i = first; i < end; ++i) multiply_node(i, a.data() + p_.offset(i), x.data() + p_.offset(i));
    });
    if (blocks_ == 0) return;
    if (&y != &b) y.head(rows_) = b.head(rows_);
    for (const int row : selection_.inactive())
      if (row < rows_) y[row] = 0;
    subtract_rows_times(x, y);
    solve_schur(y);  // y = b − C x0, of which −S⁻¹ gives the multipliers
    add_columns_times(y, x);
    for (int r = 0; r < rows_; ++r) y[r] = -y[r];
  }

  const char* name() const override { return name_.c_str(); }
  Factor* factor() override { return placed_.factor.get(); }
  int blocks() const override { return blocks_; }

  void prepare(int blocks) override {
    blocks_ = blocks;
    rows_ = p_.rows(blocks);
    placed_ = {};
    name_ = "node elimination";
    if (blocks > 0) {
      FactorTask task{.sizes = {},
                      .graph = graph(),
                      .hosted = blocks,
                      .structure = Structure::separable,
                      .for_each_entry = [this](const auto& f) { for_each_entry(f); }};
      for (int k = 0; k < blocks; ++k) task.sizes.push_back(p_.row_block(k).rows);
      placed_ = choose_factor(task);
      name_ += std::string(", ") + placed_.factor->name() + " Schur complement";
    }
    place_chains();
    place_pairs();
    inactive_at_.clear();
    for (const int row : selection_.inactive())
      if (row < rows_) inactive_at_.push_back(placed_.position(row, row));
  }

 private:
  /// Two active row blocks that share a node: S(e, f) += C_e Y_f. Column c starts at columns_[target + c].
  struct Pair {
    int c_at, y_at, target;
  };
  /// Pairs of one shape, one after the other.
  struct PairRun {
    int rows_e, rows_f, dim, first, count;
  };

  /// Where S has the diagonal block of the first row block of a chain.
  struct PlacedChain : RowChain {
    int diagonal;
  };

  /// Some row blocks of a chain, counted from its first.
  struct Piece {
    int chain, first, end;
  };

  /// on_chain(chain, Size<rows>, Size<dim>) for the chains, and on_node(block, ref, Size<rows>, Size<dim>) for every
  /// node of the other row blocks.
  template <class OnChain, class OnNode>
  void for_each_chain_and_node(OnChain&& on_chain, OnNode&& on_node) const {
    int next = 0;
    for (const PlacedChain& chain : chains_) {
      for_each_row_node(p_, next, chain.first, on_node);
      with_shape(chain.rows, chain.dim, [&]<int r, int d>(Size<r> rows, Size<d> dim) {
        if constexpr (r > 0 && d > 0) on_chain(chain, rows, dim);
      });
      next = chain.end();
    }
    for_each_row_node(p_, next, blocks_, on_node);
  }

  /// y −= C x
  void subtract_rows_times(const VectorXd& x, VectorXd& y) const {
    const auto subtract = [&]<int r, int d>(const RowBlock& row, const NodeRef& ref, Size<r>, Size<d>) {
      add_product<r, d, -1>(C_.data() + ref.value_offset, x.data() + p_.offset(ref.node), y.data() + row.first_row,
                            row.rows, p_.dim(ref.node));
    };
    if (is_shared()) return for_each_row_node_shared(p_, blocks_, subtract);
    for_each_chain_and_node(
        [&]<int r, int d>(const RowChain& chain, Size<r>, Size<d>) {
          subtract_chain_product<r, d>(chain, C_.data(), x.data(), y.data());
        },
        subtract);
  }

  /// x += H⁻¹Gᵀ y
  void add_columns_times(const VectorXd& y, VectorXd& x) const {
    const auto add = [&]<int r, int d>(const RowBlock& row, const NodeRef& ref, Size<r>, Size<d>) {
      add_product<d, r>(Y_.data() + ref.value_offset, y.data() + row.first_row, x.data() + p_.offset(ref.node),
                        p_.dim(ref.node), row.rows);
    };
    if (is_shared()) return for_each_row_node_by_nodes(p_, blocks_, add);
    for_each_chain_and_node(
        [&]<int r, int d>(const RowChain& chain, Size<r>, Size<d>) {
          add_chain_product<r, d>(chain, Y_.data(), y.data(), x.data());
        },
        add);
  }
  bool is_shared() const { return blocks_ > blocks_of_chunk && team_in_use(); }

  /// Chains whose shape is known to the compiler, and which S has block by block.
  void place_chains() {
    chains_.clear();
    for (const RowChain& chain : find_chains(p_, blocks_)) {
      const bool is_common = chain.rows <= 6 && (chain.dim == 3 || chain.dim == 6);
      if (is_common && is_tridiagonal(chain)) chains_.push_back({chain, placed_.position(chain.row, chain.row)});
    }
    pieces_.clear();
    for (int k = 0; k < static_cast<int>(chains_.size()); ++k)
      for (int first = 0; first < chains_[k].count; first += blocks_of_chunk)
        pieces_.push_back({k, first, std::min(chains_[k].count, first + blocks_of_chunk)});
  }

  bool is_tridiagonal(const RowChain& chain) const {
    const int n = chain.rows, size = n * n, start = placed_.position(chain.row, chain.row);
    const auto has_block = [&](int row, int column, int at) {
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
          if (placed_.position(row + i, column + j) != at + i + j * n) return false;
      return true;
    };
    for (int k = 0; k < chain.count; ++k) {
      const int row = chain.row + k * n, at = start + 3 * k * size;
      if (!has_block(row, row, at)) return false;
      if (k + 1 < chain.count && !(has_block(row + n, row, at + size) && has_block(row, row + n, at + 2 * size)))
        return false;
    }
    return true;
  }

  /// Both row blocks belong to one chain.
  bool is_in_chain(int e, int f) const {
    const auto after = std::upper_bound(chains_.begin(), chains_.end(), e,
                                        [](int k, const PlacedChain& chain) { return k < chain.first; });
    if (after == chains_.begin()) return false;
    const PlacedChain& chain = after[-1];
    return e < chain.end() && f >= chain.first && f < chain.end();
  }

  /// Whether one of its rows takes part.
  bool is_active(int block) const {
    const RowBlock& b = p_.row_block(block);
    for (int r = 0; r < b.rows; ++r)
      if (selection_.is_active(b.first_row + r)) return true;
    return false;
  }

  /// f(row block, row block, node, offset of C values, offset of Y values) for all active pairs that share a node.
  /// Blocks without an active row are on their own: hundreds of joints on one body would fill S otherwise.
  template <class F>
  void for_each_pair(F&& f) const {
    std::vector<Incidence> active;
    for (int i = 0; i < p_.nodes(); ++i) {
      active.clear();
      for (const Incidence& e : p_.incidence(i)) {
        if (e.block >= blocks_) continue;
        if (is_active(e.block))
          active.push_back(e);
        else
          f(e.block, e.block, i, e.value_offset, e.value_offset);
      }
      for (const Incidence& e : active)
        for (const Incidence& g : active) f(e.block, g.block, i, e.value_offset, g.value_offset);
    }
  }

  void for_each_entry(const std::function<void(int, int)>& f) const {
    for_each_pair([&](int e, int g, auto...) {
      const RowBlock &be = p_.row_block(e), &bg = p_.row_block(g);
      for (int r = 0; r < be.rows; ++r)
        for (int c = 0; c < bg.rows; ++c) f(be.first_row + r, bg.first_row + c);
    });
  }

  Graph graph() const {
    Graph graph(static_cast<std::size_t>(blocks_));
    for_each_pair([&](int e, int f, auto...) {
      if (e != f) graph[e].push_back(f);
    });
    for (auto& neighbours : graph) {
      std::sort(neighbours.begin(), neighbours.end());
      neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
    }
    return graph;
  }

  void place_pairs() {
    pairs_.clear();
    pair_runs_.clear();
    columns_.clear();
    for_each_pair([&](int e, int f, int node, int c_at, int y_at) {
      if (is_in_chain(e, f)) return;
      const RowBlock &be = p_.row_block(e), &bf = p_.row_block(f);
      const PairRun shape{be.rows, bf.rows, p_.dim(node), static_cast<int>(pairs_.size()), 1};
      const auto same = [&](const PairRun& run) {
        return run.rows_e == shape.rows_e && run.rows_f == shape.rows_f && run.dim == shape.dim;
      };
      if (!pair_runs_.empty() && same(pair_runs_.back()))
        ++pair_runs_.back().count;
      else
        pair_runs_.push_back(shape);
      pairs_.push_back({c_at, y_at, static_cast<int>(columns_.size())});
      for (int c = 0; c < bf.rows; ++c) columns_.push_back(placed_.position(be.first_row, bf.first_row + c));
    });
  }

  bool is_diagonal(const NodeMatrix& H) const {
    std::atomic<bool> all = true;
    for_each_chunk(p_.nodes(), blocks_of_chunk, [&](int first, int end) {
      for (int i = first; i < end; ++i) {
        const double* block = H.data() + p_.block_offset(i, i);
        for (int c = 0; c < p_.dim(i); ++c)
          for (int r = 0; r < p_.dim(i); ++r)
            if (r != c && block[r + c * p_.dim(i)] != 0) return all.store(false);
      }
    });
    return all;
  }

  /// 1 when the diagonal has no zero, 0 otherwise.
  double invert_diagonal(int i, const NodeMatrix& H) {
    double ratio = 1;
    for (int r = 0; r < p_.dim(i); ++r) {
      const double entry = H.data()[p_.block_offset(i, i) + r * (p_.dim(i) + 1)];
      diagonal_inverse_[p_.offset(i) + r] = 1 / entry;
      if (!(std::abs(entry) > 0)) ratio = 0;
    }
    return ratio;
  }
  /// The condition of the block, roughly.
  double invert_block(int i, const NodeMatrix& H) {
    return invert_node(p_.dim(i), H.data() + p_.block_offset(i, i), inverse_.data() + inverse_at_[i]);
  }

  /// How many values the first `blocks` row blocks have.
  int values_of(int blocks) const {
    return blocks < p_.row_blocks() ? p_.row_block(blocks).value_offset : p_.row_values();
  }

  /// Y holds Gᵀ's blocks transposed: column r of dim(node) entries where C has row r.
  void clear_inactive() {
    for (const int at : inactive_values_) C_[at] = 0;
    for (const int row : selection_.inactive()) {
      const RowBlock& b = p_.row_block(p_.block_of_row(row));
      for (const NodeRef& ref : p_.refs(b)) {
        double* column = Y_.data() + ref.value_offset + (row - b.first_row) * p_.dim(ref.node);
        std::fill(column, column + p_.dim(ref.node), 0.0);
      }
    }
  }

  void assemble() {
    placed_.factor->clear();
    double* S = placed_.factor->values().data();
    for (const PairRun& run : pair_runs_)
      with_shape(run.rows_e, run.dim, [&]<int r, int d>(Size<r>, Size<d>) {
        for (int k = run.first; k < run.first + run.count; ++k)
          for (int c = 0; c < run.rows_f; ++c)
            add_product<r, d>(C_.data() + pairs_[k].c_at, Y_.data() + pairs_[k].y_at + c * run.dim,
                              S + columns_[pairs_[k].target + c], run.rows_e, run.dim);
      });
    for_each_task(static_cast<int>(pieces_.size()), [&](int k) {
      const Piece& piece = pieces_[k];
      const PlacedChain& chain = chains_[piece.chain];
      with_shape(chain.rows, chain.dim, [&]<int r, int d>(Size<r>, Size<d>) {
        if constexpr (r > 0 && d > 0)
          chain_schur_complement<r, d>(chain, piece.first, piece.end, C_.data(), Y_.data(), S + chain.diagonal);
      });
    });
    for (const int at : inactive_at_) S[at] += 1;
  }

  void multiply_node(int i, const double* a, double* x) const {
    with_shape(1, p_.dim(i), [&]<int r, int d>(Size<r>, Size<d>) {
      const int dim = p_.dim(i);
      const double* inverse = inverse_.data() + inverse_at_[i];
      if constexpr (d > 0) {
        const Eigen::Matrix<double, d, 1> copy = ConstBlockMap<d, 1>(a);
        BlockMap<d, 1>(x).noalias() = ConstBlockMap<d, d>(inverse).lazyProduct(copy);
      } else {
        double copy[largest_dim];
        assert(dim <= largest_dim);
        std::copy(a, a + dim, copy);
        std::fill(x, x + dim, 0.0);
        add_product<d, d>(inverse, copy, x, dim, dim);
      }
    });
  }

  FactorReport factorize() {
    Factor& factor = *placed_.factor;
    const bool ok = factor.factorize();
    FactorReport report{.ok = ok && node_rcond_ > 0, .rcond = ok ? factor.rcond() : 0};
    if (const int suspect = factor.suspect(); suspect >= 0)
      report.suspect_row = placed_.is_natural
                               ? suspect
                               : static_cast<int>(std::find(placed_.place.begin(), placed_.place.end(), suspect) -
                                                  placed_.place.begin());
    return report;
  }

  /// y := S⁻¹ y.
  void solve_schur(VectorXd& y) {
    if (placed_.is_natural) return placed_.factor->solve(y.data());
    for (int r = 0; r < rows_; ++r) ordered_[placed_.place[r]] = y[r];
    placed_.factor->solve(ordered_.data());
    for (int r = 0; r < rows_; ++r) y[r] = ordered_[placed_.place[r]];
  }

  const BlockPattern& p_;
  const RowSelection selection_;
  const std::vector<int> inactive_values_;
  std::vector<int> inverse_at_;
  bool diagonal_ = false;  ///< H is diagonal, as the mass matrix of beams and of bodies in principal axes is
  VectorXd inverse_, diagonal_inverse_, ordered_;
  VectorXd C_, Y_;  ///< C and H⁻¹Gᵀ, inactive rows cleared
  PlacedFactor placed_;
  std::string name_ = "node elimination";
  std::vector<int> columns_, inactive_at_;
  std::vector<Pair> pairs_;
  std::vector<PairRun> pair_runs_;
  std::vector<PlacedChain> chains_;  ///< by their row blocks, ascending; pairs within them are not in pairs_
  std::vector<Piece> pieces_;        ///< of chains_
  int blocks_ = -1, rows_ = 0;
  double node_rcond_ = 0;
};

}  // namespace

std::unique_ptr<KktSolver::Method> make_schur_kkt(const BlockPattern& pattern, const RowSelection& rows) {
  return std::make_unique<SchurKkt>(pattern, rows);
}

}  // namespace filum::linalg
