/// Saddle-point systems with block diagonal H: nodes are eliminated one by one, the Schur complement C H⁻¹ Gᵀ of the
/// multipliers is dense, block tridiagonal or sparse. Theory: docs/theory/solver.md, sec. 2.
#include <filum/linalg/block_tridiagonal.hpp>
#include <filum/linalg/ordering.hpp>
#include <filum/linalg/small_lu.hpp>
#include <filum/linalg/sparse_lu.hpp>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "kkt_method.hpp"

namespace filum::linalg {
namespace {

/// Inverts a d × d block, d known at compile time; returns the pivot ratio.
template <int d>
double invert(const double* block, double* inverse) {
  double lu[d * d];
  int pivot[d];
  for (int i = 0; i < d * d; ++i) lu[i] = block[i];
  const double ratio = small_lu(lu, d, pivot);
  if (!(ratio > 0)) return ratio;
  for (int j = 0; j < d; ++j) {
    double column[d] = {};
    column[j] = 1;
    small_lu_solve(lu, d, pivot, column);
    for (int i = 0; i < d; ++i) inverse[i + j * d] = column[i];
  }
  return ratio;
}

/// |det A| against the size of A: 1 for a multiple of a rotation, 0 when singular.
double determinant_ratio(const Eigen::Matrix3d& A) {
  const double size = A.cwiseAbs().maxCoeff();
  return std::abs(A.determinant()) / (size * size * size);
}

/// A rigid body's block by its four 3 × 3 blocks, translations first: their block is near m I. Returns 0 when a block is
/// too badly conditioned for that, and writes nothing.
double invert_by_quarters(const double* block, double* inverse) {
  const Eigen::Map<const Eigen::Matrix<double, 6, 6>> H(block);
  constexpr double acceptable = 1e-4;
  const Eigen::Matrix3d D = H.bottomRightCorner<3, 3>(), C = H.bottomLeftCorner<3, 3>();
  const double ratio_D = determinant_ratio(D);
  if (!(ratio_D > acceptable)) return 0;
  const Eigen::Matrix3d D_inv = D.inverse();
  const Eigen::Matrix3d X = H.topRightCorner<3, 3>() * D_inv;
  const Eigen::Matrix3d S = H.topLeftCorner<3, 3>() - X * C;
  const double ratio_S = determinant_ratio(S);
  if (!(ratio_S > acceptable)) return 0;
  const Eigen::Matrix3d S_inv = S.inverse();
  const Eigen::Matrix3d lower = -(D_inv * C) * S_inv;
  Eigen::Map<Eigen::Matrix<double, 6, 6>> out(inverse);
  out.topLeftCorner<3, 3>() = S_inv;
  out.topRightCorner<3, 3>().noalias() = -S_inv * X;
  out.bottomLeftCorner<3, 3>() = lower;
  out.bottomRightCorner<3, 3>() = D_inv - lower * X;
  return std::min(ratio_D, ratio_S);
}

double invert(int d, const double* block, double* inverse) {
  if (d == 6)
    if (const double ratio = invert_by_quarters(block, inverse); ratio > 0) return ratio;
  switch (d) {
    case 1: return invert<1>(block, inverse);
    case 2: return invert<2>(block, inverse);
    case 3: return invert<3>(block, inverse);
    case 6: return invert<6>(block, inverse);
    default: break;
  }
  const Eigen::Map<const MatrixXd> A(block, d, d);
  const Eigen::PartialPivLU<MatrixXd> lu(A);
  Eigen::Map<MatrixXd>(inverse, d, d) = lu.inverse();
  return lu.rcond();
}

/// y = A x for a square block of compile-time size.
template <int d>
void multiply(const double* A, const double* x, double* y) {
  Eigen::Map<Eigen::Matrix<double, d, 1>>(y).noalias() =
      Eigen::Map<const Eigen::Matrix<double, d, d>>(A) * Eigen::Map<const Eigen::Matrix<double, d, 1>>(x);
}

void multiply(int d, const double* A, const double* x, double* y) {
  switch (d) {
    case 1: y[0] = A[0] * x[0]; return;
    case 2: multiply<2>(A, x, y); return;
    case 3: multiply<3>(A, x, y); return;
    case 6: multiply<6>(A, x, y); return;
    default: Eigen::Map<VectorXd>(y, d).noalias() = Eigen::Map<const MatrixXd>(A, d, d) * Eigen::Map<const VectorXd>(x, d);
  }
}

/// Y (d × r) = A (d × d) G_blockᵀ, the block being r × d; Eigen::Dynamic stands for sizes that are not common.
template <int d, int r>
void multiply_transposed(int dim, int rows, const double* A, const double* G, double* Y) {
  Eigen::Map<Eigen::Matrix<double, d, r>>(Y, dim, rows).noalias() =
      Eigen::Map<const Eigen::Matrix<double, d, d>>(A, dim, dim).lazyProduct(Eigen::Map<const Eigen::Matrix<double, r, d>>(G, rows, dim).transpose());
}

/// S(e, f) += C_e Y_f, column c of it starting at S + targets[c].
template <int r_e, int r_f, int d>
void add_product(int rows_e, int rows_f, int dim, const double* C, const double* Y, double* S, const int* targets) {
  const Eigen::Map<const Eigen::Matrix<double, r_e, d>> Ce(C, rows_e, dim);
  const Eigen::Map<const Eigen::Matrix<double, d, r_f>> Yf(Y, dim, rows_f);
  for (int c = 0; c < rows_f; ++c)
    Eigen::Map<Eigen::Matrix<double, r_e, 1>>(S + targets[c], rows_e).noalias() += Ce.lazyProduct(Yf.col(c));
}

using MultiplyTransposed = void (*)(int, int, const double*, const double*, double*);
using AddProduct = void (*)(int, int, int, const double*, const double*, double*, const int*);

template <int r>
MultiplyTransposed multiply_transposed_of(int d) {
  switch (d) {
    case 2: return multiply_transposed<2, r>;
    case 3: return multiply_transposed<3, r>;
    case 6: return multiply_transposed<6, r>;
    default: return multiply_transposed<Eigen::Dynamic, Eigen::Dynamic>;
  }
}

MultiplyTransposed multiply_transposed_of(int d, int r) {
  switch (r) {
    case 1: return multiply_transposed_of<1>(d);
    case 2: return multiply_transposed_of<2>(d);
    case 3: return multiply_transposed_of<3>(d);
    default: return multiply_transposed<Eigen::Dynamic, Eigen::Dynamic>;
  }
}

AddProduct add_product_of(int rows_e, int rows_f, int dim) {
  if (dim == 6 && rows_e == rows_f) switch (rows_e) {
      case 1: return add_product<1, 1, 6>;
      case 2: return add_product<2, 2, 6>;
      case 3: return add_product<3, 3, 6>;
      default: break;
    }
  return add_product<Eigen::Dynamic, Eigen::Dynamic, Eigen::Dynamic>;
}

/// Where the Schur complement is kept and factored: chosen once by structure and size.
enum class Storage { none, dense, tridiagonal, sparse };

class SchurKkt final : public KktSolver::Method {
 public:
  explicit SchurKkt(const BlockPattern& p)
      : p_(p), inverse_(p), Y_(VectorXd::Zero(p.row_values())), x0_(p.size()), y0_(VectorXd::Zero(p.rows())), ordered_(VectorXd::Zero(p.rows())) {}

