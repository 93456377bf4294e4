/// The symmetric eigenvalue problem, all eigenvalues or the slowest. Theory: docs/theory/modes.md, sec. 3.
#include "symmetric_modes.hpp"

#include "block_lanczos.hpp"
#include "node_products.hpp"
#include "tangent_basis.hpp"

#include <filum/analysis/modes.hpp>
#include <filum/linalg/dense_decompositions.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace filum::analysis {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double relative_noise = 100 * std::numeric_limits<double>::epsilon();

/// The first `count` by modulus.
SymmetricModes slowest(const VectorXd& lambda, const MatrixXd& zeta, Index count) {
  std::vector<Index> order(static_cast<std::size_t>(lambda.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return std::abs(lambda[a]) < std::abs(lambda[b]); });
  count = std::min(count, lambda.size());
  SymmetricModes out{VectorXd(count), MatrixXd(zeta.rows(), count), 0};
  for (Index k = 0; k < count; ++k) {
    out.lambda[k] = lambda[order[static_cast<std::size_t>(k)]];
    out.zeta.col(k) = zeta.col(order[static_cast<std::size_t>(k)]);
  }
  return out;
}

}  // namespace

SymmetricModes dense_symmetric_modes(const Linearization& lin, const MatrixXd& without, int count) {
  const DenseSystem d = on_basis(lin, tangent_basis(lin, without));
  const MatrixXd K = 0.5 * (d.K + d.K.transpose());
  if (K.size() == 0) return {VectorXd(0), MatrixXd(lin.size(), 0), 0};
  auto direct = linalg::generalized_symmetric_eigen(K, d.M);
  if (!direct)
    throw NoModes("the mass matrix is singular for motions that the constraints allow; give every node an inertia");
  auto& [lambda, vectors] = *direct;
  // (MO.13) Errors are relative to the largest ω²: the slow ones come from the inverse problem instead.
  const double largest = lambda.cwiseAbs().maxCoeff(), noise = 1e-15 * static_cast<double>(lambda.size()) * largest;
  double first = largest;
  for (const double l : lambda)
    if (std::abs(l) > noise) first = std::min(first, std::abs(l));
  const Index many = (lambda.array() < std::min(1e-5 * largest, 1e7 * first)).count();
  double left = noise;
  if (many > 0 && first > 0) {
    const double sigma = 2 * std::min(lambda[0], 0.0) - first;
    if (const auto inverse = linalg::generalized_symmetric_eigen(d.M, K - sigma * d.M)) {
      left = relative_noise * std::abs(sigma);
      for (Index k = 0; k < many; ++k) {
        const Index last = lambda.size() - 1 - k;  // the largest 1 / (ω² − σ)
        lambda[k] = sigma + 1 / inverse->values[last];
        vectors.col(k) = inverse->vectors.col(last) / std::sqrt(inverse->values[last]);
      }
    }
  }
  SymmetricModes out = slowest(lambda, d.basis * vectors, count);
  out.noise = left;
  return out;
}

namespace {

class SparseProblem {
 public:
  SparseProblem(const Linearization& lin, const MatrixXd& without, int count, ShiftedFactor& factor)
      : lin_(lin),
        factor_(factor),
        without_(without),
        count_(count),
        freedom_(freedom(lin) - static_cast<int>(without.cols())),
        noise_(lin.K) {}

  SymmetricModes solve() {
    double sigma = -1e-9 * typical_square();
    // (MO.14) The shift has to lie near the wanted ω², which is not known at first.
    for (int round = 0; round < 4; ++round) {
      if (!factor_.factorize(1, 0, -sigma)) {
        sigma *= 1.7;
        continue;
      }
      scale_ = std::abs(sigma);
      SymmetricModes found = all_of(sigma);
      const double next = first_vibration(found);
      if (next == 0 || (next > 1e-3 * scale_ && next < 1e5 * scale_) || round == 3) return found;
      sigma = -next;
    }
    throw NoModes("K − σM cannot be factored: the constraints are linearly dependent, or numbers are not finite");
  }

 private:
  /// Median of Kᵢᵢ / Mᵢᵢ.
  double typical_square() const {
    const VectorXd k = diagonal(lin_.K), m = diagonal(lin_.M);
    std::vector<double> ratios;
    for (Index i = 0; i < k.size(); ++i)
      if (m[i] > 0 && k[i] != 0) ratios.push_back(std::abs(k[i]) / m[i]);
    if (ratios.empty()) return 1;
    const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
    std::nth_element(ratios.begin(), middle, ratios.end());
    return *middle;
  }

