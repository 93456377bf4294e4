/// The quadratic eigenvalue problem. Theory: docs/theory/modes.md, sec. 5.
#include "quadratic_modes.hpp"

#include "state_matrix.hpp"
#include "symmetric_modes.hpp"
#include "tangent_basis.hpp"

#include <filum/analysis/modes.hpp>
#include <filum/linalg/dense_decompositions.hpp>

#include <Spectra/GenEigsRealShiftSolver.h>

#include <algorithm>
#include <cmath>

namespace filum::analysis {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;

/// Those with Im s ≥ 0 and |s| above the noise, slowest first.
void keep_oscillations(QuadraticModes& found) {
  std::vector<Index> kept;
  for (std::size_t k = 0; k < found.s.size(); ++k)
    if (std::abs(found.s[k]) > found.noise && found.s[k].imag() >= -1e-14 * std::abs(found.s[k]))
      kept.push_back(static_cast<Index>(k));
  std::stable_sort(kept.begin(), kept.end(), [&](Index a, Index b) {
    return std::abs(found.s[static_cast<std::size_t>(a)]) < std::abs(found.s[static_cast<std::size_t>(b)]);
  });
  std::vector<Complex> s;
  MatrixXcd zeta(found.zeta.rows(), static_cast<Index>(kept.size()));
  for (const Index k : kept) {
    zeta.col(static_cast<Index>(s.size())) = found.zeta.col(k);
    s.push_back(found.s[static_cast<std::size_t>(k)]);
  }
  found.s = std::move(s);
  found.zeta = std::move(zeta);
}

linalg::GeneralEigen eigen_of_state(const MatrixXd& A) {
  auto eigen = linalg::general_eigen(A);
  if (!eigen) throw NoModes("the eigenvalues of the state matrix cannot be computed");
  return std::move(*eigen);
}

/// (MO.23) Nonholonomic rows: positions and velocities have bases of their own.
QuadraticModes with_state_matrix(const Linearization& lin) {
  const StateMatrix m = state_matrix(lin);
  QuadraticModes out;
  const auto [s, vectors] = eigen_of_state(m.A);
  out.s.assign(s.data(), s.data() + s.size());
  out.zeta = m.position * vectors.topRows(m.position.cols());
  // Zeros in Jordan blocks come out as the root of rounding errors.
  out.noise = 1e-6 * s.cwiseAbs().maxCoeff();
  out.free = m.position * null_space(m.A.leftCols(m.position.cols()));
  keep_oscillations(out);
  return out;
}

}  // namespace

QuadraticModes dense_quadratic_modes(const Linearization& lin, const MatrixXd& known) {
  if (lin.system->size_mu() > 0) return with_state_matrix(lin);
  // (MO.21) In coordinates of the undamped modes the state is (ωᵢ ηᵢ, η̇ᵢ); those that no force depends on are left out.
  Linearization undamped = lin;
  make_symmetric(undamped.K);
  const SymmetricModes modes = dense_symmetric_modes(undamped, known, lin.size());
  const Index n = known.cols() + modes.lambda.size();
  QuadraticModes out{{}, MatrixXcd(lin.size(), 0), 0, MatrixXd(lin.size(), 0)};
  if (n == 0) return out;
  MatrixXd shapes(lin.size(), n);
  shapes << known, modes.zeta;
  // Products with K would carry the rounding errors of its largest entries into slow modes.
  NodeMatrix rest = lin.K;
  rest.values() -= undamped.K.values();
  MatrixXd K = shapes.transpose() * (linalg::to_sparse(rest) * shapes);
  K.diagonal().tail(modes.lambda.size()) += modes.lambda;
  const MatrixXd D = shapes.transpose() * (linalg::to_sparse(lin.D) * shapes);
  const SquareNoise noise(undamped.K);
  std::vector<Index> resisted, free;
  VectorXd scale(n);
  for (Index j = 0; j < n; ++j) {
    const double size = K.col(j).norm();
    (j >= known.cols() && size > modes.noise + noise.of(shapes.col(j)) ? resisted : free).push_back(j);
    scale[j] = std::sqrt(size);
  }
  const Index h = static_cast<Index>(resisted.size());
  MatrixXd A = MatrixXd::Zero(h + n, h + n);
  A.bottomRightCorner(n, n) = -D;
  for (Index k = 0; k < h; ++k) {
    const Index j = resisted[static_cast<std::size_t>(k)];
    A(k, h + j) = scale[j];
    A.col(k).tail(n) = -K.col(j) / scale[j];
  }
  const auto [s, vectors] = eigen_of_state(A);
  out.s.assign(s.data(), s.data() + s.size());
  // Shapes are η = η̇ / s, which also knows the parts that were left out.
  out.zeta = shapes * vectors.bottomRows(n);
  out.noise = 1e-12 * A.cwiseAbs().rowwise().sum().maxCoeff();
  for (Index k = 0; k < s.size(); ++k)
    if (std::abs(s[k]) > out.noise) out.zeta.col(k) /= s[k];
  out.free.resize(lin.size(), static_cast<Index>(free.size()));
  for (std::size_t k = 0; k < free.size(); ++k) out.free.col(static_cast<Index>(k)) = shapes.col(free[k]);
  keep_oscillations(out);
  return out;
}

