/// Saddle-point systems with block diagonal H: nodes are eliminated one by one, the Schur complement C H⁻¹ Gᵀ of the
/// multipliers is dense, block tridiagonal or sparse. Theory: docs/theory/solver.md, sec. 2.
#include <filum/linalg/block_tridiagonal.hpp>
#include <filum/linalg/ordering.hpp>
#include <filum/linalg/sparse_lu.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "block_shapes.hpp"
#include "kkt_method.hpp"
#include "small_inverse.hpp"

namespace filum::linalg {
namespace {

/// Where the Schur complement is kept and factored: chosen once by structure and size.
enum class Storage { none, dense, tridiagonal, sparse };

class SchurKkt final : public KktSolver::Method {
 public:
  explicit SchurKkt(const BlockPattern& p)
      : p_(p), inverse_at_{0}, Y_(VectorXd::Zero(p.row_values())), ordered_(VectorXd::Zero(p.rows())) {
    for (int i = 0; i < p.nodes(); ++i) inverse_at_.push_back(inverse_at_.back() + p.dim(i) * p.dim(i));
    diagonal_inverse_.resize(p.size());
  }

  FactorReport set_nodes(const NodeMatrix& H) override {
    FactorReport report{.ok = true, .rcond = 1};
    diagonal_ = is_diagonal(H);
    if (diagonal_) {
      for (int i = 0; i < p_.nodes(); ++i)
        for (int r = 0; r < p_.dim(i); ++r) {
          const double entry = H.data()[p_.block_offset(i, i) + r * (p_.dim(i) + 1)];
          diagonal_inverse_[p_.offset(i) + r] = 1 / entry;
          if (!(std::abs(entry) > 0)) report = {.ok = false, .rcond = 0};
        }
      node_rcond_ = report.rcond;
      return report;
    }
    if (inverse_.size() == 0) inverse_.resize(inverse_at_.back());
    for (int i = 0; i < p_.nodes(); ++i) {
      const double ratio = invert_node(p_.dim(i), H.data() + p_.block_offset(i, i), inverse_.data() + inverse_at_[i]);
      report.rcond = std::min(report.rcond, ratio);
      if (!(ratio > 0)) report.ok = false;
    }
    node_rcond_ = report.rcond;
    return report;
  }

  FactorReport set_rows(const RowMatrix& C, const RowMatrix& G, int blocks) override {
    C_ = &C;
    if (blocks != blocks_) prepare(blocks);
    if (blocks == 0) return {.ok = node_rcond_ > 0, .rcond = node_rcond_};
    for_each_row_node(p_, blocks, [&]<int r, int d>(const RowBlock& b, const NodeRef& ref, Size<r>, Size<d>) {
      const int dim = p_.dim(ref.node);
      const ConstBlockMap<r, d> G_block(G.data() + ref.value_offset, b.rows, dim);
      BlockMap<d, r> Y(Y_.data() + ref.value_offset, dim, b.rows);
      if (diagonal_)
        Y = ConstBlockMap<d, 1>(diagonal_inverse_.data() + p_.offset(ref.node), dim).asDiagonal() * G_block.transpose();
      else
        Y.noalias() = ConstBlockMap<d, d>(inverse_.data() + inverse_at_[ref.node], dim, dim).lazyProduct(G_block.transpose());
    });
    assemble();
    for (const int row : p_.inactive_rows())
      if (row < rows_) diagonal_entry(row) += 1;
    return factorize();
  }

  void solve(const VectorXd& a, const VectorXd& b, VectorXd& x, VectorXd& y) override {
    if (diagonal_) x = diagonal_inverse_.cwiseProduct(a);
    else
      for (int i = 0; i < p_.nodes(); ++i) multiply_node(i, a.data() + p_.offset(i), x.data() + p_.offset(i));
    if (blocks_ == 0) return;
    if (&y != &b) y.head(rows_) = b.head(rows_);
    subtract_rows_times(x, y);  // y = b − C x0, of which −S⁻¹ gives the multipliers
    solve_schur(y);
    for_each_row_node(p_, blocks_, [&]<int r, int d>(const RowBlock& row, const NodeRef& ref, Size<r>, Size<d>) {
      const int dim = p_.dim(ref.node);
      BlockMap<d, 1>(x.data() + p_.offset(ref.node), dim).noalias() +=
          ConstBlockMap<d, r>(Y_.data() + ref.value_offset, dim, row.rows).lazyProduct(ConstBlockMap<r, 1>(y.data() + row.first_row, row.rows));
    });
    for (int r = 0; r < rows_; ++r) y[r] = -y[r];
  }

  const char* name() const override {
    switch (storage_) {
      case Storage::dense: return "node elimination, dense Schur complement";
      case Storage::tridiagonal: return "node elimination, block tridiagonal Schur complement";
      case Storage::sparse: return "node elimination, sparse Schur complement";
      default: return "node elimination";
    }
  }

