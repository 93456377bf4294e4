/// Saddle-point systems whose H couples nodes: the whole matrix, banded for chains, dense when small, sparse otherwise.
/// Theory: docs/theory/solver.md, sec. 4.
#include <filum/linalg/banded_lu.hpp>
#include <filum/linalg/ordering.hpp>
#include <filum/linalg/sparse_lu.hpp>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <optional>

#include "kkt_method.hpp"

namespace filum::linalg {
namespace {

class CoupledKkt final : public KktSolver::Method {
 public:
  explicit CoupledKkt(const BlockPattern& p) : p_(p) {}

  FactorReport set_nodes(const NodeMatrix& H) override {
    H_ = &H;
    return {.ok = true, .rcond = 1};
  }

  FactorReport set_rows(const RowMatrix& C, const RowMatrix& G, int blocks) override {
    if (blocks != blocks_) prepare(blocks);
    return sparse_ || banded_ ? factor_structured(C, G) : factor_dense(C, G);
  }

  void solve(const VectorXd& a, const VectorXd& b, VectorXd& x, VectorXd& y) override {
    for (int i = 0; i < n_; ++i) z_[place_[i]] = a[i];
    for (int r = 0; r < rows_; ++r) z_[place_[n_ + r]] = b[r];
    if (banded_)
      banded_->solve(z_.data());
    else if (sparse_)
      sparse_->solve(z_.data());
    else
      w_.noalias() = lu_.solve(z_), z_ = w_;
    for (int i = 0; i < n_; ++i) x[i] = z_[place_[i]];
    for (int r = 0; r < rows_; ++r) y[r] = z_[place_[n_ + r]];
  }

  const char* name() const override {
    return banded_ ? "banded LU of the coupled system" : (sparse_ ? "sparse LU of the coupled system" : "dense LU of the coupled system");
  }

 private:
  /// f(row, column, value) for every entry of [H Gᵀ; C 0], in an order that never changes.
  template <class F>
  void for_each_entry(const double* H, const double* C, const double* G, F&& f) const {
    const auto block = [&](int i, int j) {
      const double* h = H ? H + p_.block_offset(i, j) : nullptr;
      for (int c = 0; c < p_.dim(j); ++c)
        for (int r = 0; r < p_.dim(i); ++r) f(p_.offset(i) + r, p_.offset(j) + c, h ? *h++ : 0.0);
    };
    for (int i = 0; i < p_.nodes(); ++i) {
      block(i, i);
      for (const int j : p_.upper_neighbours(i)) block(i, j), block(j, i);
    }
    for (int k = 0; k < blocks_; ++k) {
      const RowBlock& b = p_.row_block(k);
      for (const NodeRef& ref : p_.refs(b)) {
        int at = ref.value_offset;
        for (int c = 0; c < p_.dim(ref.node); ++c)
          for (int r = 0; r < b.rows; ++r, ++at) {
            const int row = n_ + b.first_row + r, column = p_.offset(ref.node) + c;
            f(row, column, C ? C[at] : 0.0);
            f(column, row, G ? G[at] : 0.0);
          }
      }
    }
    for (const int row : p_.inactive_rows())
      if (row < rows_) f(n_ + row, n_ + row, 1.0);
  }

  void prepare(int blocks) {
    blocks_ = blocks;
    n_ = p_.size();
    rows_ = p_.rows(blocks);
    z_.resize(n_ + rows_);
    w_.resize(n_ + rows_);
    sparse_.reset();
    banded_.reset();
    positions_.clear();
    number_unknowns();
    const int band = bandwidth();
    // A band wins over a dense matrix as soon as it is clearly narrower, and over a sparse one while it stays narrow.
    if (3 * band < n_ + rows_ && band <= widest_band) {
      banded_.emplace(n_ + rows_, band, band);
    } else if (n_ + rows_ <= dense_limit) {
      A_.setZero(n_ + rows_, n_ + rows_);
      return;
    } else {
      std::vector<std::pair<int, int>> entries;
      for_each_entry(nullptr, nullptr, nullptr, [&](int r, int c, double) { entries.emplace_back(place_[r], place_[c]); });
      sparse_.emplace(n_ + rows_, entries);
    }
    for_each_entry(nullptr, nullptr, nullptr, [&](int r, int c, double) {
      positions_.push_back(banded_ ? banded_->position(place_[r], place_[c]) : sparse_->position(place_[r], place_[c]));
    });
  }

  /// place_: nodes and multipliers in an order that keeps coupled ones close, (L.4). Along a beam that is
  /// node, multiplier, node, ...
  void number_unknowns() {
    Graph graph(p_.nodes() + blocks_);
    const auto join = [&](int i, int j) { graph[i].push_back(j), graph[j].push_back(i); };
    for (int i = 0; i < p_.nodes(); ++i)
      for (const int j : p_.upper_neighbours(i)) join(i, j);
    for (int k = 0; k < blocks_; ++k)
      for (const NodeRef& ref : p_.refs(p_.row_block(k))) join(ref.node, p_.nodes() + k);
    place_.resize(n_ + rows_);
    int next = 0;
    for (const int vertex : reverse_cuthill_mckee(graph)) {
      const bool node = vertex < p_.nodes();
      const int k = vertex - p_.nodes();
      const int first = node ? p_.offset(vertex) : n_ + p_.row_block(k).first_row;
      const int count = node ? p_.dim(vertex) : p_.row_block(k).rows;
      for (int i = 0; i < count; ++i) place_[first + i] = next++;
    }
  }

  int bandwidth() const {
    int band = 0;
    for_each_entry(nullptr, nullptr, nullptr, [&](int r, int c, double) { band = std::max(band, std::abs(place_[r] - place_[c])); });
    return band;
  }

  FactorReport factor_dense(const RowMatrix& C, const RowMatrix& G) {
    for_each_entry(H_->data(), C.data(), G.data(), [&](int r, int c, double value) { A_(place_[r], place_[c]) = value; });
    if (!A_.allFinite()) return {};
    lu_.compute(A_);
    const auto pivots = lu_.matrixLU().diagonal().cwiseAbs();
    const double ratio = pivots.minCoeff() / pivots.maxCoeff();
    return {.ok = ratio > 0, .rcond = ratio};
  }

  FactorReport factor_structured(const RowMatrix& C, const RowMatrix& G) {
    if (banded_) banded_->clear();
    std::vector<double>& values = banded_ ? banded_->values() : sparse_->values();
    auto position = positions_.begin();
    for_each_entry(H_->data(), C.data(), G.data(), [&](int, int, double value) { values[*position++] = value; });
    const bool ok = banded_ ? banded_->factorize() : sparse_->factorize();
    return {.ok = ok, .rcond = ok ? (banded_ ? banded_->rcond() : sparse_->rcond()) : 0};
  }

  static constexpr int widest_band = 40;

  const BlockPattern& p_;
  const NodeMatrix* H_ = nullptr;
  int blocks_ = -1, n_ = 0, rows_ = 0;
  MatrixXd A_;
  VectorXd z_, w_;
  Eigen::PartialPivLU<MatrixXd> lu_;
  std::vector<int> positions_, place_;
  std::optional<SparseLu> sparse_;
  std::optional<BandedLu> banded_;
};

}  // namespace

std::unique_ptr<KktSolver::Method> make_coupled_kkt(const BlockPattern& pattern) { return std::make_unique<CoupledKkt>(pattern); }

}  // namespace filum::linalg