namespace {

/// (MO.22) (p, r) ↦ scale (ζ, η) with (σ²M + σD + K) ζ + Cᵀy = −M r − (D + σM) p and η = σζ + p, as Spectra wants it.
/// Velocities are divided by `speed`, so that both halves have one size.
class StateInverse {
 public:
  using Scalar = double;
  StateInverse(const Linearization& lin, ShiftedFactor& factor, const MatrixXd& free, double sigma, double speed)
      : factor_(factor),
        M_(linalg::to_sparse(lin.M, linalg::Structure::separable)),
        D_(linalg::to_sparse(lin.D)),
        free_(free),
        M_free_(M_ * free),
        n_(lin.size()),
        sigma_(sigma),
        speed_(speed) {}

  Index rows() const { return 2 * n_; }
  Index cols() const { return 2 * n_; }
  void set_shift(double) {}
  void perform_op(const double* in, double* out) const {
    const VectorXd p = Eigen::Map<const VectorXd>(in, n_), r = speed_ * Eigen::Map<const VectorXd>(in + n_, n_);
    VectorXd zeta = factor_.solve(-(M_ * r) - D_ * p - sigma_ * (M_ * p));
    const VectorXd eta = sigma_ * zeta + p;
    zeta -= free_ * (M_free_.transpose() * zeta);
    Eigen::Map<VectorXd>(out, n_) = speed_ * zeta;
    Eigen::Map<VectorXd>(out + n_, n_) = eta;
  }

 private:
  ShiftedFactor& factor_;
  SparseMatrix M_, D_;
  const MatrixXd& free_;
  MatrixXd M_free_;
  Index n_;
  double sigma_, speed_;
};

}  // namespace

QuadraticModes sparse_quadratic_modes(const Linearization& lin, const MatrixXd& free, int count,
                                      ShiftedFactor& factor) {
  if (lin.system->size_mu() > 0) throw NoModes("the system is too large for eigenvalues with nonholonomic constraints");
  // The slowest undamped mode shows where to look.
  Linearization undamped = lin;
  make_symmetric(undamped.K);
  ShiftedFactor first(undamped);
  const SymmetricModes slow = sparse_symmetric_modes(undamped, free, 4, first);
  const SquareNoise noise(undamped.K);
  double speed = 0;
  for (Index k = 0; k < slow.lambda.size(); ++k)
    if (std::abs(slow.lambda[k]) > slow.noise + noise.of(slow.zeta.col(k)))
      speed = std::max(speed, std::sqrt(std::abs(slow.lambda[k])));
  if (!(speed > 0)) speed = 1;
  const double sigma = 0.3 * speed;
  if (!factor.factorize(1, sigma, sigma * sigma)) throw NoModes("s²M + sD + K cannot be factored near s = 0");
  StateInverse inverse(lin, factor, free, sigma, speed);
  const Index nev = std::min<Index>(2 * count + 6, 2 * lin.size() - 3),
              space = std::min<Index>(2 * lin.size(), 2 * nev + 20);
  Spectra::GenEigsRealShiftSolver<StateInverse> solver(inverse, nev, space, sigma);
  VectorXd start = VectorXd::Zero(2 * lin.size());  // displacements that the constraints do not allow would stay
  for (Index i = lin.size(); i < start.size(); ++i) start[i] = std::sin(1.0 + 12.9898 * static_cast<double>(i));
  solver.init(start.data());
  solver.compute(Spectra::SortRule::LargestMagn, 500, 1e-10);
  const Eigen::VectorXcd values = solver.eigenvalues();
  if (values.size() == 0) throw NoModes("the Arnoldi iteration did not converge");
  QuadraticModes out;
  out.zeta = solver.eigenvectors().bottomRows(lin.size());  // ζ = η / s also along free motions
  out.noise = 1e-6 * speed;
  for (Index k = 0; k < values.size(); ++k) {
    out.s.push_back(sigma + speed * (values[k] - sigma));
    if (std::abs(out.s.back()) > out.noise) out.zeta.col(k) *= speed / out.s.back();
  }
  out.free = free;
  keep_oscillations(out);
  return out;
}

}  // namespace filum::analysis