  double first_vibration(const SymmetricModes& found) const {
    for (Index k = 0; k < found.lambda.size(); ++k)
      if (std::abs(found.lambda[k]) > found.noise + noise_.of(found.zeta.col(k))) return std::abs(found.lambda[k]);
    return 0;
  }

  /// (MO.12), (MO.15) The `count` nearest to σ. A sequence sees as many vectors of a multiple eigenvalue as it has
  /// first vectors: when all have converged, others join, until they bring nothing to light.
  SymmetricModes all_of(double sigma) {
    const int wanted = std::min(count_, freedom_);
    BlockLanczos lanczos(
        [this](const MatrixXd& MX, MatrixXd& Z) {
          factor_.solve_columns(MX, Z);
          Z *= scale_;  // |σ| (K − σM)⁻¹ M X
        },
        lin_.M, without_, std::min(freedom_, 2 * wanted + 10 * block));
    lanczos.add_directions(block);
    double before = 0;  // sum of what had converged when the last vectors joined
    int since = 0;      // steps since then
    for (int steps = 0; steps < most_steps; ++steps, ++since) {
      if (!lanczos.step()) lanczos.add_directions(block);
      if (lanczos.processed() < wanted + wanted / 2 && !lanczos.is_full(2 * block)) continue;
      const BlockLanczos::Ritz ritz = lanczos.ritz();
      if (has_converged(ritz, wanted)) {
        const double sum = ritz.values.head(wanted).cwiseAbs().sum();
        const bool is_new = sum > (1 + same) * before;
        if (lanczos.processed() == freedom_ || (!is_new && since >= 2 && is_certain(ritz, wanted)))
          return {sigma + scale_ / ritz.values.head(wanted).array(), lanczos.vectors(ritz, wanted),
                  relative_noise * std::abs(sigma)};
        if (is_new) {
          if (lanczos.is_full(3 * block)) lanczos.shrink(ritz, std::min(wanted + 3 * block, lanczos.processed()));
          lanczos.add_directions(block);
          before = sum, since = 0;
          continue;
        }
      }
      if (lanczos.is_full(2 * block)) lanczos.shrink(ritz, std::min(wanted + 3 * block, lanczos.processed()));
    }
    throw NoModes("the Lanczos iteration did not converge");
  }

  static bool has_converged(const BlockLanczos::Ritz& ritz, int wanted) {
    return (ritz.errors.head(wanted).array() <= tolerance * ritz.values.head(wanted).array().abs()).all();
  }
  /// None of the others can turn out to be nearer to σ than those that are wanted.
  static bool is_certain(const BlockLanczos::Ritz& ritz, int wanted) {
    const Index others = ritz.values.size() - wanted;
    return (ritz.values.tail(others).array().abs() + 10 * ritz.errors.tail(others).array() <
            (1 + same) * std::abs(ritz.values[wanted - 1]))
        .all();
  }

  /// Vectors that the solver treats at once. Pairs of bending modes need two.
  static constexpr int block = 2;
  static constexpr double tolerance = 1e-8;  ///< of |A x − θ x| / |θ|; eigenvalues are as good as its square
  static constexpr double same = 1e-6;       ///< values closer than this count as one
  static constexpr int most_steps = 2000;

  const Linearization& lin_;
  ShiftedFactor& factor_;
  const MatrixXd& without_;
  const int count_;
  const int freedom_;
  const SquareNoise noise_;
  double scale_ = 1;
};

}  // namespace

SymmetricModes sparse_symmetric_modes(const Linearization& lin, const MatrixXd& without, int count,
                                      ShiftedFactor& factor) {
  return SparseProblem(lin, without, count, factor).solve();
}

void make_symmetric(NodeMatrix& K) {
  const auto& p = K.pattern();
  const auto mean_of = [&](int i, int j) {
    const MatrixXd mean = 0.5 * (K.block(i, j) + K.block(j, i).transpose());
    K.block(i, j) = mean;
    K.block(j, i) = mean.transpose();
  };
  for (int i = 0; i < p.nodes(); ++i) {
    mean_of(i, i);
    for (const int j : p.upper_neighbours(i)) mean_of(i, j);
  }
}

SquareNoise::SquareNoise(const NodeMatrix& K)
    : rows_(relative_noise * sizes_times(K, VectorXd::Ones(K.pattern().size()))) {}

}  // namespace filum::analysis
