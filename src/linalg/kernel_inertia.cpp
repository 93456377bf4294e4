/// A block LDLᵀ of the saddle-point matrix with an augmented upper block. Theory: docs/theory/statics.md, (EQ.14).
#include <filum/linalg/dense_decompositions.hpp>
#include <filum/linalg/kernel_inertia.hpp>
#include <filum/linalg/ordering.hpp>

#include <algorithm>
#include <cmath>

namespace filum::linalg {
namespace {

/// Blocks of unknowns: nodes first, then row blocks, in the order in which they are eliminated.
class Elimination {
 public:
  Elimination(const NodeMatrix& H, const RowMatrix& C, const VectorXd& scale, const RowSelection& rows)
      : p_(H.pattern()), H_(H), C_(C), scale_(scale), rows_(rows), length_(VectorXd::Ones(p_.rows())) {
    order();
    measure();
  }

  std::optional<Inertia> run(double weight, double shift = 0) {
    fill(weight, shift);
    Inertia inertia;
    double growth = 0;
    for (std::size_t i = 0; i < panels_.size(); ++i) {
      eliminate(i);
      const Eigen::MatrixXd D = diagonal(i);
      if (!D.allFinite()) return std::nullopt;
      const auto [values, vectors] = symmetric_eigen(0.5 * (D + D.transpose()));
      for (const double value : values) {
        if (!(std::abs(value) > tiny * size_)) return std::nullopt;
        ++(value > 0 ? inertia.positive : inertia.negative);
      }
      inverse_[i] = vectors * values.cwiseInverse().asDiagonal() * vectors.transpose();
      growth = std::max(growth, D.cwiseAbs().maxCoeff());
    }
    if (growth > largest_growth * size_) return std::nullopt;
    const int inactive = static_cast<int>(rows_.inactive().size()), active = p_.rows() - inactive;
    inertia.positive -= active + inactive;
    inertia.negative -= active;
    return inertia;
  }

 private:
  static constexpr double tiny = 1e-14, largest_growth = 1e9;

  // A row block follows the last of its nodes: then its pivot is −C A⁻¹ Cᵀ.
  void order() {
    Graph graph(static_cast<std::size_t>(p_.nodes()));
    for (int i = 0; i < p_.nodes(); ++i)
      for (const int j : p_.upper_neighbours(i)) graph[i].push_back(j), graph[j].push_back(i);
    const std::vector<int> nodes = reverse_cuthill_mckee(graph);
    std::vector<int> left(static_cast<std::size_t>(p_.row_blocks()));
    for (int k = 0; k < p_.row_blocks(); ++k) left[k] = p_.row_block(k).node_count;
    node_place_.resize(nodes.size()), row_place_.resize(left.size());
    const auto place = [&](int& at, int dim) {
      at = static_cast<int>(offsets_.size()) - 1;
      offsets_.push_back(offsets_.back() + dim);
    };
    for (const int node : nodes) {
      place(node_place_[node], p_.dim(node));
      for (const Incidence& in : p_.incidence(node))
        if (--left[in.block] == 0) place(row_place_[in.block], p_.row_block(in.block).rows);
    }
    first_.resize(offsets_.size() - 1);
    for (std::size_t i = 0; i < first_.size(); ++i) first_[i] = static_cast<int>(i);
    const auto couple = [&](int a, int b) {
      first_[std::max(a, b)] = std::min(first_[std::max(a, b)], std::min(a, b));
    };
    for (int i = 0; i < p_.nodes(); ++i)
      for (const int j : p_.upper_neighbours(i)) couple(node_place_[i], node_place_[j]);
    for (int k = 0; k < p_.row_blocks(); ++k)
      for (const NodeRef& ref : p_.refs(p_.row_block(k))) couple(row_place_[k], node_place_[ref.node]);
    panels_.resize(first_.size()), inverse_.resize(first_.size());
  }

  void measure() {
    size_ = 0;
    for (int i = 0; i < p_.nodes(); ++i) size_ = std::max(size_, scaled(i, i).cwiseAbs().maxCoeff());
    if (!(size_ > 0)) size_ = 1;
    VectorXd sum = VectorXd::Zero(p_.rows());
    for (int k = 0; k < p_.row_blocks(); ++k) {
      const RowBlock& b = p_.row_block(k);
      for (const NodeRef& ref : p_.refs(b)) sum.segment(b.first_row, b.rows) += scaled(b, ref).rowwise().squaredNorm();
    }
    length_ = sum.cwiseSqrt();
  }

