/// Saddle-point systems whose H couples nodes: the whole matrix at once. Theory: docs/theory/solver.md, sec. 4.
#include "block_shapes.hpp"
#include "kkt_method.hpp"

#include <algorithm>
#include <cassert>
#include <string>

namespace filum::linalg {
namespace {

/// How many unknowns a thread copies at a time.
constexpr int unknowns_of_chunk = 4096;

class CoupledKkt final : public KktSolver::Method {
 public:
  CoupledKkt(const BlockPattern& p, const RowSelection& rows)
      : p_(p), selection_(rows), inactive_values_(inactive_values(p, rows)), n_(p.size()) {}

  FactorReport set_nodes(const NodeMatrix& H) override {
    H_ = &H;
    return {.ok = true, .rcond = 1};
  }

  FactorReport set_rows(const RowMatrix& C, const RowMatrix& G, int blocks) override {
    if (blocks != blocks_) prepare(blocks);
    if (selection_.is_all()) return factorize(C.data(), G.data());
    C_ = C.values(), G_ = G.values();
    for (const int at : inactive_values_) C_[at] = G_[at] = 0;
    return factorize(C_.data(), G_.data());
  }

  void solve(const VectorXd& a, const VectorXd& b, VectorXd& x, VectorXd& y) override {
    const std::vector<int>& place = placed_.place;
    for_each_chunk(n_, unknowns_of_chunk, [&](int first, int end) {
      for (int i = first; i < end; ++i) z_[place[i]] = a[i];
    });
    for (int r = 0; r < rows_; ++r) z_[place[n_ + r]] = b[r];
    for (const int row : selection_.inactive())
      if (row < rows_) z_[place[n_ + row]] = 0;
    placed_.factor->solve(z_.data());
    for_each_chunk(n_, unknowns_of_chunk, [&](int first, int end) {
      for (int i = first; i < end; ++i) x[i] = z_[place[i]];
    });
    for (int r = 0; r < rows_; ++r) y[r] = z_[place[n_ + r]];
  }

  void solve_columns(const MatrixXd& A, MatrixXd& X, int) override {
    Z_.setZero(n_ + rows_, A.cols());
    for (Eigen::Index k = 0; k < A.cols(); ++k)
      for (int i = 0; i < n_; ++i) Z_(placed_.place[i], k) = A(i, k);
    placed_.factor->solve_columns(Z_.data(), static_cast<int>(A.cols()));
    X.resize(n_, A.cols());
    for (Eigen::Index k = 0; k < A.cols(); ++k)
      for (int i = 0; i < n_; ++i) X(i, k) = Z_(placed_.place[i], k);
  }

  const char* name() const override { return name_.c_str(); }
  Factor* factor() override { return placed_.factor.get(); }
  int blocks() const override { return blocks_; }

  void prepare(int blocks) override {
    blocks_ = blocks;
    rows_ = p_.rows(blocks);
    z_.resize(n_ + rows_);
    FactorTask task{.sizes = {},
                    .graph = graph(),
                    .hosted = p_.nodes(),
                    .structure = Structure::coupled,
                    .for_each_entry = [this](const auto& f) {
                      for_each_column(0, shares(), [&](const Column& c) {
                        for (int k = 0; k < c.count; ++k) f(c.row + k, c.column);
                      });
                    }};
    for (int i = 0; i < p_.nodes(); ++i) task.sizes.push_back(p_.dim(i));
    for (int k = 0; k < blocks; ++k) task.sizes.push_back(p_.row_block(k).rows);
    placed_ = choose_factor(task);
    name_ = std::string(placed_.factor->name()) + " LU of the coupled system";
    stride_ = 1;
    positions_.clear();
    first_position_.clear();
    for (int share = 0; share < shares(); ++share) {
      first_position_.push_back(static_cast<int>(positions_.size()));
      for_each_column(share, share + 1, [&](const Column& c) {
        positions_.push_back(placed_.position(c.row, c.column));
        if (c.count > 1) stride_ = placed_.position(c.row + 1, c.column) - positions_.back();
        assert(c.count < 3 || placed_.position(c.row + 2, c.column) == positions_.back() + 2 * stride_);
      });
    }
  }

 private:
  /// Entries of one column in neighbouring rows, and where their values are: `stride` apart in H, C, G or a single 1.
  enum Source { of_H, of_C, of_G, of_one };
  struct Column {
    int row, column, count;
    Source source;
    int at, stride;
  };