 private:
  /// Two active row blocks that share a node: S(e, f) += C_e Y_f. Column c starts at `target` + c `stride`, or for sparse
  /// storage at columns_[target + c].
  struct Pair {
    int c_at, y_at, target, stride;
  };
  /// Pairs of one shape, one after the other.
  struct PairRun {
    int rows_e, rows_f, dim, first, count;
  };

  void prepare(int blocks) {
    blocks_ = blocks;
    rows_ = p_.rows(blocks);
    choose_storage();
    pairs_.clear();
    pair_runs_.clear();
    columns_.clear();
    for_each_pair([&](int e, int f, int node, int c_at, int y_at) {
      const PairRun shape{p_.row_block(e).rows, p_.row_block(f).rows, p_.dim(node), static_cast<int>(pairs_.size()), 1};
      const auto same = [&](const PairRun& run) { return run.rows_e == shape.rows_e && run.rows_f == shape.rows_f && run.dim == shape.dim; };
      if (!pair_runs_.empty() && same(pair_runs_.back())) ++pair_runs_.back().count;
      else pair_runs_.push_back(shape);
      pairs_.push_back(place_pair(e, f, c_at, y_at));
    });
  }

  Pair place_pair(int e, int f, int c_at, int y_at) {
    const RowBlock &be = p_.row_block(e), &bf = p_.row_block(f);
    if (storage_ == Storage::dense) return {c_at, y_at, be.first_row + bf.first_row * rows_, rows_};
    if (storage_ == Storage::sparse) {
      const Pair pair{c_at, y_at, static_cast<int>(columns_.size()), 0};
      for (int c = 0; c < bf.rows; ++c) columns_.push_back(sparse_->position(be.first_row, bf.first_row + c));
      return pair;
    }
    const int i = place_[e], j = place_[f];
    return {c_at, y_at, i == j ? chain_->diagonal(i) : (i > j ? chain_->lower(j) : chain_->upper(i)), be.rows};
  }

  void choose_storage() {
    Graph graph(blocks_);
    for_each_pair([&](int e, int f, auto...) {
      if (e != f) graph[e].push_back(f);
    });
    for (auto& neighbours : graph) {
      std::sort(neighbours.begin(), neighbours.end());
      neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
    }
    std::vector<int> order(blocks_);
    std::iota(order.begin(), order.end(), 0);
    natural_ = is_path(graph, order);
    if (!natural_) order = reverse_cuthill_mckee(graph);
    sparse_.reset();
    chain_.reset();
    if (blocks_ == 0) {
      storage_ = Storage::none;
    } else if (is_path(graph, order)) {
      storage_ = Storage::tridiagonal;
      place_.resize(blocks_);
      order_ = order;
      std::vector<int> sizes;
      for (int k = 0; k < blocks_; ++k) place_[order[k]] = k, sizes.push_back(p_.row_block(order[k]).rows);
      chain_.emplace(std::move(sizes));
    } else if (rows_ <= dense_limit) {
      storage_ = Storage::dense;
      S_.resize(rows_, rows_);
      pivot_.resize(rows_);
    } else {
      storage_ = Storage::sparse;
      std::vector<std::pair<int, int>> entries;
      for_each_pair([&](int e, int f, auto...) {
        const RowBlock &be = p_.row_block(e), &bf = p_.row_block(f);
        for (int r = 0; r < be.rows; ++r)
          for (int c = 0; c < bf.rows; ++c) entries.emplace_back(be.first_row + r, bf.first_row + c);
      });
      sparse_.emplace(rows_, entries);
    }
  }

  bool is_diagonal(const NodeMatrix& H) const {
    for (int i = 0; i < p_.nodes(); ++i) {
      const double* block = H.data() + p_.block_offset(i, i);
      for (int c = 0; c < p_.dim(i); ++c)
        for (int r = 0; r < p_.dim(i); ++r)
          if (r != c && block[r + c * p_.dim(i)] != 0) return false;
    }
    return true;
  }

  /// f(row block, row block, node, offset of C values, offset of Y values) for all active pairs that share a node.
  template <class F>
  void for_each_pair(F&& f) const {
    for (int i = 0; i < p_.nodes(); ++i)
      for (const Incidence& e : p_.incidence(i)) {
        if (e.block >= blocks_) continue;
        for (const Incidence& g : p_.incidence(i))
          if (g.block < blocks_) f(e.block, g.block, i, e.value_offset, g.value_offset);
      }
  }

  std::span<double> values() {
    if (storage_ == Storage::dense) return {S_.data(), static_cast<std::size_t>(S_.size())};
    if (storage_ == Storage::sparse) return sparse_->values();
    return chain_->values();
  }

  double& diagonal_entry(int row) {
    if (storage_ == Storage::dense) return S_(row, row);
    if (storage_ == Storage::sparse) return sparse_->values()[sparse_->position(row, row)];
    const int block = p_.block_of_row(row);
    const RowBlock& b = p_.row_block(block);
    return chain_->values()[chain_->diagonal(place_[block]) + (row - b.first_row) * (b.rows + 1)];
  }