  Eigen::MatrixXd scaled(int i, int j) const {
    return scale_.segment(p_.offset(i), p_.dim(i)).asDiagonal() * H_.block(i, j) *
           scale_.segment(p_.offset(j), p_.dim(j)).asDiagonal();
  }
  /// A block of C, its rows of length 1, inactive ones 0.
  Eigen::MatrixXd scaled(const RowBlock& b, const NodeRef& ref) const {
    Eigen::MatrixXd c = Eigen::Map<const Eigen::MatrixXd>(C_.data() + ref.value_offset, b.rows, p_.dim(ref.node)) *
                        scale_.segment(p_.offset(ref.node), p_.dim(ref.node)).asDiagonal();
    for (int r = 0; r < b.rows; ++r)
      if (!rows_.is_active(b.first_row + r))
        c.row(r).setZero();
      else if (length_[b.first_row + r] > 0)
        c.row(r) /= length_[b.first_row + r];
    return c;
  }

  auto block(int i, int j) {
    return panels_[i].middleCols(offsets_[j] - offsets_[first_[i]], offsets_[j + 1] - offsets_[j]);
  }
  /// Adds to (a, b) or (b, a), whichever is below the diagonal.
  void add(int a, int b, const Eigen::MatrixXd& value) {
    if (a >= b)
      block(a, b) += value;
    else
      block(b, a) += value.transpose();
  }

  // H + Cᵀ D C with D > 0 in place of H: congruent to the original, and nodes that only constraints hold have pivots.
  void fill(double weight, double shift) {
    for (std::size_t i = 0; i < panels_.size(); ++i)
      panels_[i].setZero(offsets_[i + 1] - offsets_[i], offsets_[i + 1] - offsets_[first_[i]]);
    for (int i = 0; i < p_.nodes(); ++i) {
      const Eigen::MatrixXd own = scaled(i, i);
      add(node_place_[i], node_place_[i],
          0.5 * (own + own.transpose()) + shift * size_ * Eigen::MatrixXd::Identity(p_.dim(i), p_.dim(i)));
      for (const int j : p_.upper_neighbours(i))
        add(node_place_[i], node_place_[j], 0.5 * (scaled(i, j) + scaled(j, i).transpose()));
    }
    for (int k = 0; k < p_.row_blocks(); ++k) {
      const RowBlock& b = p_.row_block(k);
      for (const NodeRef& u : p_.refs(b)) {
        const Eigen::MatrixXd c = scaled(b, u);
        add(row_place_[k], node_place_[u.node], size_ * c);
        for (const NodeRef& w : p_.refs(b))
          if (node_place_[u.node] >= node_place_[w.node])
            add(node_place_[u.node], node_place_[w.node], weight * size_ * c.transpose() * scaled(b, w));
      }
      for (int r = 0; r < b.rows; ++r)
        if (!rows_.is_active(b.first_row + r)) block(row_place_[k], row_place_[k])(r, r) = size_;
    }
  }

  // Panels hold Y = L D while their own row is worked on, and L afterwards.
  void eliminate(std::size_t row) {
    const int i = static_cast<int>(row);
    Eigen::MatrixXd& Y = panels_[row];
    for (int j = first_[i]; j < i; ++j) {
      const int from = std::max(first_[i], first_[j]);
      if (from >= j) continue;
      const int width = offsets_[j] - offsets_[from];
      block(i, j) -= Y.middleCols(offsets_[from] - offsets_[first_[i]], width) *
                     panels_[j].middleCols(offsets_[from] - offsets_[first_[j]], width).transpose();
    }
    Eigen::MatrixXd D = block(i, i);
    for (int j = first_[i]; j < i; ++j) {
      const Eigen::MatrixXd y = block(i, j);
      block(i, j) = y * inverse_[j];
      D -= y * block(i, j).transpose();
    }
    block(i, i) = D;
  }
  Eigen::MatrixXd diagonal(std::size_t i) { return block(static_cast<int>(i), static_cast<int>(i)); }

  const BlockPattern& p_;
  const NodeMatrix& H_;
  const RowMatrix& C_;
  const VectorXd& scale_;
  const RowSelection& rows_;
  VectorXd length_;
  double size_ = 1;
  std::vector<int> node_place_, row_place_, offsets_{0}, first_;
  std::vector<Eigen::MatrixXd> panels_, inverse_;
};

}  // namespace

std::optional<Inertia> kernel_inertia(const NodeMatrix& H, const RowMatrix& C, const VectorXd& scale,
                                      const RowSelection& rows) {
  Elimination elimination(H, C, scale, rows);
  // Any positive weight gives the same signs; another one avoids an accidental zero.
  for (const double weight : {1.0, 0.137, 7.3})
    if (const auto inertia = elimination.run(weight)) return inertia;
  // A node that nothing holds in some direction has no pivot there, though its neighbours may hold it. Eigenvalues grow
  // with a shift: where shifts up and down give the same signs, they are those without.
  constexpr double shift = 1e-6;
  const auto up = elimination.run(1, shift), down = elimination.run(1, -shift);
  return up && down && *up == *down ? up : std::nullopt;
}

}  // namespace filum::linalg
