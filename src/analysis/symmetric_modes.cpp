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
        freedom_(freedom(lin) - static_cast<int>(without.cols())) {}

  SymmetricModes solve() {
    double sigma = -1e-9 * typical_square();
    // (MO.14) The shift belongs into the region of the wanted ω², which is not known at first.
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
    throw NoModes("K − σM cannot be factored: a constraint depends on others, or numbers are not finite");
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
      if (std::abs(found.lambda[k]) > found.noise + noise_of_square(lin_, found.zeta.col(k)))
        return std::abs(found.lambda[k]);
    return 0;
  }

  /// (MO.12) X ↦ |σ| (K − σM)⁻¹ M X on the tangent space.
  MatrixXd apply(const MatrixXd& X) { return scale_ * factor_.solve_columns(separable_times(lin_.M, X)); }

  /// (MO.15) What one sequence shows of a multiple eigenvalue are as many vectors as a block has: what was found is
  /// kept out, and the search goes on until nothing as close to σ is left.
  SymmetricModes all_of(double sigma) {
    const int wanted = std::min(count_, freedom_);
    SymmetricModes found = nearest(sigma, without_, wanted);
    if (found.lambda.size() == 0) throw NoModes("the Lanczos iteration did not converge");
    while (static_cast<int>(found.lambda.size()) < freedom_) {
      const double limit = distance_limit(found, sigma);
      MatrixXd known(lin_.size(), without_.cols() + found.zeta.cols());
      known << without_, found.zeta;
      const SymmetricModes more = nearest(sigma, known, 1, scale_ / limit);
      const Index before = found.lambda.size();
      for (Index k = 0; k < more.lambda.size(); ++k)
        if (std::abs(more.lambda[k] - sigma) <= limit) append(found, more.lambda[k], more.zeta.col(k));
      if (found.lambda.size() == before) break;
    }
    SymmetricModes out = slowest(found.lambda, found.zeta, count_);
    out.noise = relative_noise * std::abs(sigma);
    return out;
  }

  /// Distance from σ of the last one that is wanted.
  double distance_limit(const SymmetricModes& found, double sigma) const {
    if (found.lambda.size() < count_) return std::numeric_limits<double>::infinity();
    std::vector<double> distances;
    for (const double l : found.lambda) distances.push_back(std::abs(l - sigma));
    std::nth_element(distances.begin(), distances.begin() + (count_ - 1), distances.end());
    return distances[static_cast<std::size_t>(count_ - 1)] * (1 + 1e-6);
  }

  static void append(SymmetricModes& to, double lambda, const VectorXd& zeta) {
    const Index n = to.lambda.size();
    to.lambda.conservativeResize(n + 1);
    to.zeta.conservativeResize(Eigen::NoChange, n + 1);
    to.lambda[n] = lambda;
    to.zeta.col(n) = zeta;
  }

  /// The `wanted` nearest to σ that are M-orthogonal to the columns of `known`; none when the first θ turns out to be
  /// smaller than `least`.
  SymmetricModes nearest(double sigma, const MatrixXd& known, int wanted, double least = 0) {
    const int room = freedom(lin_) - static_cast<int>(known.cols());
    wanted = std::min(wanted, room);
    BlockLanczos lanczos([this](const MatrixXd& X) { return apply(X); }, lin_.M, known,
                         std::min(room, 2 * wanted + 8 * block));
    lanczos.add_directions(block);
    for (int steps = 0; steps < most_steps; ++steps) {
      if (!lanczos.step()) lanczos.add_directions(block);
      if (lanczos.processed() < wanted) continue;
      const BlockLanczos::Ritz ritz = lanczos.ritz();
      if (std::abs(ritz.values[0]) + 10 * ritz.errors[0] < least) break;
      const auto first = ritz.values.head(wanted).array();
      if ((ritz.errors.head(wanted).array() <= tolerance * first.abs()).all())
        return {sigma + scale_ / first, lanczos.vectors(ritz, wanted), 0};
      if (lanczos.is_full(block)) lanczos.shrink(ritz, std::min(wanted + 3 * block, lanczos.processed()));
    }
    return {VectorXd(0), MatrixXd(lin_.size(), 0), 0};
  }
  /// Vectors that the solver treats at once. Pairs of bending modes need two; with four, 2000 segments took 88 solves
  /// instead of 62.
  static constexpr int block = 2;
  static constexpr double tolerance = 1e-8;  ///< of |A x − θ x| / |θ|; eigenvalues are as good as its square
  static constexpr int most_steps = 2000;

  const Linearization& lin_;
  ShiftedFactor& factor_;
  const MatrixXd& without_;
  const int count_;
  const int freedom_;
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

double noise_of_square(const Linearization& lin, const VectorXd& zeta) {
  return relative_noise * zeta.cwiseAbs().dot(sizes_times(lin.K, zeta)) / zeta.dot(separable_times(lin.M, zeta).col(0));
}

}  // namespace filum::analysis