  /// The entries of [H Gᵀ; C 0] are those of the nodes, of the row blocks, and of inactive rows.
  int shares() const { return p_.nodes() + blocks_ + 1; }
  /// f(column) for all columns of these shares, in an order that never changes.
  template <class F>
  void for_each_column(int first, int end, F&& f) const {
    for (int share = first; share < end; ++share) {
      if (share < p_.nodes())
        for_each_column_of_node(share, f);
      else if (share < p_.nodes() + blocks_)
        for_each_column_of_rows(share - p_.nodes(), f);
      else
        for (const int row : selection_.inactive())
          if (row < rows_) f(Column{n_ + row, n_ + row, 1, of_one, 0, 1});
    }
  }
  /// The diagonal block, and those that couple the node with others behind it.
  template <class F>
  void for_each_column_of_node(int node, F&& f) const {
    const auto block = [&](int i, int j) {
      const int rows = p_.dim(i), at = p_.block_offset(i, j);
      for (int c = 0; c < p_.dim(j); ++c) f(Column{p_.offset(i), p_.offset(j) + c, rows, of_H, at + c * rows, 1});
    };
    block(node, node);
    for (const int j : p_.upper_neighbours(node)) block(node, j), block(j, node);
  }
  template <class F>
  void for_each_column_of_rows(int k, F&& f) const {
    const RowBlock& b = p_.row_block(k);
    if (b.rows == 0) return;
    for (const NodeRef& ref : p_.refs(b)) {
      const int dim = p_.dim(ref.node), offset = p_.offset(ref.node), row = n_ + b.first_row;
      for (int c = 0; c < dim; ++c) f(Column{row, offset + c, b.rows, of_C, ref.value_offset + c * b.rows, 1});
      for (int r = 0; r < b.rows; ++r) f(Column{offset, row + r, dim, of_G, ref.value_offset + r, b.rows});
    }
  }

  /// Nodes first, then row blocks.
  Graph graph() const {
    Graph graph(static_cast<std::size_t>(p_.nodes() + blocks_));
    const auto join = [&](int i, int j) { graph[i].push_back(j), graph[j].push_back(i); };
    for (int i = 0; i < p_.nodes(); ++i)
      for (const int j : p_.upper_neighbours(i)) join(i, j);
    for (int k = 0; k < blocks_; ++k)
      for (const NodeRef& ref : p_.refs(p_.row_block(k))) join(ref.node, p_.nodes() + k);
    return graph;
  }

  FactorReport factorize(const double* C, const double* G) {
    Factor& factor = *placed_.factor;
    factor.clear();
    double* values = factor.values().data();
    const double one = 1, *const sources[] = {H_->data(), C, G, &one};
    const bool is_separable = H_->structure() == Structure::separable;
    for_each_chunk(shares(), blocks_of_chunk, [&](int first, int end) {
      const int* position = positions_.data() + first_position_[first];
      for_each_column(first, end, [&](const Column& c) {
        double* to = values + *position++;
        if (is_separable && c.source == of_H && c.at >= p_.diagonal_values()) return;
        const double* from = sources[c.source] + c.at;
        for (int k = 0; k < c.count; ++k) to[k * stride_] = from[k * c.stride];
      });
    });
    const bool ok = factor.factorize();
    return {.ok = ok, .rcond = ok ? factor.rcond() : 0, .suspect_row = suspect_row(factor.suspect())};
  }

  /// −1 unless the suspect is a constraint.
  int suspect_row(int in_place) const {
    if (in_place < 0) return -1;
    const auto at = std::find(placed_.place.begin() + n_, placed_.place.end(), in_place);
    return at == placed_.place.end() ? -1 : static_cast<int>(at - placed_.place.begin()) - n_;
  }

  const BlockPattern& p_;
  const RowSelection selection_;
  const std::vector<int> inactive_values_;
  const int n_;
  const NodeMatrix* H_ = nullptr;
  VectorXd C_, G_;  ///< copies when rows are inactive
  int blocks_ = -1, rows_ = 0;
  PlacedFactor placed_;
  std::string name_;
  std::vector<int> positions_, first_position_;  ///< of the columns, share by share; of a share
  int stride_ = 1;                               ///< between entries of a column
  VectorXd z_;
  MatrixXd Z_;  ///< of solve_columns
};

}  // namespace

std::unique_ptr<KktSolver::Method> make_coupled_kkt(const BlockPattern& pattern, const RowSelection& rows) {
  return std::make_unique<CoupledKkt>(pattern, rows);
}

}  // namespace filum::linalg