  FactorReport set_nodes(const NodeMatrix& H) override {
    FactorReport report{.ok = true, .rcond = 1};
    for (int i = 0; i < p_.nodes(); ++i) {
      const int at = p_.block_offset(i, i);
      const double ratio = invert(p_.dim(i), H.data() + at, inverse_.data() + at);
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
    for (const Half& half : halves_)
      half.multiply(half.dim, half.rows, inverse_.data() + half.inverse_at, G.data() + half.at, Y_.data() + half.at);
    assemble();
    for (const int row : p_.inactive_rows())
      if (row < rows_) diagonal_entry(row) += 1;
    return factorize();
  }

  void solve(const VectorXd& a, const VectorXd& b, VectorXd& x, VectorXd& y) override {
    for (int i = 0; i < p_.nodes(); ++i)
      multiply(p_.dim(i), inverse_.data() + p_.block_offset(i, i), a.data() + p_.offset(i), x0_.data() + p_.offset(i));
    if (blocks_ > 0) {
      C_->times(x0_, y0_, blocks_);
      for (int r = 0; r < rows_; ++r) y0_[r] -= b[r];
      solve_schur();
      subtract_Y_times_y();
      for (int r = 0; r < rows_; ++r) y[r] = y0_[r];
    }
    x = x0_;
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
  /// Two active row blocks that share a node: S(e, f) += C_e Y_f. Column c goes to values[targets_[first_target + c]].
  struct Pair {
    int rows_e, rows_f, dim, c_at, y_at, first_target;
    AddProduct add;
  };
  /// A row block at one of its nodes: Y = H⁻¹ G_blockᵀ.
  struct Half {
    int rows, dim, inverse_at, at;
    MultiplyTransposed multiply;
  };

  void prepare(int blocks) {
    blocks_ = blocks;
    rows_ = p_.rows(blocks);
    choose_storage();
    pairs_.clear();
    targets_.clear();
    for_each_pair([&](int e, int f, int node, int c_at, int y_at) {
      const RowBlock &be = p_.row_block(e), &bf = p_.row_block(f);
      pairs_.push_back({be.rows, bf.rows, p_.dim(node), c_at, y_at, static_cast<int>(targets_.size()), add_product_of(be.rows, bf.rows, p_.dim(node))});
      for (int c = 0; c < bf.rows; ++c) targets_.push_back(target(e, f, c));
    });
    halves_.clear();
    for (int k = 0; k < blocks; ++k)
      for (const NodeRef& ref : p_.refs(p_.row_block(k))) {
        const int rows = p_.row_block(k).rows, dim = p_.dim(ref.node);
        halves_.push_back({rows, dim, p_.block_offset(ref.node, ref.node), ref.value_offset, multiply_transposed_of(dim, rows)});
      }
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
    } else if (blocks_ > 1 && is_path(graph, order)) {
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

  /// Where column c of block (e, f) starts; its rows are contiguous in every storage.
  int target(int e, int f, int c) const {
    const RowBlock &be = p_.row_block(e), &bf = p_.row_block(f);
    if (storage_ == Storage::dense) return be.first_row + (bf.first_row + c) * rows_;
    if (storage_ == Storage::sparse) return sparse_->position(be.first_row, bf.first_row + c);
    const int i = place_[e], j = place_[f];
    const int start = i == j ? chain_->diagonal(i) : (i > j ? chain_->lower(j) : chain_->upper(i));
    return start + c * be.rows;
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

  double* values() {
    return storage_ == Storage::dense ? S_.data() : (storage_ == Storage::sparse ? sparse_->values().data() : chain_->values().data());
  }

  double& diagonal_entry(int row) {
    if (storage_ == Storage::dense) return S_(row, row);
    if (storage_ == Storage::sparse) return sparse_->values()[sparse_->position(row, row)];
    const int block = p_.block_of_row(row);
    const RowBlock& b = p_.row_block(block);
    return chain_->values()[chain_->diagonal(place_[block]) + (row - b.first_row) * (b.rows + 1)];
  }

  void assemble() {
    double* S = values();
    std::fill(S, S + (storage_ == Storage::dense ? S_.size() : static_cast<Eigen::Index>(storage_ == Storage::sparse ? sparse_->values().size() : chain_->values().size())), 0.0);
    for (const Pair& pair : pairs_)
      pair.add(pair.rows_e, pair.rows_f, pair.dim, C_->data() + pair.c_at, Y_.data() + pair.y_at, S, targets_.data() + pair.first_target);
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

  /// y0 := S⁻¹ y0.
  void solve_schur() {
    if (storage_ == Storage::dense) {
      small_lu_solve(S_.data(), rows_, pivot_.data(), y0_.data());
    } else if (storage_ == Storage::sparse) {
      sparse_->solve(y0_.data());
    } else if (natural_) {
      chain_->solve(y0_.data());
    } else {
      permute([](double& inside, double& outside) { inside = outside; });
      chain_->solve(ordered_.data());
      permute([](double& inside, double& outside) { outside = inside; });
    }
  }

  template <class F>
  void permute(F&& f) {
    int at = 0;
    for (const int block : order_) {
      const RowBlock& b = p_.row_block(block);
      for (int r = 0; r < b.rows; ++r) f(ordered_[at++], y0_[b.first_row + r]);
    }
  }

  void subtract_Y_times_y() {
    for (int k = 0; k < blocks_; ++k) {
      const RowBlock& b = p_.row_block(k);
      for (const NodeRef& ref : p_.refs(b)) {
        const int d = p_.dim(ref.node);
        double* x = x0_.data() + p_.offset(ref.node);
        for (int r = 0; r < b.rows; ++r)
          for (int i = 0; i < d; ++i) x[i] -= Y_[ref.value_offset + i + r * d] * y0_[b.first_row + r];
      }
    }
  }

  const BlockPattern& p_;
  NodeMatrix inverse_;
  VectorXd Y_, x0_, y0_, ordered_;
  Storage storage_ = Storage::none;
  MatrixXd S_;
  std::vector<int> pivot_, targets_, place_, order_;
  std::vector<Pair> pairs_;
  std::vector<Half> halves_;
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