  void assemble() {
    const std::span<double> S = values();
    std::fill(S.begin(), S.end(), 0.0);
    for (const PairRun& run : pair_runs_)
      with_shape(run.rows_e == run.rows_f ? run.rows_e : 0, run.dim, [&]<int r, int d>(Size<r>, Size<d>) {
        for (int k = run.first; k < run.first + run.count; ++k) add_pair<r, d>(run, pairs_[k], S.data());
      });
  }

  template <int r, int d>
  void add_pair(const PairRun& run, const Pair& pair, double* S) const {
    const ConstBlockMap<r, d> C(C_->data() + pair.c_at, run.rows_e, run.dim);
    const ConstBlockMap<d, r> Y(Y_.data() + pair.y_at, run.dim, run.rows_f);
    for (int c = 0; c < run.rows_f; ++c) {
      const int at = storage_ == Storage::sparse ? columns_[pair.target + c] : pair.target + c * pair.stride;
      BlockMap<r, 1>(S + at, run.rows_e).noalias() += C.lazyProduct(Y.col(c));
    }
  }

  void multiply_node(int i, const double* a, double* x) const {
    with_shape(1, p_.dim(i), [&]<int r, int d>(Size<r>, Size<d>) {
      const int dim = p_.dim(i);
      const ConstBlockMap<d, d> H_inv(inverse_.data() + inverse_at_[i], dim, dim);
      if constexpr (d > 0) {
        const Eigen::Matrix<double, d, 1> copy = ConstBlockMap<d, 1>(a);
        BlockMap<d, 1>(x).noalias() = H_inv.lazyProduct(copy);
      } else {
        Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 16, 1> copy = ConstBlockMap<Eigen::Dynamic, 1>(a, dim);
        BlockMap<Eigen::Dynamic, 1>(x, dim).noalias() = H_inv.lazyProduct(copy);
      }
    });
  }

  void subtract_rows_times(const VectorXd& x, VectorXd& y) const {
    for_each_row_node(p_, blocks_, [&]<int r, int d>(const RowBlock& b, const NodeRef& ref, Size<r>, Size<d>) {
      const int dim = p_.dim(ref.node);
      const ConstBlockMap<r, d> C(C_->data() + ref.value_offset, b.rows, dim);
      BlockMap<r, 1>(y.data() + b.first_row, b.rows).noalias() -= C.lazyProduct(ConstBlockMap<d, 1>(x.data() + p_.offset(ref.node), dim));
    });
  }

  FactorReport factorize() {
    if (storage_ == Storage::sparse) {
      const bool ok = sparse_->factorize();
      return {.ok = ok && node_rcond_ > 0, .rcond = ok ? sparse_->rcond() : 0};
    }
    const double ratio = storage_ == Storage::dense ? small_lu(S_.data(), rows_, pivot_.data()) : chain_->factorize();
    FactorReport report{.ok = ratio > 0 && node_rcond_ > 0, .rcond = std::isfinite(ratio) ? ratio : 0};
    if (storage_ == Storage::tridiagonal) {
      if (chain_->suspect_block() >= 0) report.suspect_row = p_.row_block(order_[chain_->suspect_block()]).first_row;
      return report;
    }
    double smallest = HUGE_VAL;
    for (int r = 0; r < rows_; ++r)
      if (!(std::abs(S_(r, r)) >= smallest)) smallest = std::abs(S_(r, r)), report.suspect_row = r;
    return report;
  }

  /// y := S⁻¹ y.
  void solve_schur(VectorXd& y) {
    if (storage_ == Storage::dense) {
      small_lu_solve(S_.data(), rows_, pivot_.data(), y.data());
    } else if (storage_ == Storage::sparse) {
      sparse_->solve(y.data());
    } else if (natural_) {
      chain_->solve(y.data());
    } else {
      permute(y, [](double& inside, double& outside) { inside = outside; });
      chain_->solve(ordered_.data());
      permute(y, [](double& inside, double& outside) { outside = inside; });
    }
  }

  template <class F>
  void permute(VectorXd& y, F&& f) {
    int at = 0;
    for (const int block : order_) {
      const RowBlock& b = p_.row_block(block);
      for (int r = 0; r < b.rows; ++r) f(ordered_[at++], y[b.first_row + r]);
    }
  }

  const BlockPattern& p_;
  std::vector<int> inverse_at_;
  bool diagonal_ = false;  ///< H is diagonal, as the mass matrix of beams and of bodies in principal axes is
  VectorXd inverse_, diagonal_inverse_, Y_, ordered_;
  Storage storage_ = Storage::none;
  MatrixXd S_;
  std::vector<int> pivot_, columns_, place_, order_;
  std::vector<Pair> pairs_;
  std::vector<PairRun> pair_runs_;
  std::optional<SparseLu> sparse_;
  std::optional<BlockTridiagonal> chain_;
  bool natural_ = true;
  const RowMatrix* C_ = nullptr;
  int blocks_ = -1, rows_ = 0;
  double node_rcond_ = 0;
};

}  // namespace

std::unique_ptr<KktSolver::Method> make_schur_kkt(const BlockPattern& pattern) { return std::make_unique<SchurKkt>(pattern); }

}  // namespace filum::linalg
