/// The null space of the static matrix by subspace iteration. Theory: docs/theory/statics.md, sec. 5.
#include "free_motions.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace filum::analysis {
namespace {

constexpr int most = 14;  ///< directions looked at; a model with more is not a mistake that needs counting
constexpr double rounding = 5e-13;

/// |A z| against |A||z|, row by row, largest: 1e-16 where A z is a sum of rounding errors.
class Cancellation {
 public:
  explicit Cancellation(const StaticEquations& e) : e_(e), n_(e.system().size_v()) {}

  double operator()(const VectorXd& z, const VectorXd& y) {
    VectorXd sum = VectorXd::Zero(n_), size = VectorXd::Zero(n_);
    const auto& p = e_.system().pattern();
    const auto add = [&](int i, int j) {
      const auto block = e_.stiffness().block(i, j);
      const auto part = z.segment(p.offset(j), p.dim(j));
      sum.segment(p.offset(i), p.dim(i)) += block * part;
      size.segment(p.offset(i), p.dim(i)) += block.cwiseAbs() * part.cwiseAbs();
    };
    for (int i = 0; i < p.nodes(); ++i) {
      add(i, i);
      for (const int j : p.upper_neighbours(i)) add(i, j), add(j, i);
    }
    e_.constraints().add_transpose_times(y, 1, sum, e_.system().row_blocks());
    mechanics::RowMatrix C = e_.constraints();
    C.values() = C.values().cwiseAbs();
    const VectorXd y_size = y.cwiseAbs();
    C.add_transpose_times(y_size, 1, size, e_.system().row_blocks());
    const Eigen::ArrayXd scale = e_.weights().array().rsqrt();
    const Eigen::ArrayXd bound = size.array() * scale;
    return (sum.array().abs() * scale / (bound + 1e-3 * bound.maxCoeff() + 1e-300)).maxCoeff();
  }

 private:
  const StaticEquations& e_;
  int n_;
};

}  // namespace

Eigen::MatrixXd free_motions(StaticEquations& e, const StaticPoint& p) {
  const int n = e.system().size_v();
  const int allowed = n - e.system().size_rows() + static_cast<int>(e.rows().inactive().size());
  const Eigen::Index count = std::min(allowed, most);
  if (count <= 0) return Eigen::MatrixXd(n, 0);
  Eigen::MatrixXd Z(n, count);
  for (Eigen::Index k = 0; k < count; ++k)  // no direction is left out, the same every time
    for (int i = 0; i < n; ++i)
      Z(i, k) = std::sin(1.0 + 12.9898 * i + 78.233 * static_cast<double>(k * i % 97 + k)) / std::sqrt(e.weights()[i]);
  if (!e.factorize(p).ok && e.stiffness_scale() == 0 && e.system().size_rows() == 0)
    return Eigen::MatrixXd::Identity(n, n);
  // A shift far below all that resists, far above rounding errors.
  double shift = 1e-11 * e.stiffness_scale();
  if (!(shift > 0)) shift = 1;
  for (int attempt = 0; !e.factorize(p, shift).ok && attempt < 3; ++attempt) shift *= 10;
  const VectorXd none = VectorXd::Zero(e.system().size_rows());
  StaticIncrement d{VectorXd(n), none};
  Eigen::MatrixXd Y(none.size(), count);
  for (int round = 0; round < 4; ++round) {
    for (Eigen::Index k = 0; k < count; ++k) {
      e.solve(e.weights().cwiseProduct(Z.col(k)), none, d);
      if (!d.q.allFinite()) return {};
      for (int again = 0; again < 2; ++again)
        for (Eigen::Index j = 0; j < k; ++j) d.q -= e.product(Z.col(j), d.q) * Z.col(j);
      const double length = e.length(d.q);
      Z.col(k) = length > 0 ? VectorXd(d.q / length) : VectorXd(d.q);
    }
  }
  // The subspace is that of the smallest |eigenvalues|; single vectors of it by the eigenvectors of K on it.
  Eigen::MatrixXd inverse(count, count);
  for (Eigen::Index k = 0; k < count; ++k) {
    e.solve(e.weights().cwiseProduct(Z.col(k)), none, d);
    for (Eigen::Index j = 0; j < count; ++j) inverse(j, k) = e.product(Z.col(j), d.q);
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> ritz(0.5 * (inverse + inverse.transpose()));
  Eigen::MatrixXd found(n, 0);
  Cancellation cancels(e);
  for (Eigen::Index k = 0; k < count; ++k) {
    VectorXd z = Z * ritz.eigenvectors().col(k);
    e.solve(e.weights().cwiseProduct(z), none, d);
    const double length = e.length(d.q);
    z = d.q / length;
    const VectorXd y = d.lambda / length;
    if (!(cancels(z, y) <= rounding)) continue;
    found.conservativeResize(n, found.cols() + 1);
    found.rightCols<1>() = z;
  }
  return found;
}

}  // namespace filum::analysis
